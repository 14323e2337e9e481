/**
 * The journal's table of its archives: the files with the batches that were removed from the journal. A
 * journal with this table has a format version of its own, so that an older program refuses the journal
 * instead of missing its beginning.
 */
import type { Database, Statement } from 'bun:sqlite'
import type { RecordedArchive } from '../../engine/archive/archived.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { seq, timeMs } from '../../units/quantities.ts'

/** `user_version` of a journal with archived parts. */
export const ARCHIVED_FORMAT = 3

const TABLE = `
  CREATE TABLE archive (
    last_position INTEGER PRIMARY KEY, -- of its last batch
    last_seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    time INTEGER NOT NULL, -- milliseconds since 1970
    hash BLOB NOT NULL,
    after_position INTEGER NOT NULL, -- of the batch before its first one; 0: none
    after_seq INTEGER NOT NULL,
    first_hash BLOB NOT NULL, -- of the journal's first batch
    digest BLOB NOT NULL, -- SHA-256 of the file's contents
    bytes INTEGER NOT NULL, -- of the file
    file TEXT NOT NULL -- relative to the data directory, or absolute
  ) STRICT;
  PRAGMA user_version = ${ARCHIVED_FORMAT};
`

const COLUMNS =
  'last_position, last_seq, epoch, time, hash, after_position, after_seq, first_hash, digest, bytes, file'

/** The archives of an open journal, oldest first. Throws `JournalFault`, and SQLite's errors. */
export function recordedArchives(db: Database): readonly RecordedArchive[] {
  if (formatOf(db) !== ARCHIVED_FORMAT) return []
  using rows = db.prepare(`SELECT ${COLUMNS} FROM archive ORDER BY last_position`)
  return rows.values().map(archiveOf)
}

/** Adds a row, and creates the table for the first one. */
export function addArchive(db: Database, archive: RecordedArchive): void {
  const { end, after, firstHash, digest, bytes, file } = archive
  if (formatOf(db) !== ARCHIVED_FORMAT) db.run(TABLE)
  db.run(`INSERT INTO archive (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    ...[end.position, end.seq, end.epoch, end.time, end.hash],
    ...[after.position, after.seq, firstHash, digest, bytes, file],
  ])
}

/**
 * The first batch always stays a row: copies of one journal are recognized by its hash, which must not depend
 * on an archive.
 */
export const FIRST_POSITION = 1

/**
 * Position and command before the first row that follows the journal's first batch; undefined if there is
 * none.
 */
export function rowsBegin(db: Database): { readonly position: number; readonly seq: number } | undefined {
  using first = db.prepare(
    `SELECT position, first_seq FROM batch WHERE position > ${FIRST_POSITION} ORDER BY position LIMIT 1`,
  )
  const [row] = first.values()
  return row && { position: integer(row[0]) - 1, seq: integer(row[1]) - 1 }
}

function formatOf(db: Database): number {
  using statement: Statement = db.prepare('PRAGMA user_version')
  return Number(statement.values()[0]?.[0])
}

function archiveOf(row: readonly unknown[]): RecordedArchive {
  const [position, last, epoch, time, hash, afterPosition, afterSeq, firstHash, digest, bytes, file] = row
  return {
    after: { position: integer(afterPosition), seq: seq(integer(afterSeq)) },
    end: {
      position: integer(position),
      epoch: integer(epoch),
      seq: seq(integer(last)),
      time: timeMs(integer(time)),
      hash: blob(hash),
    },
    firstHash: blob(firstHash),
    digest: blob(digest),
    bytes: integer(bytes),
    file: String(file),
  }
}

function integer(value: unknown): number {
  if (typeof value === 'bigint' && value >= 0n && value <= Number.MAX_SAFE_INTEGER) return Number(value)
  throw new JournalFault('DAMAGED', `the table of archives: expected a number, found ${String(value)}`)
}

function blob(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new JournalFault('DAMAGED', `the table of archives: expected bytes, found ${typeof value}`)
}
