/** A file of SQLite as the database of a store. */
import { type Database, SQLiteError } from 'bun:sqlite'
import { Afterwards } from './afterwards.ts'
import { type Sql, type SqlValue, StoreAwayFault } from './sql.ts'

export class SqliteSql implements Sql {
  readonly #db: Database
  readonly #afterwards = new Afterwards()
  #isClosed = false

  /** Closing this object closes the database too. */
  constructor(db: Database) {
    this.#db = db
  }

  get<Row>(text: string, ...values: SqlValue[]): Row | undefined {
    return this.#serving(() => this.#db.query<Row, SqlValue[]>(text).get(...values)) ?? undefined
  }

  all<Row>(text: string, ...values: SqlValue[]): readonly Row[] {
    return this.#serving(() => this.#db.query<Row, SqlValue[]>(text).all(...values))
  }

  run(text: string, ...values: SqlValue[]): number {
    return this.#serving(() => this.#db.query<unknown, SqlValue[]>(text).run(...values).changes)
  }

  /** No other process can write in between: the lock is taken before the first statement. */
  atOnce<Result>(work: () => Result): Result {
    return this.#afterwards.during(() => this.#serving(() => this.#db.transaction(work).immediate()))
  }

  afterwards(effect: () => void): void {
    this.#afterwards.add(effect)
  }

  /** Deleted rows are overwritten by `secure_delete`; a write-ahead log still has the old pages. */
  scrub(): void {
    this.#serving(() => this.#db.run('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  close(): void {
    this.#isClosed = true
    this.#db.close()
  }

  #serving<Result>(work: () => Result): Result {
    if (this.#isClosed) throw new StoreAwayFault('the customer store file is closed')
    try {
      return work()
    } catch (cause) {
      if (!(cause instanceof SQLiteError)) throw cause
      const { code = '', message } = cause
      if (!UNABLE.some((start) => code.startsWith(start))) throw cause
      throw new StoreAwayFault(`the customer store file: ${code}: ${message}`, { cause })
    }
  }
}

/** Another process has the file, or the disk is full or fails. */
const UNABLE = [
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
]
