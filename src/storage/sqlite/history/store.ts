/**
 * Trade history in history.sqlite. Position and records change in one transaction. A power failure may lose
 * the last transactions (`synchronous=NORMAL`) but never part of one; they are restored from the journal.
 */
import { type Database, SQLiteError } from 'bun:sqlite'
import { dirname } from 'node:path'
import type { PublicTrade } from '../../../core/questions/view.ts'
import { asksForFacts, asksForFills, eventPage, pastEventPage } from '../../../engine/history/event-pages.ts'
import { fillPage, oldestFills } from '../../../engine/history/fill-pages.ts'
import {
  type ActionQuery,
  assertMovesOn,
  type CandleRange,
  type FillRange,
  HistoryFault,
  type HistoryStore,
  type HistoryTrade,
  type LedgerRange,
  type OrderRange,
  type PageQuery,
  type PastEventRange,
  type PositionRange,
  type RecordsBesides,
  type UpdatesRange,
} from '../../../engine/history/history.ts'
import {
  assertCandleLimit,
  assertPositionLimit,
  assertRecentLimit,
  pageRange,
} from '../../../engine/history/history-pages.ts'
import { ledgerFill, ledgerPage } from '../../../engine/history/ledger-pages.ts'
import type { FeedEvent } from '../../../engine/history/numbered-events.ts'
import { aggregateTrade, numberedRange } from '../../../engine/history/numbered-pages.ts'
import { type HistoryOrder, historyOrder } from '../../../engine/history/order-history.ts'
import { assertOrdersNamed, orderPage } from '../../../engine/history/order-pages.ts'
import { answerUpdates } from '../../../engine/history/update-pages.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import type {
  AggregateTrade,
  HistoryRange,
  NumberedRange,
  RecentTradesQuery,
} from '../../../engine/port/history-questions.ts'
import type { Mark } from '../../../engine/port/journal.ts'
import type {
  CandlePage,
  EventQuery,
  EventsAnswer,
  FillPage,
  LedgerPage,
  OperatorAction,
  OrderPage,
  PastEventPage,
  PositionPage,
  TradePage,
  UpdatesAnswer,
} from '../../../engine/port/ports.ts'
import type { OrderNumber } from '../../../units/ids.ts'
import { emptyLog } from '../checkpoint.ts'
import { isFull } from '../room.ts'
import { asideOf, isDamage, markDamaged } from './damage.ts'
import { type HistoryFileLimits, type OnDropped, openHistoryFile } from './file.ts'
import { accountFillsAfter, fillsAfter, tradesUpTo } from './fills-in-order.ts'
import { orderList } from './orders.ts'
import { type Appended, PendingAppends } from './pending.ts'
import { oldestRange, tradesOlderThan, upTo, upToTime } from './ranges.ts'
import { actionLookup, readAction } from './rows.ts'
import { HistoryTables } from './tables.ts'
import { accountList, aggregateList, partyOf, symbolList } from './trades.ts'
import { transferList } from './transfers.ts'
import { HistoryWriter } from './writer.ts'

/** Called once when a reader has found the file damaged, with the finding and what the next start will do. */
export type OnDamaged = (message: string) => void

export class SqliteHistory implements HistoryStore {
  readonly #path: string
  readonly #db: Database
  readonly #tables: HistoryTables
  readonly #writer: HistoryWriter
  readonly #commitSoon: HistoryFileLimits['commitSoon']
  readonly #pending = new PendingAppends()
  /** Whether a commit is scheduled. */
  #isScheduled = false
  #isClosed = false
  readonly #onDamaged: OnDamaged
  #onFailed: (fault: HistoryFault) => void = () => {}
  /** The message about damage; undefined if none was found. */
  #damage: string | undefined

  /** Opens or creates the file at `path`; throws `HistoryFault`. */
  static open(
    path: string,
    onDropped: OnDropped,
    limits: HistoryFileLimits = {},
    onDamaged: OnDamaged = () => {},
  ): SqliteHistory {
    try {
      return new SqliteHistory(path, openHistoryFile(path, onDropped, limits), limits, onDamaged)
    } catch (error) {
      throw faultOf(path, error)
    }
  }

  private constructor(path: string, db: Database, limits: HistoryFileLimits, onDamaged: OnDamaged) {
    this.#path = path
    this.#db = db
    this.#onDamaged = onDamaged
    this.#commitSoon = limits.commitSoon
    this.#tables = new HistoryTables(db)
    this.#writer = new HistoryWriter(this.#tables, limits)
  }

