/**
 * The batches of a cluster engine for its followers, through every change of leaders: from the engine itself
 * while it leads, otherwise from the batches received from the leader, and older ones from that leader. Never
 * past the batches that the engine has applied.
 */
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import { type Batch, JournalFault, lastSeqOf } from '../port/journal.ts'
import type { Replica } from './replica.ts'

/** The source of batches; `NONE` if no leader is known. */
type Source =
  | { readonly kind: 'OWN' | 'LEADER'; readonly feed: BatchFeed }
  | { readonly kind: 'NONE' }
  | { readonly kind: 'STOPPED' }

/** The functions of the replica that the feed needs. */
type Applied = Pick<Replica, 'tail' | 'recentAfter' | 'stateHashAt'>

export class ClusterFeed implements BatchFeed {
  readonly #replica: Applied
  #source: Source = { kind: 'NONE' }
  #quarantined: ReadonlySet<Seq> = new Set()
  /** Rises with each change of the source and each batch that the replica applies. */
  #version = 0
  #waiters: (() => void)[] = []

  constructor(replica: Applied) {
    this.#replica = replica
  }

  /**
   * Follows this engine's own feed, or the leader's. `quarantined`: the commands quarantined in its journal.
   */
  follow(kind: 'OWN' | 'LEADER', feed: BatchFeed, quarantined: ReadonlySet<Seq>): void {
    this.#quarantined = quarantined
    this.#turnTo({ kind, feed })
  }

  /** Called when no leader is known. */
  pause(): void {
    this.#turnTo({ kind: 'NONE' })
  }

  /** Ends the batches: pending requests for more are answered with STOPPING. */
  stop(): void {
    this.#turnTo({ kind: 'STOPPED' })
  }

  /** Called when the replica has applied more. */
  advance(): void {
    this.#version++
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }

  async next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    for (;;) {
      const source = this.#source
      const version = this.#version
      if (source.kind === 'STOPPED') throw new EngineFault('STOPPING', 'the engine sends no more batches')
      const batches = await this.#from(source, afterSeq, maxBytes)
      if (batches !== undefined && batches.length > 0) return batches
      // Checking and queueing are one step: otherwise a batch that arrives in between would not be noticed
      // until the next batch.
      if (this.#version === version) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  async stateHash(seq: Seq): Promise<Uint8Array | undefined> {
    const { kind } = this.#source
    if (kind === 'STOPPED') throw new EngineFault('STOPPING', 'the engine sends no more state hashes')
    if (this.#source.kind === 'OWN') return this.#source.feed.stateHash(seq).catch(unlessEnded)
    return this.#replica.stateHashAt(seq)
  }

  async quarantined(): Promise<ReadonlySet<Seq>> {
    return this.#quarantined
  }

  /** Undefined if this source has no batches now. */
  async #from(source: Source, afterSeq: Seq, maxBytes: number): Promise<readonly Batch[] | undefined> {
    const { tail } = this.#replica
    switch (source.kind) {
      case 'OWN':
        return source.feed.next(afterSeq, maxBytes).catch(unlessEnded)
      case 'LEADER':
      case 'NONE': {
        if (afterSeq >= tail.seq) return undefined
        const recent = this.#replica.recentAfter(afterSeq, maxBytes)
        if (recent !== undefined || source.kind === 'NONE') return recent
        const older = await source.feed.next(afterSeq, maxBytes).catch(unlessEnded)
        return older?.filter((batch) => lastSeqOf(batch) <= tail.seq)
      }
      case 'STOPPED':
        return undefined
    }
  }

  #turnTo(source: Source): void {
    this.#source = source
    this.advance()
  }
}

/** A source that has ended, or whose journal has ended, returns nothing; the next source will. */
function unlessEnded(cause: unknown): undefined {
  if (cause instanceof EngineFault || (cause instanceof JournalFault && cause.kind === 'FAILED'))
    return undefined
  throw cause
}
