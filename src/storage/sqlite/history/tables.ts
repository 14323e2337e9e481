/**
 * The rows of an open history.sqlite, read and written one at a time; transactions belong to the caller.
 * Lists and candles have tables of their own.
 */
import type { Database } from 'bun:sqlite'
import type { HistoryTrade } from '../../../engine/history/history.ts'
import type { HistoryOrder } from '../../../engine/history/order-history.ts'
import type { OperatorAction } from '../../../engine/port/ports.ts'
import type { HistoryTransfer } from '../../../engine/port/transfer.ts'
import { CandleTables } from './candles/tables.ts'
import type { Row } from './check.ts'
import { EndedTables } from './ended/tables.ts'
import { EventTable } from './events.ts'
import { ListTables } from './lists/tables.ts'
import { ORDERS } from './orders.ts'
import { PositionTables } from './positions/tables.ts'
import {
  bindAction,
  bindPosition,
  EMPTY,
  readPosition,
  SQL,
  type StatementName,
  type StoredPosition,
} from './rows.ts'
import { finalizeAll, prepareAll, type Statements } from './statements.ts'
import { TRADES } from './trades.ts'
import { TRANSFERS } from './transfers.ts'
import { UpdateBlocks } from './updates.ts'

export class HistoryTables {
  readonly trades: ListTables<HistoryTrade>
  readonly transfers: ListTables<HistoryTransfer>
  readonly orders: ListTables<HistoryOrder>
  readonly ended: EndedTables
  readonly candles: CandleTables
  readonly updates: UpdateBlocks
  readonly events: EventTable
  readonly positions: PositionTables
  readonly #statements: Statements<StatementName>

  /** Throws SQLite's error if a statement does not fit the tables. */
  constructor(db: Database) {
    const opened: { close(): void }[] = []
    try {
      const statements = prepareAll(db, SQL)
      opened.push({ close: () => finalizeAll(statements) })
      this.#statements = statements
      this.trades = new ListTables(db, TRADES)
      opened.push(this.trades)
      this.transfers = new ListTables(db, TRANSFERS)
      opened.push(this.transfers)
      this.orders = new ListTables(db, ORDERS)
      opened.push(this.orders)
      this.ended = new EndedTables(db)
      opened.push(this.ended)
      this.candles = new CandleTables(db)
      opened.push(this.candles)
      this.updates = new UpdateBlocks(db)
      opened.push(this.updates)
      this.events = new EventTable(db)
      opened.push(this.events)
      this.positions = new PositionTables(db)
    } catch (error) {
      for (const each of opened) each.close()
      throw error
    }
  }

  position(): StoredPosition {
    return readPosition(this.rows('position')[0])
  }

  movePosition(position: StoredPosition): void {
    this.#statements.movePosition.run(...bindPosition(position))
  }

  addAction(action: OperatorAction): void {
    this.#statements.addAction.run(...bindAction(action))
  }

  rows(name: StatementName, ...bindings: (number | string)[]): Row[] {
    return this.#statements[name].values(...bindings) as Row[]
  }

  /** Deletes all rows, so that the file is as if empty. */
  drop(): void {
    this.trades.drop()
    this.transfers.drop()
    this.orders.drop()
    this.ended.drop()
    this.candles.drop()
    this.updates.drop()
    this.events.drop()
    this.positions.drop()
    this.#statements.dropActions.run()
    this.movePosition(EMPTY)
  }

  close(): void {
    this.trades.close()
    this.transfers.close()
    this.orders.close()
    this.ended.close()
    this.candles.close()
    this.updates.close()
    this.events.close()
    this.positions.close()
    finalizeAll(this.#statements)
  }
}
