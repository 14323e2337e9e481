/**
 * The journal as a follower gets it: durable batches, old and new, pulled at the follower's own pace, so that
 * a slow follower costs the engine nothing.
 */
import type { Seq } from '../../units/quantities.ts'
import type { ArchivePort } from '../archive/archived.ts'
import type { Batch } from './journal.ts'

export interface BatchFeed {
  /**
   * Batches that end after `afterSeq`, oldest first: as many as fit into `maxBytes` (`sizeOf`), at least one.
   * Waits until there is one. Several calls may wait at once, at different places or at the same one; each is
   * answered by itself. Rejects with `EngineFault` when the engine stops, and with `JournalFault` when the
   * journal cannot be read there.
   */
  next(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]>

  /**
   * The hash of the engine's own state after command `seq`; undefined if its state is not at that command, or
   * if the engine is busy. Rejects like `next`.
   */
  stateHash(seq: Seq): Promise<Uint8Array | undefined>

  /** Commands that a replay must refuse instead of applying; they change only when the engine starts. */
  quarantined(): Promise<ReadonlySet<Seq>>

  /** Moves the journal's older part to files. Undefined if this journal has no archive. */
  readonly archiving?: ArchivePort | undefined
}
