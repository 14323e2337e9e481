/**
 * A standby's copy of a node's journal: each batch is verified to be the one that follows, then made durable, then given to those who
 * replay it. It knows no link: whoever pulls from the node gives it what has come.
 */
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import {
  type Batch,
  type Digest,
  hashOfQuarantined,
  type Journal,
  JournalFault,
  type JournalPosition,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import type { Witness } from '../port/witness.ts'
import { RecentBatches } from '../writer/recent-batches.ts'
import { readQuarantine } from '../writer/recovery/recovery.ts'

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
  /** Commands that the node passes over and that are not stored yet. */
  readonly #toPassOver = new Set<Seq>()
  #waiters: (() => void)[] = []
  #isStopped = false
  /** What the witness remembers and is not stored again yet; undefined: nothing. */
  #owed: JournalPosition | undefined

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

  /**
   * The node has all that is remembered: from here on the witness says what is stored. Where it remembers more than that, it goes on to
   * do so until that much is stored again: a standby that lost its end and is promoted before would lack it in silence.
   */
  begin(): void {
    const { remembered, tail } = this
    if (remembered.position > tail.position) this.#owed = remembered
    else this.#options.witness.reset(tail)
  }

  /** Verifies that `batches` follow, and makes them durable. Rejects with `JournalFault`; of what does not follow, nothing is stored. */
  async take(batches: readonly Batch[]): Promise<void> {
    const { store, digest } = this.#options
    let end = store.tail
    for (const batch of batches) end = verifyBatch(digest, end, batch)
    await store.appendAll(batches)
    this.#witness(end)
    await this.#passOverStored()
    for (const batch of batches) this.#recent.add(batch)
    this.#wake()
    await store.maintain(false)
  }

  /**
   * Has the commands passed over that the node passes over; answers whether any of them is new. One that is not stored yet is passed over
   * as soon as it is, and counts as passed over from now on. Rejects with `JournalFault`.
   */
  async passOver(seqs: ReadonlySet<Seq>): Promise<boolean> {
    const known = await this.quarantined()
    let isNew = false
    for (const seq of seqs) {
      if (known.has(seq)) continue
      if (seq > this.tail.seq) this.#toPassOver.add(seq)
      else await this.#passOver(seq)
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

  async quarantined(): Promise<Set<Seq>> {
    const { store, digest } = this.#options
    const stored = await readQuarantine({ journal: store, digest })
    return new Set([...stored, ...this.#toPassOver])
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

  #witness(end: Tail): void {
    if (this.#owed !== undefined && end.position < this.#owed.position) return
    this.#owed = undefined
    this.#options.witness.record(end)
  }

  /** Before anybody replays them. On a full disk they are passed over all the same, and tried again with the next batches. */
  async #passOverStored(): Promise<void> {
    try {
      for (const seq of this.#toPassOver) if (seq <= this.tail.seq) await this.#passOver(seq)
    } catch (cause) {
      if (!(cause instanceof JournalFault && cause.kind === 'STORAGE_FULL')) throw cause
    }
  }

  /** One that is stored. */
  async #passOver(seq: Seq): Promise<void> {
    const { store, digest } = this.#options
    const [batch] = await store.read((seq - 1) as Seq, 1)
    if (batch === undefined) throw new JournalFault('DAMAGED', `expected command ${seq}, found no batch`)
    await store.quarantine({ seq, check: hashOfQuarantined(digest, batch.hash, seq) })
    this.#toPassOver.delete(seq)
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }
}
