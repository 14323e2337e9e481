/**
 * Times as people and programs read them outside: ISO 8601 in UTC with milliseconds and the offset `+00:00`.
 */
import type { TimeMs } from '../units/quantities.ts'

/** `2026-01-31T23:59:59.999+00:00`. The time must be one that a JavaScript date can hold (year 275760 and below). */
export function isoTime(time: TimeMs): string {
  return `${new Date(time).toISOString().slice(0, -1)}+00:00`
}
