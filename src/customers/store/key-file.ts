/**
 * `customers.keys`: a key for each person, stored under a random owner name, and the key of the blind index
 * of email addresses. Destroying a key erases everything sealed with it, in every copy of the store.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { openDatabase } from './database.ts'
import { KEY_BYTES, seal, unseal } from './sealing.ts'
import { type Sql, StoreAwayFault } from './sql.ts'
import { SqliteSql } from './sqlite.ts'

export const KEYS_FILE = 'customers.keys'

/** The owner of the index's key: the owner names of persons are hexadecimal, so none is equal to it. */
const INDEX = 'index'
const OWNER_BYTES = 16
/** The place to which keys sent to a standby are bound when sealed. */
const FOR_COPY = 'keys for a standby'

export const KEYS_FORM = {
  /** "BRCK" */
  applicationId: 0x4252_434b,
  isErasing: true,
  steps: ['CREATE TABLE key (owner TEXT PRIMARY KEY, key BLOB NOT NULL) STRICT, WITHOUT ROWID'],
}

export class KeyFile {
  readonly #db: Sql
  readonly #random: (size: number) => Uint8Array
  readonly #indexKey: Uint8Array
  #hasRemains = false

  /** Closing this object closes the database too. */
  constructor(db: Sql, randomBytes: (size: number) => Uint8Array) {
    this.#db = db
    this.#random = randomBytes
    this.#indexKey = this.#sharedIndexKey()
  }

  /** Opens the file and creates it if absent. Throws `StoreFault`. */
  static open(file: string, randomBytes: (size: number) => Uint8Array): KeyFile {
    return new KeyFile(new SqliteSql(openDatabase(file, KEYS_FORM)), randomBytes)
  }

  /** Whether a database has keys of customers. */
  static isMade(db: Sql): boolean {
    return db.get('SELECT 1 AS found FROM key WHERE owner = ?', INDEX) !== undefined
  }

  /** A new owner, with a key of its own: durable when this returns. */
  newOwner(): { readonly owner: string; readonly key: Uint8Array } {
    const owner = Buffer.from(this.#random(OWNER_BYTES)).toString('hex')
    return { owner, key: this.#add(owner) }
  }

  /** Undefined if it was destroyed or never existed. */
  keyOf(owner: string): Uint8Array | undefined {
    const row = this.#db.get<{ key: Uint8Array }>('SELECT key FROM key WHERE owner = ?', owner)
    return row?.key
  }

  /** The existing keys of these owners. */
  keysOf(owners: Iterable<string>): ReadonlyMap<string, Uint8Array> {
    const found = new Map<string, Uint8Array>()
    for (const owner of owners) {
      const key = this.keyOf(owner)
      if (key !== undefined) found.set(owner, key)
    }
    return found
  }

  /** Keys for a standby, sealed so that only a holder of a copy of this file, of any age, can open them. */
  sealForCopy(
    keyByOwner: ReadonlyMap<string, Uint8Array>,
    randomBytes: (size: number) => Uint8Array,
  ): Uint8Array {
    const texts = [...keyByOwner].map(([owner, key]) => [owner, Buffer.from(key).toString('base64')])
    return seal(this.#copyKey(), FOR_COPY, { keys: texts }, randomBytes)
  }

  /** Adds keys that the node has sealed, durably. Throws `SealFault` if they belong to another file. */
  takeFromNode(sealed: Uint8Array): void {
    const { keys } = unseal<{ readonly keys: readonly (readonly [string, string])[] }>(
      this.#copyKey(),
      FOR_COPY,
      sealed,
    )
    if (keys.length === 0) return
    this.#db.atOnce(() => {
      for (const [owner, key] of keys) this.#put(owner, new Uint8Array(Buffer.from(key, 'base64')))
    })
  }

  /** All owners except that of the index. */
  owners(): readonly string[] {
    const rows = this.#db.all<{ owner: string }>('SELECT owner FROM key WHERE owner <> ?', INDEX)
    return rows.map(({ owner }) => owner)
  }

  /** The next owners in their order, except that of the index. */
  ownersAfter(owner: string, limit: number): readonly string[] {
    const sql = 'SELECT owner FROM key WHERE owner > ? AND owner <> ? ORDER BY owner LIMIT ?'
    return this.#db.all<{ owner: string }>(sql, owner, INDEX, limit).map((row) => row.owner)
  }

  /**
   * Throws `StoreAwayFault` if the owner has no key. Rows that a key seals are added in one transaction with
   * this check, so that the key of an owner who has had no rows for an hour may be destroyed.
   */
  requireKey(owner: string): void {
    if (this.keyOf(owner) === undefined)
      throw new StoreAwayFault('the key of a person was destroyed before it was used')
  }

  /** A key of no person, used to do the same work when there is no person. */
  nobodysKey(): Uint8Array {
    return this.keyOf(INDEX) ?? this.#indexKey
  }

  /** Once this returns, nothing sealed with the key can be opened. */
  destroy(owner: string): void {
    if (this.#db.run('DELETE FROM key WHERE owner = ?', owner) > 0) this.#hasRemains = true
  }

  /**
   * Overwrites what destroyed keys have left in the database. Throws `StoreAwayFault` if that is not possible
   * yet.
   */
  scrub(): void {
    if (!this.#hasRemains) return
    this.#db.scrub()
    this.#hasRemains = false
  }

  /**
   * Finds an email address without storing it in readable form: the same value for all spellings of an
   * address.
   */
  mailIndex(mail: string): Uint8Array {
    return new Uint8Array(createHmac('sha256', this.#indexKey).update(comparable(mail)).digest())
  }

  close(): void {
    this.#db.close()
  }

  /**
   * Derived from the index's key in another way than the values of email addresses: none of them equals it.
   */
  #copyKey(): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#indexKey, 'customers of Bourse', FOR_COPY, KEY_BYTES))
  }

  /** Another process may create the key at the same time: all use the one that was stored first. */
  #sharedIndexKey(): Uint8Array {
    const found = this.keyOf(INDEX)
    if (found !== undefined) return found
    const mine = this.#random(KEY_BYTES)
    this.#put(INDEX, mine)
    return this.keyOf(INDEX) ?? mine
  }

  /** Changes nothing if the owner has a key. */
  #put(owner: string, key: Uint8Array): void {
    this.#db.run('INSERT INTO key VALUES (?, ?) ON CONFLICT DO NOTHING', owner, key)
  }

  #add(owner: string): Uint8Array {
    const key = this.#random(KEY_BYTES)
    this.#db.run('INSERT INTO key VALUES (?, ?)', owner, key)
    return key
  }
}

/** Providers ignore letter case, although the standard allows them to distinguish it. */
function comparable(mail: string): string {
  return mail.normalize('NFC').toLowerCase()
}
