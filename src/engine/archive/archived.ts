/**
 * Which parts of a journal are in files of an archive, as the journal records it, and what is asked of a journal that gives parts away.
 */
import type { Seq, TimeMs } from '../../units/quantities.ts'

/** The end of a batch, as the journal has it (`Tail`). */
export type ArchiveEnd = {
  readonly position: number
  readonly epoch: number
  readonly seq: Seq
  readonly time: TimeMs
  readonly hash: Uint8Array
}

/** A file of an archive, as the journal that gave it its batches remembers it. */
export type RecordedArchive = {
  /** Position and command before the first batch in it. */
  readonly after: Pick<ArchiveEnd, 'position' | 'seq'>
  /** The end of its last batch. */
  readonly end: ArchiveEnd
  /** Hash of the journal's very first batch. */
  readonly firstHash: Uint8Array
  /** SHA-256 of the file's contents, which have the digests of all else in it. */
  readonly digest: Uint8Array
  /** Size of the file. */
  readonly bytes: number
  /** Where it is: relative to the data directory, or absolute. */
  readonly file: string
}

/** How far the removal of archived batches is. */
export type TrimProgress = {
  /** Batches removed by this step. */
  readonly removed: number
  /** Archived batches that the journal still has besides. */
  readonly left: number
}

/** A journal that lets parts of it move to files; of a running node, or of one that is stopped. */
export interface ArchivePort {
  /** Oldest first. */
  archives(): Promise<readonly RecordedArchive[]>

  /**
   * Records a file that is complete and holds what the journal holds there; batches stay until they are trimmed. Durable when the promise resolves.
   * Rejects with `DAMAGED`, and nothing is changed, where the file does not fit the journal.
   */
  record(archive: RecordedArchive): Promise<void>

  /**
   * Removes at most `batchesMax` of the oldest batches that a recorded file holds, one commit. Each is compared before with what the file gives at that moment;
   * where they differ, or the file is gone, it rejects and nothing is removed.
   */
  trim(batchesMax: number): Promise<TrimProgress>
}

/** The same where nobody else uses the journal. */
export interface ArchivableJournal extends ArchivePort {
  /** Gives room that trimming has left to the file system: the file is written anew, which takes as much room again. */
  compact(): Promise<void>
}
