/**
 * The batches of a cluster's engine for those who follow it, through every change of leaders: from itself while it leads, else from what
 * it has taken in of another, and from that one what it has no more. Never past what it has applied.
 */
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import { type Batch, JournalFault, lastSeqOf } from '../port/journal.ts'
import type { Replica } from './replica.ts'

/** Where batches come from; `NONE`: nobody is known to lead. */
type Source =
  | { readonly kind: 'OWN' | 'LEADER'; readonly feed: BatchFeed }
  | { readonly kind: 'NONE' }
  | { readonly kind: 'STOPPED' }

/** What it needs of the replica. */
type Applied = Pick<Replica, 'tail' | 'recentAfter' | 'stateHashAt'>

export class ClusterFeed implements BatchFeed {
  readonly #replica: Applied
  #source: Source = { kind: 'NONE' }
  #quarantined: ReadonlySet<Seq> = new Set()
  /** Rises with each change of the source and each batch that the replica takes in. */
  #version = 0
  #waiters: (() => void)[] = []

  constructor(replica: Applied) {
    this.#replica = replica
  }

  /** This engine leads, or another does, with these commands quarantined. */
  follow(kind: 'OWN' | 'LEADER', feed: BatchFeed, quarantined: ReadonlySet<Seq>): void {
    this.#quarantined = quarantined
    this.#turnTo({ kind, feed })
  }

  /** Nobody is known to lead. */
  pause(): void {
    this.#turnTo({ kind: 'NONE' })
  }

  /** Batches end: whoever waits for more is answered STOPPING. */
  stop(): void {
    this.#turnTo({ kind: 'STOPPED' })
  }

  /** The replica has taken in more. */
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
      if (source.kind === 'STOPPED') throw new EngineFault('STOPPING', 'the engine gives no more batches')
      const batches = await this.#from(source, afterSeq, maxBytes)
      if (batches !== undefined && batches.length > 0) return batches
      // Looking and lining up are one step: what came in between would be waited for until the next.
      if (this.#version === version) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  async stateHash(seq: Seq): Promise<Uint8Array | undefined> {
    const { kind } = this.#source
    if (kind === 'STOPPED') throw new EngineFault('STOPPING', 'the engine gives no more state hashes')
    if (this.#source.kind === 'OWN') return this.#source.feed.stateHash(seq).catch(unlessEnded)
    return this.#replica.stateHashAt(seq)
  }

  async quarantined(): Promise<ReadonlySet<Seq>> {
    return this.#quarantined
  }

  /** Undefined: this source has none now. */
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

/** A source that has ended, or whose journal has, gives nothing; another will. */
function unlessEnded(cause: unknown): undefined {
  if (cause instanceof EngineFault || (cause instanceof JournalFault && cause.kind === 'FAILED'))
    return undefined
  throw cause
}
