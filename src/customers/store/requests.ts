/**
 * Requests that operators decide after a waiting time: to recover an account with only its email address, and
 * to change the email address of a person who has lost it.
 */
import type { StoreParts } from './people.ts'
import { seal, unseal } from './sealing.ts'

/** Operations that two operators must request. */
export type AskKind = 'UNFREEZE' | 'RESET' | 'MAIL'

export type Ask = { readonly by_operator: string; readonly at_ms: number; readonly value: string }

export type RecoveryRequest = { readonly owner: string; readonly account: string; readonly at_ms: number }

/** An email address set by operators that has not taken effect yet. */
export type DueMail = {
  readonly owner: string
  readonly account: string
  readonly due_ms: number
  /** Both operators. */
  readonly by_operators: string
  readonly sealed: Uint8Array
}

export class Requests {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  /** The first of two operators who have requested something; undefined if there is none. */
  ask(owner: string, kind: AskKind): Ask | undefined {
    const sql = 'SELECT by_operator, at_ms, value FROM ask WHERE owner = ? AND kind = ?'
    return this.#parts.db.get<Ask>(sql, owner, kind)
  }

  putAsk(owner: string, kind: AskKind, { by_operator, at_ms, value }: Ask): void {
    const sql = `INSERT INTO ask VALUES (?, ?, ?, ?, ?) ON CONFLICT (owner, kind) DO UPDATE
      SET by_operator = excluded.by_operator, at_ms = excluded.at_ms, value = excluded.value`
    this.#parts.db.run(sql, owner, kind, by_operator, at_ms, value)
  }

  endAsk(owner: string, kind: AskKind): void {
    this.#parts.db.run('DELETE FROM ask WHERE owner = ? AND kind = ?', owner, kind)
  }

  /**
   * The time at which the person requested a recovery with only the email address; undefined if not
   * requested.
   */
  recoveryAskedMs(owner: string): number | undefined {
    const sql = 'SELECT at_ms FROM recovery_request WHERE owner = ?'
    return this.#parts.db.get<{ at_ms: number }>(sql, owner)?.at_ms
  }

  /** A repeated request keeps the time of the first one. */
  askRecovery(owner: string, nowMs: number): void {
    this.#parts.db.run('INSERT INTO recovery_request VALUES (?, ?) ON CONFLICT DO NOTHING', owner, nowMs)
  }

  endRecovery(owner: string): boolean {
    return this.#parts.db.run('DELETE FROM recovery_request WHERE owner = ?', owner) > 0
  }

  /** In the order of accounts, after a given one. */
  recoveriesAfter(account: string, limit: number): readonly RecoveryRequest[] {
    const sql = `SELECT owner, account, at_ms FROM recovery_request JOIN person USING (owner)
      WHERE account > ? ORDER BY account LIMIT ?`
    return this.#parts.db.all<RecoveryRequest>(sql, account, limit)
  }

  /** Replaces an address set earlier. */
  setDueMail(owner: string, { mail, dueMs, by }: { mail: string; dueMs: number; by: string }): void {
    const { db, keys, randomBytes } = this.#parts
    const key = keys.keyOf(owner)
    if (key === undefined) return
    const sealed = seal(key, `due_mail ${owner}`, { mail }, randomBytes)
    const sql = `INSERT INTO due_mail VALUES (?, ?, ?, ?) ON CONFLICT (owner) DO UPDATE
      SET due_ms = excluded.due_ms, by_operators = excluded.by_operators, sealed = excluded.sealed`
    db.run(sql, owner, dueMs, by, sealed)
  }

  dueMail(owner: string): DueMail | undefined {
    const sql = 'SELECT due_mail.*, account FROM due_mail JOIN person USING (owner) WHERE owner = ?'
    return this.#parts.db.get<DueMail>(sql, owner)
  }

  /** The new email addresses that are due. */
  dueMails(nowMs: number): readonly DueMail[] {
    const sql = `SELECT due_mail.*, account FROM due_mail JOIN person USING (owner) WHERE due_ms <= ? LIMIT 100`
    return this.#parts.db.all<DueMail>(sql, nowMs)
  }

  /** Undefined if the person's key was destroyed. */
  mailOf({ owner, sealed }: Pick<DueMail, 'owner' | 'sealed'>): string | undefined {
    const key = this.#parts.keys.keyOf(owner)
    return key === undefined ? undefined : unseal<{ mail: string }>(key, `due_mail ${owner}`, sealed).mail
  }

  endDueMail(owner: string): boolean {
    return this.#parts.db.run('DELETE FROM due_mail WHERE owner = ?', owner) > 0
  }

  /** Records that an operator has changed this person's email address. */
  noteMailChange(owner: string, operator: string, nowMs: number): void {
    const sql = `INSERT INTO mail_changer VALUES (?, ?, ?)
      ON CONFLICT (owner, by_operator) DO UPDATE SET at_ms = excluded.at_ms`
    this.#parts.db.run(sql, owner, operator, nowMs)
  }

  hasChangedMail(owner: string, operator: string, sinceMs: number): boolean {
    const sql = 'SELECT 1 AS found FROM mail_changer WHERE owner = ? AND by_operator = ? AND at_ms >= ?'
    const { db } = this.#parts
    return db.get<{ found: number }>(sql, owner, operator, sinceMs) !== undefined
  }

  /** Deletes the records of changes of email addresses before a time. */
  removeOld(beforeMs: number): void {
    this.#parts.db.run('DELETE FROM mail_changer WHERE at_ms < ?', beforeMs)
  }
}
