/**
 * Trade history in memory: for tests and temporary nodes. It grows with the number of trades and is lost with
 * the process; otherwise it behaves like the durable ones.
 */

import type { PublicTrade } from '../../src/core/questions/view.ts'
import type { AuditedHistory } from '../../src/engine/audit/history.ts'
import type { StoredPositions } from '../../src/engine/audit/positions.ts'
import { secondsOf } from '../../src/engine/history/candles/seconds.ts'
import { asksForFacts, asksForFills, eventPage, pastEventPage } from '../../src/engine/history/event-pages.ts'
import { fillPage, oldestFills } from '../../src/engine/history/fill-pages.ts'
import {
  type ActionQuery,
  assertMovesOn,
  type CandleRange,
  EMPTY_POSITION,
  type FillRange,
  type HistoryStore,
  type HistoryTrade,
  type LedgerRange,
  type OrderRange,
  type PageQuery,
  type PastEventRange,
  type PositionRange,
  type RecordsBesides,
  type UpdatesRange,
} from '../../src/engine/history/history.ts'
import {
  assertCandleLimit,
  assertPositionLimit,
  assertRecentLimit,
  countOlder,
  pageRange,
} from '../../src/engine/history/history-pages.ts'
import { ledgerFill, ledgerPage } from '../../src/engine/history/ledger-pages.ts'
import { type FeedEvent, fillNumber, type NumberedEvent } from '../../src/engine/history/numbered-events.ts'
import { aggregateTrade, assertNumberedLimit } from '../../src/engine/history/numbered-pages.ts'
import { type HistoryOrder, historyOrder } from '../../src/engine/history/order-history.ts'
import { assertOrdersNamed, orderPage } from '../../src/engine/history/order-pages.ts'
import { PositionBook } from '../../src/engine/history/positions/position-book.ts'
import { positionPage } from '../../src/engine/history/positions/position-pages.ts'
import { readUpdates, type StoredUpdate } from '../../src/engine/history/update-codec.ts'
import { answerUpdates } from '../../src/engine/history/update-pages.ts'
import type {
  AggregateTrade,
  HistoryRange,
  NumberedRange,
  RecentTradesQuery,
} from '../../src/engine/port/history-questions.ts'
import type { Mark } from '../../src/engine/port/journal.ts'
import {
  type CandlePage,
  type EventQuery,
  type EventsAnswer,
  type FillPage,
  type LedgerPage,
  type OperatorAction,
  type OrderPage,
  type PastEventPage,
  type PositionPage,
  referenceOf,
  type TradePage,
  type TradeRecord,
  type UpdatesAnswer,
} from '../../src/engine/port/ports.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import { invariant } from '../../src/units/invariant.ts'
import { MemoryHistoryAudit } from './history-audit.ts'
import { MemoryLists } from './history-lists.ts'

export class MemoryHistory implements HistoryStore {
  #position: Mark = EMPTY_POSITION
  readonly #actions: OperatorAction[] = []
  readonly #events: NumberedEvent[] = []
  readonly #lists: MemoryLists
  readonly #positions = newBook()

  /** `lists` is for tests that change the stored data directly. */
  constructor(lists = new MemoryLists()) {
    this.#lists = lists
  }

