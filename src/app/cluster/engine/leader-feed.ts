/** Batches of the leading engine, through every change of leaders, for a process that never leads itself. */

import type { LeaderLink, LeaderSearch } from '../../../engine/leadership/cluster-ports.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  type JournalPosition,
  type RememberedPlace,
} from '../../../engine/port/journal.ts'
import type { Seq } from '../../../units/quantities.ts'

export type LeaderFeedOptions = {
  readonly search: (remembered: () => RememberedPlace) => LeaderSearch
  readonly onLinked: (link: LeaderLink) => void
  readonly onLost: (why: string) => void
}

export class LeaderFeed implements BatchFeed {
  readonly #options: LeaderFeedOptions
  #link = Promise.withResolvers<LeaderLink>()
  #search: LeaderSearch | undefined
  #open: LeaderLink | undefined
  /**
   * The end of the delivered batches. A leader of an earlier epoch is deposed, and a leader whose journal
   * lacks this position must not be followed.
   */
  #given: JournalPosition = EMPTY_TAIL
  /** The engine whose batches were received; undefined if there is none yet. */
  #journal: string | undefined
  #isStopped = false

  /** Starts looking for the leading engine. */
  constructor(options: LeaderFeedOptions) {
    this.#options = options
    void this.#keepLinked()
  }

  /** Resolves with a link to the leading engine. */
  get linked(): Promise<LeaderLink> {
    return this.#link.promise
  }

  /** Ends the batches: pending requests for more are answered with STOPPING. */
  stop(): void {
    this.#isStopped = true
    this.#search?.end()
    this.#link.reject(stopping())
    this.#link.promise.catch(() => {})
    this.#open?.close()
  }

  async next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    const { batches, journal } = await this.#ask(async ({ feed, journal }) => ({
      batches: await feed.next(afterSeq, maxBytes),
      journal,
    }))
    const last = batches.at(-1)
    if (last !== undefined && last.position > this.#given.position) {
      this.#given = endOf(last)
      this.#journal = journal
    }
    return batches
  }

  stateHash(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#ask(({ feed }) => feed.stateHash(seq))
  }

  quarantined(): Promise<ReadonlySet<Seq>> {
    return this.#ask(({ feed }) => feed.quarantined())
  }

  /** Asks the leading engine, and the next leader if the link is lost. */
  async #ask<Answer>(ask: (link: LeaderLink) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      if (this.#isStopped) throw stopping()
      const link = await this.#link.promise
      try {
        return await ask(link)
      } catch (cause) {
        if (!(cause instanceof EngineFault)) throw cause
        // A leader that cannot answer is dropped, and the search for the leader begins again.
        link.close()
        await link.lost
      }
    }
  }

  async #keepLinked(): Promise<void> {
    const { search, onLinked, onLost } = this.#options
    while (!this.#isStopped) {
      this.#search = search(() => ({ ...this.#given, journal: this.#journal }))
      const link = await this.#search.found
      if (this.#isStopped || link.epoch < this.#given.epoch) {
        link.close()
        continue
      }
      this.#open = link
      onLinked(link)
      this.#link.resolve(link)
      const cause = await link.lost
      this.#open = undefined
      if (!this.#isStopped) this.#link = Promise.withResolvers<LeaderLink>()
      onLost(cause instanceof Error ? cause.message : String(cause))
    }
  }
}

function stopping(): EngineFault {
  return new EngineFault('STOPPING', 'no more batches are accepted')
}