  async position(): Promise<Mark> {
    return this.#position()
  }

  async append(trades: readonly HistoryTrade[], end: Mark, besides: RecordsBesides = {}): Promise<void> {
    const before = this.#position()
    assertMovesOn(before, end)
    const appended = { trades, end, besides }
    if (this.#commitSoon === undefined || this.#pending.isFull) this.#commit(appended)
    else {
      this.#pending.add(appended)
      this.#schedule(this.#commitSoon)
    }
    this.#tables.updates.added(besides.updates, before.seq, end.seq)
  }

  watch(onFailed: (fault: HistoryFault) => void): void {
    this.#onFailed = onFailed
  }

  /** Commits and stores everything, then runs a checkpoint, which syncs the log before it copies from it. */
  async flush(): Promise<void> {
    this.#commit()
    this.#transact(() => this.#writer.storeEnds())
    if (this.#run(() => emptyLog(this.#db))) return
    throw new HistoryFault('BUSY', `${this.#path}: another program prevents it from being synced`)
  }

  async trades(query: PageQuery): Promise<TradePage> {
    return this.#read(() => this.#page(query))
  }

  async fills(range: FillRange): Promise<FillPage> {
    return this.#read(() => this.#fills(range))
  }

  async ledger(range: LedgerRange): Promise<LedgerPage> {
    return this.#read(() => this.#ledger(range))
  }

  async positions(range: PositionRange): Promise<PositionPage> {
    assertPositionLimit(range.limit)
    return this.#read(() => this.#writer.positions.page(range))
  }

  async orders(range: OrderRange): Promise<OrderPage> {
    return this.#read(() => this.#orders(range))
  }

  async numberedOrders({ orderNumbers }: HistoryRange<'numberedOrders'>): Promise<readonly HistoryOrder[]> {
    assertOrdersNamed(orderNumbers.length)
    return this.#read(() => orderNumbers.flatMap((orderNumber) => this.#orderOf(orderNumber) ?? []))
  }

  async updates({ accounts }: UpdatesRange): Promise<readonly UpdatesAnswer[]> {
    const { updates } = this.#tables
    const areRecent = updates.areRecent(accounts)
    return areRecent ? this.#answer(() => this.#updates(accounts)) : this.#read(() => this.#updates(accounts))
  }

  async recentTrades(query: RecentTradesQuery): Promise<readonly PublicTrade[]> {
    assertRecentLimit(query.limit)
    return this.#read(() => this.#recentTrades(query))
  }

  async symbolTrades(range: HistoryRange<'symbolTrades'>): Promise<readonly PublicTrade[]> {
    return this.#read(() => this.#symbolTrades(range))
  }

  async aggregateTrades(range: HistoryRange<'aggregateTrades'>): Promise<readonly AggregateTrade[]> {
    return this.#read(() => this.#aggregateTrades(range))
  }

  async candles(range: CandleRange): Promise<CandlePage> {
    assertCandleLimit(range.limit)
    return this.#read(() => {
      const { candles, position } = this.#writer
      return { ...candles.page(range), seq: position.seq }
    })
  }

  async operatorActions(query: ActionQuery): Promise<readonly OperatorAction[]> {
    const { name, bindings } = actionLookup(query)
    return this.#read(() => this.#tables.rows(name, ...bindings).map(readAction))
  }

  async events(query: EventQuery): Promise<EventsAnswer> {
    return this.#read(() => this.#events(query))
  }

  async pastEvents(range: PastEventRange): Promise<PastEventPage> {
    return this.#read(() => pastEventPage(this.#tables.events.past(range), range.limit))
  }

