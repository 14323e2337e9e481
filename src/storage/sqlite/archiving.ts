/**
 * Moves parts of a journal to files: the file is recorded, then rows are removed in bounded pieces, each
 * compared with the file just before. At any time each batch is a row, in a recorded file, or both.
 */
import type { Database } from 'bun:sqlite'
import type { RecordedArchive, TrimProgress } from '../../engine/archive/archived.ts'
import { hexOf, JournalFault, type Tail } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { addArchive, FIRST_POSITION, rowsBegin } from './archive-table.ts'
import { emptyLog } from './checkpoint.ts'
import type { WholeJournal } from './whole-journal.ts'

/** Rows up to a position, except the first row. */
const TRIMMED = `position > ${FIRST_POSITION} AND position <= ?`

/** An open journal. */
export type OpenJournal = {
  readonly db: Database
  readonly whole: WholeJournal
  readonly tail: Tail
  /**
   * Runs one statement, or one transaction, as one commit, which either succeeds, fails with `STORAGE_FULL`
   * and without effect, or fails with `FAILED`.
   */
  readonly write: (what: string, statement: () => void) => void
}

/** See `ArchivableJournal.record`. */
export async function recordArchive(
  { db, whole, tail, write }: OpenJournal,
  archive: RecordedArchive,
): Promise<void> {
  const { after, end } = archive
  const files = await whole.archived()
  const own = await whole.hashAt(end.seq)
  // From here on nothing else can run in between. Another run may already have recorded a file.
  const { beginning } = whole
  if (after.position !== beginning.position || after.seq !== beginning.seq)
    throw new JournalFault(
      'DAMAGED',
      `expected an archive that continues after command ${beginning.seq}, found one that begins after ${after.seq}`,
    )
  if (end.seq >= tail.seq)
    throw new JournalFault('DAMAGED', `the archive ends at command ${end.seq}, the journal at ${tail.seq}`)
  const { contents } = files.open(archive)
  const fits =
    sameBytes(contents.end.hash, end.hash) &&
    sameBytes(contents.begin.hash, beginning.hash) &&
    contents.end.position === end.position
  if (!fits || own === undefined || !sameBytes(own, end.hash)) {
    const found = own === undefined ? 'no batch end' : `hash ${hexOf(own)}`
    throw new JournalFault(
      'DAMAGED',
      `the archive ${archive.file} ends with hash ${hexOf(contents.end.hash)} at command ${end.seq}, the journal has ${found} there`,
    )
  }
  write('cannot record an archive', () => db.transaction(() => addArchive(db, archive))())
  whole.refresh()
}

/** See `ArchivableJournal.trim`. */
export async function trimArchived(
  { db, whole, write }: OpenJournal,
  batchesMax: number,
): Promise<TrimProgress> {
  const files = await whole.archived()
  // From here on nothing else can run in between. Another run may already have removed some rows.
  const { beginning } = whole
  const begin = rowsBegin(db)
  if (begin === undefined || begin.position >= beginning.position) return { removed: 0, left: 0 }
  const archived = files.read(whole.archives, begin.seq as Seq, Number.POSITIVE_INFINITY)
  const pieces = archived.slice(0, Math.max(1, batchesMax))
  const lastPosition = pieces.at(-1)?.position ?? 0
  using rows = db.prepare(`SELECT position, hash FROM batch WHERE ${TRIMMED} ORDER BY position`)
  const stored = rows.values(lastPosition)
  for (const [index, piece] of pieces.entries()) {
    const [position, hash] = stored[index] ?? []
    const isSame =
      Number(position) === piece.position && hash instanceof Uint8Array && sameBytes(hash, piece.hash)
    if (!isSame)
      throw new JournalFault(
        'DAMAGED',
        `the archive and the journal differ at position ${piece.position}: nothing was removed. Run bourse verify, and repair the journal`,
      )
  }
  if (pieces.length === 0 || stored.length !== pieces.length)
    throw new JournalFault(
      'DAMAGED',
      `the journal has ${stored.length} batches up to position ${lastPosition}, the archive has ${pieces.length}`,
    )
  write('cannot remove archived batches', () => db.run(`DELETE FROM batch WHERE ${TRIMMED}`, [lastPosition]))
  whole.refresh()
  return { removed: pieces.length, left: Math.max(0, beginning.position - lastPosition) }
}

/** See `ArchivableJournal.compact`. */
export function compact({ db, write }: OpenJournal): void {
  write('cannot compact the journal after archiving; nothing is lost', () => {
    db.run('VACUUM')
    emptyLog(db)
  })
}
