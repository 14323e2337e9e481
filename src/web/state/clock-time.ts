/**
 * Times as the page shows them: UTC in every time zone, like every time that the interfaces give, so that two people
 * who talk about a trade see the same figure. The page says so beside them.
 */
import type { TimeMs } from '../../units/quantities.ts'

/** `14:05:09`, UTC. */
export function clockTime(time: TimeMs): string {
  return new Date(time).toISOString().slice(11, 19)
}