  async clear(): Promise<void> {
    this.#pending.clear()
    this.#transact(() => this.#tables.drop())
    this.#writer.undone()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    try {
      this.#commit()
    } catch (fault) {
      // Records for which there was no space are restored from the journal.
      if (!isFullFault(fault)) throw fault
    } finally {
      this.#run(() => {
        this.#tables.close()
        this.#db.close(true)
      })
    }
  }

  #updates(accounts: UpdatesRange['accounts']): readonly UpdatesAnswer[] {
    const { seq } = this.#position()
    return answerUpdates(accounts, seq, {
      after: this.#tables.updates.reader(accounts, seq),
      placedOf: (orderNumber) => this.#placedOf(orderNumber),
      orderOf: (orderNumber) => this.#orderOf(orderNumber),
      tradeOf: (number) =>
        this.#pending.trade(number) ?? this.#tables.trades.block(number)?.record(number)?.record,
    })
  }

  #events(query: EventQuery): EventsAnswer {
    const { trades, events } = this.#tables
    const { after, accountId } = query
    const fills = (): Iterable<FeedEvent> =>
      accountId === undefined
        ? fillsAfter(trades, after)
        : accountFillsAfter(trades, this.#writer.trades(accountList(accountId, undefined)), after)
    return eventPage(query, {
      facts: asksForFacts(query) ? events.after(after) : [],
      fills: asksForFills(query) ? fills() : [],
      tradesUpTo: (upTo) => tradesUpTo(trades, upTo),
    })
  }

  #page({ accountId, symbolId, page, size, before }: PageQuery): TradePage {
    const list = this.#writer.trades(accountList(accountId, symbolId))
    const total = before === undefined ? list.length : list.olderThan(before)
    const met = list.range(pageRange(total, page, size))
    return { items: met.map(({ record, index }) => partyOf(record, index).record), total }
  }

  #fills(range: FillRange): FillPage {
    const list = this.#writer.trades(accountList(range.accountId, range.symbolId))
    const { before, to, oldestFrom } = range
    if (oldestFrom !== undefined) {
      // A trade of an account with itself is two records.
      const { first, last } = oldestRange(list, { ...range, oldestFrom })
      const met = list.range({ first, last: Math.min(last + 1, upToTime(list, to)) })
      return oldestFills(
        met.map(({ record, index }) => partyOf(record, index).record),
        range.limit,
      )
    }
    const older = before === undefined ? list.length : list.olderThan(before)
    const met = list.newestFrom(Math.min(older, upToTime(list, to)))
    return fillPage(
      mapped(met, ({ record, index }) => partyOf(record, index).record),
      range,
    )
  }

  #ledger(range: LedgerRange): LedgerPage {
    const { accountId, assetId, before, to } = range
    const trades = this.#writer.trades(accountList(accountId, undefined))
    const transfers = this.#writer.transfers(transferList(accountId, assetId))
    const tradesBefore = tradesOlderThan(trades, before)
    const lastTrade = Math.min(tradesBefore, upToTime(trades, to))
    const lastTransfer = Math.min(upTo(transfers, before?.seq), upToTime(transfers, to))
    return ledgerPage(
      {
        fills: mapped(trades.newestFrom(lastTrade), ({ record, index }) =>
          ledgerFill(record, partyOf(record, index)),
        ),
        transfers: mapped(transfers.newestFrom(lastTransfer), ({ record }) => record),
      },
      range,
    )
  }

  #orders(range: OrderRange): OrderPage {
    const { accountId, symbolId, before, to, oldestFrom } = range
    const list = this.#writer.orders(orderList(accountId, symbolId))
    if (oldestFrom !== undefined) {
      const met = list.range(oldestRange(list, { ...range, oldestFrom }))
      return { orders: met.map(({ record }) => this.#withEnd(record)), next: undefined }
    }
    const older = before === undefined ? list.length : list.olderThan(before)
    const met = list.newestFrom(Math.min(older, upToTime(list, to)))
    return orderPage(
      mapped(met, ({ record }) => record),
      range,
      (placed) => this.#withEnd(placed),
    )
  }

  #placedOf(orderNumber: OrderNumber): HistoryOrder | undefined {
    return (
      this.#pending.order(orderNumber) ?? this.#tables.orders.block(orderNumber)?.record(orderNumber)?.record
    )
  }

  #orderOf(orderNumber: OrderNumber): HistoryOrder | undefined {
    const placed = this.#placedOf(orderNumber)
    return placed === undefined ? undefined : this.#withEnd(placed)
  }

  #withEnd(placed: HistoryOrder): HistoryOrder {
    const { end, orderNumber } = placed
    if (end !== undefined) return placed
    return historyOrder(placed, this.#pending.orderEnd(orderNumber) ?? this.#writer.ended.end(orderNumber))
  }

  #recentTrades({ symbolId, limit, upTo }: RecentTradesQuery): PublicTrade[] {
    const list = this.#writer.trades(symbolList(symbolId))
    const last = list.upTo(upTo)
    const first = Math.max(1, last - limit + 1)
    return list.range({ first, last: limit === 0 ? 0 : last }).map(({ record }) => record.trade)
  }

  #symbolTrades(range: NumberedRange): PublicTrade[] {
    const list = this.#writer.trades(symbolList(range.symbolId))
    const numberAt = (n: number): number =>
      list.range({ first: n, last: n })[0]?.record.trade.symbolTrade ?? 0
    const met = list.range(numberedRange(list, numberAt, range))
    return met.map(({ record }) => record.trade).reverse()
  }

  #aggregateTrades(range: NumberedRange): AggregateTrade[] {
    const list = this.#writer.trades(aggregateList(range.symbolId))
    const met = list.range(numberedRange(list, (n) => n, range))
    return met.map(({ record, link }) => aggregateTrade(record, link.n)).reverse()
  }

  /** Position of the history for readers, committed or not. */
  #position(): Mark {
    return this.#pending.end ?? this.#run(() => this.#writer.position)
  }

  /** Schedules a commit of appended records; without room it is tried again until it succeeds. */
  #schedule(commitSoon: (commit: () => void) => void): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    commitSoon(() => {
      this.#isScheduled = false
      if (this.#isClosed) return
      try {
        this.#commit()
      } catch (fault) {
        if (!(fault instanceof HistoryFault)) throw fault
        this.#onFailed(fault)
        if (fault.kind === 'STORAGE_FULL') this.#schedule(commitSoon)
      }
    })
  }

  /** Commits the appended records, followed by `last`: all of them, or none. */
  #commit(last?: Appended): void {
    const appends = last === undefined ? this.#pending.all : [...this.#pending.all, last]
    if (appends.length === 0) return
    this.#transact(() => {
      for (const { trades, end, besides } of appends) this.#writer.append(trades, end, besides)
    })
    this.#pending.committed(last)
  }

  /**
   * Like `#answer`, for committed records. If there is no room for a commit, the records are read in a
   * transaction that is then rolled back.
   */
  #read<Result>(work: () => Result): Result {
    return this.#answer(() => {
      try {
        this.#commit()
      } catch (cause) {
        if (!isFullFault(cause)) throw cause
        return this.#readUncommitted(work)
      }
      return work()
    })
  }

  /**
   * Reads in a transaction whose changed pages stay in memory, up to the size of SQLite's cache. If there are
   * more, the read fails until there is room.
   */
  #readUncommitted<Result>(work: () => Result): Result {
    try {
      return this.#run(() => {
        this.#db.run('BEGIN')
        for (const { trades, end, besides } of this.#pending.all) this.#writer.append(trades, end, besides)
        return work()
      })
    } catch (cause) {
      if (!isFullFault(cause)) throw cause
      throw new EngineFault('OVERLOADED', 'the history has no space for the newest entries', { cause })
    } finally {
      // SQLite may have ended the transaction already.
      if (this.#db.inTransaction) this.#db.run('ROLLBACK')
      this.#writer.undone()
    }
  }

  /** Applies all of `change` or nothing; after a failure, the list ends in memory are restored too. */
  #transact(change: () => void): void {
    try {
      this.#run(() => this.#db.transaction(change)())
    } catch (cause) {
      this.#writer.undone()
      throw cause
    }
  }

  /**
   * Like `#run`, for readers: they continue after damage, so it is reported once. A writer ends with the
   * fault itself.
   */
  #answer<Result>(work: () => Result): Result {
    const isKnown = this.#damage !== undefined
    try {
      return this.#run(work)
    } finally {
      if (!isKnown && this.#damage !== undefined) this.#onDamaged(this.#damage)
    }
  }

  /** Turns errors of SQLite into a `HistoryFault`, and marks damage for the next start. */
  #run<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      if (!isDamage(error)) throw faultOf(this.#path, error)
      this.#damage ??= damageMessage(this.#path, error as Error)
      throw new HistoryFault('DAMAGED', this.#damage, { cause: error })
    }
  }
}

function isFullFault(cause: unknown): cause is HistoryFault {
  return cause instanceof HistoryFault && cause.kind === 'STORAGE_FULL'
}

/** Maps each value on demand. */
function* mapped<From, To>(values: Iterable<From>, map: (value: From) => To): Generator<To, void> {
  for (const value of values) yield map(value)
}

/** Marks the file, and returns a message with what the next start will do. */
function damageMessage(path: string, error: Error): string {
  const next = markDamaged(path, error.message)
    ? `the next start puts it aside as ${asideOf(path)} and rebuilds it from the journal`
    : 'stop the node and delete it: the next start rebuilds it from the journal'
  return `${path} is damaged (${error.message}); ${next}`
}

/** The fault for an error of storage; any other value is returned unchanged. */
function faultOf(path: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const kind = isFull(error, dirname(path)) ? 'STORAGE_FULL' : 'UNUSABLE'
  return new HistoryFault(kind, `${path}: ${error.message} (${error.code})`, { cause: error })
}
