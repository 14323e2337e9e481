/**
 * Claims: one process at a time does a named piece of work. A claim ends when its work does, or by itself
 * after a limited time, if the process was killed.
 */
import type { StoreParts } from './people.ts'

export type Claim = {
  readonly name: string
  /** The name of the process. */
  readonly process: string
  /** Random, and different for each claim. */
  readonly holder: string
}

export class Claims {
  readonly #db: StoreParts['db']

  constructor({ db }: Pick<StoreParts, 'db'>) {
    this.#db = db
  }

  /** Returns false if another process has the claim. */
  take({ name, process, holder }: Claim, nowMs: number, lastsMs: number): boolean {
    const sql = `INSERT INTO claim VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (name) DO UPDATE SET process = ?2, holder = ?3, until_ms = ?4 WHERE claim.until_ms <= ?5`
    return this.#db.run(sql, name, process, holder, nowMs + lastsMs, nowMs) === 1
  }

  release({ name, holder }: Pick<Claim, 'name' | 'holder'>): void {
    this.#db.run('DELETE FROM claim WHERE name = ? AND holder = ?', name, holder)
  }

  /** Ends the claims of an earlier run of the process. */
  removeOf(process: string): void {
    this.#db.run('DELETE FROM claim WHERE process = ?', process)
  }

  /** Deletes expired claims. */
  removeOld(nowMs: number): void {
    this.#db.run('DELETE FROM claim WHERE until_ms <= ?', nowMs)
  }
}
