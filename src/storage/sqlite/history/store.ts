/**
 * Trade history in history.sqlite. Position and records change in one transaction; a power cut may lose the last of
 * them (`synchronous=NORMAL`), never tear them, and the journal gives them again.
 */
import { type Database, SQLiteError } from 'bun:sqlite'
import { dirname } from 'node:path'
import type { PublicTrade } from '../../../core/exchange/view.ts'
import { asksForFacts, asksForFills, eventPage, pastEventPage } from '../../../engine/history/event-pages.ts'
import { fillPage } from '../../../engine/history/fill-pages.ts'
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
import { type HistoryOrder, historyOrder, type OrderRecord } from '../../../engine/history/order-history.ts'
import { assertOrdersNamed, orderPage } from '../../../engine/history/order-pages.ts'
import { answerUpdates } from '../../../engine/history/update-pages.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
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
import type { OrderNumber, SymbolId } from '../../../units/ids.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { emptyLog } from '../checkpoint.ts'
import { isFull } from '../room.ts'
import { asideOf, isDamage, markDamaged } from './damage.ts'
import { type HistoryFileLimits, type OnDropped, openHistoryFile } from './file.ts'
import { accountFillsAfter, fillsAfter, tradesUpTo } from './fills-in-order.ts'
import type { ChainedList } from './lists/chain.ts'
import { orderList } from './orders.ts'
import { type Appended, PendingAppends } from './pending.ts'
import { actionLookup, readAction } from './rows.ts'
import { HistoryTables } from './tables.ts'
import { accountList, partyOf, symbolList } from './trades.ts'
import { transferList } from './transfers.ts'
import { HistoryWriter } from './writer.ts'

/** Told, once, that a reader has found the file damaged, and what the next start does about it. */
export type OnDamaged = (message: string) => void

export class SqliteHistory implements HistoryStore {
  readonly #path: string
  readonly #db: Database
  readonly #tables: HistoryTables
  readonly #writer: HistoryWriter
  readonly #commitSoon: HistoryFileLimits['commitSoon']
  readonly #pending = new PendingAppends()
  /** A commit has been asked for. */
  #isScheduled = false
  #isClosed = false
  readonly #onDamaged: OnDamaged
  #onFailed: (fault: HistoryFault) => void = () => {}
  /** What is said of damage, once it has been met. */
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

  /** A checkpoint syncs the log before it copies from it. */
  async flush(): Promise<void> {
    this.#commit()
    this.#transact(() => this.#writer.storeEnds())
    if (this.#run(() => emptyLog(this.#db))) return
    throw new HistoryFault('BUSY', `${this.#path}: another program keeps it from being synced`)
  }

  async page(query: PageQuery): Promise<TradePage> {
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

  async numberedOrders(orderNumbers: readonly OrderNumber[]): Promise<readonly HistoryOrder[]> {
    assertOrdersNamed(orderNumbers.length)
    return this.#read(() => orderNumbers.flatMap((orderNumber) => this.#orderOf(orderNumber) ?? []))
  }

  async updates({ accounts }: UpdatesRange): Promise<readonly UpdatesAnswer[]> {
    const { updates } = this.#tables
    const areRecent = updates.areRecent(accounts)
    return areRecent ? this.#answer(() => this.#updates(accounts)) : this.#read(() => this.#updates(accounts))
  }

  async recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]> {
    assertRecentLimit(limit)
    return this.#read(() => this.#recentTrades(symbolId, limit, upTo))
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
      // What there is no room for the journal gives again.
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
    const { before, to } = range
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
    const { accountId, symbolId, before, to } = range
    const list = this.#writer.orders(orderList(accountId, symbolId))
    const older = before === undefined ? list.length : list.olderThan(before)
    const met = list.newestFrom(Math.min(older, upToTime(list, to)))
    return orderPage(
      mapped(met, ({ record }) => record),
      range,
      (placed) => this.#withEnd(placed),
    )
  }

  #placedOf(orderNumber: OrderNumber): OrderRecord | undefined {
    return (
      this.#pending.order(orderNumber) ?? this.#tables.orders.block(orderNumber)?.record(orderNumber)?.record
    )
  }

