/** Invitations: a code of 128 random bits, stored as its digest, with a use count and an end. */
import type { StoreParts } from './people.ts'

export type Invitation = {
  /** Identifies the invitation in lists and gives no access. */
  readonly id: string
  readonly code_digest: Uint8Array
  /** The only address that may use it; null if any may. */
  readonly mail_index: Uint8Array | null
  readonly uses_max: number
  readonly uses: number
  readonly by_operator: string
  readonly created_ms: number
  readonly ends_ms: number
}

export class Invitations {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  add(invitation: Invitation): void {
    const { id, code_digest, mail_index, uses_max, uses, by_operator, created_ms, ends_ms } = invitation
    this.#parts.db.run(
      'INSERT INTO invitation VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      code_digest,
      mail_index,
      uses_max,
      uses,
      by_operator,
      created_ms,
      ends_ms,
    )
  }

  count(): number {
    const sql = 'SELECT count(*) AS count FROM invitation'
    return this.#parts.db.get<{ count: number }>(sql)?.count ?? 0
  }

  /** In the order of their ids, after a given one. */
  after(id: string, limit: number): readonly Invitation[] {
    const sql = 'SELECT * FROM invitation WHERE id > ? ORDER BY id LIMIT ?'
    return this.#parts.db.all<Invitation>(sql, id, limit)
  }

  /** The invitation of a code that this address may still use; undefined if there is none. */
  usable(codeDigest: Uint8Array, mailIndex: Uint8Array, nowMs: number): Invitation | undefined {
    const sql = `SELECT * FROM invitation
      WHERE code_digest = ? AND uses < uses_max AND ends_ms > ? AND (mail_index IS NULL OR mail_index = ?)`
    return this.#parts.db.get<Invitation>(sql, codeDigest, nowMs, mailIndex)
  }

  /** Stores the invitation with which a sign-up, or a person, was made. */
  bind(owner: string, id: string): void {
    this.#parts.db.run('INSERT INTO invited VALUES (?, ?)', owner, id)
  }

  /** Undefined if none was used. */
  of(owner: string): string | undefined {
    const sql = 'SELECT invitation FROM invited WHERE owner = ?'
    return this.#parts.db.get<{ invitation: string }>(sql, owner)?.invitation
  }

  unbind(owner: string): void {
    this.#parts.db.run('DELETE FROM invited WHERE owner = ?', owner)
  }

  /** Deletes the invitations for this address only. */
  removeOf(mailIndex: Uint8Array): void {
    this.#parts.db.run('DELETE FROM invitation WHERE mail_index = ?', mailIndex)
  }

  /** Counts a use; false if it has ended or was used up. */
  use(id: string, nowMs: number): boolean {
    const sql = 'UPDATE invitation SET uses = uses + 1 WHERE id = ? AND uses < uses_max AND ends_ms > ?'
    return this.#parts.db.run(sql, id, nowMs) === 1
  }

  /** Ends the invitation for all who have not opened an account yet; false if it does not exist. */
  end(id: string, nowMs: number): boolean {
    const sql =
      'UPDATE invitation SET ends_ms = CASE WHEN ends_ms < ?1 THEN ends_ms ELSE ?1 END WHERE id = ?2'
    return this.#parts.db.run(sql, nowMs, id) === 1
  }

  /** Deletes the invitations that ended before this time. */
  removeOld(beforeMs: number): void {
    this.#parts.db.run('DELETE FROM invitation WHERE ends_ms < ?', beforeMs)
  }
}
