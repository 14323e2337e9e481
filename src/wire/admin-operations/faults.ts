/** What goes wrong between a sandbox and its clients, on purpose (docs/sandbox.md#faults). */
import { known, named, oneOf, text, type ValuesOf, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

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
const TERMS = {
  percent: whole(1, 100, 'in so many of a hundred cases, 1 to 100; 100 without it'),
  seed: whole(0, undefined, 'draws the same cases again; 0 without it'),
  account: known("only this account; without it and --key all but the demo market's"),
  apiKey: named('key', known('only requests and logins with this API key')),
  endpoint: text('"POST /api/v3/order", or a message of the stream: order.place'),
  symbol: text('HALT: new orders of this symbol; without it of all'),
  latencyMs: whole(0, FAULT_LATENCY_MS_MAX, 'LATENCY: added to each, milliseconds'),
  spreadMs: whole(0, FAULT_LATENCY_MS_MAX, 'LATENCY: at most so much more, drawn'),
  retryAfterSeconds: named(
    'retry-after',
    whole(1, FAULT_RETRY_SECONDS_MAX, 'RATE_LIMIT: seconds, 1 to 3600; 5 without it'),
  ),
  aheadMs: whole(1, FAULT_CLOCK_MS_MAX, "CLOCK: the server's time is so far ahead, milliseconds"),
  behindMs: whole(1, FAULT_CLOCK_MS_MAX, 'CLOCK: or so far behind'),
  seconds: whole(1, FAULT_SECONDS_MAX, 'it ends after so long, 1 to 86400'),
  times: whole(1, FAULT_TIMES_MAX, 'it ends when it has struck so often'),
}
export type FaultTerms = ValuesOf<typeof TERMS>
export type FaultWish = FaultTerms & { readonly kind: FaultKind }

export type AdminFault = FaultWish & {
  readonly number: number
  /** How often it has struck. */
  readonly struck: number
  /** When it ends by itself; null: it does not by time. */
  readonly until: string | null
}

export const FAULT_OPERATIONS = {
  'fault/list': reads({
    summary: 'Show what goes wrong between a sandbox and its clients, and how often it has.',
    rights: ['read'],
    examples: ['fault list'],
    told: 'list of the [faults](../sandbox.md#faults) of a sandbox: `number`, `kind`, what was asked for, `struck` (how often), `until` (null: not by time). Elsewhere `NOT_A_SANDBOX`',
    answer: answers<readonly AdminFault[]>(),
  }),
  'fault/add': changes('HARMLESS', {
    summary:
      'Have something go wrong between a sandbox and its clients, until it is cleared, ends, or the sandbox stops.',
    rights: ['markets'],
    words: { kind: oneOf(FAULT_KINDS, `one of ${FAULT_KINDS.join(', ')}`) },
    options: TERMS,
    examples: [
      'fault add LATENCY --latency-ms 200 --spread-ms 300 --account alice',
      'fault add LOST_ANSWER --percent 10 --endpoint "POST /api/v3/order" --seconds 600',
    ],
    told: 'the fault; `TOO_MANY_FAULTS`',
    answer: answers<AdminFault>(),
  }),
  /** Without a number: all of them. */
  'fault/clear': changes('HARMLESS', {
    summary: 'End a fault of a sandbox, or all of them.',
    rights: ['markets'],
    options: { number: whole(1, undefined, 'only this one; without it all') },
    examples: ['fault clear'],
    told: '`cleared`: how many; `UNKNOWN_FAULT`',
    /** How many have ended. */
    answer: answers<{ readonly cleared: number }>(),
  }),
} satisfies OperationRows
