/** New email addresses that persons have requested and not confirmed yet. */
import type { StoreParts } from './people.ts'
import { seal, unseal } from './sealing.ts'

export type MailChange = {
  readonly token_digest: Uint8Array
  readonly owner: string
  readonly mail_index: Uint8Array
  /** Whether the address has an account: the link then has no effect. */
  readonly is_known: number
  readonly sealed: Uint8Array
  readonly created_ms: number
  readonly expires_ms: number
}

export class MailChanges {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  add(change: Omit<MailChange, 'sealed'>, mail: string, key: Uint8Array): void {
    const { db, randomBytes } = this.#parts
    const { token_digest, owner, mail_index, is_known, created_ms, expires_ms } = change
    const sealed = seal(key, `mail_change ${owner}`, { mail }, randomBytes)
    db.run(
      'INSERT INTO mail_change VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...([token_digest, owner, mail_index, is_known] as const),
      ...([sealed, created_ms, expires_ms] as const),
    )
  }

  /** Undefined if there is none, or it has expired. */
  find(tokenDigest: Uint8Array, nowMs: number): MailChange | undefined {
    const sql = 'SELECT * FROM mail_change WHERE token_digest = ? AND expires_ms > ?'
    return this.#parts.db.get<MailChange>(sql, tokenDigest, nowMs)
  }

  /** Undefined if the person's key was destroyed. */
  mailOf({ owner, sealed }: MailChange): string | undefined {
    const key = this.#parts.keys.keyOf(owner)
    return key === undefined ? undefined : unseal<{ mail: string }>(key, `mail_change ${owner}`, sealed).mail
  }

  /** The number of emails for one person or to one address since a time, whichever is greater. */
  countSince(owner: string, mailIndex: Uint8Array, sinceMs: number): number {
    const sql = `SELECT
      (SELECT count(*) FROM mail_change WHERE owner = ?1 AND created_ms >= ?3) AS own,
      (SELECT count(*) FROM mail_change WHERE mail_index = ?2 AND created_ms >= ?3) AS there`
    const counts = this.#parts.db.get<{ own: number; there: number }>(sql, owner, mailIndex, sinceMs)
    return Math.max(counts?.own ?? 0, counts?.there ?? 0)
  }

  removeOf(owner: string): void {
    this.#parts.db.run('DELETE FROM mail_change WHERE owner = ?', owner)
  }

  /** Deletes the requests that ended before a time; until then they count toward the limit. */
  removeOld(beforeMs: number): void {
    this.#parts.db.run('DELETE FROM mail_change WHERE expires_ms < ?', beforeMs)
  }
}
