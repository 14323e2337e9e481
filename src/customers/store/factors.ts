/** Passwords, secrets of authenticator apps, recovery codes, and browsers that have signed in before. */
import { createHmac } from 'node:crypto'
import type { StoreParts } from './people.ts'
import { seal, unseal } from './sealing.ts'

/** Maximum number of known browsers of a person; the least recently used one is dropped. */
const DEVICES_MAX = 20

export type Totp = { readonly secret: string; readonly lastStep: number }

/** Texts as long as an argon2id hash, and as the secret of an app. */
const NOBODYS = { hash: 'x'.repeat(118), secret: 'x'.repeat(32) }
const NOBODY = 'nobody'

export class Factors {
  readonly #parts: StoreParts
  /** Sealed like the secrets of a person. */
  readonly #nobodys: Uint8Array

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.#nobodys = seal(parts.keys.nobodysKey(), NOBODY, NOBODYS, parts.randomBytes)
  }

  /** Does the work of reading a factor for a person who does not exist, so that it takes the same time. */
  readNothing(): undefined {
    unseal<typeof NOBODYS>(this.#parts.keys.nobodysKey(), NOBODY, this.#nobodys)
    return undefined
  }

  /** Undefined if none is set, or the person's key was destroyed; both take the same time. */
  passwordOf(owner: string): string | undefined {
    const { db, keys } = this.#parts
    const row = db.get<{ sealed: Uint8Array }>('SELECT sealed FROM password WHERE owner = ?', owner)
    if (row === undefined) return this.readNothing()
    const key = keys.keyOf(owner)
    if (key === undefined) return this.readNothing()
    return unseal<{ readonly hash: string }>(key, `password ${owner}`, row.sealed).hash
  }

  setPassword(owner: string, hash: string): void {
    const { db } = this.#parts
    const sealed = this.#seal(owner, `password ${owner}`, { hash })
    const sql =
      'INSERT INTO password VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET sealed = excluded.sealed'
    db.run(sql, owner, sealed)
  }

  /** Undefined if none is set up, or the person's key was destroyed; both take the same time. */
  totpOf(owner: string): Totp | undefined {
    const { db, keys } = this.#parts
    const row = db.get<{ sealed: Uint8Array; last_step: number }>('SELECT * FROM totp WHERE owner = ?', owner)
    if (row === undefined) return this.readNothing()
    const key = keys.keyOf(owner)
    if (key === undefined) return this.readNothing()
    const { secret } = unseal<{ readonly secret: string }>(key, `totp ${owner}`, row.sealed)
    return { secret, lastStep: row.last_step }
  }

  setTotp(owner: string, { secret, lastStep }: Totp): void {
    const sealed = this.#seal(owner, `totp ${owner}`, { secret })
    const sql = `INSERT INTO totp VALUES (?, ?, ?)
      ON CONFLICT (owner) DO UPDATE SET sealed = excluded.sealed, last_step = excluded.last_step`
    this.#parts.db.run(sql, owner, sealed, lastStep)
  }

  /** Whether the code of this step is new: from now on, this code and earlier ones are refused. */
  useStep(owner: string, step: number): boolean {
    const sql = 'UPDATE totp SET last_step = ? WHERE owner = ? AND last_step < ?'
    return this.#parts.db.run(sql, step, owner, step) === 1
  }

  /** Removes both parts of this way to sign in. */
  removePassword(owner: string): void {
    const { db } = this.#parts
    db.run('DELETE FROM password WHERE owner = ?', owner)
    db.run('DELETE FROM totp WHERE owner = ?', owner)
  }

  /** Whether the person has a password with an authenticator app. */
  hasPassword(owner: string): boolean {
    const sql = 'SELECT 1 AS found FROM password JOIN totp USING (owner) WHERE owner = ?'
    return this.#parts.db.get<{ found: number }>(sql, owner) !== undefined
  }

  /** Replaces all earlier codes. */
  setRecoveryCodes(owner: string, codes: readonly string[]): void {
    const { db } = this.#parts
    db.run('DELETE FROM recovery_code WHERE owner = ?', owner)
    for (const code of codes)
      db.run('INSERT INTO recovery_code VALUES (?, ?)', owner, this.#digest(owner, code))
  }

  recoveryCodesLeft(owner: string): number {
    const sql = 'SELECT count(*) AS count FROM recovery_code WHERE owner = ?'
    return this.#parts.db.get<{ count: number }>(sql, owner)?.count ?? 0
  }

  /** Whether this is one of the person's codes; the code stays valid. */
  hasRecoveryCode(owner: string, code: string): boolean {
    const sql = 'SELECT 1 AS found FROM recovery_code WHERE owner = ? AND digest = ?'
    const digest = this.#digest(owner, code)
    return this.#parts.db.get<{ found: number }>(sql, owner, digest) !== undefined
  }

  /** Uses up a recovery code; false if it is not one of the person's codes. */
  useRecoveryCode(owner: string, code: string): boolean {
    const sql = 'DELETE FROM recovery_code WHERE owner = ? AND digest = ?'
    return this.#parts.db.run(sql, owner, this.#digest(owner, code)) === 1
  }

  addDevice(owner: string, tokenDigest: Uint8Array, nowMs: number): void {
    const { db } = this.#parts
    const sql = `INSERT INTO device VALUES (?, ?, ?)
      ON CONFLICT (token_digest) DO UPDATE SET owner = excluded.owner, used_ms = excluded.used_ms`
    db.run(sql, tokenDigest, owner, nowMs)
    db.run(
      `DELETE FROM device WHERE owner = ? AND token_digest NOT IN
        (SELECT token_digest FROM device WHERE owner = ? ORDER BY used_ms DESC LIMIT ${DEVICES_MAX})`,
      owner,
      owner,
    )
  }

  isDevice(owner: string, tokenDigest: Uint8Array): boolean {
    const sql = 'SELECT 1 AS found FROM device WHERE owner = ? AND token_digest = ?'
    return this.#parts.db.get<{ found: number }>(sql, owner, tokenDigest) !== undefined
  }

  forgetDevices(owner: string): void {
    this.#parts.db.run('DELETE FROM device WHERE owner = ?', owner)
  }

  #seal(owner: string, place: string, value: object): Uint8Array {
    const { keys, randomBytes } = this.#parts
    const key = keys.keyOf(owner)
    if (key === undefined) throw new Error(`owner ${owner} has no key`)
    return seal(key, place, value, randomBytes)
  }

  /** Keyed with the person's key: a copy of the store without the keys cannot be searched for a code. */
  #digest(owner: string, code: string): Uint8Array {
    const key = this.#parts.keys.keyOf(owner) ?? new Uint8Array(0)
    return new Uint8Array(createHmac('sha256', key).update(`recovery code ${code}`).digest())
  }
}
