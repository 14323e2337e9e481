/**
 * A standby's copy of a node's journal: each batch is verified to be the next one, then made durable, then
 * replayed. It does not depend on the link: the process that pulls from the node passes batches in.
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
import { beginsCommands, type Floor, requireFloor } from '../writer/recovery/rules-floor.ts'

/** A journal that accepts many batches in one commit: no caller waits for a single batch. */
export interface BatchStore
  extends Pick<Journal, 'tail' | 'read' | 'hashAt' | 'quarantined' | 'quarantine' | 'maintain' | 'close'> {
  /** Adds all of the batches or none; durable when the promise resolves. Rejects like `Journal.append`. */
  appendAll(batches: readonly Batch[]): Promise<void>
}

export type StandbyJournalOptions = {
  readonly store: BatchStore
  readonly witness: Witness
  readonly digest: Digest
  /** The state machines that replay the stored batches. */
  readonly machines: Floor
  /** The newest batches in memory, so that an up-to-date reader does not read the journal. */
  readonly recentBytesMax: number
  /**
   * The hash of the node's state after a command; undefined if it is not available, or is not requested now.
   */
  readonly nodeStateHash: (seq: Seq) => Promise<Uint8Array | undefined>
}

export class StandbyJournal implements BatchFeed {
  readonly #options: StandbyJournalOptions
  readonly #recent: RecentBatches
  /** Commands that the node skips and that are not stored yet. */
  readonly #toPassOver = new Set<Seq>()
  #waiters: (() => void)[] = []
  #isStopped = false
  /** Whether the first command is stored and selects rules that this program supports. */
  #isBegun = false
  /** The position that is not stored in the witness yet; undefined if there is none. */
  #owed: JournalPosition | undefined

  constructor(options: StandbyJournalOptions) {
    this.#options = options
    this.#recent = new RecentBatches(options.recentBytesMax)
  }

  /** The end of the verified and durable part. */
  get tail(): Tail {
    return this.#options.store.tail
  }

  /** The highest position known to this directory: its end, or a later one in its witness. */
  get remembered(): JournalPosition {
    const recorded = this.#options.witness.recall()
    const isBeyond = recorded.kind === 'MARK' && recorded.mark.position > this.tail.position
    return isBeyond ? recorded.mark : this.tail
  }

  /**
   * The node has everything that this directory remembers: from now on the witness records the stored end. If
   * the witness is ahead of it, the witness keeps its position until as much is stored again. Otherwise a
   * standby that lost the end of its journal, and is promoted before then, would lack it without anyone
   * noticing.
   */
  begin(): void {
    const { remembered, tail } = this
    if (remembered.position > tail.position) this.#owed = remembered
    else this.#options.witness.reset(tail)
  }

  /**
   * Verifies that `batches` follow, and makes them durable. Rejects with `JournalFault`; batches that do not
   * follow are not stored.
   */
  async take(batches: readonly Batch[]): Promise<void> {
    const { store, digest, machines } = this.#options
    await this.requireFloor()
    let end = store.tail
    for (const batch of batches) {
      end = verifyBatch(digest, end, batch)
      this.#isBegun ||= beginsCommands(batch, machines)
    }
    await store.appendAll(batches)
    this.#witness(end)
    await this.#passOverStored()
    for (const batch of batches) this.#recent.add(batch)
    this.#wake()
    await store.maintain(false)
  }

  /**
   * Skips the commands that the node skips; returns whether any of them is new. A command that is not stored
   * yet counts as skipped from now on, and its skip is stored after the command is. Rejects with
   * `JournalFault`.
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

  /** Throws `UNSUPPORTED` if the stored journal begins with rules below the oldest supported version. */
  async requireFloor(): Promise<void> {
    const { store, digest, machines } = this.#options
    if (this.#isBegun || store.tail.position === 0) return
    await requireFloor(store, digest, machines)
    this.#isBegun = true
  }

  async next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    for (;;) {
      if (this.#isStopped) throw new EngineFault('STOPPING', 'the standby sends no more batches')
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

  /** Ends the feed: pending requests for batches are answered with STOPPING. */
  stop(): void {
    this.#isStopped = true
    this.#wake()
  }

  /** Releases the storage. Must be called after `stop`, once there are no readers. */
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

  /**
   * Must run before the commands are replayed. On a full disk they are skipped nevertheless, and stored with
   * the next batches.
   */
  async #passOverStored(): Promise<void> {
    try {
      for (const seq of this.#toPassOver) if (seq <= this.tail.seq) await this.#passOver(seq)
    } catch (cause) {
      if (!(cause instanceof JournalFault && cause.kind === 'STORAGE_FULL')) throw cause
    }
  }

  /** Skips a command that is stored. */
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
