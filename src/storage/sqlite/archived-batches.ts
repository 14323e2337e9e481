/**
 * The archived part of a journal, read as if it were rows, so that a reader need not distinguish them. Loaded
 * only if archives exist and are needed.
 */
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { RecordedArchive } from '../../engine/archive/archived.ts'
import { type Batch, hexOf, JournalFault, lastSeqOf, sizeOf } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { ArchiveFile } from '../files/archive-file.ts'

/** The directory of archives in the data directory, unless another one is configured. */
export const ARCHIVE_DIRECTORY = 'archive'

type OpenBlock = { readonly index: number; readonly batches: readonly Batch[] }

export class ArchivedBatches {
  readonly #directory: string
  #file: ArchiveFile | undefined
  /** The block of the open file that was read last: most reads continue in it. */
  #block: OpenBlock | undefined

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Batches that end after `afterSeq`, up to the end of a block: as many as fit into `maxBytes`, measured by
   * `sizeOf`, but at least one. Empty if no archive has them. Throws `JournalFault`.
   */
  read(archives: readonly RecordedArchive[], afterSeq: Seq, maxBytes: number): readonly Batch[] {
    const batches: Batch[] = []
    let bytes = 0
    for (const batch of this.#blockAfter(archives, afterSeq)) {
      if (lastSeqOf(batch) <= afterSeq) continue
      bytes += sizeOf(batch)
      if (batches.length > 0 && bytes > maxBytes) break
      batches.push(batch)
    }
    return batches
  }

  /** The hash of the batch that ends exactly at `seq`; undefined if there is none. Throws `JournalFault`. */
  hashAt(archives: readonly RecordedArchive[], seq: Seq): Uint8Array | undefined {
    const atEnd = archives.find(({ end }) => end.seq === seq)
    if (atEnd !== undefined) return atEnd.end.hash
    return this.#blockAfter(archives, (seq - 1) as Seq).find((batch) => lastSeqOf(batch) === seq)?.hash
  }

  /** The file recorded by `archive`, which stays open until another is requested. Throws `JournalFault`. */
  open(archive: RecordedArchive): ArchiveFile {
    const held = this.#file
    if (held !== undefined && sameBytes(held.digest, archive.digest) && held.isInPlace) return held
    this.close()
    const { after, end, digest } = archive
    const what = `commands ${after.seq + 1} to ${end.seq}`
    let file: ArchiveFile
    try {
      file = ArchiveFile.open(archivePath(this.#directory, archive.file))
    } catch (cause) {
      if (!(cause instanceof JournalFault)) throw cause
      throw new JournalFault(cause.kind, `${what} are archived: ${cause.message}`, { cause })
    }
    if (!sameBytes(file.digest, digest)) {
      file.close()
      const found = `has digest ${hexOf(file.digest)}, expected ${hexOf(digest)}: it is another file`
      throw new JournalFault('DAMAGED', `${what} are archived: ${file.path} ${found}`)
    }
    this.#file = file
    return file
  }

  /** The batches of the block that has the command after `afterSeq`; empty if no archive has it. */
  #blockAfter(archives: readonly RecordedArchive[], afterSeq: Seq): readonly Batch[] {
    const archive = archives.find(({ after, end }) => after.seq <= afterSeq && afterSeq < end.seq)
    if (archive === undefined) return []
    const file = this.open(archive)
    const { blocks } = file.contents
    let low = 0
    let high = blocks.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((blocks[middle]?.end.seq ?? 0) > afterSeq) high = middle
      else low = middle + 1
    }
    if (this.#block?.index !== low) this.#block = { index: low, batches: file.block(low) }
    return this.#block.batches
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
    this.#block = undefined
  }
}

/**
 * The path of a recorded file: its recorded place or, if it is not there, its name in the data directory's
 * own archive.
 */
export function archivePath(directory: string, file: string): string {
  const path = resolve(directory, file)
  const beside = join(directory, ARCHIVE_DIRECTORY, basename(file))
  return !existsSync(path) && existsSync(beside) ? beside : path
}
