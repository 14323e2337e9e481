/**
 * Snapshots: the exchange's complete state after some batch, so that a start need not replay everything. If
 * all snapshots are lost, a start only takes longer. Each snapshot is also a witness of the journal's length.
 */
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { Digest, Tail } from './journal.ts'
import type { StateMachine } from './state-machine.ts'

/** How many of the newest snapshots a store keeps. */
export const SNAPSHOTS_KEPT = 3

export type SnapshotHead = {
  /** The position of the batch after which the snapshot was saved. */
  readonly position: number
  readonly epoch: number
  /** The last command in the state; always the end of a batch. */
  readonly seq: Seq
  readonly time: TimeMs
  /** The journal's hash at `seq`. */
  readonly journalHash: Uint8Array
  /** SHA-256 of the payload: equal for equal states, on any replica. */
  readonly stateHash: Uint8Array
}

export type Snapshot = SnapshotHead & { readonly payload: Uint8Array }

/** A snapshot that cannot be used, and the reason. */
export type DamagedSnapshot = { readonly name: string; readonly problem: string }

export type SnapshotListing = {
  /** Newest first. A head has only its own checksum; the payload is checked by `load`. */
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

  /** Puts a snapshot aside, for an operator to inspect: it is never listed again. */
  setAside(head: SnapshotHead): Promise<void>
}

/** The newest snapshot, for copying. */
export type SnapshotToCopy = { readonly head: SnapshotHead; readonly payloadBytes: number }

/** A store from which a snapshot is copied piece by piece, without keeping all of it in memory. */
export interface SnapshotPieces {
  /** Undefined if there is none. */
  newest(): Promise<SnapshotToCopy | undefined>

  /**
   * Bytes of the payload from `offset` on, or as many as there are; unverified: the receiver compares the
   * hash of the complete payload with the head's. Undefined if the snapshot no longer exists.
   */
  piece(head: SnapshotHead, offset: number, bytes: number): Promise<Uint8Array | undefined>
}

/** The state of `machine`, which has applied exactly the journal up to `tail`. */
export function takeSnapshot(machine: StateMachine, tail: Tail, digest: Digest): Snapshot {
  const payload = machine.encodeSnapshot()
  const { hash: journalHash, ...end } = tail
  return { ...end, journalHash, stateHash: digest([payload]), payload }
}
