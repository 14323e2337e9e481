/**
 * The file history.sqlite: opened, made, or dropped and made again when it is of another version or damaged. A file
 * that is not ours is left alone.
 */
import { Database, SQLiteError } from 'bun:sqlite'
import { closeSync, openSync, rmSync } from 'node:fs'
import { EMPTY_POSITION, HistoryFault } from '../../engine/history.ts'
import { bindPosition } from './history-rows.ts'
import { HISTORY_APPLICATION_ID, HISTORY_SCHEMA_VERSION, HISTORY_TABLES } from './history-schema.ts'

/** Memory for pages of the file: the ends of the lists of busy accounts stay in it. */
const CACHE_KIB = 64 * 1024
/** The log is copied into the file after this many pages (32 MiB): fewer syncs while it catches up. */
const CHECKPOINT_PAGES = 8192
/** How long somebody else's hold on the file (an operator's tool) is waited out. */
const BUSY_TIMEOUT_MS = 5_000
/** The log is cut to this after a checkpoint, however large it once was. */
const LOG_BYTES_KEPT = 64 * 1024 * 1024

/** Told the reason when a file that cannot be used is dropped, to be made again from the journal. */
export type OnDropped = (reason: string) => void

export type HistoryFileLimits = {
  /** Most pages of 4 KiB; beyond it storage counts as full. Undefined: what the file system has. */
  readonly pagesMax?: number
}

/** Opens or creates the file at `path`. Throws `HistoryFault` and what SQLite throws. */
export function openHistoryFile(path: string, onDropped: OnDropped, limits: HistoryFileLimits): Database {
  const unusable = tryOpen(path, limits)
  if (typeof unusable !== 'string') return unusable
  onDropped(unusable)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  const fresh = tryOpen(path, limits)
  if (typeof fresh === 'string')
    throw new HistoryFault('UNUSABLE', `${path}: still ${fresh} after a new start`)
  return fresh
}

/** The database, or why its file must be dropped. */
function tryOpen(path: string, limits: HistoryFileLimits): Database | string {
  makePrivate(path)
  const db = new Database(path, { create: true, readwrite: true, strict: true, safeIntegers: true })
  try {
    const unusable = prepareFile(db, path, limits)
    if (unusable === undefined) return db
    db.close()
    return unusable
  } catch (error) {
    db.close()
    if (error instanceof SQLiteError && isDamage(error)) return `damaged (${error.message})`
    throw error
  }
}

/** Whether the file's own bytes are to blame. For a damaged format number in its head SQLite has no code of its own. */
function isDamage({ code, message }: SQLiteError): boolean {
  return code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT' || message === 'unsupported file format'
}

/** Creates the file where there is none, readable by its owner alone; SQLite gives its log the same mode. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new HistoryFault('UNUSABLE', `cannot open ${path}: ${found}`, { cause })
  }
}

/** Makes the file ready for use; answers why it must be dropped instead, if it must. */
function prepareFile(db: Database, path: string, { pagesMax }: HistoryFileLimits): string | undefined {
  const application = pragma(db, 'application_id')
  const tables = numberOf(db, 'SELECT count(*) FROM sqlite_schema')
  const isOurs = application === HISTORY_APPLICATION_ID
  if (!isOurs && (application !== 0 || tables > 0)) {
    const found = `application_id ${application} and ${tables} tables and indexes`
    throw new HistoryFault('UNUSABLE', `${path} belongs to another application: it has ${found}`)
  }
  const version = pragma(db, 'user_version')
  if (isOurs && version !== HISTORY_SCHEMA_VERSION) {
    return `of schema version ${version}, expected ${HISTORY_SCHEMA_VERSION}`
  }
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = NORMAL')
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  db.run(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`)
  db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  db.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  if (pagesMax !== undefined) db.run(`PRAGMA max_page_count = ${pagesMax}`)
  if (!isOurs) createTables(db)
  return undefined
}

function createTables(db: Database): void {
  db.transaction(() => {
    db.run(HISTORY_TABLES)
    db.run(
      'INSERT INTO position (id, seq, journal_hash, row_check) VALUES (0, ?, ?, ?)',
      bindPosition(EMPTY_POSITION),
    )
    db.run(`PRAGMA application_id = ${HISTORY_APPLICATION_ID}`)
    db.run(`PRAGMA user_version = ${HISTORY_SCHEMA_VERSION}`)
  })()
}

function pragma(db: Database, name: 'application_id' | 'user_version'): number {
  return numberOf(db, `PRAGMA ${name}`)
}

function numberOf(db: Database, sql: string): number {
  return Number(db.query(sql).values()[0]?.[0])
}
