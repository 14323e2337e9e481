/** Persons, their passkeys, and sign-ups that wait for the confirmation of the email address. */
import type { CustomerState } from '../../contract/admin/customers.ts'
import type { Language } from '../../contract/language.ts'
import type { KeyFile } from './key-file.ts'
import { seal, unseal } from './sealing.ts'
import type { Sql } from './sql.ts'

/** The state shown to operators. */
export type PersonState = CustomerState

/** Details that a person has given. */
export type PersonDetails = {
  readonly mail: string
  readonly language: Language
  readonly termsVersion: number
  /** The phrase at the beginning of each email. */
  readonly phrase?: string | undefined
}

export type Person = {
  readonly owner: string
  readonly account: string
  readonly state: PersonState
  /** The blind index by which the email address is found. */
  readonly mail_index: Uint8Array
  /** The user handle of WebAuthn. */
  readonly handle: Uint8Array
  readonly sealed: Uint8Array
  readonly created_ms: number
}

export type Passkey = {
  readonly id: string
  readonly owner: string
  readonly public_key: Uint8Array<ArrayBuffer>
  readonly counter: number
  readonly transports: string
  readonly created_ms: number
  readonly used_ms: number | null
  /** Null if created before there were labels. */
  readonly sealed: Uint8Array | null
}

export type NewPasskey = Omit<Passkey, 'used_ms' | 'sealed'> & { readonly label: string }

export type SignUp = {
  readonly owner: string
  readonly mail_index: Uint8Array
  readonly is_known: number
  readonly sealed: Uint8Array
  readonly expires_ms: number
}

export type StoreParts = {
  readonly db: Sql
  readonly keys: KeyFile
  readonly randomBytes: (size: number) => Uint8Array
}

