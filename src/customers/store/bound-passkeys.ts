/** That all passkeys are of one RP id: at another one browsers would find none of them. */
import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, StoreFault } from './database.ts'
import { STORE_FILE, STORE_FORM } from './schema.ts'

/**
 * Binds the store of a directory to this RP id, before a start. A store without passkeys takes any; a
 * directory without a store stays without one. Throws `StoreFault` if there are passkeys of another one.
 */
export function bindPasskeys(directory: string, rpId: string): void {
  const file = join(directory, STORE_FILE)
  if (!existsSync(file)) return
  const db = openDatabase(file, STORE_FORM)
  try {
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
    if (bound === null) throw new StoreFault('the store of customers does not say what passkeys are bound to')
    const { value, count } = bound
    if (value === rpId) return
    if (count > 0)
      throw new StoreFault(
        `customers.rpId: expected ${value}, to which ${count} ${count === 1 ? 'passkey is' : 'passkeys are'} bound, found ${rpId}: at another domain no browser offers them`,
      )
    db.query("UPDATE fact SET value = ? WHERE name = 'rp_id'").run(rpId)
  }).immediate()
}
