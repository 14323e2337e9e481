/** A point in time of the exchange as a person specifies it: the number of a command, or a time. */
import { UsageError } from '../../../cli/arguments.ts'

export type Moment =
  | { readonly kind: 'seq'; readonly seq: number }
  /** Milliseconds since 1970. */
  | { readonly kind: 'time'; readonly timeMs: number }

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Reads the value of `option`; undefined stays undefined. A date without a time means its start in UTC. */
export function momentOf(option: string, text: string | true | undefined): Moment | undefined {
  if (typeof text !== 'string') return undefined
  if (/^\d{1,15}$/.test(text)) return { kind: 'seq', seq: Number(text) }
  const timeMs = ISO.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(timeMs)) return { kind: 'time', timeMs }
  throw new UsageError(
    `${option} needs the number of a command or a time such as 2026-01-31T23:59:59Z, found ${text}`,
  )
}

/** Whether a command is later than the moment. */
export function isAfter(moment: Moment | undefined, seq: number, timeMs: number): boolean {
  if (moment === undefined) return false
  return moment.kind === 'seq' ? seq > moment.seq : timeMs > moment.timeMs
}

/** Whether a command is earlier than the moment. */
export function isBefore(moment: Moment | undefined, seq: number, timeMs: number): boolean {
  if (moment === undefined) return false
  return moment.kind === 'seq' ? seq < moment.seq : timeMs < moment.timeMs
}
