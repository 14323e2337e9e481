/** Passwords, secrets of authenticator apps, recovery codes, and browsers that have signed in before. */
import { createHmac } from 'node:crypto'
import type { StoreParts } from './people.ts'
import { seal, unseal } from './sealing.ts'

/** Maximum number of known browsers of a person; the least recently used one is dropped. */
const DEVICES_MAX = 20

export type Totp = { readonly secret: string; readonly lastStep: number }

/** As long as an argon2id hash, and a secret of an app. */
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

  /** The work of reading a person's factor when the person does not exist. */
  readNothing(): undefined {
    unseal<typeof NOBODYS>(this.#parts.keys.nobodysKey(), NOBODY, this.#nobodys)
    return undefined
  }

  /** Undefined if none is set, or the person's key was destroyed; both take the same time. */
  passwordOf(owner: string): string | undefined {
    const { db, keys } = this.#parts
    const row = db
      .query<{ sealed: Uint8Array }, [string]>('SELECT sealed FROM password WHERE owner = ?')
      .get(owner)
    if (row === null) return this.readNothing()
    const key = keys.keyOf(owner)
    if (key === undefined) return this.readNothing()
    return unseal<{ readonly hash: string }>(key, `password ${owner}`, row.sealed).hash
  }

  setPassword(owner: string, hash: string): void {
    const { db } = this.#parts
    const sealed = this.#seal(owner, `password ${owner}`, { hash })
    db.query('INSERT OR REPLACE INTO password VALUES (?, ?)').run(owner, sealed)
  }

  /** Undefined if none is set up, or the person's key was destroyed; both take the same time. */
  totpOf(owner: string): Totp | undefined {
    const { db, keys } = this.#parts
    const row = db
      .query<{ sealed: Uint8Array; last_step: number }, [string]>('SELECT * FROM totp WHERE owner = ?')
      .get(owner)
    if (row === null) return this.readNothing()
    const key = keys.keyOf(owner)
    if (key === undefined) return this.readNothing()
    const { secret } = unseal<{ readonly secret: string }>(key, `totp ${owner}`, row.sealed)
    return { secret, lastStep: row.last_step }
  }

  setTotp(owner: string, { secret, lastStep }: Totp): void {
    const sealed = this.#seal(owner, `totp ${owner}`, { secret })
    this.#parts.db.query('INSERT OR REPLACE INTO totp VALUES (?, ?, ?)').run(owner, sealed, lastStep)
  }

  /** Whether the code of this step is new: from now on, this code and earlier ones are refused. */
  useStep(owner: string, step: number): boolean {
    const sql = 'UPDATE totp SET last_step = ? WHERE owner = ? AND last_step < ?'
    return this.#parts.db.query(sql).run(step, owner, step).changes === 1
  }

  /** Both parts of this way to sign in. */
  removePassword(owner: string): void {
    const { db } = this.#parts
    db.query('DELETE FROM password WHERE owner = ?').run(owner)
    db.query('DELETE FROM totp WHERE owner = ?').run(owner)
  }

  /** A password with an authenticator app. */
  hasPassword(owner: string): boolean {
    const sql = 'SELECT 1 AS found FROM password JOIN totp USING (owner) WHERE owner = ?'
    return this.#parts.db.query<{ found: number }, [string]>(sql).get(owner) !== null
  }

  /** Replaces all earlier codes. */
  setRecoveryCodes(owner: string, codes: readonly string[]): void {
    const { db } = this.#parts
    db.query('DELETE FROM recovery_code WHERE owner = ?').run(owner)
    const one = db.query('INSERT INTO recovery_code VALUES (?, ?)')
    for (const code of codes) one.run(owner, this.#digest(owner, code))
  }

  recoveryCodesLeft(owner: string): number {
    const sql = 'SELECT count(*) AS count FROM recovery_code WHERE owner = ?'
    return this.#parts.db.query<{ count: number }, [string]>(sql).get(owner)?.count ?? 0
  }

  /** Whether it is one of the person's. */
  hasRecoveryCode(owner: string, code: string): boolean {
    const sql = 'SELECT 1 AS found FROM recovery_code WHERE owner = ? AND digest = ?'
    const digest = this.#digest(owner, code)
    return this.#parts.db.query<{ found: number }, [string, Uint8Array]>(sql).get(owner, digest) !== null
  }

  /** Whether it is one of the person's codes, which is valid only once. */
  useRecoveryCode(owner: string, code: string): boolean {
    const sql = 'DELETE FROM recovery_code WHERE owner = ? AND digest = ?'
    return this.#parts.db.query(sql).run(owner, this.#digest(owner, code)).changes === 1
  }

  addDevice(owner: string, tokenDigest: Uint8Array, nowMs: number): void {
    const { db } = this.#parts
    db.query('INSERT OR REPLACE INTO device VALUES (?, ?, ?)').run(tokenDigest, owner, nowMs)
    db.query(
      `DELETE FROM device WHERE owner = ? AND token_digest NOT IN
        (SELECT token_digest FROM device WHERE owner = ? ORDER BY used_ms DESC LIMIT ${DEVICES_MAX})`,
    ).run(owner, owner)
  }

  isDevice(owner: string, tokenDigest: Uint8Array): boolean {
    const sql = 'SELECT 1 AS found FROM device WHERE owner = ? AND token_digest = ?'
    return this.#parts.db.query<{ found: number }, [string, Uint8Array]>(sql).get(owner, tokenDigest) !== null
  }

  forgetDevices(owner: string): void {
    this.#parts.db.query('DELETE FROM device WHERE owner = ?').run(owner)
  }

  #seal(owner: string, place: string, value: object): Uint8Array {
    const { keys, randomBytes } = this.#parts
    const key = keys.keyOf(owner)
    if (key === undefined) throw new Error(`owner ${owner} has no key`)
    return seal(key, place, value, randomBytes)
  }

  /** Keyed with the person's key: a copy of the store alone cannot be searched for a code. */
  #digest(owner: string, code: string): Uint8Array {
    const key = this.#parts.keys.keyOf(owner) ?? new Uint8Array(0)
    return new Uint8Array(createHmac('sha256', key).update(`recovery code ${code}`).digest())
  }
}
