/**
 * An exchange whose journal is moved to archive files in parts, as opened by the archive command. Like
 * `storage.ts`, this module depends on the storage technology, so that nothing else in app does.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { ArchivePort, RecordedArchive } from '../../../engine/archive/archived.ts'
import type { ArchivedState } from '../../../engine/archive/write-archive.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { hexOf, JournalFault } from '../../../engine/port/journal.ts'
import { ArchiveFile } from '../../../storage/files/archive-file.ts'
import { verifyParts } from '../../../storage/files/archive-writer.ts'
import { syncDirectory } from '../../../storage/files/directory.ts'
import { ARCHIVE_DIRECTORY, archivePath } from '../../../storage/sqlite/archived-batches.ts'
import { SqliteJournal } from '../../../storage/sqlite/journal.ts'
import { JOURNAL_NAME } from '../../../storage/sqlite/journal-file.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'

/** A journal that is read, and from which parts are removed. */
export type ArchivableSource = JournalSource &
  ArchivePort & {
    /** See `ArchivableJournal.compact`; undefined if a node uses the journal in the meantime. */
    readonly compact: (() => Promise<void>) | undefined
  }

/**
 * The journal of a data directory, held as a node holds it. Throws `JournalFault`, `IN_USE` while a node runs
 * on it.
 */
export function openArchivable(directory: string): ArchivableSource {
  if (!existsSync(join(directory, JOURNAL_NAME)))
    throw new JournalFault('UNSUPPORTED', `${directory} has no journal (${JOURNAL_NAME})`)
  const journal = SqliteJournal.openToMove({ directory })
  return {
    get tail() {
      return journal.tail
    },
    archives: () => journal.archives(),
    read: (afterSeq, maxBytes) => journal.read(afterSeq, maxBytes),
    quarantined: async () => new Map((await journal.quarantined()).map(({ seq, check }) => [seq, check])),
    record: (archive) => journal.record(archive),
    trim: (batchesMax) => journal.trim(batchesMax),
    compact: () => journal.compact(),
    close: () => journal.close(),
  }
}

/** The default directory for the archives of a data directory. */
export function defaultArchive(directory: string): string {
  return join(directory, ARCHIVE_DIRECTORY)
}

/** The path of a file that a journal records. */
export function recordedPath(directory: string, { file }: RecordedArchive): string {
  return archivePath(directory, file)
}

/**
 * The end of the last archive; undefined if nothing is archived. Throws `JournalFault` if the last file is
 * missing or damaged.
 */
export function archivedState(
  directory: string,
  archives: readonly RecordedArchive[],
): ArchivedState | undefined {
  const last = archives.at(-1)
  if (last === undefined) return undefined
  const file = ArchiveFile.open(recordedPath(directory, last))
  try {
    return { end: last.end, firstHash: last.firstHash, payload: file.state() }
  } finally {
    file.close()
  }
}

const SUFFIX = '.archive'
/** Number of digits of a position in a name, so that names sort as positions do. */
const POSITION_DIGITS = 12
const HASH_DIGITS = 12

/** The name of a file, which identifies its journal and its positions. */
export function archiveName(file: Pick<RecordedArchive, 'after' | 'end' | 'firstHash'>): string {
  const digits = (position: number) => String(position).padStart(POSITION_DIGITS, '0')
  const journal = hexOf(file.firstHash).slice(0, HASH_DIGITS)
  return `journal-${journal}-${digits(file.after.position + 1)}-${digits(file.end.position)}${SUFFIX}`
}

/** The archive files in a directory, in the order of their positions; none if it does not exist. */
export function archivesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.startsWith('journal-') && name.endsWith(SUFFIX))
    .sort()
    .map((name) => join(directory, name))
}

/** The journal's record of an open archive file at `path`. */
export function recordOf(directory: string, { path, contents, digest, bytes }: ArchiveFile): RecordedArchive {
  const { begin, end, firstHash } = contents
  const inside = relative(resolve(directory), resolve(path))
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`)
  const file = isInside ? inside : resolve(path)
  return { after: { position: begin.position, seq: begin.seq }, end, firstHash, digest, bytes, file }
}

/**
 * Finds a complete file in `to` that continues where `before` ends, and that an earlier run did not record.
 * The file is verified again. Undefined if there is none, or none that this journal could have produced.
 */
export function leftOver(
  directory: string,
  to: string,
  before: Pick<ArchivedState, 'end' | 'firstHash'> | undefined,
  firstHash: Uint8Array,
): RecordedArchive | undefined {
  for (const path of archivesIn(to)) {
    if (!path.includes(hexOf(firstHash).slice(0, HASH_DIGITS))) continue
    const file = ArchiveFile.open(path)
    try {
      const { contents } = file
      const isNext = contents.begin.position === (before?.end.position ?? 0)
      if (!isNext || !sameBytes(contents.firstHash, firstHash)) continue
      verifyParts(file)
      // That run may have ended between renaming the file and syncing the name.
      syncDirectory(to)
      return recordOf(directory, file)
    } finally {
      file.close()
    }
  }
  return undefined
}
