/**
 * One feed for all replicas: those that wait at the same place wait together, so that replicas that come and go leave no more questions behind than there are
 * places.
 */
import type { BatchFeed } from '../../../engine/port/feed.ts'
import type { Batch } from '../../../engine/port/journal.ts'

export function sharedFeed(feed: BatchFeed): BatchFeed {
  const waiting = new Map<string, Promise<readonly Batch[]>>()
  return {
    next: (afterSeq, maxBytes) => {
      const place = `${afterSeq} ${maxBytes}`
      const asked = waiting.get(place)
      if (asked !== undefined) return asked
      const answer = feed.next(afterSeq, maxBytes).finally(() => waiting.delete(place))
      waiting.set(place, answer)
      return answer
    },
    stateHash: (seq) => feed.stateHash(seq),
    quarantined: () => feed.quarantined(),
  }
}
