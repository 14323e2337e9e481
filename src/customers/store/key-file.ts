/**
 * `customers.keys`: a key for each person, by a random name of an owner, and the key of the blind index of
 * mails. Destroying a key erases everything sealed with it, in every copy of the store.
 */
import type { Database } from 'bun:sqlite'
import { createHmac, hkdfSync } from 'node:crypto'
import { openDatabase } from './database.ts'
import { KEY_BYTES, seal, unseal } from './sealing.ts'

export const KEYS_FILE = 'customers.keys'

/** The owner of the index's key: no person has a name without digits. */
const INDEX = 'index'
const OWNER_BYTES = 16
/** Where keys on their way to a standby are sealed. */
const FOR_COPY = 'keys for a standby'

export const KEYS_FORM = {
  /** "BRCK" */
  applicationId: 0x4252_434b,
  isErasing: true,
  steps: ['CREATE TABLE key (owner TEXT PRIMARY KEY, key BLOB NOT NULL) STRICT, WITHOUT ROWID'],
}

export class KeyFile {
  readonly #db: Database
  readonly #random: (size: number) => Uint8Array
  readonly #indexKey: Uint8Array

  /** Throws `StoreFault`. */
  constructor(file: string, randomBytes: (size: number) => Uint8Array) {
    this.#db = openDatabase(file, KEYS_FORM)
    this.#random = randomBytes
    this.#indexKey = this.keyOf(INDEX) ?? this.#add(INDEX)
  }

  /** A new owner, with a key of its own: durable when this returns. */
  newOwner(): { readonly owner: string; readonly key: Uint8Array } {
    const owner = Buffer.from(this.#random(OWNER_BYTES)).toString('hex')
    return { owner, key: this.#add(owner) }
  }

  /** Undefined if it was destroyed or never existed. */
  keyOf(owner: string): Uint8Array | undefined {
    const row = this.#db
      .query<{ key: Uint8Array }, [string]>('SELECT key FROM key WHERE owner = ?')
      .get(owner)
    return row?.key
  }

  /** Those that there are. */
  keysOf(owners: Iterable<string>): ReadonlyMap<string, Uint8Array> {
    const found = new Map<string, Uint8Array>()
    for (const owner of owners) {
      const key = this.keyOf(owner)
      if (key !== undefined) found.set(owner, key)
    }
    return found
  }

  /** Keys for a standby: only who has a copy of this file opens them, of any time. */
  sealForCopy(
    keyByOwner: ReadonlyMap<string, Uint8Array>,
    randomBytes: (size: number) => Uint8Array,
  ): Uint8Array {
    const texts = [...keyByOwner].map(([owner, key]) => [owner, Buffer.from(key).toString('base64')])
    return seal(this.#copyKey(), FOR_COPY, { keys: texts }, randomBytes)
  }

  /** Adds keys that the node has sealed, durably. Throws `SealFault`: they belong to another file. */
  takeFromNode(sealed: Uint8Array): void {
    const { keys } = unseal<{ readonly keys: readonly (readonly [string, string])[] }>(
      this.#copyKey(),
      FOR_COPY,
      sealed,
    )
    if (keys.length === 0) return
    const add = this.#db.query('INSERT INTO key VALUES (?, ?) ON CONFLICT DO NOTHING')
    this.#db
      .transaction(() => {
        for (const [owner, key] of keys) add.run(owner, new Uint8Array(Buffer.from(key, 'base64')))
      })
      .immediate()
  }

  /** All owners, but for the index. */
  owners(): readonly string[] {
    const rows = this.#db
      .query<{ owner: string }, [string]>('SELECT owner FROM key WHERE owner <> ?')
      .all(INDEX)
    return rows.map(({ owner }) => owner)
  }

  /** A key of no person: used for the same work where there is no person. */
  nobodysKey(): Uint8Array {
    return this.keyOf(INDEX) ?? this.#indexKey
  }

  /** Once this returns, nothing sealed with the key can be opened. */
  destroy(owner: string): void {
    this.#db.query('DELETE FROM key WHERE owner = ?').run(owner)
  }

  /**
   * Finds a mail address without storing it in readable form: the same value for all spellings of an address.
   */
  mailIndex(mail: string): Uint8Array {
    return new Uint8Array(createHmac('sha256', this.#indexKey).update(comparable(mail)).digest())
  }

  close(): void {
    this.#db.close()
  }

  /** Apart from the index: no mail address has it as its value there. */
  #copyKey(): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#indexKey, 'customers of Bourse', FOR_COPY, KEY_BYTES))
  }

  #add(owner: string): Uint8Array {
    const key = this.#random(KEY_BYTES)
    this.#db.query('INSERT INTO key VALUES (?, ?)').run(owner, key)
    return key
  }
}

/** Providers ignore letter case, although the standard allows them to distinguish it. */
function comparable(mail: string): string {
  return mail.normalize('NFC').toLowerCase()
}
