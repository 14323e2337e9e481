/** UTC days as a person writes them: `2026-01-31`. */
import { UsageError } from '../../../cli/arguments.ts'
import { DAY_MS, type DayNumber } from '../../../engine/reports/statement.ts'
import type { Moment } from '../backup/moment.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Reads the value of `option`; undefined stays undefined. Throws `UsageError` for a value that is not a
 * calendar day.
 */
export function dayGiven(option: string, text: string | true | undefined): DayNumber | undefined {
  if (typeof text !== 'string') return undefined
  const timeMs = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // A date that rolls over, such as 2026-02-30, is refused.
  if (!Number.isNaN(timeMs) && dayText(timeMs / DAY_MS) === text) return timeMs / DAY_MS
  throw new UsageError(`${option} needs a UTC day such as 2026-01-31, found ${text}`)
}

/** `2026-01-31`. */
export function dayText(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The last millisecond of the day. */
export function endOfDay(day: DayNumber): Moment {
  return { kind: 'time', timeMs: (day + 1) * DAY_MS - 1 }
}
