/**
 * A database opened read-only. In write-ahead mode SQLite creates files beside the database even to read it,
 * and so cannot open one on read-only media, or in a directory without permission to write. If nothing can be
 * created there and no log exists, the file alone is the whole database and is read without a lock.
 */
import { constants, Database, SQLiteError } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'

export type Reading = {
  readonly db: Database
  /**
   * Throws if the file has changed since it was opened. A node run by a user with write access can start on a
   * file that is read without a lock.
   */
  readonly requireUnchanged: () => void
}

/**
 * Another process is writing to the database, or was, and this reader does not have the permissions to read
 * it in that state.
 */
export class LogInTheWayFault extends Error {
  override readonly name = 'LogInTheWayFault'
}

/** Opens the database at `path`. Throws `LogInTheWayFault`, and SQLite's errors. */
export function openForReading(path: string): Reading {
  const db = new Database(path, { readonly: true, strict: true, safeIntegers: true })
  try {
    look(db)
    return { db, requireUnchanged: () => {} }
  } catch (cause) {
    db.close()
    if (!(cause instanceof SQLiteError) || !isUnopened(cause)) throw cause
    requireNoLog(path)
    return openAsItStands(path)
  }
}

function openAsItStands(path: string): Reading {
  const before = identity(path)
  const db = openByAddress(path)
  try {
    look(db)
  } catch (cause) {
    db.close()
    throw cause
  }
  const requireUnchanged = (): void => {
    requireNoLog(path)
    if (identity(path) !== before) throw new LogInTheWayFault(`${path} was changed while it was being read`)
  }
  return { db, requireUnchanged }
}

/** Runs the first statement, which opens the file. */
function look(db: Database): void {
  using statement = db.prepare('PRAGMA application_id')
  statement.values()
}

function requireNoLog(path: string): void {
  const log = `${path}-wal`
  if (!existsSync(log)) return
  const what = `${log} exists: a node is using the database, or was killed, and the directory is not writable`
  throw new LogInTheWayFault(
    `${what}. Run the command as the node's user, or on a copy of the whole directory`,
  )
}

function identity(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [dev, ino, size, mtimeNs].join(':')
}

/**
 * Whether SQLite could not create or use its own files beside the database; it reports the same for an
 * unreadable file.
 */
function isUnopened({ code = '' }: SQLiteError): boolean {
  return code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')
}

/**
 * Options are not available with a URI, which has flags, so each statement must request safe integers itself.
 */
function openByAddress(path: string): Database {
  const address = `file:${path.split('/').map(encodeURIComponent).join('/')}?immutable=1`
  const db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => prepare(sql).safeIntegers(true)) as Database['prepare']
  return db
}