export class People {
  readonly #db: Sql
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#db = parts.db
    this.#parts = parts
  }

  byOwner(owner: string): Person | undefined {
    return this.#db.get<Person>('SELECT * FROM person WHERE owner = ?', owner)
  }

  byMail(mailIndex: Uint8Array): Person | undefined {
    const sql = 'SELECT * FROM person WHERE mail_index = ?'
    return this.#db.get<Person>(sql, mailIndex)
  }

  /** Persons whose account is being opened. */
  pending(): readonly Person[] {
    return this.#db.all<Person>("SELECT * FROM person WHERE state = 'PENDING'")
  }

  byAccount(account: string): Person | undefined {
    const sql = 'SELECT * FROM person WHERE account = ?'
    return this.#db.get<Person>(sql, account)
  }

  /**
   * Persons in the order of their accounts, after a given account; with `state`, only those in that state.
   */
  after(account: string, limit: number, state?: PersonState): readonly Person[] {
    const sql = `SELECT * FROM person WHERE account > ?1 AND (?2 = '' OR state = ?2) ORDER BY account LIMIT ?3`
    return this.#db.all<Person>(sql, account, state ?? '', limit)
  }

  /** Undefined if the person's key was destroyed. */
  detailsOf({ owner, sealed }: Person): PersonDetails | undefined {
    const key = this.#parts.keys.keyOf(owner)
    return key === undefined ? undefined : unseal<PersonDetails>(key, `person ${owner}`, sealed)
  }

  /** Adds a person whose email address is confirmed and who has no way to sign in yet. */
  add(
    person: Pick<Person, 'account' | 'handle' | 'created_ms'>,
    mailIndex: Uint8Array,
    details: PersonDetails,
    { owner, key }: { readonly owner: string; readonly key: Uint8Array },
  ): void {
    this.#parts.keys.requireKey(owner)
    const sealed = seal(key, `person ${owner}`, details, this.#parts.randomBytes)
    this.#db.run(
      'INSERT INTO person (owner, account, state, mail_index, handle, sealed, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
      owner,
      person.account,
      'CONFIRMED',
      mailIndex,
      person.handle,
      sealed,
      person.created_ms,
    )
  }

  /** Replaces the stored data; `mailIndex`: the index of the email address in it. */
  setDetails(owner: string, details: PersonDetails, mailIndex: Uint8Array): void {
    const key = this.#parts.keys.keyOf(owner)
    if (key === undefined) return
    const sealed = seal(key, `person ${owner}`, details, this.#parts.randomBytes)
    this.#db.run('UPDATE person SET sealed = ?, mail_index = ? WHERE owner = ?', sealed, mailIndex, owner)
  }

  /** False if the person is not in the earlier state. */
  become(owner: string, state: PersonState, before: PersonState): boolean {
    return (
      this.#db.run('UPDATE person SET state = ? WHERE owner = ? AND state = ?', state, owner, before) === 1
    )
  }

  /** Deletes passkeys and sessions too. The caller destroys the key. */
  remove(owner: string): void {
    this.#db.run('DELETE FROM person WHERE owner = ?', owner)
  }

  /** Persons who confirmed an email address before this time and never created a passkey. */
  unfinished(beforeMs: number): readonly Person[] {
    const sql = "SELECT * FROM person WHERE state = 'CONFIRMED' AND created_ms < ?"
    return this.#db.all<Person>(sql, beforeMs)
  }

  passkeys(owner: string): readonly Passkey[] {
    const sql = 'SELECT * FROM passkey WHERE owner = ? ORDER BY created_ms, id'
    return this.#db.all<Passkey>(sql, owner)
  }

  /** Undefined if there is none, or it cannot sign in because the person's data here is outdated. */
  passkey(id: string): Passkey | undefined {
    const sql = 'SELECT passkey.* FROM passkey JOIN person USING (owner) WHERE id = ? AND is_old = 0'
    return this.#db.get<Passkey>(sql, id)
  }

  hasPasskey(id: string): boolean {
    return this.#db.get('SELECT 1 AS found FROM passkey WHERE id = ?', id) !== undefined
  }

  addPasskey({ id, owner, public_key, counter, transports, created_ms, label }: NewPasskey): void {
    const key = this.#parts.keys.keyOf(owner)
    const sealed = key === undefined ? null : seal(key, `passkey ${id}`, { label }, this.#parts.randomBytes)
    this.#db.run(
      'INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, NULL, ?)',
      id,
      owner,
      public_key,
      counter,
      transports,
      created_ms,
      sealed,
    )
  }

  /** Empty if the passkey has none. */
  labelOf({ id, owner, sealed }: Passkey): string {
    const key = this.#parts.keys.keyOf(owner)
    if (key === undefined || sealed === null) return ''
    return unseal<{ readonly label: string }>(key, `passkey ${id}`, sealed).label
  }

  /** Nothing changes if the person's key was destroyed. */
  setLabel({ id, owner }: Pick<Passkey, 'id' | 'owner'>, label: string): void {
    const key = this.#parts.keys.keyOf(owner)
    if (key === undefined) return
    const sealed = seal(key, `passkey ${id}`, { label }, this.#parts.randomBytes)
    this.#db.run('UPDATE passkey SET sealed = ? WHERE id = ?', sealed, id)
  }

  removePasskey(id: string): void {
    this.#db.run('DELETE FROM passkey WHERE id = ?', id)
  }

  usedPasskey(id: string, counter: number, nowMs: number): void {
    this.#db.run(
      'UPDATE passkey SET counter = CASE WHEN counter > ?1 THEN counter ELSE ?1 END, used_ms = ?2 WHERE id = ?3',
      counter,
      nowMs,
      id,
    )
  }

  addSignUp(
    tokenDigest: Uint8Array,
    mailIndex: Uint8Array,
    details: PersonDetails,
    {
      owner,
      key,
      isKnown,
      nowMs,
      expiresMs,
    }: {
      readonly owner: string
      readonly key: Uint8Array
      readonly isKnown: boolean
      readonly nowMs: number
      readonly expiresMs: number
    },
  ): void {
    this.#parts.keys.requireKey(owner)
    const sealed = seal(key, `sign_up ${owner}`, details, this.#parts.randomBytes)
    this.#db.run(
      'INSERT INTO sign_up VALUES (?, ?, ?, ?, ?, ?, ?)',
      tokenDigest,
      owner,
      mailIndex,
      isKnown ? 1 : 0,
      sealed,
      nowMs,
      expiresMs,
    )
  }

  /** The sign-up of an unused link; undefined if there is none. */
  signUp(tokenDigest: Uint8Array): SignUp | undefined {
    const sql = 'SELECT * FROM sign_up WHERE token_digest = ?'
    return this.#db.get<SignUp>(sql, tokenDigest)
  }

  /** Undefined if the key of the sign-up was destroyed. */
  detailsOfSignUp({ owner, sealed }: SignUp): PersonDetails | undefined {
    const key = this.#parts.keys.keyOf(owner)
    return key === undefined ? undefined : unseal<PersonDetails>(key, `sign_up ${owner}`, sealed)
  }

  /** The number of persons who wait for an operator. */
  waitingCount(): number {
    const sql = "SELECT count(*) AS count FROM person WHERE state = 'WAITING'"
    return this.#db.get<{ count: number }>(sql)?.count ?? 0
  }

  countByState(): Readonly<Record<PersonState, number>> {
    const sql = 'SELECT state, count(*) AS count FROM person GROUP BY state'
    const counts = { CONFIRMED: 0, WAITING: 0, PENDING: 0, ACTIVE: 0 }
    for (const { state, count } of this.#db.all<{ state: PersonState; count: number }>(sql))
      counts[state] = count
    return counts
  }

  /** The owners after one and up to another, of persons or sign-ups. */
  ownersBetween(after: string, last: string): ReadonlySet<string> {
    const sql = `SELECT owner FROM person WHERE owner > ?1 AND owner <= ?2
      UNION SELECT owner FROM sign_up WHERE owner > ?1 AND owner <= ?2`
    return new Set(this.#db.all<{ owner: string }>(sql, after, last).map(({ owner }) => owner))
  }

  /** Whether the owner is a person or has a sign-up. */
  isOwner(owner: string): boolean {
    const sql = 'SELECT owner FROM person WHERE owner = ?1 UNION SELECT owner FROM sign_up WHERE owner = ?1'
    return this.#db.get(sql, owner) !== undefined
  }

  signUpCount(): number {
    const sql = 'SELECT count(*) AS count FROM sign_up'
    return this.#db.get<{ count: number }>(sql)?.count ?? 0
  }

  /** The number of sign-ups of all addresses, and that of one address since a time. */
  signUpCounts(mailIndex: Uint8Array, sinceMs: number): { readonly all: number; readonly recent: number } {
    const count = (sql: string, ...values: (Uint8Array | number)[]): number =>
      this.#db.get<{ count: number }>(sql, ...values)?.count ?? 0
    return {
      all: count('SELECT count(*) AS count FROM sign_up'),
      recent: count(
        'SELECT count(*) AS count FROM sign_up WHERE mail_index = ? AND created_ms >= ?',
        mailIndex,
        sinceMs,
      ),
    }
  }

  /** Deletes the sign-ups of an email address, which ends their links; returns the owners. */
  removeSignUps(mailIndex: Uint8Array): readonly string[] {
    const sql = 'DELETE FROM sign_up WHERE mail_index = ? RETURNING owner'
    return this.#db.all<{ owner: string }>(sql, mailIndex).map(({ owner }) => owner)
  }

  /** Deletes expired sign-ups; returns the owners. */
  removeOldSignUps(nowMs: number): readonly string[] {
    const sql = 'DELETE FROM sign_up WHERE expires_ms <= ? RETURNING owner'
    return this.#db.all<{ owner: string }>(sql, nowMs).map(({ owner }) => owner)
  }
}
