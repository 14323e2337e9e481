/**
 * The tables of ends of orders: their rows are read and written one at a time; transactions belong to the
 * caller.
 */
import type { Database } from 'bun:sqlite'
import type { EndedOrder } from '../../../../engine/history/order-history.ts'
import { ByteWriter } from '../../../../units/bytes.ts'
import type { Row } from '../check.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import { readPage, writePage } from './rows.ts'

export const ENDED_SQL = {
  addLogRow: 'INSERT INTO ended_log (first, data) VALUES (?, ?)',
  log: 'SELECT first, data FROM ended_log ORDER BY first',
  dropLog: 'DELETE FROM ended_log',
  page: 'SELECT data FROM ended_page WHERE page = ?',
  setPage: `INSERT INTO ended_page (page, data) VALUES (?, ?)
    ON CONFLICT (page) DO UPDATE SET data = excluded.data`,
  pages: 'SELECT page, data FROM ended_page ORDER BY page',
  dropPages: 'DELETE FROM ended_page',
} as const

export class EndedTables {
  readonly #statements: Statements<keyof typeof ENDED_SQL>
  readonly #row = new ByteWriter()

  /** Throws SQLite's error if a statement does not fit the tables. */
  constructor(db: Database) {
    this.#statements = prepareAll(db, ENDED_SQL)
  }

  /** The rows of the log, in order. */
  log(): Row[] {
    return this.#statements.log.values() as Row[]
  }

  addLogRow(first: number, data: Uint8Array): void {
    this.#statements.addLogRow.run(first, data)
  }

  dropLog(): void {
    this.#statements.dropLog.run()
  }

  /** The ends of a page, by order; empty if the page does not exist. Throws `DamagedRowFault`. */
  page(page: number): EndedOrder[] {
    const [row] = this.#statements.page.values(page) as Row[]
    return row === undefined ? [] : readPage(page, row[0])
  }

  setPage(page: number, ends: readonly EndedOrder[]): void {
    this.#statements.setPage.run(page, writePage(this.#row, page, ends))
  }

  /** Deletes all rows, so that the tables are as if new. */
  drop(): void {
    this.#statements.dropLog.run()
    this.#statements.dropPages.run()
  }

  close(): void {
    finalizeAll(this.#statements)
  }
}
