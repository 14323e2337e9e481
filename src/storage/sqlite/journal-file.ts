/**
 * Opens the journal's file: exclusively, with full sync, in a known format, with a trusted version of SQLite.
 * The lock is SQLite's own on the file and ends with the process, for whatever cause. This process must not
 * open the file by other means: closing it would release the lock (POSIX record locks belong to the process,
 * not to the handle).
 */
import { Database, SQLiteError } from 'bun:sqlite'
import { accessSync, chmodSync, constants, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JournalFault, type JournalFaultKind, NEWER_WRITER } from '../../engine/port/journal.ts'
import { ensureDirectory, fileFault, syncDirectory, writeWhole } from '../files/directory.ts'
import { ARCHIVED_FORMAT } from './archive-table.ts'
import { emptyLog } from './checkpoint.ts'
import { newerLibrary } from './library.ts'
import { isFull } from './room.ts'

/** "BRSJ" marks the file as a journal of this program. */
export const APPLICATION_ID = 0x4252_534a
/** "BRSM" marks a future journal into which an exchange is still being moved. No node can start on it. */
export const INCOMING_ID = 0x4252_534d
const FORMAT_VERSION = 2

/** Advice for a journal of format 1, which no release wrote. */
const BEFORE_RELEASE =
  'it was written by a program from before the first release. Nothing was changed: keep it with that program, or begin a new journal in another directory'

const UNFINISHED =
  'is part of an exchange that is being moved here, or of an interrupted move: bourse cluster export with the same file and directory continues the move'

/** Older versions can lose committed data when a checkpoint coincides with a write (the WAL-reset bug). */
const SQLITE_VERSION_MIN = [3, 51, 3] as const

const SCHEMA = `
  CREATE TABLE batch (
    position INTEGER PRIMARY KEY, -- 1, 2, 3 ...
    epoch INTEGER NOT NULL, -- how often leadership had been claimed
    kind INTEGER NOT NULL, -- 1: commands
    first_seq INTEGER NOT NULL, -- of the batch's first command
    last_seq INTEGER NOT NULL, -- and of its last
    time INTEGER NOT NULL, -- milliseconds since 1970
    previous_hash BLOB NOT NULL,
    hash BLOB NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE TABLE quarantine (
    seq INTEGER PRIMARY KEY,
    "check" BLOB NOT NULL
  ) STRICT;
  PRAGMA user_version = ${FORMAT_VERSION};
`

export const JOURNAL_NAME = 'journal.sqlite'
const HOLDER_NAME = 'journal.pid'

/**
 * Opens or creates the journal of a data directory and locks it. For a move (`isMoving`), it creates a
 * journal on which no node can start, or opens such a journal again. Throws `JournalFault`.
 */
export function openJournalFile(directory: string, isMoving = false): Database {
  try {
    ensureDirectory(directory)
  } catch (cause) {
    throw fileFault(cause, `cannot create the data directory ${directory}`)
  }
  try {
    // Checked first, because for a read-only file system SQLite would report a disk error at the lock.
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw fileFault(cause, `cannot write to the data directory ${directory}`)
  }
  const path = join(directory, JOURNAL_NAME)
  let db: Database | undefined
  try {
    db = new Database(path, { create: true, readwrite: true, strict: true, safeIntegers: true })
    // This must come first: after any other statement SQLite would share its index of the log in a file.
    db.run('PRAGMA locking_mode = EXCLUSIVE')
    requireVersion(text(db, 'SELECT sqlite_version()'))
    const isNew = checkFormat(db, path, isMoving)
    if (isNew) chmodSync(path, 0o600)
    takeHold(db)
    if (isNew) create(db, isMoving)
    else settle(db, path)
    syncDirectory(directory)
    nameHolder(directory)
    return db
  } catch (cause) {
    db?.close()
    if (cause instanceof JournalFault) throw cause
    if (cause instanceof SQLiteError && cause.code?.startsWith('SQLITE_BUSY')) {
      throw new JournalFault('IN_USE', `${directory} is in use by ${holderOf(directory)}`, { cause })
    }
    throw sqliteFault(cause, `cannot open ${path}`, directory)
  }
}

/**
 * Records the process that has locked the directory. On a full disk this fails, which does not prevent a
 * start.
 */
function nameHolder(directory: string): void {
  const path = join(directory, HOLDER_NAME)
  forgetHolder(directory)
  try {
    writeWhole(path, `${path}.tmp`, [new TextEncoder().encode(`${process.pid}\n`)])
  } catch (cause) {
    if (!(cause instanceof JournalFault && cause.kind === 'STORAGE_FULL')) throw cause
  }
}

/**
 * Records that no process has locked the directory any more; a killed node leaves its number behind, which is
 * harmless.
 */
