/**
 * The source of a journal for an auditor: an unused data directory, or the node that runs on it. Both return
 * batches as stored; the reader checks them.
 */
import type { Seq } from '../../units/quantities.ts'
import type { Batch } from '../port/journal.ts'

export interface JournalSource {
  /** The last command that was durable when the source was opened: reading ends there. */
  readonly tail: { readonly seq: Seq }

  /** See `Journal.read`. Rejects with `JournalFault`, or with the fault of its transport. */
  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]>

  /**
   * Commands that a replay skips, with the check that binds each to its batch (`hashOfQuarantined`);
   * undefined if the running node checked it at its start.
   */
  quarantined(): Promise<ReadonlyMap<Seq, Uint8Array | undefined>>

  /** Releases the source. */
  close(): Promise<void>
}
