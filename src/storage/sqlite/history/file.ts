/**
 * The file history.sqlite: opened, created, or replaced by a new one. A file of another version is removed,
 * and a damaged file is put aside. A file of another program is not changed.
 */
import { Database } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { HistoryFault } from '../../../engine/history/history.ts'
import { fileFault } from '../../files/directory.ts'
import { lacksSharedIndex } from '../room.ts'
import { DamagedRowFault, type Row } from './check.ts'
import { asideOf, isDamage, markDamaged, putAside, readMark, removeHistoryFile } from './damage.ts'
import { loggedEnds } from './ended/ended-orders.ts'
import { checkAfter, type ListsLimits } from './lists/lists.ts'
import { ORDERS } from './orders.ts'
import { bindPosition, EMPTY, SQL } from './rows.ts'
import { HISTORY_APPLICATION_ID, HISTORY_SCHEMA_VERSION, HISTORY_TABLES } from './schema.ts'
import { HistoryTables } from './tables.ts'
import { TRADES } from './trades.ts'
import { TRANSFERS } from './transfers.ts'

/** Cache for pages of the file: the ends of busy accounts' lists stay in it. */
const CACHE_KIB = 64 * 1024
/**
 * Number of pages (2 MiB) after which the log is synced and copied into the file: the journal's own sync
 * waits for the disk in the meantime (`npm run bench -- order-to-ack`; with 32 MiB, 26 ms).
 */
const CHECKPOINT_PAGES = 512
const BUSY_TIMEOUT_MS = 5_000
/** A file up to this size is checked completely at each start, which takes some tenths of a second. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024
/** The size to which the log is cut after a checkpoint. */
const LOG_BYTES_KEPT = 64 * 1024 * 1024

/** Called with the reason when an unusable file is dropped, to be rebuilt from the journal. */
export type OnDropped = (reason: string) => void

export type HistoryFileLimits = ListsLimits & {
  /**
   * Maximum number of pages of 4 KiB, above which storage counts as full. Undefined for the file system's
   * limit.
   */
  readonly pagesMax?: number
  /** Longest wait for another process's lock on the file (an operator's tool), in milliseconds. */
  readonly busyTimeoutMs?: number
  /**
   * Receives a function that commits appended records, and calls it when they should be committed, unless a
   * question needs them earlier. Undefined to commit each append at once.
   */
  readonly commitSoon?: (commit: () => void) => void
}

/** Opens or creates the file at `path`. Throws `HistoryFault` and SQLite's errors. */
export function openHistoryFile(path: string, onDropped: OnDropped, limits: HistoryFileLimits): Database {
  const mark = readMark(path)
  const opened = mark === undefined ? tryOpen(path, limits) : { damage: mark }
  if (opened instanceof Database) return opened
  if ('damage' in opened) {
    // If the process is interrupted while it puts the file aside, the next start must continue here: a file
    // without its log may look intact.
    if (mark === undefined) markDamaged(path, opened.damage)
    putAside(path)
    onDropped(`damaged (${opened.damage}); it is kept as ${asideOf(path)}`)
  } else {
    removeHistoryFile(path)
    onDropped(opened.otherVersion)
  }
  const fresh = tryOpen(path, limits)
  if (fresh instanceof Database) return fresh
  throw new HistoryFault('UNUSABLE', `${path}: cannot be created again (${Object.values(fresh).join()})`)
}

/** The reason why a file must be replaced. */
type Unusable = { readonly damage: string } | { readonly otherVersion: string }

/**
 * Opens the file for concurrent readers. If there is no space for the file with the index of the log, which
 * readers share, this process opens the database exclusively until it ends, with the index in memory: stored
 * data can then be read even on a full disk.
 */
function tryOpen(path: string, limits: HistoryFileLimits): Database | Unusable {
  makePrivate(path)
  try {
    return openOnce(path, limits, false)
  } catch (error) {
    if (!lacksSharedIndex(error)) throw error
    return openOnce(path, limits, true)
  }
}

function openOnce(path: string, limits: HistoryFileLimits, isAlone: boolean): Database | Unusable {
  const db = new Database(path, { create: true, readwrite: true, strict: true, safeIntegers: true })
  try {
    // This must come before the first read: the first statement makes SQLite share the index.
    if (isAlone) db.run('PRAGMA locking_mode = EXCLUSIVE')
    const otherVersion = prepareFile(db, path, limits)
    if (otherVersion === undefined) return db
    db.close()
    return { otherVersion }
  } catch (error) {
    db.close()
    if (isDamage(error)) return { damage: (error as Error).message }
    throw error
  }
}

/** Creates the file if absent, readable only by its owner; SQLite gives its log the same mode. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (cause) {
    const { kind, message } = fileFault(cause, `cannot open ${path}`)
    throw new HistoryFault(kind === 'STORAGE_FULL' ? kind : 'UNUSABLE', message, { cause })
  }
}

/** Prepares the file for use. Returns the reason if it must be dropped instead. */
function prepareFile(db: Database, path: string, limits: HistoryFileLimits): string | undefined {
  const { pagesMax, busyTimeoutMs = BUSY_TIMEOUT_MS } = limits
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
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  db.run(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`)
  db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  db.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  if (pagesMax !== undefined) db.run(`PRAGMA max_page_count = ${pagesMax}`)
  if (isOurs) checkTables(db)
  else createTables(db)
  return undefined
}

/**
 * A check that costs little beside a start. It checks that every statement fits the tables; that the position
 * and the newest records, from which the ends of lists are restored, are what was written; and that a file of
 * up to `CHECKED_BYTES_MAX` is intact as a whole. Other damage is found later and marked. Throws errors that
 * `isDamage` recognizes.
 */
function checkTables(db: Database): void {
  const tables = new HistoryTables(db)
  try {
    const { trades, transfers, orders, ended } = tables.position()
    checkAfter(TRADES, tables.trades, trades)
    checkAfter(TRANSFERS, tables.transfers, transfers)
    checkAfter(ORDERS, tables.orders, orders)
    loggedEnds(tables.ended.log(), ended)
  } finally {
    tables.close()
  }
  const bytes = numberOf(db, 'PRAGMA page_count') * numberOf(db, 'PRAGMA page_size')
  if (bytes > CHECKED_BYTES_MAX) return
  const [problem] = valuesOf(db, 'PRAGMA quick_check(1)')
  if (problem?.[0] !== 'ok') throw new DamagedRowFault(String(problem?.[0]).replaceAll('\n', ' '))
}

function createTables(db: Database): void {
  db.transaction(() => {
    db.run(HISTORY_TABLES)
    db.run(SQL.addPosition, bindPosition(EMPTY))
    db.run(`PRAGMA application_id = ${HISTORY_APPLICATION_ID}`)
    db.run(`PRAGMA user_version = ${HISTORY_SCHEMA_VERSION}`)
  })()
}

function pragma(db: Database, name: 'application_id' | 'user_version'): number {
  return numberOf(db, `PRAGMA ${name}`)
}

function numberOf(db: Database, sql: string): number {
  return Number(valuesOf(db, sql)[0]?.[0])
}

function valuesOf(db: Database, sql: string, ...bindings: number[]): Row[] {
  using statement = db.prepare(sql)
  return statement.values(...bindings) as Row[]
}