export function forgetHolder(directory: string): void {
  rmSync(join(directory, HOLDER_NAME), { force: true })
}

/** The fault for an error of SQLite in a file of `directory`. */
export function sqliteFault(cause: unknown, what: string, directory: string): JournalFault {
  if (!(cause instanceof SQLiteError)) return fileFault(cause, what)
  const code = cause.code ?? ''
  let kind: JournalFaultKind = 'FAILED'
  if (isFull(cause, directory)) kind = 'STORAGE_FULL'
  // SQLite has no code of its own for a damaged format number in the file's header.
  const isOddFormat = cause.message === 'unsupported file format'
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT') || isOddFormat) kind = 'DAMAGED'
  return new JournalFault(kind, `${what}: ${code} ${cause.message}`, { cause })
}

/** Throws `UNSUPPORTED` for a version of SQLite older than `SQLITE_VERSION_MIN`. */
export function requireVersion(version: string, platform: string = process.platform): void {
  const parts = version.split('.').map(Number)
  for (const [i, least] of SQLITE_VERSION_MIN.entries()) {
    const part = parts[i] ?? 0
    if (part > least) return
    if (part < least || Number.isNaN(part)) {
      const least = SQLITE_VERSION_MIN.join('.')
      const found = `expected SQLite ${least} or newer, found ${version}${newerLibrary(platform)}`
      throw new JournalFault('UNSUPPORTED', found)
    }
  }
}

function takeHold(db: Database): void {
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA fullfsync = ON')
  db.run('PRAGMA wal_autocheckpoint = 0')
  db.run('PRAGMA cache_size = -16384')
  db.run('BEGIN IMMEDIATE')
  db.run('COMMIT')
  const mode = text(db, 'PRAGMA journal_mode')
  if (mode !== 'wal') throw new JournalFault('UNSUPPORTED', `expected journal mode wal, found ${mode}`)
}

/**
 * Data that a killed process wrote to the log and did not sync is read like everything else. It must become
 * durable before anything depends on it; otherwise a power failure could still undo what clients have been
 * told by then. A sync of the log is not enough: after a failed sync the system may report success for the
 * next one without having written anything, and only a copy is written again. On a full disk the copy fails,
 * but the log has been synced by then.
 */
function settle(db: Database, path: string): void {
  try {
    if (!emptyLog(db)) throw new JournalFault('FAILED', `cannot checkpoint ${path}: its log is in use`)
  } catch (cause) {
    if (cause instanceof JournalFault) throw cause
    const fault = sqliteFault(cause, `cannot checkpoint ${path}`, dirname(path))
    if (fault.kind !== 'STORAGE_FULL') throw fault
  }
}

/**
 * Returns true for an empty file; throws `UNSUPPORTED` for a file of another program, which is not changed.
 */
export function checkFormat(db: Database, path: string, isMoving = false): boolean {
  const found = number(db, 'PRAGMA application_id')
  const version = number(db, 'PRAGMA user_version')
  if (found === INCOMING_ID && !isMoving) throw new JournalFault('UNSUPPORTED', `${path} ${UNFINISHED}`)
  const applicationId = found === INCOMING_ID ? APPLICATION_ID : found
  const isKnown = version === FORMAT_VERSION || version === ARCHIVED_FORMAT
  if (applicationId === APPLICATION_ID && isKnown) return false
  if (applicationId === APPLICATION_ID) {
    const wayOn = version < FORMAT_VERSION ? BEFORE_RELEASE : NEWER_WRITER
    throw new JournalFault(
      'UNSUPPORTED',
      `${path} has format ${version}, this version reads ${FORMAT_VERSION} and ${ARCHIVED_FORMAT}: ${wayOn}`,
    )
  }
  if (applicationId === 0 && version === 0 && number(db, 'SELECT count(*) FROM sqlite_schema') === 0)
    return true
  throw new JournalFault('UNSUPPORTED', `${path} is not a journal`)
}

function create(db: Database, isMoving: boolean): void {
  db.run('BEGIN IMMEDIATE')
  db.run(SCHEMA)
  db.run(`PRAGMA application_id = ${isMoving ? INCOMING_ID : APPLICATION_ID}`)
  db.run('COMMIT')
}

/** A name for the process that has locked the directory, with its id if it has recorded that. */
export function holderOf(directory: string): string {
  try {
    return `process ${readFileSync(join(directory, HOLDER_NAME), 'utf8').trim()}`
  } catch {
    return 'another process, whose process id is unknown'
  }
}

/**
 * The first value of the first row. A statement that stayed open would keep the file, and its lock, past
 * `close`.
 */
function text(db: Database, sql: string): string {
  using statement = db.prepare<Record<string, unknown>, []>(sql)
  return String(statement.values()[0]?.[0])
}

function number(db: Database, sql: string): number {
  return Number(text(db, sql))
}
