/**
 * Limits on the cost of standbys to a node: a rate in bytes of its journal and snapshots per second for all
 * of them together, however often they send requests; and how often the state is hashed, which is done only
 * if the state is small. A standby that keeps up needs far less and never waits.
 */

import { EngineFault } from '../../../engine/port/fault.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import { type Batch, sizeOf } from '../../../engine/port/journal.ts'
import type { SnapshotPieces } from '../../../engine/port/snapshots.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import type { CustomersPages } from '../../../transport/link/serving/replica-questions.ts'
import { sharedFeed } from '../../../transport/link/serving/shared-feed.ts'

export type Sources = {
  readonly feed: BatchFeed
  readonly snapshots: SnapshotPieces
  readonly customers?: CustomersPages | undefined
}

export type SourcePace = {
  readonly bytesPerSecond: number
  /** The number of bytes that may be read at once after a pause. */
  readonly burstBytes: number
  /**
   * Interval between two hashes of the state, in milliseconds: each costs the engine a pass over all of it.
   */
  readonly hashEveryMs: number
  /**
   * A state whose newest snapshot is larger than this is not hashed: the engine would be busy with it for too
   * long.
   */
  readonly hashedBytesMax: number
  /**
   * Maximum number of journal positions that are requested at a time: each request may wait for hours, and
   * other requests share the engine.
   */
  readonly waitingMax: number
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
}

/** Minimum cost of a query: even a short answer has a cost. */
const QUESTION_BYTES = 4 * 1024

/**
 * A bucket of bytes that refills over time; below zero if bytes were taken in advance. A standby that sends
 * requests more often does not overtake a waiting one.
 */
class Budget {
  readonly #pace: SourcePace
  #bytes: number
  #atMs: number
  #turn: Promise<void> = Promise.resolve()

  constructor(pace: SourcePace) {
    this.#pace = pace
    this.#bytes = pace.burstBytes
    this.#atMs = pace.now()
  }

  /**
   * Does `work`, takes `bytesOf` the result from the bucket once it is not empty, and then returns the
   * result.
   */
  async spend<Answer>(work: () => Promise<Answer>, bytesOf: (answer: Answer) => number): Promise<Answer> {
    const answer = await work()
    this.#turn = this.#turn.then(async () => {
      await this.#untilSome()
      this.#bytes -= Math.max(QUESTION_BYTES, bytesOf(answer))
    })
    await this.#turn
    return answer
  }

  async #untilSome(): Promise<void> {
    const { scheduler, bytesPerSecond } = this.#pace
    for (;;) {
      this.#fill()
      if (this.#bytes > 0) return
      const ms = Math.ceil((1 - this.#bytes) / (bytesPerSecond / 1_000))
      await new Promise<void>((resolve) => scheduler.later(resolve, ms))
    }
  }

  #fill(): void {
    const { now, bytesPerSecond, burstBytes } = this.#pace
    const atMs = now()
    this.#bytes = Math.min(burstBytes, this.#bytes + ((atMs - this.#atMs) * bytesPerSecond) / 1_000)
    this.#atMs = atMs
  }
}

/** The same sources with a limited rate. */
export function pacedSources({ feed, snapshots, customers }: Sources, pace: SourcePace): Sources {
  const budget = new Budget(pace)
  const { hashEveryMs, hashedBytesMax, now } = pace
  let hashedAtMs = Number.NEGATIVE_INFINITY
  const free = (): number => 0
  // Several requests for the same position are one request to the engine; each gets the answer.
  const shared = sharedFeed(atMost(pace.waitingMax, feed))
  return {
    feed: {
      next: (afterSeq, maxBytes) => budget.spend(() => shared.next(afterSeq, maxBytes), bytesOf),
      stateHash: async (seq) => {
        if (now() - hashedAtMs < hashEveryMs) return undefined
        hashedAtMs = now()
        const newest = await snapshots.newest()
        const isSmall = newest === undefined || newest.payloadBytes <= hashedBytesMax
        return isSmall ? await feed.stateHash(seq) : undefined
      },
      quarantined: () => budget.spend(() => feed.quarantined(), free),
    },
    snapshots: {
      newest: () => budget.spend(() => snapshots.newest(), free),
      piece: (head, offset, bytes) =>
        budget.spend(
          () => snapshots.piece(head, offset, bytes),
          (piece) => piece?.length ?? 0,
        ),
    },
    customers:
      customers &&
      ((asked) =>
        budget.spend(
          () => customers(asked),
          (page) => page?.bytes.length ?? 0,
        )),
  }
}

/** The same feed with at most this number of requests at a time. */
function atMost(waitingMax: number, feed: BatchFeed): BatchFeed {
  let waiting = 0
  const next: BatchFeed['next'] = async (afterSeq, maxBytes) => {
    if (waiting >= waitingMax)
      throw new EngineFault('OVERLOADED', `${waitingMax} requests for batches are already waiting`)
    waiting++
    try {
      return await feed.next(afterSeq, maxBytes)
    } finally {
      waiting--
    }
  }
  return { ...feed, next }
}

function bytesOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
}
