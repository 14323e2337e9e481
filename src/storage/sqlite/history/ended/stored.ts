/** Ends of orders for an auditor: read row by row, with a report of each damaged row. */
import type { Database } from 'bun:sqlite'
import type { StoredRow } from '../../../../engine/audit/actions.ts'
import type { EndedOrder } from '../../../../engine/history/order-history.ts'
import type { Row } from '../check.ts'
import type { ListsPosition } from '../lists/lists.ts'
import { believed, type Reading } from '../lists/stored.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import type { StoredEnds } from './comparison.ts'
import { loggedEnds } from './ended-orders.ts'
import { readPage } from './rows.ts'
import { ENDED_SQL } from './tables.ts'

const AUDIT_SQL = { log: ENDED_SQL.log, page: ENDED_SQL.page, pages: ENDED_SQL.pages } as const

type StatementName = keyof typeof AUDIT_SQL

export class StoredEndedOrders implements StoredEnds {
  readonly #statements: Statements<StatementName>
  readonly #position: ListsPosition
  readonly #reading: Reading

  constructor(db: Database, position: ListsPosition, reading: Reading) {
    this.#statements = prepareAll(db, AUDIT_SQL)
    this.#position = position
    this.#reading = reading
  }

  log(): StoredRow<readonly EndedOrder[]> {
    const rows = this.#rows('log')
    return believed(() => loggedEnds(rows, this.#position))
  }

  page(page: number): StoredRow<readonly EndedOrder[]> {
    const [row] = this.#rows('page', page)
    return row === undefined ? { value: [] } : believed(() => readPage(page, row[0]))
  }

  *pages(): Generator<{ readonly page: number; readonly ends: StoredRow<readonly EndedOrder[]> }, void> {
    const rows = this.#statements.pages.iterate() as IterableIterator<{ page: bigint; data: Uint8Array }>
    for (;;) {
      const { value, done } = this.#reading(() => rows.next())
      if (done === true) return
      const page = Number(value.page)
      yield { page, ends: believed(() => readPage(page, value.data)) }
    }
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    return this.#reading(() => this.#statements[name].values(...bindings) as Row[])
  }
}
