/**
 * Adds to history: trades to their lists and candles, operators' actions to their table, and the position of
 * all of them.
 */
import { assertMovesOn, type HistoryTrade, type RecordsBesides } from '../../../engine/history/history.ts'
import type { HistoryOrder } from '../../../engine/history/order-history.ts'
import type { Mark } from '../../../engine/port/journal.ts'
import type { HistoryTransfer } from '../../../engine/port/transfer.ts'
import type { SymbolId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { Candles } from './candles/candles.ts'
import { EndedOrders } from './ended/ended-orders.ts'
import type { ChainedList } from './lists/chain.ts'
import { AppendOnlyLists, type ListsLimits } from './lists/lists.ts'
import type { ListKey } from './lists/record.ts'
import { ORDERS } from './orders.ts'
import { Positions } from './positions/positions.ts'
import type { HistoryTables } from './tables.ts'
import { symbolList, TRADES } from './trades.ts'
import { TRANSFERS } from './transfers.ts'

export class HistoryWriter {
  readonly #tables: HistoryTables
  readonly #trades: AppendOnlyLists<HistoryTrade>
  readonly #transfers: AppendOnlyLists<HistoryTransfer>
  readonly #orders: AppendOnlyLists<HistoryOrder>
  readonly #ended: EndedOrders
  readonly #candles: Candles
  readonly #positions: Positions
  /** The stored position, consistent with the lists in memory; undefined if it must be read again. */
  #mark: Mark | undefined

  constructor(tables: HistoryTables, limits: ListsLimits) {
    this.#tables = tables
    this.#trades = new AppendOnlyLists(TRADES, tables.trades, limits)
    this.#transfers = new AppendOnlyLists(TRANSFERS, tables.transfers, limits)
    this.#orders = new AppendOnlyLists(ORDERS, tables.orders, limits)
    this.#ended = new EndedOrders(tables.ended, limits.recordsBetweenEnds)
    this.#candles = new Candles(tables.candles, (symbolId) => this.#newestStoredTrade(symbolId))
    this.#positions = new Positions(tables.positions)
  }

  get position(): Mark {
    return this.#current()
  }

  trades(list: ListKey): ChainedList<HistoryTrade> {
    this.#current()
    return this.#trades.list(list)
  }

  transfers(list: ListKey): ChainedList<HistoryTransfer> {
    this.#current()
    return this.#transfers.list(list)
  }

  orders(list: ListKey): ChainedList<HistoryOrder> {
    this.#current()
    return this.#orders.list(list)
  }

  get ended(): EndedOrders {
    this.#current()
    return this.#ended
  }

  get candles(): Candles {
    this.#current()
    return this.#candles
  }

  get positions(): Positions {
    this.#current()
    return this.#positions
  }

  /** Must be called in a transaction; a failed one must be reported with `undone`. */
  append(trades: readonly HistoryTrade[], mark: Mark, besides: RecordsBesides): void {
    const {
      listings = [],
      transfers = [],
      orders = [],
      ends = [],
      actions = [],
      events = [],
      updates,
    } = besides
    assertMovesOn(this.#current(), mark)
    this.#candles.append(trades)
    this.#positions.append(listings, trades, transfers)
    this.#trades.append(trades)
    this.#transfers.append(transfers)
    this.#orders.append(orders)
    this.#ended.append(ends)
    for (const action of actions) this.#tables.addAction(action)
    for (const event of events) this.#tables.events.add(event)
    this.#tables.updates.add(updates, mark.seq)
    if (this.#lists.some(({ isDue }) => isDue)) this.#store()
    this.#moveTo(mark)
  }

  /** Must be called in a transaction: stores everything, so that the next start has nothing to restore. */
  storeEnds(): void {
    const mark = this.#current()
    if (this.#lists.every(({ position }) => position.after === 0)) return
    this.#store()
    this.#moveTo(mark)
  }

  /** Must be called if the stored state may differ from the state in memory, which is then read again. */
  undone(): void {
    this.#mark = undefined
  }

  get #lists() {
    return [this.#trades, this.#transfers, this.#orders, this.#ended]
  }

  /**
   * Stores candles, positions and ends of lists, up to the same trade and transfer; moves ends of orders to
   * their pages in the same transaction.
   */
  #store(): void {
    this.#candles.store()
    this.#positions.store()
    for (const lists of this.#lists) lists.storeEnds()
  }

  #newestStoredTrade(symbolId: SymbolId): TimeMs | undefined {
    const list = this.#trades.list(symbolList(symbolId))
    const last = list.olderThan(this.#trades.position.endsTo + 1)
    return list.range({ first: Math.max(1, last), last })[0]?.record.trade.time
  }

  #moveTo(mark: Mark): void {
    this.#mark = mark
    const trades = this.#trades.position
    this.#tables.movePosition({
      mark,
      trades,
      transfers: this.#transfers.position,
      orders: this.#orders.position,
      ended: this.#ended.position,
      markets: this.#positions.markets,
    })
  }

  #current(): Mark {
    if (this.#mark !== undefined) return this.#mark
    const { mark, trades, transfers, orders, ended, markets } = this.#tables.position()
    const laterTrades = this.#trades.load(trades)
    this.#candles.load(laterTrades)
    this.#positions.load(markets, laterTrades, this.#transfers.load(transfers))
    this.#orders.load(orders)
    this.#ended.load(ended)
    this.#mark = mark
    return mark
  }
}
