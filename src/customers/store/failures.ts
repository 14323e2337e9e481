/**
 * Failed attempts to sign in, of addresses and of known browsers, counted over all processes. The row stores
 * the time at which all attempts are allowed again: each failure moves that time forward.
 */
import type { StoreParts } from './people.ts'

/** Maximum number of rows; those that end first are dropped. */
export const FAILURE_ROWS_MAX = 50_000

/** The failures of an address, by its blind index. */
export function subjectOfMail(mailIndex: Uint8Array): string {
  return `account ${Buffer.from(mailIndex).toString('base64url')}`
}

export class FailureRows {
  readonly #db: StoreParts['db']

  constructor({ db }: Pick<StoreParts, 'db'>) {
    this.#db = db
  }

  /** The time at which all attempts are allowed again; undefined if no failure counts any longer. */
  fullMs(subject: string): number | undefined {
    return this.#db.get<{ full_ms: number }>('SELECT full_ms FROM failure WHERE subject = ?', subject)
      ?.full_ms
  }

  /** Counts one failure. */
  add(subject: string, nowMs: number, everyMs: number): void {
    const sql = `INSERT INTO failure VALUES (?1, ?2 + ?3) ON CONFLICT (subject) DO UPDATE
      SET full_ms = CASE WHEN failure.full_ms > ?2 THEN failure.full_ms ELSE ?2 END + ?3`
    this.#db.run(sql, subject, nowMs, everyMs)
  }

  remove(subject: string): void {
    this.#db.run('DELETE FROM failure WHERE subject = ?', subject)
  }

  removeOld(nowMs: number): void {
    this.#db.run('DELETE FROM failure WHERE full_ms <= ?', nowMs)
    const sql =
      'DELETE FROM failure WHERE full_ms <= (SELECT full_ms FROM failure ORDER BY full_ms DESC LIMIT 1 OFFSET ?)'
    this.#db.run(sql, FAILURE_ROWS_MAX)
  }
}
