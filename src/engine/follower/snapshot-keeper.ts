/**
 * The snapshots of one replay: when the next is due, making it, and comparing the replayed state with every
 * snapshot that another replay left at the same position.
 */
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { HistoryFault, type HistoryStore } from '../history/history.ts'
import { type Digest, hexOf, JournalFault, type Tail } from '../port/journal.ts'
import { type Snapshot, type SnapshotHead, type SnapshotStore, takeSnapshot } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { loadMachine, type ReplayStart } from '../writer/recovery/replay-start.ts'
import type { FollowerLimits } from './limits.ts'
import type { FollowerNote } from './note.ts'

/**
 * Two replays of one journal reached different states, or a snapshot is wrong: neither may be used.
 */
export class StateDivergedFault extends Error {
  override readonly name = 'StateDivergedFault'
}

export type SnapshotKeeperOptions = {
  readonly history: HistoryStore
  readonly snapshots: SnapshotStore
  readonly factory: StateMachineFactory
  readonly digest: Digest
  readonly limits: FollowerLimits
  readonly onNote: (note: FollowerNote) => void
}

/** Number of attempts without a free descriptor before the next snapshot would be due. */
const TRIES_WITHIN_ONE = 16

export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions
  readonly #machine: StateMachine
  /** Snapshots of other replays whose positions this replay passed. */
  readonly #headBySeq: Map<Seq, SnapshotHead>
  /**
   * The newest state in a snapshot; ahead of the replay while it processes commands that snapshots already
   * cover.
   */
  #newestSeq: Seq
  /** No snapshot is due before this command: no file descriptors were free. */
  #putOffUntil = 0
  /** Bytes of commands applied since the last snapshot was saved or passed. */
  #bytesSince = 0
  #encodedBytes = 0

  constructor(options: SnapshotKeeperOptions, { machine, heads, tail }: ReplayStart) {
    this.#options = options
    this.#machine = machine
    this.#headBySeq = new Map(heads.map((head) => [head.seq, head]))
    this.#newestSeq = heads[0]?.seq ?? tail.seq
  }

  /** Size of the state when it was last encoded; 0 if never. Each snapshot measures it again. */
  get encodedBytes(): number {
    return this.#encodedBytes
  }

  /** The current state, at `tail`: a large one keeps a core busy for seconds. */
  encode(tail: Tail): Snapshot {
    const snapshot = takeSnapshot(this.#machine, tail, this.#options.digest)
    this.#encodedBytes = snapshot.payload.length
    return snapshot
  }

  /** Counts bytes of applied commands. */
  countApplied(bytes: number): void {
    this.#bytesSince += bytes
  }

  /** Whether anything up to `seq` was applied that no snapshot contains. */
  isBehind(seq: Seq): boolean {
    return seq > this.#newestSeq
  }

  isDue(seq: Seq): boolean {
    const { snapshotCommands, snapshotBytes } = this.#options.limits
    if (seq < this.#putOffUntil) return false
    const commands = seq - this.#newestSeq
    return commands >= snapshotCommands || (commands > 0 && this.#bytesSince >= snapshotBytes)
  }

  /**
   * If another replay left a snapshot at this position, both must have reached the same state; otherwise
   * throws `StateDivergedFault`.
   */
  async compare(tail: Tail): Promise<void> {
    const head = this.#headBySeq.get(tail.seq)
    if (head === undefined) return
    const { onNote } = this.#options
    const ours = this.encode(tail)
    this.#bytesSince = 0
    // A snapshot of an older layout has another hash for the same state, so it is read before it is trusted.
    const theirs = sameBytes(ours.stateHash, head.stateHash)
      ? head.stateHash
      : await this.#stateHashIn(head, tail)
    if (theirs === undefined) {
      // A new snapshot replaces the unusable one.
      if (head.seq >= this.#newestSeq) this.#newestSeq = (head.seq - 1) as Seq
    } else if (sameBytes(ours.stateHash, theirs)) {
      onNote({ kind: 'StateHashConfirmed', seq: head.seq })
    } else {
      const found = `replayed ${hexOf(ours.stateHash)}, in the snapshot ${hexOf(theirs)}`
      throw new StateDivergedFault(`the states after command ${head.seq} differ: ${found}`)
    }
  }

  /**
   * Makes a snapshot. History is flushed first: the next start cannot use a snapshot that is past history.
   */
  async save(tail: Tail): Promise<void> {
    const { history, snapshots, onNote } = this.#options
    const before = this.#newestSeq
    this.#newestSeq = tail.seq
    this.#bytesSince = 0
    try {
      await history.flush()
      const snapshot = this.encode(tail)
      await snapshots.save(snapshot)
      onNote({ kind: 'SnapshotSaved', seq: snapshot.seq, bytes: snapshot.payload.length })
    } catch (fault) {
      if (fault instanceof HistoryFault && fault.kind === 'BUSY') {
        onNote({ kind: 'SnapshotPutOff', message: fault.message })
        return
      }
      if (fault instanceof JournalFault && fault.kind === 'NO_DESCRIPTORS') {
        this.#newestSeq = before
        this.#putOff(tail.seq)
        onNote({ kind: 'SnapshotPutOff', message: fault.message })
        return
      }
      const isFull =
        (fault instanceof JournalFault || fault instanceof HistoryFault) && fault.kind === 'STORAGE_FULL'
      if (!isFull) throw fault
      onNote({ kind: 'StorageFull', what: 'snapshot', message: fault.message })
    }
  }

  /** Tries again soon, but not so often that encoding the state in vain keeps a core busy. */
  #putOff(seq: Seq): void {
    const { snapshotCommands } = this.#options.limits
    this.#putOffUntil = seq + Math.max(1, Math.floor(snapshotCommands / TRIES_WITHIN_ONE))
  }

  /**
   * The hash, in today's layout, of the state in a snapshot; undefined, and reported, if the snapshot is
   * unusable.
   */
  async #stateHashIn(head: SnapshotHead, tail: Tail): Promise<Uint8Array | undefined> {
    const { digest, factory, onNote, snapshots } = this.#options
    const onDamaged = (name: string, problem: string): void =>
      onNote({ kind: 'SnapshotDamaged', name, problem })
    if (!sameBytes(head.journalHash, tail.hash)) {
      onDamaged(`snapshot of command ${head.seq}`, 'it was made from another journal')
      return undefined
    }
    const machine = await loadMachine({ snapshots, factory, onDamaged }, head)
    return machine === undefined ? undefined : takeSnapshot(machine, tail, digest).stateHash
  }
}