  /** The stored data, as an auditor reads it; nothing may be appended during the audit. */
  audited(): AuditedHistory {
    return {
      position: this.#position,
      audit: (names, report) =>
        new MemoryHistoryAudit(
          this.#lists,
          this.#actions,
          this.#events,
          storedPositions(this.#positions),
          names,
          report,
        ),
      close: () => {},
    }
  }

  async position(): Promise<Mark> {
    return this.#position
  }

  async append(
    trades: readonly HistoryTrade[],
    end: Mark,
    {
      listings = [],
      transfers = [],
      orders = [],
      ends = [],
      actions = [],
      events = [],
      updates,
    }: RecordsBesides = {},
  ): Promise<void> {
    assertMovesOn(this.#position, end)
    for (const caused of trades) {
      const { seq, symbolId, trade } = caused
      this.#lists.ofSymbol(symbolId).push({ seq, trade })
      if (caused.aggregate !== undefined) this.#lists.aggregates(symbolId).push(caused)
      this.#lists.tradeByNumber.set(trade.tradeNumber, caused)
      for (const party of [caused.maker, caused.taker]) {
        const { accountId, record } = party
        this.#lists.of(accountId).push(record)
        this.#lists.of(accountId, symbolId).push(record)
        this.#lists.ledgerFills(accountId).push(ledgerFill(caused, party))
      }
    }
    for (const terms of listings) this.#positions.markets.add(terms)
    this.#positions.append(trades, transfers)
    for (const transfer of transfers) this.#lists.transfers.push(transfer)
    for (const order of orders) this.#lists.orders.push(order)
    for (const end of ends) this.#lists.endByOrder.set(end.orderNumber, end)
    for (const [symbolId, seconds] of secondsOf(trades)) {
      for (const second of seconds) this.#lists.addSecond(symbolId, second)
    }
    for (const action of actions) this.#actions.push(action)
    for (const event of events) this.#events.push(event)
    const all = (): boolean => true
    if (updates !== undefined) readUpdates(updates.data, all, (update) => this.#lists.updates.push(update))
    this.#position = end
  }

  async flush(): Promise<void> {}

  async trades(query: PageQuery): Promise<TradePage> {
    const list = this.#records(query)
    const tradeNumberOf = (n: number): number => (list[n - 1] as TradeRecord).tradeNumber
    const total =
      query.before === undefined ? list.length : countOlder(list.length, query.before, tradeNumberOf)
    const { first, last } = pageRange(total, query.page, query.size)
    return { items: list.slice(first - 1, last).reverse(), total }
  }

  async fills(range: FillRange): Promise<FillPage> {
    const { before, to } = range
    const isAsked = ({ tradeNumber, time }: TradeRecord): boolean =>
      (before === undefined || tradeNumber < before) && (to === undefined || time <= to)
    const oldestFirst = this.#records(range).filter(isAsked)
    const { oldestFrom, from = 0, limit } = range
    if (oldestFrom === undefined) return fillPage(oldestFirst.reverse(), range)
    const fitting = oldestFirst.filter((record) => record.tradeNumber >= oldestFrom && record.time >= from)
    return oldestFills(fitting.slice(0, limit + 1).reverse(), limit)
  }

  async ledger(range: LedgerRange): Promise<LedgerPage> {
    const { accountId, assetId, to = Number.MAX_SAFE_INTEGER } = range
    const fills = this.#lists.ledgerFills(accountId).filter(({ party }) => party.record.time <= to)
    const transfers = this.#lists.transfers.filter(
      (transfer) =>
        transfer.accountId === accountId &&
        (assetId === undefined || transfer.assetId === assetId) &&
        transfer.time <= to,
    )
    return ledgerPage({ fills: fills.reverse(), transfers: transfers.reverse() }, range)
  }

  async positions(range: PositionRange): Promise<PositionPage> {
    assertPositionLimit(range.limit)
    return positionPage(range, [], this.#positions)
  }

  async orders(range: OrderRange): Promise<OrderPage> {
    const { accountId, symbolId, before, to } = range
    const isAsked = (order: HistoryOrder): boolean =>
      order.accountId === accountId &&
      (symbolId === undefined || order.symbolId === symbolId) &&
      (before === undefined || order.orderNumber < before) &&
      (to === undefined || order.time <= to)
    const oldestFirst = this.#lists.orders.filter(isAsked)
    const { oldestFrom, from = 0, limit } = range
    if (oldestFrom === undefined)
      return orderPage(oldestFirst.reverse(), range, (order) => this.#withEnd(order))
    const fitting = oldestFirst.filter((order) => order.orderNumber >= oldestFrom && order.time >= from)
    const page = fitting.slice(0, limit).reverse()
    return { orders: page.map((order) => this.#withEnd(order)), next: undefined }
  }

  async numberedOrders({ orderNumbers }: HistoryRange<'numberedOrders'>): Promise<readonly HistoryOrder[]> {
    assertOrdersNamed(orderNumbers.length)
    return orderNumbers.flatMap((number) => this.#orderOf(number) ?? [])
  }

  async recentTrades({ symbolId, limit, upTo }: RecentTradesQuery): Promise<readonly PublicTrade[]> {
    assertRecentLimit(limit)
    const list = this.#lists.tradesBySymbol.get(symbolId) ?? []
    const known = list.findLastIndex((entry) => entry.seq <= upTo) + 1
    return list
      .slice(Math.max(0, known - limit), known)
      .reverse()
      .map((entry) => entry.trade)
  }

  async symbolTrades(range: HistoryRange<'symbolTrades'>): Promise<readonly PublicTrade[]> {
    const trades = (this.#lists.tradesBySymbol.get(range.symbolId) ?? []).filter(
      ({ trade }) => trade.symbolTrade > 0,
    )
    const isAsked = plainRange(range)
    const fitting = trades.filter(({ seq, trade }) => isAsked(seq, trade.time, trade.symbolTrade))
    return pageOf(fitting, range).map(({ trade }) => trade)
  }

  async aggregateTrades(range: HistoryRange<'aggregateTrades'>): Promise<readonly AggregateTrade[]> {
    const closing = this.#lists.aggregatesBySymbol.get(range.symbolId) ?? []
    const numbered = closing.map((each, index) => ({ seq: each.seq, value: aggregateTrade(each, index + 1) }))
    const isAsked = plainRange(range)
    const fitting = numbered.filter(({ seq, value }) => isAsked(seq, value.time, value.number))
    return pageOf(fitting, range).map(({ value }) => value)
  }

  async candles({ symbolId, width, from, before, limit }: CandleRange): Promise<CandlePage> {
    assertCandleLimit(limit)
    const all = this.#lists.candlesBySymbol.get(symbolId)?.get(width) ?? []
    const end = all.findLastIndex(({ start }) => start < before) + 1
    const oldest = all.findLastIndex(({ start }) => start < from) + 1
    const begin = Math.min(end, Math.max(oldest, end - limit))
    const { seq } = this.#position
    return { candles: all.slice(begin, end).reverse(), earlier: all[begin - 1], first: all[0]?.start, seq }
  }

  async updates({ accounts }: UpdatesRange): Promise<readonly UpdatesAnswer[]> {
    const { seq } = this.#position
    return answerUpdates(accounts, seq, {
      after: ({ accountId, after }) => {
        const isAsked = (update: StoredUpdate) => update.accountId === accountId && update.seq > after
        return { updates: this.#lists.updates.filter(isAsked), upTo: seq }
      },
      placedOf: (number) => this.#placedOf(number),
      orderOf: (number) => this.#orderOf(number),
      tradeOf: (number) => this.#lists.tradeByNumber.get(number),
    })
  }

  async operatorActions(query: ActionQuery): Promise<readonly OperatorAction[]> {
    const { before, limit, actor, kind, accountId, reference } = query
    return this.#actions
      .filter(
        ({ seq, command, accountId: of }) =>
          (accountId === undefined || of === accountId) &&
          (reference === undefined || referenceOf(command) === reference) &&
          (before === undefined || seq < before) &&
          (actor === undefined || command.operator.actor === actor) &&
          (kind === undefined || command.kind === kind),
      )
      .slice(-limit)
      .reverse()
  }

  async events(query: EventQuery): Promise<EventsAnswer> {
    const trades = [...this.#lists.tradeByNumber.values()]
    const fills = trades.map((trade): FeedEvent => {
      return { kind: 'FILL', number: fillNumber(trade.seq, trade.trade.tradeNumber), trade }
    })
    const isLater = ({ number }: FeedEvent): boolean => number > query.after
    return eventPage(query, {
      facts: asksForFacts(query) ? this.#events.filter(isLater) : [],
      fills: asksForFills(query) ? fills.filter(isLater) : [],
      tradesUpTo: (upTo) => trades.findLast(({ seq }) => seq <= upTo)?.trade.tradeNumber ?? 0,
    })
  }

  async pastEvents({ before, kinds, accountId, limit }: PastEventRange): Promise<PastEventPage> {
    const isAsked = (event: NumberedEvent): boolean =>
      (before === undefined || event.number < before) &&
      kinds.includes(event.kind) &&
      (accountId === undefined || event.accountId === accountId)
    return pastEventPage(this.#events.filter(isAsked).reverse(), limit)
  }

  #placedOf(number: OrderNumber): HistoryOrder | undefined {
    return this.#lists.orders.find(({ orderNumber }) => orderNumber === number)
  }

  #orderOf(number: OrderNumber): HistoryOrder | undefined {
    const placed = this.#placedOf(number)
    return placed === undefined ? undefined : this.#withEnd(placed)
  }

  #withEnd(order: HistoryOrder): HistoryOrder {
    return historyOrder(order, this.#lists.endByOrder.get(order.orderNumber))
  }

  /** Oldest first. */
  #records({ accountId, symbolId }: Pick<PageQuery, 'accountId' | 'symbolId'>): readonly TradeRecord[] {
    const lists = this.#lists.listsByAccount.get(accountId)
    return (symbolId === undefined ? lists?.all : lists?.bySymbol.get(symbolId)) ?? []
  }

  async clear(): Promise<void> {
    this.#actions.length = 0
    this.#events.length = 0
    this.#position = EMPTY_POSITION
    this.#lists.clear()
    this.#positions.forget()
    this.#positions.markets.clear()
  }

  async close(): Promise<void> {}
}

/** Whether a command, a time and a number are within the requested range. */
function plainRange({ first = 1, from, to, upTo }: NumberedRange) {
  return (seq: number, time: number, number: number): boolean =>
    seq <= upTo && (from === undefined || time >= from) && (to === undefined || time <= to) && number >= first
}

function pageOf<Value>(fitting: readonly Value[], { first, from, limit }: NumberedRange): readonly Value[] {
  assertNumberedLimit(limit)
  return first === undefined && from === undefined ? fitting.slice(-limit) : fitting.slice(0, limit)
}

function newBook(): PositionBook {
  return new PositionBook({
    read: () => undefined,
    contradicted: (sentence) => {
      invariant(false, () => sentence)
    },
  })
}

function storedPositions(book: PositionBook): StoredPositions {
  return {
    positions: function* () {
      for (const { accountId, assetId, position } of book.all()) {
        yield { accountId, assetId, row: { value: position } }
      }
    },
    markets: () =>
      book.markets.all.map(({ terms, lastPrice }) => ({
        symbolId: terms.id,
        row: { value: { terms, lastPrice } },
      })),
    tradesTo: Number.POSITIVE_INFINITY,
    transfersTo: Number.POSITIVE_INFINITY,
  }
}
