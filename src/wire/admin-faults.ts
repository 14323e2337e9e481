/** Faults that an operator puts between a sandbox and its clients (docs/sandbox.md#faults). */

export const FAULT_KINDS = ['LATENCY', 'LOST_ANSWER', 'DISCONNECT', 'RATE_LIMIT', 'CLOCK', 'HALT'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Milliseconds, seconds and times: most of each. */
export const FAULT_LATENCY_MS_MAX = 60_000
export const FAULT_RETRY_SECONDS_MAX = 3_600
export const FAULT_CLOCK_MS_MAX = 86_400_000
export const FAULT_SECONDS_MAX = 86_400
export const FAULT_TIMES_MAX = 1_000_000
/** Faults at a time. */
export const FAULTS_MAX = 100

/** What a fault does, whom it meets, how often, and when it ends by itself. */
export type FaultTerms = {
  /** Of a hundred cases; 100 without it. */
  readonly percent?: number | undefined
  /** What is drawn by; equal seeds draw equally. 0 without it. */
  readonly seed?: number | undefined
  /** Name of the account that it meets; without account and key: everybody but the demo market's traders. */
  readonly account?: string | undefined
  readonly apiKey?: string | undefined
  /** What it meets: `POST /api/v3/order`, or a message of the stream, `order.place`; without it: everything. */
  readonly endpoint?: string | undefined
  /** HALT: new orders of this symbol; without it: of all. */
  readonly symbol?: string | undefined
  /** LATENCY: added to each answer, and at most so much more, drawn. */
  readonly latencyMs?: number | undefined
  readonly spreadMs?: number | undefined
  /** RATE_LIMIT: how long it asks for patience. */
  readonly retryAfterSeconds?: number | undefined
  /** CLOCK: how far the server's time is ahead of the true one, or behind it. */
  readonly aheadMs?: number | undefined
  readonly behindMs?: number | undefined
  /** It ends after so long. */
  readonly seconds?: number | undefined
  /** It ends after it has struck so often. */
  readonly times?: number | undefined
}

export type FaultWish = FaultTerms & { readonly kind: FaultKind }

export type AdminFault = FaultWish & {
  readonly number: number
  /** How often it has struck. */
  readonly struck: number
  /** When it ends by itself; null: it does not by time. */
  readonly until: string | null
}
