/**
 * Where an auditor reads a journal from: a data directory that nobody writes to, or the node that runs on it. Either
 * gives batches as they are stored; whoever reads them checks them.
 */
import type { Seq } from '../../units/quantities.ts'
import type { Batch } from '../port/journal.ts'

export interface JournalSource {
  /** The last command that was durable when the source was opened: reading ends there. */
  readonly tail: { readonly seq: Seq }

  /** See `Journal.read`. Rejects with `JournalFault`, or with the fault of what it reads through. */
  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]>

  /**
   * Commands that a replay passes over, with the check that binds each to its batch (`hashOfQuarantined`);
   * undefined: the node that runs has checked it at its start.
   */
  quarantined(): Promise<ReadonlyMap<Seq, Uint8Array | undefined>>

  /** Lets go of what it reads from. */
  close(): Promise<void>
}
