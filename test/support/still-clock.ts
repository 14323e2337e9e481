/**
 * A clock that does not advance, for tests of work that is interrupted when its turn has taken long enough.
 */
import { type Mock, spyOn } from 'bun:test'

/**
 * While its holder exists (`using`), `performance.now()` does not advance: no turn ends, however long the
 * machine takes or pauses.
 */
export function stillClock(): Mock<() => number> {
  return spyOn(performance, 'now').mockReturnValue(0)
}
