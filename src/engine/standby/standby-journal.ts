/**
 * A standby's copy of a node's journal: each batch is verified to be the one that follows, then made durable, then given to those who
 * replay it. It knows no link: whoever pulls from the node gives it what has come.
 */
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../fault.ts'
import type { BatchFeed } from '../feed.ts'
import {
  type Batch,
  type Digest,
  hashOfQuarantined,
  type Journal,
  JournalFault,
  type JournalPosition,
  type Tail,
  verifyBatch,
} from '../journal.ts'
import { RecentBatches } from '../recent-batches.ts'
import { readQuarantine } from '../recovery.ts'
import type { Witness } from '../witness.ts'

/** A journal that takes many batches with one commit: nobody waits for a single one. */
export interface BatchStore
  extends Pick<Journal, 'tail' | 'read' | 'hashAt' | 'quarantined' | 'quarantine' | 'maintain' | 'close'> {
  /** All of them or none; durable when the promise resolves. Rejects as `Journal.append` does. */
  appendAll(batches: readonly Batch[]): Promise<void>
}

export type StandbyJournalOptions = {
  readonly store: BatchStore
  readonly witness: Witness
  readonly digest: Digest
  /** Memory of the newest batches, so that whoever keeps up never has the journal read. */
  readonly recentBytesMax: number
  /** The hash of the node's state after a command; undefined: it is not there, or is not asked now. */
  readonly nodeStateHash: (seq: Seq) => Promise<Uint8Array | undefined>
}

export class StandbyJournal implements BatchFeed {
  readonly #options: StandbyJournalOptions
  readonly #recent: RecentBatches
  #waiters: (() => void)[] = []
  #isStopped = false

  constructor(options: StandbyJournalOptions) {
    this.#options = options
    this.#recent = new RecentBatches(options.recentBytesMax)
  }

  /** The end of what is verified and durable. */
  get tail(): Tail {
    return this.#options.store.tail
  }

  /** The furthest place that this directory knows of: its end, or what its witness remembers beyond that. */
  get remembered(): JournalPosition {
    const testimony = this.#options.witness.recall()
    const isBeyond = testimony.kind === 'MARK' && testimony.mark.position > this.tail.position
    return isBeyond ? testimony.mark : this.tail
  }

  /** The node has all that is remembered: from here on the witness says what is stored. */
  begin(): void {
    this.#options.witness.reset(this.tail)
  }

  /** Verifies that `batches` follow, and makes them durable. Rejects with `JournalFault`; of what does not follow, nothing is stored. */
  async take(batches: readonly Batch[]): Promise<void> {
    const { store, witness, digest } = this.#options
    let end = store.tail
    for (const batch of batches) end = verifyBatch(digest, end, batch)
    await store.appendAll(batches)
    witness.record(end)
    for (const batch of batches) this.#recent.add(batch)
    this.#wake()
    await store.maintain(false)
  }

  /**
   * Has the commands passed over that the node passes over; answers whether any of them is new. One that is not stored yet is left for
   * later. Rejects with `JournalFault`.
   */
  async passOver(seqs: ReadonlySet<Seq>): Promise<boolean> {
    const { store, digest } = this.#options
    const known = await this.quarantined()
    let isNew = false
    for (const seq of seqs) {
      if (known.has(seq) || seq > store.tail.seq) continue
      const [batch] = await store.read((seq - 1) as Seq, 1)
      if (batch === undefined) throw new JournalFault('DAMAGED', `expected command ${seq}, found no batch`)
      await store.quarantine({ seq, check: hashOfQuarantined(digest, batch.hash, seq) })
      isNew = true
    }
    return isNew
  }

  async next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    for (;;) {
      if (this.#isStopped) throw new EngineFault('STOPPING', 'the standby gives no more batches')
      if (afterSeq < this.tail.seq) {
        const recent = this.#recent.after(afterSeq, maxBytes)
        return recent ?? (await this.#options.store.read(afterSeq, maxBytes))
      }
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  stateHash(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#options.nodeStateHash(seq)
  }

  quarantined(): Promise<Set<Seq>> {
    const { store, digest } = this.#options
    return readQuarantine({ journal: store, digest })
  }

  /** Batches end: whoever waits for more is answered STOPPING. */
  stop(): void {
    this.#isStopped = true
    this.#wake()
  }

  /** Lets go of the storage; to be called after `stop`, and once nobody reads. */
  async close(): Promise<void> {
    const { store, witness } = this.#options
    witness.close()
    await store.close()
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }
}
