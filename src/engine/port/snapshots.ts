/**
 * Snapshots: the exchange's whole state after some batch, so that a start need not replay everything. If all
 * of them are lost, only time is lost; and each is one more witness of the journal's length.
 */
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { Digest, Tail } from './journal.ts'
import type { StateMachine } from './state-machine.ts'

/** Number of the newest snapshots that a store keeps. */
export const SNAPSHOTS_KEPT = 3

export type SnapshotHead = {
  /** The position of the batch at whose end it was saved. */
  readonly position: number
  readonly epoch: number
  /** The last command in it; always the end of a batch. */
  readonly seq: Seq
  readonly time: TimeMs
  /** The journal's hash at `seq`. */
  readonly journalHash: Uint8Array
  /** SHA-256 of the payload: equal for equal states, on any replica. */
  readonly stateHash: Uint8Array
}

export type Snapshot = SnapshotHead & { readonly payload: Uint8Array }

/** A snapshot that cannot be used, and why. */
export type DamagedSnapshot = { readonly name: string; readonly problem: string }

export type SnapshotListing = {
  /** Newest first. The head is only as trustworthy as its own checksum; the payload is checked by `load`. */
  readonly heads: readonly SnapshotHead[]
  readonly damaged: readonly DamagedSnapshot[]
}

export interface SnapshotStore {
  /**
   * Durable when the promise resolves; then all but the newest few are deleted. Rejects with `JournalFault`.
   */
  save(snapshot: Snapshot): Promise<void>

  list(): Promise<SnapshotListing>

  /** The snapshot, or its problem. */
  load(head: SnapshotHead): Promise<Snapshot | DamagedSnapshot>

  /** Puts a snapshot aside so that it is never listed again; for an operator to look at. */
  setAside(head: SnapshotHead): Promise<void>
}

/** The newest snapshot, for copying. */
export type SnapshotToCopy = { readonly head: SnapshotHead; readonly payloadBytes: number }

/** A store from which a snapshot is copied piece by piece, without keeping the whole in memory. */
export interface SnapshotPieces {
  /** Undefined if there is none. */
  newest(): Promise<SnapshotToCopy | undefined>

  /**
   * Bytes of the payload from `offset` on, or as many as there are; unverified: the receiver of all of it
   * compares its hash with the header's. Undefined if the snapshot no longer exists.
   */
  piece(head: SnapshotHead, offset: number, bytes: number): Promise<Uint8Array | undefined>
}

/** The state of `machine`, which has applied exactly the journal up to `tail`. */
export function takeSnapshot(machine: StateMachine, tail: Tail, digest: Digest): Snapshot {
  const payload = machine.encodeSnapshot()
  const { hash: journalHash, ...end } = tail
  return { ...end, journalHash, stateHash: digest([payload]), payload }
}