  #orderOf(orderNumber: OrderNumber): HistoryOrder | undefined {
    const placed = this.#placedOf(orderNumber)
    return placed === undefined ? undefined : this.#withEnd(placed)
  }

  #withEnd(placed: OrderRecord): HistoryOrder {
    const { endedAtOnce, orderNumber } = placed
    if (endedAtOnce !== undefined) return historyOrder(placed, undefined)
    return historyOrder(placed, this.#pending.orderEnd(orderNumber) ?? this.#writer.ended.end(orderNumber))
  }

  #recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): PublicTrade[] {
    const list = this.#writer.trades(symbolList(symbolId))
    const last = list.upTo(upTo)
    const first = Math.max(1, last - limit + 1)
    return list.range({ first, last: limit === 0 ? 0 : last }).map(({ record }) => record.trade)
  }

  /** Where history stands for whoever asks, committed or not. */
  #position(): Mark {
    return this.#pending.end ?? this.#run(() => this.#writer.position)
  }

  /** Has what was appended committed soon; where there is no room it is tried again and again. */
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

  /** Commits what was appended, `last` behind it: all of it, or nothing. */
  #commit(last?: Appended): void {
    const appends = last === undefined ? this.#pending.all : [...this.#pending.all, last]
    if (appends.length === 0) return
    this.#transact(() => {
      for (const { trades, end, besides } of appends) this.#writer.append(trades, end, besides)
    })
    this.#pending.committed(last)
  }

  /** As `#answer`, of what is committed. What there is no room for is read from a transaction that is then undone. */
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

  /** Changed pages stay in memory, up to the size of SQLite's cache; of more than that there is no answer before there is room. */
  #readUncommitted<Result>(work: () => Result): Result {
    try {
      return this.#run(() => {
        this.#db.run('BEGIN')
        for (const { trades, end, besides } of this.#pending.all) this.#writer.append(trades, end, besides)
        return work()
      })
    } catch (cause) {
      if (!isFullFault(cause)) throw cause
      throw new EngineFault('OVERLOADED', 'the history has no room for what is newest', { cause })
    } finally {
      // SQLite may have ended it by itself.
      if (this.#db.inTransaction) this.#db.run('ROLLBACK')
      this.#writer.undone()
    }
  }

  /** All of `change` or nothing, what is known of the ends of lists included. */
  #transact(change: () => void): void {
    try {
      this.#run(() => this.#db.transaction(change)())
    } catch (cause) {
      this.#writer.undone()
      throw cause
    }
  }

  /** As `#run`, for readers: they go on after damage, so it is reported, once. Whoever writes ends by the fault itself. */
  #answer<Result>(work: () => Result): Result {
    const isKnown = this.#damage !== undefined
    try {
      return this.#run(work)
    } finally {
      if (!isKnown && this.#damage !== undefined) this.#onDamaged(this.#damage)
    }
  }

  /** What SQLite throws becomes a `HistoryFault`; damage is marked for the next start. */
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

/**
 * How many of an account's trades may have entries before a place. Where the place is that of no record its command still bounds them:
 * whatever is asked for, no more is walked than is looked at.
 */
function tradesOlderThan(trades: ChainedList<unknown>, before: LedgerRange['before']): number {
  if (before === undefined) return trades.length
  // A command that makes a transfer does not trade.
  if (before.tradeNumber === 0) return trades.upTo((before.seq - 1) as Seq)
  return Math.min(trades.olderThan(before.tradeNumber + 1), trades.upTo(before.seq))
}

/** How many records of a list there are up to a command, or up to a time; undefined: all of them. */
function upTo(list: ChainedList<unknown>, seq: Seq | undefined): number {
  return seq === undefined ? list.length : list.upTo(seq)
}

function upToTime(list: ChainedList<unknown>, time: TimeMs | undefined): number {
  return time === undefined ? list.length : list.upToTime(time)
}

/** Each when it is asked for. */
function* mapped<From, To>(values: Iterable<From>, map: (value: From) => To): Generator<To, void> {
  for (const value of values) yield map(value)
}

/** Marks the file, and says what the next start does about it. */
function damageMessage(path: string, error: Error): string {
  const next = markDamaged(path, error.message)
    ? `the next start puts it aside as ${asideOf(path)} and makes it again from the journal`
    : 'stop the node and delete it: the next start makes it again from the journal'
  return `${path} is damaged (${error.message}); ${next}`
}

/** The fault that an error of storage is; anything else stays what it is. */
function faultOf(path: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const kind = isFull(error, dirname(path)) ? 'STORAGE_FULL' : 'UNUSABLE'
  return new HistoryFault(kind, `${path}: ${error.message} (${error.code})`, { cause: error })
}
