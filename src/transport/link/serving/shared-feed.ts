/**
 * One feed for all replicas: replicas that wait at the same position share one request, so that reconnecting
 * replicas leave no more requests behind than there are positions.
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
