/**
 * The archived parts of a journal, as recorded in it, and the interface of a journal whose parts can be
 * archived.
 */
import type { Seq, TimeMs } from '../../units/quantities.ts'

/** The end of a batch, as in the journal (`Tail`). */
export type ArchiveEnd = {
  readonly position: number
  readonly epoch: number
  readonly seq: Seq
  readonly time: TimeMs
  readonly hash: Uint8Array
}

/** A file of an archive, as recorded in the journal that its batches come from. */
export type RecordedArchive = {
  /** Position and command before the file's first batch. */
  readonly after: Pick<ArchiveEnd, 'position' | 'seq'>
  /** The end of the file's last batch. */
  readonly end: ArchiveEnd
  /** Hash of the journal's very first batch. */
  readonly firstHash: Uint8Array
  /** SHA-256 of the file's contents, which include the digests of its other parts. */
  readonly digest: Uint8Array
  /** Size of the file in bytes. */
  readonly bytes: number
  /** Path of the file: relative to the data directory, or absolute. */
  readonly file: string
}

/** The progress of the removal of archived batches. */
export type TrimProgress = {
  /** Batches removed by this step. */
  readonly removed: number
  /** Number of archived batches that are still in the journal. */
  readonly left: number
}

/** A journal of a running or stopped node, whose parts can be moved to files. */
export interface ArchivePort {
  /** Oldest first. */
  archives(): Promise<readonly RecordedArchive[]>

  /**
   * Records a complete file with the same batches as the journal; batches stay until they are trimmed.
   * Durable when the promise resolves. Rejects with `DAMAGED`, and nothing is changed, if the file does not
   * match the journal.
   */
  record(archive: RecordedArchive): Promise<void>

  /**
   * Removes at most `batchesMax` of the oldest batches that are in a recorded file, in one commit. Each is
   * first compared with the current content of the file; if they differ, or the file is missing, it rejects
   * and nothing is removed.
   */
  trim(batchesMax: number): Promise<TrimProgress>
}

/** An archivable journal that no other process uses. */
export interface ArchivableJournal extends ArchivePort {
  /**
   * Returns the space freed by trimming to the file system: the file is rewritten, which temporarily needs
   * the same space again.
   */
  compact(): Promise<void>
}
