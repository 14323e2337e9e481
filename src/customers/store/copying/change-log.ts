/** The log of the store's changes, as used by the node. */
import type { Database } from 'bun:sqlite'

export type LogPlace = {
  readonly generation: string
  readonly number: number
  /** The log's lower bound at the time when the copy reached this position. */
  readonly floor: number
}

/**
 * The time for which the log lists a deleted row. A standby that was disconnected for longer copies the whole
 * store again.
 */
const GONE_KEPT_S = 24 * 3_600
/** The maximum number of listed deleted rows: beyond it, the oldest ones are forgotten earlier. */
const GONE_MAX = 100_000
const GENERATIONS_MAX = 1_000
const ID_BYTES = 16

export class ChangeLog {
  readonly #db: Database
  readonly #id: string

  /**
   * Begins a generation. Numbers of an earlier generation are valid only up to the last one that this file
   * had when the generation ended: a restored file continues with numbers that a standby already has for
   * other changes.
   */
  constructor(db: Database, randomBytes: (size: number) => Uint8Array) {
    this.#db = db
    this.#id = Buffer.from(randomBytes(ID_BYTES)).toString('hex')
    const began = this.head()
    db.transaction(() => {
      db.query('DELETE FROM copied').run()
      db.query('INSERT INTO generation (id, began, floor) VALUES (?, ?, 0)').run(this.#id, began)
      const sql = `UPDATE generation SET floor = (SELECT max(floor) FROM generation) WHERE id = ?`
      db.query(sql).run(this.#id)
      const oldest = 'SELECT max(ordinal) - ? FROM generation'
      db.query(`DELETE FROM generation WHERE ordinal <= (${oldest})`).run(GENERATIONS_MAX)
    }).immediate()
  }

  get generation(): string {
    return this.#id
  }

  /** The number of the newest change. */
  head(): number {
    const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'change'"
    return this.#db.query<{ seq: number }, []>(sql).get()?.seq ?? 0
  }

  /**
   * Whether a copy that has all changes up to this position is equal to this store after the later changes.
   */
  continues({ generation, number, floor }: LogPlace): boolean {
    const sql = `SELECT (SELECT min(began) FROM generation AS later WHERE later.ordinal > mine.ordinal) AS ended
      FROM generation AS mine WHERE id = ?`
    const found = this.#db.query<{ ended: number | null }, [string]>(sql).get(generation)
    if (found === null || number > (found.ended ?? this.head())) return false
    // A copy of the whole store that is in progress begins below the lower bound.
    return floor === this.floor() || number >= this.floor()
  }

  /** Deleted rows up to this change may have been forgotten. */
  floor(): number {
    const sql = 'SELECT max(floor) AS floor FROM generation'
    return this.#db.query<{ floor: number }, []>(sql).get()?.floor ?? 0
  }

  /** Forgets the passkeys of erased persons. A standby deletes them with the person, whose entry remains. */
  forget(owners: readonly string[]): void {
    for (const owner of owners) this.#db.query('DELETE FROM change WHERE owner = ?').run(owner)
  }

  /** Forgets deleted rows; called at intervals. */
  sweep(nowMs: number): void {
    const beforeS = Math.floor(nowMs / 1_000) - GONE_KEPT_S
    const [old, many] = [
      'SELECT max(number) AS number FROM change WHERE gone_s < ?',
      'SELECT number FROM change WHERE gone_s IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET ?',
    ].map((sql, i) =>
      this.#db.query<{ number: number | null }, [number]>(sql).get(i === 0 ? beforeS : GONE_MAX),
    )
    const upTo = Math.max(old?.number ?? 0, many?.number ?? 0)
    if (upTo === 0) return
    this.#db
      .transaction(() => {
        this.#db.query('DELETE FROM change WHERE gone_s IS NOT NULL AND number <= ?').run(upTo)
        this.#db.query('UPDATE generation SET floor = ? WHERE id = ?').run(upTo, this.#id)
      })
      .immediate()
  }
}
