/** Injected faults between a sandbox and its clients (docs/sandbox.md#faults). */
import { known, named, oneOf, text, type ValuesOf, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

export const FAULT_KINDS = ['LATENCY', 'LOST_ANSWER', 'DISCONNECT', 'RATE_LIMIT', 'CLOCK', 'HALT'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Upper bounds of milliseconds, seconds and counts. */
export const FAULT_LATENCY_MS_MAX = 60_000
export const FAULT_RETRY_SECONDS_MAX = 3_600
export const FAULT_CLOCK_MS_MAX = 86_400_000
export const FAULT_SECONDS_MAX = 86_400
export const FAULT_TIMES_MAX = 1_000_000
/** Maximum number of faults at a time. */
export const FAULTS_MAX = 100

/** The effect of a fault, the affected clients, the frequency, and the time of its automatic end. */
const TERMS = {
  percent: whole(1, 100, 'chance that the fault strikes, {range} percent; default 100'),
  seed: whole(0, undefined, 'seed of the random choices; default 0'),
  account: known("only this account; without an account or a key, all accounts except the demo market's"),
  apiKey: named('key', known('only requests and logins with this API key')),
  endpoint: text(
    'only this endpoint, for example "POST /api/v3/order", or this message of the stream, for example order.place',
  ),
  symbol: text('HALT: refuse new orders in this symbol; default: in all symbols'),
  latencyMs: whole(0, FAULT_LATENCY_MS_MAX, 'LATENCY: delay of each answer, milliseconds'),
  spreadMs: whole(0, FAULT_LATENCY_MS_MAX, 'LATENCY: random extra delay up to this, milliseconds'),
  retryAfterSeconds: named(
    'retry-after',
    whole(1, FAULT_RETRY_SECONDS_MAX, 'RATE_LIMIT: seconds of Retry-After, {range}; default 5'),
  ),
  aheadMs: whole(1, FAULT_CLOCK_MS_MAX, "CLOCK: run the server's time ahead by this, milliseconds"),
  behindMs: whole(1, FAULT_CLOCK_MS_MAX, 'CLOCK: or behind by this, milliseconds'),
  seconds: whole(1, FAULT_SECONDS_MAX, 'end the fault after this many seconds, {range}'),
  times: whole(1, FAULT_TIMES_MAX, 'end the fault after it has struck this many times'),
}
export type FaultTerms = ValuesOf<typeof TERMS>
export type FaultRequest = FaultTerms & { readonly kind: FaultKind }

export type AdminFault = FaultRequest & {
  readonly number: number
  /** Number of times that the fault has taken effect. */
  readonly struck: number
  /** The time of its automatic end; null if it does not end by itself. */
  readonly until: string | null
}

export const FAULT_OPERATIONS = {
  'fault/list': reads({
    title: 'Simulated faults',
    summary: 'List the faults of a sandbox, and how often each has struck.',
    rights: ['read'],
    examples: ['fault list'],
    told: 'list of the [faults](../sandbox.md#faults) of a sandbox: `number`, `kind`, the given options, `struck` (how often), `until` (null: no time limit). `NOT_A_SANDBOX` on any other node',
    answer: answers<readonly AdminFault[]>(),
  }),
  'fault/add': changes('HARMLESS', {
    title: 'Simulate a fault',
    summary:
      'Inject a fault between a sandbox and its clients, until it is cleared, ends by itself, or the sandbox stops.',
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
  /** Without a number, clears all faults. */
  'fault/clear': changes('HARMLESS', {
    title: 'Clear faults',
    summary: 'End a fault of a sandbox, or all of them.',
    rights: ['markets'],
    options: { number: whole(1, undefined, 'only this fault; default: all') },
    examples: ['fault clear'],
    told: '`cleared`: number of faults ended; `UNKNOWN_FAULT`',
    /** The number of faults that have ended. */
    answer: answers<{ readonly cleared: number }>(),
  }),
} satisfies OperationRows
