/**
 * Copies the customer files, even while their process runs: each copy is one consistent state of its file, as
 * seen by a transaction.
 */
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { CopyFile } from './copying/copy-file.ts'
import { KEYS_FILE, KEYS_FORM } from './key-file.ts'
import { STORE_FILE, STORE_FORM } from './schema.ts'
import { StoreFault } from './sql.ts'

export type CopiedStore = { readonly persons: number }

export function hasStore(directory: string): boolean {
  return existsSync(join(directory, STORE_FILE))
}

/** Copies into a new file that only its owner can read. Throws `StoreFault`. */
export function copyStore(directory: string, to: string): CopiedStore {
  copy(join(directory, STORE_FILE), to, STORE_FORM)
  return { persons: countIn(to, 'person', STORE_FORM) }
}

/** Copies the keys, which are never copied into the directory of the store's copy. Throws `StoreFault`. */
export function copyKeys(directory: string, to: string): void {
  copy(join(directory, KEYS_FILE), to, KEYS_FORM)
}

/** Throws `StoreFault` unless the file is an intact customer store. */
export function checkStore(file: string): CopiedStore {
  return { persons: countIn(file, 'person', STORE_FORM) }
}

export type StandbyCopy = {
  /** The time of the copy; undefined if it is not a copy, or not complete. */
  readonly atMs: number | undefined
  readonly persons: number
  /** Whether the copy can be unsealed with the key file beside it. */
  readonly hasKeys: boolean
}

/** A standby's copy of its node's customers; undefined if there is no copy. Throws `StoreFault`. */
export function standbyCopy(directory: string): StandbyCopy | undefined {
  if (!hasStore(directory)) return undefined
  const hasKeys = existsSync(join(directory, KEYS_FILE))
  const file = new CopyFile(join(directory, STORE_FILE), STORE_FORM.steps.length)
  try {
    return { atMs: file.copied()?.atMs, persons: file.persons(), hasKeys }
  } finally {
    file.close()
  }
}

/** Throws `StoreFault` unless the file is an intact customer key file. */
export function checkKeys(file: string): void {
  countIn(file, 'key', KEYS_FORM)
}

type Form = { readonly applicationId: number }

function copy(file: string, to: string, form: Form): void {
  if (!existsSync(file)) throw new StoreFault(`${file} does not exist`)
  closeSync(openSync(to, 'wx', 0o600))
  withFile(file, form, (db) => db.query('VACUUM INTO ?').run(to))
}

function countIn(file: string, table: 'person' | 'key', form: Form): number {
  return withFile(file, form, (db) => {
    const found = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()?.integrity_check
    if (found !== 'ok') throw new StoreFault(`${file} is damaged: ${found}`)
    return db.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0
  })
}

function withFile<Result>(file: string, { applicationId }: Form, work: (db: Database) => Result): Result {
  let db: Database | undefined
  try {
    db = new Database(file, { readwrite: true, create: false, strict: true })
    db.run('PRAGMA busy_timeout = 5000')
    const row = db.query<{ application_id: number }, []>('PRAGMA application_id').get()
    if (row?.application_id !== applicationId)
      throw new StoreFault(`${file}: expected a file of the customer store, found another file`)
    return work(db)
  } catch (cause) {
    if (cause instanceof StoreFault) throw cause
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new StoreFault(`cannot read ${file}: ${problem}`, { cause })
  } finally {
    db?.close()
  }
}
