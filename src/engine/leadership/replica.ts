/**
 * The state that an engine keeps warm while another engine leads: it is at a confirmed position of the
 * journal, and every following batch is verified against that position before it is applied. It is never past
 * the confirmed position, so nothing is ever undone.
 */
import { NO_EVENTS } from '../../core/events/event.ts'
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import {
  type Batch,
  type Digest,
  hexOf,
  JournalFault,
  type JournalPosition,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import { type DamagedSnapshot, type SnapshotStore, takeSnapshot } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import type { Witness } from '../port/witness.ts'
import { RecentBatches } from '../writer/recent-batches.ts'
import { replayBatch } from '../writer/recovery/replay.ts'
import { chooseStart } from '../writer/recovery/replay-start.ts'

export type ReplicaOptions = {
  readonly digest: Digest
  readonly machines: StateMachineFactory
  readonly snapshots: SnapshotStore
  readonly witness: Witness
  /** Memory for the newest batches, for followers of this replica. */
  readonly recentBytesMax: number
  readonly onDamaged: (damaged: DamagedSnapshot) => void
}

/** A position that no snapshot is past. */
const ANYWHERE = { seq: Number.MAX_SAFE_INTEGER as Seq, hash: new Uint8Array() }

/** Advice for a directory without its witness. */
const WAY_ON =
  'Nothing was changed. If the other engines and the database are intact, start with an empty data directory: ' +
  'this engine then copies everything from them'

export class Replica {
  readonly #options: ReplicaOptions
  #machine: StateMachine
  #tail: Tail
  #recent: RecentBatches
  /** The highest position known to this engine: its own, or a later one in its witness. */
  #remembered: JournalPosition
  /** The highest position that this engine has applied. */
  #appliedPosition: number

  /**
   * The newest usable snapshot, or the empty state. Rejects with `JournalFault`: `WITNESS` if there are
   * snapshots but no witness.
   */
  static async open(options: ReplicaOptions): Promise<Replica> {
    const { snapshots, witness } = options
    const { heads, damaged } = await snapshots.list()
    for (const one of damaged) options.onDamaged(one)
    const recorded = witness.recall()
    if (recorded.kind === 'UNREADABLE') {
      throw new JournalFault('WITNESS', `the witness file cannot be read: ${recorded.damage}. ${WAY_ON}`)
    }
    if (recorded.kind === 'NONE' && heads.length > 0) {
      throw new JournalFault('WITNESS', `there are snapshots, but no witness file. ${WAY_ON}`)
    }
    const mark = recorded.kind === 'MARK' ? recorded.mark : undefined
    const start = await newestStart(options)
    if (mark === undefined) witness.reset(start.tail)
    return new Replica(options, start, mark)
  }

  private constructor(
    options: ReplicaOptions,
    { machine, tail }: { readonly machine: StateMachine; readonly tail: Tail },
    mark: JournalPosition | undefined,
  ) {
    this.#options = options
    this.#machine = machine
    this.#tail = tail
    this.#recent = new RecentBatches(options.recentBytesMax)
    this.#appliedPosition = tail.position
    this.#remembered = mark ?? tail
    this.#remember()
  }

  get machine(): StateMachine {
    return this.#machine
  }

  /** The position of the state. */
  get tail(): Tail {
    return this.#tail
  }

  /** The highest position of the journal known to this engine, applied or not. */
  get remembered(): JournalPosition {
    return this.#remembered
  }

  /** The highest position that this engine has applied, even if it has read an older state again since. */
  get appliedPosition(): number {
    return this.#appliedPosition
  }

  /** The hash of the state after command `seq`; undefined if the state is at another command. */
  stateHashAt(seq: Seq): Uint8Array | undefined {
    if (this.#tail.seq !== seq) return undefined
    return takeSnapshot(this.#machine, this.#tail, this.#options.digest).stateHash
  }

  /** See `RecentBatches.after`. */
  recentAfter(afterSeq: Seq, maxBytes: number): readonly Batch[] | undefined {
    return this.#recent.after(afterSeq, maxBytes)
  }

  /**
   * Applies confirmed batches that follow the tail, and records their end in the witness. Throws
   * `JournalFault`: `DAMAGED` if they do not follow, `WITNESS` if they contradict the remembered position;
   * and `ReplayFault`, after which the state is unusable except for `reread`.
   */
  apply(batches: readonly Batch[], quarantined: ReadonlySet<Seq>): void {
    for (const batch of batches) {
      const tail = verifyBatch(this.#options.digest, this.#tail, batch)
      replayBatch(this.#machine, batch, quarantined, NO_EVENTS)
      this.#tail = tail
      this.#recent.add(batch)
      this.#remember()
    }
    if (this.#remembered.position === this.#tail.position) this.#options.witness.record(this.#tail)
  }

  /** Called when an engine that led in this process has advanced the state to `tail`. */
  moveTo(tail: Tail): void {
    if (tail.position === this.#tail.position) return
    this.#tail = tail
    this.#recent = new RecentBatches(this.#options.recentBytesMax)
    this.#remember()
  }

  /** Reads the state again from the newest snapshot. */
  async reread(): Promise<void> {
    const { machine, tail } = await newestStart(this.#options)
    this.#machine = machine
    this.#tail = tail
    this.#recent = new RecentBatches(this.#options.recentBytesMax)
  }

  /**
   * Reads the snapshot that the store, which was empty, has received; its position is remembered from now on.
   */
  async readCopied(): Promise<void> {
    await this.reread()
    this.#remember()
    if (this.#remembered.position === this.#tail.position) this.#options.witness.reset(this.#tail)
  }

  /** Called when the state has advanced. Throws `WITNESS` if its end at the remembered position differs. */
  #remember(): void {
    const { position, hash } = this.#remembered
    this.#appliedPosition = Math.max(this.#appliedPosition, this.#tail.position)
    if (position > this.#tail.position) return
    if (position === this.#tail.position && !sameBytes(hash, this.#tail.hash)) {
      const found = `found hash ${hexOf(this.#tail.hash)}`
      const expected = `hash ${hexOf(hash)} at position ${position} of the journal is remembered`
      throw new JournalFault('WITNESS', `${expected}, but ${found}`)
    }
    this.#remembered = this.#tail
  }
}

function newestStart({ snapshots, machines, onDamaged }: ReplicaOptions) {
  const parts = {
    snapshots,
    factory: machines,
    onDamaged: (name: string, problem: string) => onDamaged({ name, problem }),
  }
  return snapshots.list().then(({ heads }) => chooseStart(parts, heads, ANYWHERE))
}
