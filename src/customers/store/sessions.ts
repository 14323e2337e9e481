/** Sessions, and the keys of ended ones whose end the exchange has not confirmed yet. */

import type { StoreParts } from './people.ts'
import { seal, unseal } from './sealing.ts'

export type SessionLevel = 'SIGNUP' | 'SESSION'

/** The origin of a request, as far as it is stored. */
export type Origin = {
  /** Browser and system, according to the browser. */
  readonly device: string
  /** /24 or /48. */
  readonly network: string
}

export type CustomerSession = {
  readonly token_digest: Uint8Array
  readonly id: string
  readonly owner: string
  readonly level: SessionLevel
  readonly key_name: string | null
  readonly public_key: Uint8Array | null
  readonly sealed: Uint8Array
  readonly created_ms: number
  readonly last_ms: number
  readonly ends_ms: number
}

export type NewSession = Omit<CustomerSession, 'sealed' | 'last_ms'> & { readonly origin: Origin }

/** A session's key, with the account that it acts for. */
export type StoredKey = {
  readonly name: string
  readonly account: string
  readonly public_key: Uint8Array
  readonly ends_ms: number
}

export class Sessions {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  byToken(tokenDigest: Uint8Array): CustomerSession | undefined {
    const sql = 'SELECT * FROM session WHERE token_digest = ?'
    return this.#parts.db.get<CustomerSession>(sql, tokenDigest)
  }

  count(): number {
    const sql = "SELECT count(*) AS count FROM session WHERE level = 'SESSION'"
    return this.#parts.db.get<{ count: number }>(sql)?.count ?? 0
  }

  /** Newest first. */
  of(owner: string): readonly CustomerSession[] {
    const sql = 'SELECT * FROM session WHERE owner = ? ORDER BY created_ms DESC, id'
    return this.#parts.db.all<CustomerSession>(sql, owner)
  }

  originOf({ owner, id, sealed }: CustomerSession): Origin | undefined {
    const key = this.#parts.keys.keyOf(owner)
    return key === undefined ? undefined : unseal<Origin>(key, `session ${id}`, sealed)
  }

  add(session: NewSession, key: Uint8Array): void {
    const { token_digest, id, owner, level, key_name, public_key, created_ms, ends_ms } = session
    const sealed = seal(key, `session ${id}`, session.origin, this.#parts.randomBytes)
    this.#parts.db.run(
      'INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      token_digest,
      id,
      owner,
      level,
      key_name,
      public_key,
      sealed,
      created_ms,
      created_ms,
      ends_ms,
    )
  }

  used(tokenDigest: Uint8Array, nowMs: number): void {
    this.#parts.db.run('UPDATE session SET last_ms = ? WHERE token_digest = ?', nowMs, tokenDigest)
  }

  /** Ends a session; its key is stored as ended until the exchange has confirmed its end. */
  end({ token_digest, key_name, ends_ms }: CustomerSession): void {
    const { db } = this.#parts
    db.atOnce(() => {
      db.run('DELETE FROM session WHERE token_digest = ?', token_digest)
      if (key_name !== null)
        db.run('INSERT INTO ended_key VALUES (?, ?) ON CONFLICT DO NOTHING', key_name, ends_ms)
    })
  }

  /** Removes expired sessions, whose keys expire at the exchange at the same time; returns their number. */
  removeOld(nowMs: number, idleBeforeMs: number): number {
    const sql = 'DELETE FROM session WHERE ends_ms <= ? OR last_ms < ?'
    return this.#parts.db.run(sql, nowMs, idleBeforeMs)
  }

  /** Names of keys whose end the exchange has not confirmed yet. */
  endedKeys(): readonly string[] {
    const sql = 'SELECT name FROM ended_key'
    return this.#parts.db.all<{ name: string }>(sql).map(({ name }) => name)
  }

  /** Forgets ended keys, once the exchange has confirmed their end. */
  forgetEnded(names: readonly string[]): void {
    const { db } = this.#parts
    db.atOnce(() => {
      for (const name of names) db.run('DELETE FROM ended_key WHERE name = ?', name)
    })
  }

  /** Keys of running sessions, in the order of their names, after a given one. */
  keysAfter(name: string, limit: number): readonly StoredKey[] {
    const sql = `SELECT key_name AS name, account, public_key, ends_ms FROM session JOIN person USING (owner)
      WHERE key_name > ? AND state = 'ACTIVE' ORDER BY key_name LIMIT ?`
    return this.#parts.db.all<StoredKey>(sql, name, limit)
  }
}
