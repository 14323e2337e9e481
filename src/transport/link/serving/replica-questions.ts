/**
 * The requests of a replica over a link, as plain values: batches at its own pace, and the newest snapshot
 * piece by piece.
 */
import type { Batch } from '../../../engine/port/journal.ts'
import type { SnapshotHead, SnapshotToCopy } from '../../../engine/port/snapshots.ts'
import type { Seq } from '../../../units/quantities.ts'

/** A page of changes of the customer store, which the link does not interpret. */
export type CustomersPage = {
  readonly bytes: Uint8Array
  /** A copy that includes this page is never newer than the journal up to this command. */
  readonly seq: Seq
  /** Whether the standby already had the complete store. */
  readonly hasAll: boolean
}

/** Answers such a request; rejects only with faults of the engine. */
export type CustomersPages = (asked: Uint8Array) => Promise<CustomersPage | undefined>

export type ReplicaQuestions = {
  readonly next: {
    readonly fields: { readonly afterSeq: Seq; readonly maxBytes: number }
    readonly value: readonly Batch[]
  }
  readonly stateHash: { readonly fields: { readonly seq: Seq }; readonly value: Uint8Array | undefined }
  readonly quarantined: { readonly fields: undefined; readonly value: readonly Seq[] }
  readonly newestSnapshot: { readonly fields: undefined; readonly value: SnapshotToCopy | undefined }
  readonly snapshotPiece: {
    readonly fields: { readonly head: SnapshotHead; readonly offset: number; readonly bytes: number }
    readonly value: Uint8Array | undefined
  }
  /** Undefined if there are no customers, or if their process does not answer. */
  readonly customers: {
    readonly fields: { readonly asked: Uint8Array }
    readonly value: CustomersPage | undefined
  }
}

/**
 * Maximum number of bytes of batches in one answer, unless a single batch is larger, and of one piece of a
 * snapshot.
 */
export const PULL_BYTES_MAX = 1024 * 1024
export const PIECE_BYTES_MAX = 1024 * 1024

/** Maximum size of a request for customers, in bytes. */
export const CUSTOMERS_ASKED_BYTES_MAX = 256

/** Maximum number of unanswered requests of one replica: its engine and its history have one of each kind. */
export const REPLICA_QUESTIONS_MAX = 8
