/** Times of day, in the displayed zone. */
import type { TimeMs } from '../../../units/quantities.ts'
import { zonedIso } from '../../shared/texts/time-zone.ts'

/** `14:05:09`. */
export function clockTime(time: TimeMs): string {
  return zonedIso(time).slice(11, 19)
}
