/**
 * What history keeps, and what a store of it must do: one record per party per trade, transfers, operators' actions. All of it
 * is a projection (`history-projection.ts`) that can be dropped at any time; the journal makes it again, to the letter.
 */
import type { PublicTrade } from '../../core/exchange/view.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Amount, Seq } from '../../units/quantities.ts'
import { EMPTY_TAIL, type Mark } from '../port/journal.ts'
import type {
  CandlePage,
  CandleQuery,
  EventQuery,
  EventsAnswer,
  FillPage,
  FillQuery,
  LedgerPage,
  LedgerQuery,
  OperatorAction,
  OperatorActionQuery,
  OrderPage,
  OrderQuery,
  PastEventPage,
  PastEventQuery,
  PositionPage,
  PositionQuery,
  TradePage,
  TradeQuery,
  TradeRecord,
  UpdatesAnswer,
  UpdatesQuery,
} from '../port/ports.ts'
import type { HistoryTransfer } from '../port/transfer.ts'
import type { NumberedEvent } from './numbered-events.ts'
import type { EndedOrder, HistoryOrder, OrderRecord } from './order-history.ts'
import type { MarketTerms } from './positions/markets.ts'
import type { UpdateBlock } from './update-codec.ts'

/** What an account has of a symbol's two assets, without what is set aside in savings. */
export type PartyBalances = { readonly base: Amount; readonly quote: Amount }

/** A record in the list of one account. */
export type PartyRecord = {
  readonly accountId: AccountId
  readonly record: TradeRecord
  /** Right after this fill and its commission. */
  readonly after: PartyBalances
}

/** One trade as the store takes it: the public side and the two parties' (docs/reference/http.md#trade-history). */
export type HistoryTrade = {
  /** The command that caused it. */
  readonly seq: Seq
  readonly symbolId: SymbolId
  readonly trade: PublicTrade
  readonly maker: PartyRecord
  readonly taker: PartyRecord
}

/** What commands leave in history, each kind in the order in which it happened. */
export type HistoryRecords = {
  /** What never changes of the symbols that were listed; each before any trade in it. */
  readonly listings: readonly MarketTerms[]
  readonly trades: readonly HistoryTrade[]
  readonly transfers: readonly HistoryTransfer[]
  readonly orders: readonly OrderRecord[]
  /** Of orders that are here already, or among those above. */
  readonly ends: readonly EndedOrder[]
  readonly actions: readonly OperatorAction[]
  /** Facts of the numbered feed; trades are facts by themselves. */
  readonly events: readonly NumberedEvent[]
  /** Undefined: there are none. */
  readonly updates: UpdateBlock | undefined
}

/** Those beside trades; what is absent is empty. */
export type RecordsBesides = Partial<Omit<HistoryRecords, 'trades'>>

/** A page of an account's list; `atLeast` has been met before a store is asked. */
export type PageQuery = Omit<TradeQuery, 'atLeast'>

/** Fills; `atLeast` has been met before a store is asked. */
export type FillRange = Omit<FillQuery, 'atLeast'>

/** Changes of balances; `atLeast` has been met before a store is asked. */
export type LedgerRange = Omit<LedgerQuery, 'atLeast'>

/** Positions; `atLeast` has been met before a store is asked. */
export type PositionRange = Omit<PositionQuery, 'atLeast'>

/** Orders; `atLeast` has been met before a store is asked. */
export type OrderRange = Omit<OrderQuery, 'atLeast'>

/** Updates of accounts; `atLeast` has been met before a store is asked. */
export type UpdatesRange = Omit<UpdatesQuery, 'atLeast'>

/** Operators' actions; `atLeast` has been met before a store is asked. */
export type ActionQuery = Omit<OperatorActionQuery, 'atLeast'>

/** Facts, newest first; `atLeast` has been met before a store is asked. */
export type PastEventRange = Omit<PastEventQuery, 'atLeast'>

/** Stored candles; `atLeast` has been met before a store is asked. */
export type CandleRange = Omit<CandleQuery, 'atLeast'>

/**
 * Why a store of history failed. After `STORAGE_FULL` and `BUSY` the same call may be tried again; it has changed nothing
 * that counts. What is `DAMAGED` is made again by the next start.
 */
export type HistoryFaultKind = 'STORAGE_FULL' | 'BUSY' | 'AHEAD_OF_JOURNAL' | 'DAMAGED' | 'UNUSABLE'

export class HistoryFault extends Error {
  override readonly name = 'HistoryFault'
  readonly kind: HistoryFaultKind

  constructor(kind: HistoryFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * Keeps trades, numbered per account and per account and symbol, so that any page of any list costs the same wherever
 * it lies, and what they come to as candles. Calls reject with `HistoryFault`.
 */
export interface HistoryStore {
  /** The end of the last batch whose trades are all here; `EMPTY_TAIL`'s in an empty store. */
  position(): Promise<Mark>

  /**
   * Adds what the batches after `position()` up to the end of one leave, and moves the position there: all of it or nothing.
   * A power cut may still take the newest appends away, see `flush`.
   */
  append(trades: readonly HistoryTrade[], end: Mark, besides?: RecordsBesides): Promise<void>

  /**
   * From now on `onFailed` is told why what was appended could not be stored later, where the store does that by itself; after
   * `STORAGE_FULL` it goes on trying, and tells each time. Undefined: each append is stored when it resolves.
   */
  watch?(onFailed: (fault: HistoryFault) => void): void

  /** What was appended survives a power cut when the promise resolves; `BUSY`: somebody is in the way of that. */
  flush(): Promise<void>

  /** One page, newest first. Two records of one trade (its parties the same account): taker's first. */
  page(query: PageQuery): Promise<TradePage>

  /** Fills of an account, newest first; of one trade, taker's first. */
  fills(range: FillRange): Promise<FillPage>

  /** What changed an account's balances, newest first. */
  ledger(range: LedgerRange): Promise<LedgerPage>

  /** What an account has and what that cost, in the order of assets. */
  positions(range: PositionRange): Promise<PositionPage>

  /** Orders of an account, newest first. */
  orders(range: OrderRange): Promise<OrderPage>

  /** Those of at most `ORDERS_MAX` orders that are here, whoever's. */
  numberedOrders(orderNumbers: readonly OrderNumber[]): Promise<readonly HistoryOrder[]>

  /** The newest `limit` trades of a symbol up to and including command `upTo`, newest first. */
  recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]>

  /** What the trades of a symbol come to, window by window. */
  candles(range: CandleRange): Promise<CandlePage>

  /** What commands changed for accounts, an answer for each, in the order in which they are named. */
  updates(range: UpdatesRange): Promise<readonly UpdatesAnswer[]>

  /** Operators' actions, newest first. */
  operatorActions(query: ActionQuery): Promise<readonly OperatorAction[]>

  /** What happened, oldest first. */
  events(query: EventQuery): Promise<EventsAnswer>

  /** Facts beside trades, newest first. */
  pastEvents(query: PastEventRange): Promise<PastEventPage>

  /** Drops everything; the store is as an empty one. */
  clear(): Promise<void>

  close(): Promise<void>
}

/** Where an empty store stands. */
export const EMPTY_POSITION: Mark = { seq: EMPTY_TAIL.seq, hash: EMPTY_TAIL.hash }

/** Checks what every `append` asks for: that the position moves on. Anything else is a bug of the caller. */
export function assertMovesOn(position: Mark, end: Mark): void {
  invariant(end.seq > position.seq, () => `history is at ${position.seq}, found an append up to ${end.seq}`)
}
