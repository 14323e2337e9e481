/** Times in external texts: ISO 8601 in UTC with milliseconds and the offset `+00:00`. */
import type { TimeMs } from '../units/quantities.ts'

/** The last formatted time: the answers of one batch share their time (`npm run bench -- order-to-ack`). */
let lastTime = Number.NaN
let lastText = ''

/**
 * `2026-01-31T23:59:59.999+00:00`. The time must be one that a JavaScript date can hold (year 275760 and
 * below).
 */
export function isoTime(time: TimeMs): string {
  if (time !== lastTime) {
    lastText = `${new Date(time).toISOString().slice(0, -1)}+00:00`
    lastTime = time
  }
  return lastText
}
