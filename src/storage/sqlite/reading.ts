/**
 * A database opened for reading only. In write-ahead mode SQLite wants files of its own beside it even to read, and so
 * cannot open one on read-only media, or in a directory that its reader may not write to. Where nothing can be made there
 * and no log is there, the file alone is the whole database and is read as it stands, without any lock.
 */
import { constants, Database, SQLiteError } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'

export type Reading = {
  readonly db: Database
  /**
   * Throws where the file is not the one that was opened any more. Nothing keeps a node, run by somebody who may write
   * there, from starting on a file that is read without a lock.
   */
  readonly requireUnchanged: () => void
}

/** Somebody writes, or wrote, to the database, and this reader may not do what it takes to read it all the same. */
export class LogInTheWayFault extends Error {
  override readonly name = 'LogInTheWayFault'
}

/** Opens the database at `path`. Throws `LogInTheWayFault`, and what SQLite throws. */
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
    if (identity(path) !== before) throw new LogInTheWayFault(`${path} was written to while it was read`)
  }
  return { db, requireUnchanged }
}

/** The first statement is what opens the file. */
function look(db: Database): void {
  using statement = db.prepare('PRAGMA application_id')
  statement.values()
}

function requireNoLog(path: string): void {
  const log = `${path}-wal`
  if (!existsSync(log)) return
  const what = `${log} is there: a node runs on it, or was killed, and the directory cannot be written to`
  throw new LogInTheWayFault(
    `${what}. Run the command as the node's user, or on a copy of the whole directory`,
  )
}

function identity(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [dev, ino, size, mtimeNs].join(':')
}

/** SQLite could not make, or not use, its own files beside the database; of a file that cannot be read it says the same. */
function isUnopened({ code = '' }: SQLiteError): boolean {
  return code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')
}

/** An address takes flags instead of options, so that whole integers are asked for with each statement. */
function openByAddress(path: string): Database {
  const address = `file:${path.split('/').map(encodeURIComponent).join('/')}?immutable=1`
  const db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => prepare(sql).safeIntegers(true)) as Database['prepare']
  return db
}
