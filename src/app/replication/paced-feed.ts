/**
 * What standbys may cost a node: so many bytes of its journal a second, all of them together, however often they ask; and the hash of its state
 * now and then, where the state is small. A standby that keeps up needs far less and waits for nothing.
 */
import type { BatchFeed } from '../../engine/feed.ts'
import { type Batch, sizeOf } from '../../engine/journal.ts'
import type { Scheduler } from '../../engine/loop.ts'

export type PacedFeedOptions = {
  readonly feed: BatchFeed
  readonly bytesPerSecond: number
  /** So many may be read at once after a pause. */
  readonly burstBytes: number
  /** Between two hashes of the state, in milliseconds: each costs the engine a pass over all of it. */
  readonly hashEveryMs: number
  /** The state is small enough to be hashed beside trading. */
  readonly isStateSmall: () => Promise<boolean>
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Milliseconds since some moment. */
  readonly now: () => number
}

/** What is left in a bucket that fills by itself; below zero what was taken in advance. */
class Budget {
  readonly #options: PacedFeedOptions
  #bytes: number
  #atMs: number

  constructor(options: PacedFeedOptions) {
    this.#options = options
    this.#bytes = options.burstBytes
    this.#atMs = options.now()
  }

  spend(bytes: number): void {
    this.#fill()
    this.#bytes -= bytes
  }

  /** How long nothing may be read; 0: it may. */
  waitMs(): number {
    this.#fill()
    return this.#bytes > 0 ? 0 : Math.ceil((1 - this.#bytes) / (this.#options.bytesPerSecond / 1_000))
  }

  #fill(): void {
    const { now, bytesPerSecond, burstBytes } = this.#options
    const atMs = now()
    this.#bytes = Math.min(burstBytes, this.#bytes + ((atMs - this.#atMs) * bytesPerSecond) / 1_000)
    this.#atMs = atMs
  }
}

export function pacedFeed(options: PacedFeedOptions): BatchFeed {
  const { feed, hashEveryMs, isStateSmall, scheduler, now } = options
  const budget = new Budget(options)
  let hashedAtMs = Number.NEGATIVE_INFINITY
  /** One reading after another: whoever waits is not overtaken by who asks more often. */
  let turn: Promise<void> = Promise.resolve()
  const untilAllowed = async (): Promise<void> => {
    for (;;) {
      const ms = budget.waitMs()
      if (ms === 0) return
      await new Promise<void>((resolve) => scheduler.later(resolve, ms))
    }
  }
  return {
    next: async (afterSeq, maxBytes) => {
      turn = turn.then(untilAllowed)
      await turn
      const batches = await feed.next(afterSeq, maxBytes)
      budget.spend(bytesOf(batches))
      return batches
    },
    stateHash: async (seq) => {
      if (now() - hashedAtMs < hashEveryMs) return undefined
      hashedAtMs = now()
      return (await isStateSmall()) ? await feed.stateHash(seq) : undefined
    },
    quarantined: () => feed.quarantined(),
  }
}

function bytesOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
}
