/** Invitations: a code of 128 random bits, stored as its digest, counted, and ended. */
import type { StoreParts } from './people.ts'

export type Invitation = {
  /** Names it in lists and opens nothing. */
  readonly id: string
  readonly code_digest: Uint8Array
  /** The only address that it is for; null: any. */
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
    this.#parts.db
      .query('INSERT INTO invitation VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(id, code_digest, mail_index, uses_max, uses, by_operator, created_ms, ends_ms)
  }

  count(): number {
    const sql = 'SELECT count(*) AS count FROM invitation'
    return this.#parts.db.query<{ count: number }, []>(sql).get()?.count ?? 0
  }

  /** By id, behind one. */
  after(id: string, limit: number): readonly Invitation[] {
    const sql = 'SELECT * FROM invitation WHERE id > ? ORDER BY id LIMIT ?'
    return this.#parts.db.query<Invitation, [string, number]>(sql).all(id, limit)
  }

  /** Of a code that this address may still use; undefined: there is none. */
  usable(codeDigest: Uint8Array, mailIndex: Uint8Array, nowMs: number): Invitation | undefined {
    const sql = `SELECT * FROM invitation
      WHERE code_digest = ? AND uses < uses_max AND ends_ms > ? AND (mail_index IS NULL OR mail_index = ?)`
    return (
      this.#parts.db
        .query<Invitation, [Uint8Array, number, Uint8Array]>(sql)
        .get(codeDigest, nowMs, mailIndex) ?? undefined
    )
  }

  /** Remembers by which invitation a sign-up, or a person, has come. */
  bind(owner: string, id: string): void {
    this.#parts.db.query('INSERT INTO invited VALUES (?, ?)').run(owner, id)
  }

  /** Undefined: by none. */
  of(owner: string): string | undefined {
    const sql = 'SELECT invitation FROM invited WHERE owner = ?'
    return this.#parts.db.query<{ invitation: string }, [string]>(sql).get(owner)?.invitation
  }

  unbind(owner: string): void {
    this.#parts.db.query('DELETE FROM invited WHERE owner = ?').run(owner)
  }

  /** Those for this address alone. */
  removeOf(mailIndex: Uint8Array): void {
    this.#parts.db.query('DELETE FROM invitation WHERE mail_index = ?').run(mailIndex)
  }

  /** Counts a use; false: it has ended, or was used up. */
  use(id: string, nowMs: number): boolean {
    const sql = 'UPDATE invitation SET uses = uses + 1 WHERE id = ? AND uses < uses_max AND ends_ms > ?'
    return this.#parts.db.query(sql).run(id, nowMs).changes === 1
  }

  /** Ends it for all who have not come in yet; false: there is none. */
  end(id: string, nowMs: number): boolean {
    const sql = 'UPDATE invitation SET ends_ms = min(ends_ms, ?) WHERE id = ?'
    return this.#parts.db.query(sql).run(nowMs, id).changes === 1
  }

  /** Those that ended before this time. */
  removeOld(beforeMs: number): void {
    this.#parts.db.query('DELETE FROM invitation WHERE ends_ms < ?').run(beforeMs)
  }
}
