/** Ensures that all passkeys have the same RP id: with another one, browsers would not find them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from './database.ts'
import { factOf, setFact } from './facts.ts'
import { KEYS_FILE, KeyFile } from './key-file.ts'
import { STORE_FILE, STORE_FORM } from './schema.ts'
import { type Sql, StoreFault } from './sql.ts'
import { SqliteSql } from './sqlite.ts'

/**
 * Checks that a store has its keys: a new key file could not unseal anything, and all persons would be lost
 * unnoticed. Throws `StoreFault`.
 */
export function requireKeyFile(directory: string, store: Sql): void {
  const file = join(directory, KEYS_FILE)
  if (existsSync(file)) return
  const persons = personsIn(store)
  if (persons === undefined) return
  throw new StoreFault(
    `${file}, which unseals the data of ${persons} in ${STORE_FILE}, is missing: put its newest copy there`,
  )
}

/** Checks the same for databases. Throws `StoreFault`. */
export function requireKeys({ store, keys }: { readonly store: Sql; readonly keys: Sql }): void {
  if (KeyFile.isMade(keys)) return
  const persons = personsIn(store)
  if (persons === undefined) return
  throw new StoreFault(
    `the customer key database, which unseals the data of ${persons}, is empty: restore its newest copy`,
  )
}

/** The number of persons, in words; undefined if there are none. */
function personsIn(store: Sql): string | undefined {
  const count = store.get<{ count: number }>('SELECT count(*) AS count FROM person')?.count ?? 0
  if (count === 0) return undefined
  return count === 1 ? '1 person' : `${count} persons`
}

/**
 * Binds the store of a directory to this RP id, before a start. A store without passkeys accepts any; a
 * directory without a store stays without one. Throws `StoreFault` if there are passkeys of another RP id, or
 * if the keys are missing.
 */
export function bindPasskeys(directory: string, rpId: string): void {
  const file = join(directory, STORE_FILE)
  if (!existsSync(file)) return
  const db = new SqliteSql(openDatabase(file, STORE_FORM))
  try {
    requireKeyFile(directory, db)
    bind(db, rpId)
  } finally {
    db.close()
  }
}

/** Binds an open store to this RP id. Throws `StoreFault`. */
export function bind(db: Sql, rpId: string): void {
  db.atOnce(() => {
    const value = factOf(db, 'rp_id')
    if (value === undefined)
      throw new StoreFault('the customer store lacks the domain to which the passkeys are bound')
    if (value === rpId) return
    const count = db.get<{ count: number }>('SELECT count(*) AS count FROM passkey')?.count ?? 0
    if (count > 0)
      throw new StoreFault(
        `customers.rpId: expected ${value}, to which ${count} ${count === 1 ? 'passkey is' : 'passkeys are'} bound, found ${rpId}: no browser offers them at another domain`,
      )
    setFact(db, 'rp_id', rpId)
  })
}
