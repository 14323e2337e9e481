/**
 * A file of the customers process: SQLite, created by this program, readable by its owner only. A file of an
 * earlier version is migrated.
 */
import { Database } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { StoreFault } from './sql.ts'

export type DatabaseForm = {
  /** The application id of this program's files. */
  readonly applicationId: number
  /**
   * SQL from each version to the next, starting with an empty file: the number of steps is the last version.
   */
  readonly steps: readonly string[]
  /** Old content of the file's pages is overwritten, and no write-ahead log keeps it. */
  readonly isErasing: boolean
}

/**
 * Opens the file and creates it if absent. A transaction is on the disk when it has ended. Throws
 * `StoreFault`.
 */
export function openDatabase(file: string, form: DatabaseForm): Database {
  let db: Database | undefined
  try {
    // SQLite gives its auxiliary files the mode of this one.
    closeSync(openSync(file, 'a', 0o600))
    db = new Database(file, { create: true, strict: true })
    db.run('PRAGMA busy_timeout = 5000')
    db.run(`PRAGMA journal_mode = ${form.isErasing ? 'TRUNCATE' : 'WAL'}`)
    db.run(`PRAGMA synchronous = ${form.isErasing ? 'EXTRA' : 'FULL'}`)
    db.run('PRAGMA secure_delete = ON')
    db.run('PRAGMA foreign_keys = ON')
    settle(db, file, form)
    return db
  } catch (cause) {
    db?.close()
    if (cause instanceof StoreFault) throw cause
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new StoreFault(`cannot open ${file}: ${problem}`, { cause })
  }
}

function settle(db: Database, file: string, { applicationId, steps }: DatabaseForm): void {
  const found = numberOf(db, 'application_id')
  const isNew = found === 0 && numberOf(db, 'schema_version') === 0
  if (!isNew && found !== applicationId)
    throw new StoreFault(`${file}: expected a file of the customer store, found another file`)
  const version = numberOf(db, 'user_version')
  if (version > steps.length)
    throw new StoreFault(
      `${file}: expected version ${steps.length} of the file or an earlier one, found ${version}`,
    )
  if (version === steps.length) return
  db.transaction(() => {
    for (const step of steps.slice(version)) db.run(step)
    db.run(`PRAGMA application_id = ${applicationId}`)
    db.run(`PRAGMA user_version = ${steps.length}`)
  }).immediate()
}

function numberOf(db: Database, pragma: string): number {
  const row = db.query(`PRAGMA ${pragma}`).get() as Readonly<Record<string, number>> | null
  return Object.values(row ?? {})[0] ?? 0
}
