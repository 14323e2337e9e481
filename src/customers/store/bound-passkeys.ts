/** Ensures that all passkeys have the same RP id: with another one, browsers would not find them. */
import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, StoreFault } from './database.ts'
import { KEYS_FILE } from './key-file.ts'
import { STORE_FILE, STORE_FORM } from './schema.ts'

/**
 * Checks that a store has its keys: a new key file could not unseal anything, and all persons would be lost
 * unnoticed. Throws `StoreFault`.
 */
export function requireKeys(directory: string, db: Database): void {
  if (existsSync(join(directory, KEYS_FILE))) return
  const count = db.query<{ count: number }, []>('SELECT count(*) AS count FROM person').get()?.count ?? 0
  if (count === 0) return
  const file = join(directory, KEYS_FILE)
  const persons = count === 1 ? '1 person' : `${count} persons`
  throw new StoreFault(
    `${file} is missing, which unseals the data of ${persons} in ${STORE_FILE}: put its newest copy there`,
  )
}

/**
 * Binds the store of a directory to this RP id, before a start. A store without passkeys takes any; a
 * directory without a store stays without one. Throws `StoreFault` if there are passkeys of another one, or
 * the keys are missing.
 */
export function bindPasskeys(directory: string, rpId: string): void {
  const file = join(directory, STORE_FILE)
  if (!existsSync(file)) return
  const db = openDatabase(file, STORE_FORM)
  try {
    requireKeys(directory, db)
    bind(db, rpId)
  } finally {
    db.close()
  }
}

/** The same for an open store. Throws `StoreFault`. */
export function bind(db: Database, rpId: string): void {
  db.transaction(() => {
    const sql = "SELECT value, (SELECT count(*) FROM passkey) AS count FROM fact WHERE name = 'rp_id'"
    const bound = db.query<{ value: string; count: number }, []>(sql).get()
    if (bound === null)
      throw new StoreFault('the store of customers lacks the domain that passkeys are bound to')
    const { value, count } = bound
    if (value === rpId) return
    if (count > 0)
      throw new StoreFault(
        `customers.rpId: expected ${value}, to which ${count} ${count === 1 ? 'passkey is' : 'passkeys are'} bound, found ${rpId}: at another domain no browser offers them`,
      )
    db.query("UPDATE fact SET value = ? WHERE name = 'rp_id'").run(rpId)
  }).immediate()
}
