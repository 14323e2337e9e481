/** A file of SQLite as the database of a store. */
import type { Database } from 'bun:sqlite'
import type { Sql, SqlValue } from './sql.ts'

export class SqliteSql implements Sql {
  readonly #db: Database

  /** Closes the database with itself. */
  constructor(db: Database) {
    this.#db = db
  }

  get<Row>(text: string, ...values: SqlValue[]): Row | undefined {
    return this.#db.query<Row, SqlValue[]>(text).get(...values) ?? undefined
  }

  all<Row>(text: string, ...values: SqlValue[]): readonly Row[] {
    return this.#db.query<Row, SqlValue[]>(text).all(...values)
  }

  run(text: string, ...values: SqlValue[]): number {
    return this.#db.query<unknown, SqlValue[]>(text).run(...values).changes
  }

  /** No other process can write in between: the lock is taken before the first statement. */
  atOnce<Result>(work: () => Result): Result {
    return this.#db.transaction(work).immediate()
  }

  /** Deleted rows are overwritten by `secure_delete`; a write-ahead log still has the old pages. */
  scrub(): void {
    this.#db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#db.close()
  }
}
