/**
 * The requests of a gateway to an engine in another thread or on another machine. Drivers transmit these
 * calls; the gateway has no other access to the engine.
 */
import type { Command, OperatorCommand } from '../../core/commands/command.ts'
import type { EventBatch } from '../../core/events/event.ts'
import type { Reply } from '../../core/questions/reply.ts'
import type { Balance, Bootstrap, OpenOrder } from '../../core/questions/view.ts'
import type { Candle } from '../../units/candle.ts'
import type { EventKind } from '../../units/event-enums.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Amount, Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { CandleWidth } from '../history/candles/base-widths.ts'
import type { FactKind, FeedEvent, NumberedEvent } from '../history/numbered-events.ts'
import type { HistoryOrder } from '../history/order-history.ts'
import type { AssetPosition } from '../history/positions/position.ts'
import type { QueryFields, QueryName, QueryValue } from './queries.ts'
import type { HistoryTransfer } from './transfer.ts'

/** The queries of a gateway by name; a bootstrap comes only with `follow`. */
export type PortQuery = Exclude<QueryName, 'bootstrap'>

/** The receiver of a command's result. Neither function may throw: other answers follow. */
export interface ReplyReceiver {
  replied(reply: Reply): void
  /** `EngineFault`, or the error of a bug, after which the outcome is unknown. */
  failed(fault: unknown): void
  /** Called when the reply arrives after the fault `OUTCOME_UNKNOWN`. Undefined if it is not needed. */
  readonly late?: ((reply: Reply) => void) | undefined
}

/**
 * The receiver of events, in the order of the engine: first the state at some command, then every later
 * batch, once each and in order. None of these functions may throw: other receivers follow.
 */
export interface EngineSubscriber {
  started(bootstrap: Bootstrap): void
  /** Called before any reply to a command of the batch. */
  batch(batch: EventBatch): void
  /** Called between batches, about every second: no later command has a time before `time`. */
  passed(time: TimeMs): void
  /** Receives an `EngineFault`: the state is not available, and nothing will be delivered. */
  failed(fault: unknown): void
}

export interface EnginePort {
  /**
   * Submits a command; resolves when it is durable and applied, refusals included. The batch with its events
   * was passed to the listener of `follow` before. Rejects with `EngineFault`; with `DEADLINE_PASSED` if the
   * command would have a time after `deadline`: it was then certainly not carried out, and never will be.
   * `charge` is ignored by an engine; a link counts it before it passes the command on, or rejects with
   * `ORDER_RATE_LIMITED`.
   */
  submit(command: Command, deadline?: TimeMs, charge?: OrderCharge): Promise<Reply>

  /**
   * Like `submit`, for callers with thousands of commands in flight that would otherwise create a promise for
   * each: `receiver` gets the outcome once, in the turn in which it arrives. A command that cannot be
   * submitted fails before this function returns.
   */
  hand(command: Command, receiver: ReplyReceiver, deadline?: TimeMs, charge?: OrderCharge): void

  /**
   * Sends one of the queries of the table (queries.ts); the answer is at least as new as every reply given
   * before. Rejects with `EngineFault`.
   */
  ask<Name extends PortQuery>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>>

  /**
   * Starts a read model: resolves with the state at some command, and from then on passes every later batch
   * to the listener, once each, in order. `onPassed` is called in between, about every second if there are no
   * batches, with a time; no later command has an earlier one. Lasts as long as the port; a reader that may
   * leave earlier uses `subscribe`.
   */
  follow(listener: (batch: EventBatch) => void, onPassed?: (time: TimeMs) => void): Promise<Bootstrap>

  /**
   * Any number of subscribers is allowed, at any time. The returned function ends the subscription: nothing
   * is delivered afterwards.
   */
  subscribe(subscriber: EngineSubscriber): () => void
}

/** One party's side of a trade, as the account's history shows it. */
export type TradeRecord = {
  readonly tradeNumber: TradeNumber
  /** Its number in its symbol, from 1, without gaps; 0 if it is older than such numbers and has none. */
  readonly symbolTrade: number
  readonly time: TimeMs
  readonly symbolId: SymbolId
  readonly side: Side
  /** Whether its order rested; the other order arrived. */
  readonly isMaker: boolean
  readonly orderNumber: OrderNumber
  readonly orderTime: TimeMs
  readonly price: Price
  readonly quantity: Lots
  readonly total: Amount
  readonly commission: Amount
  readonly commissionAssetId: AssetId
}

export type TradePage = {
  /** Newest first. */
  readonly items: readonly TradeRecord[]
  /** Number of records in the whole list. */
  readonly total: number
}

export type TradeQuery = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  /** From 0. */
  readonly page: number
  /** 1 to 1000. */
  readonly size: number
  /** Only trades older than this one. */
  readonly before: TradeNumber | undefined
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

/** Fills of an account, newest first, starting at a given place. */
export type FillQuery = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  /** Only fills of this order. */
  readonly orderNumber: OrderNumber | undefined
  /** Fills at this time or later ... */
  readonly from: TimeMs | undefined
  /** ... and at this time or earlier. */
  readonly to: TimeMs | undefined
  /** Only trades older than this one. */
  readonly before: TradeNumber | undefined
  /**
   * Selects the oldest fills of this trade and later ones, up to the limit, instead of the newest; `next` is
   * then undefined.
   */
  readonly oldestFrom?: TradeNumber | undefined
  /** 1 to `FILLS_MAX`. */
  readonly limit: number
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

/**
 * Maximum number of fills in one page, except that both sides of an account's trade with itself are never
 * separated.
 */
export const FILLS_MAX = 1_000

/**
 * Maximum number of fills read for one page, including those of other orders: at most about 30 ms, in which
 * no other query is answered (`bench/notes`).
 */
export const FILLS_READ_MAX = 2_000

export type FillPage = {
  /** Newest first. */
  readonly fills: readonly TradeRecord[]
  readonly lookedAt: number
  /**
   * The trade before which the next page begins; undefined if there are no more. A page before the end may be
   * empty.
   */
  readonly next: Pick<TradeRecord, 'tradeNumber' | 'time'> | undefined
}

/** Changes of an account's balances, newest first, starting at a given place. */
export type LedgerQuery = {
  readonly accountId: AccountId
  /** Only changes of the balance in this asset. */
  readonly assetId: AssetId | undefined
  readonly from: TimeMs | undefined
  readonly to: TimeMs | undefined
  /** Only entries before this one; the record is returned completely if any of its entries are. */
  readonly before: LedgerPlace | undefined
  /** 1 to `LEDGER_RECORDS_MAX`. */
  readonly limit: number
  readonly atLeast: Seq
}

/** Maximum number of records in one page, and of records read for it. */
export const LEDGER_RECORDS_MAX = 1_000
export const LEDGER_READ_MAX = 2_000

/**
 * The place of an entry in an account's ledger (`ledger-entries.ts`): places rise with time, and never
 * change.
 */
export type LedgerPlace = {
  readonly seq: Seq
  /** 0 if the command made a transfer. */
  readonly tradeNumber: TradeNumber | 0
  /** The index among the entries of one cause, from 0. */
  readonly entry: number
}

/** A change of balances: a complete fill with its commission, or a transfer. */
export type LedgerRecord =
  | {
      readonly kind: 'FILL'
      readonly seq: Seq
      readonly fill: TradeRecord
      /** The balances of the fill's account, right after the fill, without savings. */
      readonly after: { readonly base: Amount; readonly quote: Amount }
    }
  | { readonly kind: 'TRANSFER'; readonly transfer: HistoryTransfer }

export type LedgerPage = {
  /** Newest first. */
  readonly records: readonly LedgerRecord[]
  readonly lookedAt: number
  /**
   * The entry before which the next page begins; undefined if there are no more. A page before the end may be
   * empty.
   */
  readonly next: LedgerPlace | undefined
}

/** The positions of an account with their cost, by asset. */
export type PositionQuery = {
  readonly accountId: AccountId
  /** Only this asset and those with higher numbers. */
  readonly from: AssetId
  /** 1 to `POSITIONS_MAX`. */
  readonly limit: number
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

/** Maximum number of positions in one page. */
export const POSITIONS_MAX = 1_000

export type PositionPage = {
  /** In the order of assets, including those without a remaining quantity. */
  readonly positions: readonly AccountPosition[]
  /** The asset from which the next page begins; undefined if there are no more. */
  readonly next: AssetId | undefined
}

export type AccountPosition = AssetPosition & {
  /**
   * The market in which the asset is valued, and the price of its last trade, 0 if there was none; undefined
   * if the asset is the base of no market.
   */
  readonly own: { readonly symbolId: SymbolId; readonly lastPrice: Price } | undefined
}

/** Orders of an account, newest first by placement, starting at a given place. */
export type OrderQuery = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  /** Orders placed at this time or later ... */
  readonly from: TimeMs | undefined
  /** ... and at this time or earlier. */
  readonly to: TimeMs | undefined
  /** Only orders older than this one. */
  readonly before: OrderNumber | undefined
  /**
   * Selects the oldest orders from this one on, up to the limit, instead of the newest; `next` is then
   * undefined.
   */
  readonly oldestFrom?: OrderNumber | undefined
  /** 1 to `ORDERS_MAX`. */
  readonly limit: number
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

/** Maximum number of orders in one page, and in one query. */
export const ORDERS_MAX = 1_000

export type OrderPage = {
  /** Newest first. */
  readonly orders: readonly HistoryOrder[]
  /** The order before which the next page begins; undefined if there are no more. */
  readonly next: Pick<HistoryOrder, 'orderNumber' | 'time'> | undefined
}

export type NumberedOrdersQuery = {
  /** At most `ORDERS_MAX`. */
  readonly orderNumbers: readonly OrderNumber[]
  readonly atLeast: Seq
}

/** A command of an operator, as in the journal, and its answer. */
export type OperatorAction = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly command: OperatorCommand
  readonly reply: Reply
  /** The account concerned, if it follows from the command or its effects. */
  readonly accountId?: AccountId | undefined
}

/** The reference of a transfer, if the command has one. */
export function referenceOf(command: OperatorCommand): string | undefined {
  return 'reference' in command ? command.reference : undefined
}

export type OperatorActionQuery = {
  /** Only actions before this command. */
  readonly before: Seq | undefined
  /** 1 to `OPERATOR_ACTIONS_MAX`. */
  readonly limit: number
  readonly actor: string | undefined
  readonly kind: OperatorCommand['kind'] | undefined
  /** Only commands that concern this account; `actor` must then be absent. */
  readonly accountId?: AccountId | undefined
  /** Only the transfer with this reference; then `before`, `actor` and `accountId` are absent. */
  readonly reference?: string | undefined
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

/** Events, oldest first, starting at a given number (docs/reference/events.md). */
export type EventQuery = {
  /** Only events with a higher number. */
  readonly after: number
  /** Nothing from later commands; the answer includes at least the whole journal up to this command. */
  readonly upTo: Seq
  /** 1 to `EVENTS_MAX`. */
  readonly limit: number
  /** Undefined for every kind. */
  readonly kinds: readonly EventKind[] | undefined
  /** Only events that concern this account. */
  readonly accountId: AccountId | undefined
}

/** Maximum number of events read for one page. */
export const EVENTS_READ_MAX = 2_000

export type EventPage = {
  readonly kind: 'PAGE'
  /** Oldest first; may be empty although there are more. */
  readonly events: readonly FeedEvent[]
  /** The number after which the next page begins: the number of the last event read, or `end`. */
  readonly next: number
  /** No event up to `upTo` has a higher number, and every later one has. */
  readonly end: number
}

/** `TOO_NEW`: the requested number is above `end`, so it does not belong to this journal. */
export type EventsAnswer = EventPage | { readonly kind: 'TOO_NEW'; readonly end: number }

/** Facts that operators' commands caused, newest first, starting at a given number. */
export type PastEventQuery = {
  /** Only events with a lower number; undefined for the newest. */
  readonly before: number | undefined
  /** Each kind once; trades are not among them (`fills` has those). */
  readonly kinds: readonly FactKind[]
  /** Only events that concern this account. */
  readonly accountId: AccountId | undefined
  /** 1 to `EVENTS_MAX`. */
  readonly limit: number
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

export type PastEventPage = {
  /** Newest first. */
  readonly events: readonly NumberedEvent[]
  /** The number before which the next page begins; undefined if there are no more. */
  readonly next: number | undefined
}

/**
 * Candles of a base width in the windows that had trades; all other intervals are made from them
 * (`candles/read-candles.ts`).
 */
export type CandleQuery = {
  readonly symbolId: SymbolId
  readonly width: CandleWidth
  /** Candles that begin at this time or later ... */
  readonly from: TimeMs
  /** ... and before this time. */
  readonly before: TimeMs
  /** 1 to `STORED_CANDLES_MAX`. */
  readonly limit: number
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

/** Maximum number of candles in one answer: some milliseconds, in which no other query is answered. */
export const STORED_CANDLES_MAX = 1_000

export type CandlePage = StoredCandles & {
  /** The last command whose trades may be in the candles. */
  readonly seq: Seq
}

export type StoredCandles = {
  /** Newest first. */
  readonly candles: readonly Candle[]
  /** The next older candle, even if it begins before `from`. */
  readonly earlier: Candle | undefined
  /** The beginning of the oldest candle of this width; undefined if the symbol has never had a trade. */
  readonly first: TimeMs | undefined
}

/**
 * The changes of one account by one command, with the values right after it, as the private feed shows them.
 * There is at most one update for each command and account.
 */
export type AccountUpdate = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly accountId: AccountId
  /** Orders concerned by the command that are open after it. */
  readonly open: readonly OpenOrder[]
  /** Orders that the command ended. */
  readonly ended: readonly HistoryOrder[]
  /** Oldest first; in a trade of the account with itself, the maker's fill comes first. */
  readonly fills: readonly TradeRecord[]
  /** The balances of the assets concerned. */
  readonly balances: readonly Balance[]
}

/** The updates of one account after a command. */
export type UpdatesAfter = { readonly accountId: AccountId; readonly after: Seq }

/** For several accounts; at most `UPDATE_ACCOUNTS_MAX`. */
export type UpdatesQuery = {
  readonly accounts: readonly UpdatesAfter[]
  /**
   * The answer includes at least the whole journal up to this command, unless `upTo` shows that it ends
   * earlier.
   */
  readonly atLeast: Seq
}

/**
 * Oldest first: all updates of the account after the requested command, up to and including command `upTo`.
 */
export type AccountUpdates = { readonly updates: readonly AccountUpdate[]; readonly upTo: Seq }

/** `TOO_OLD`: the requested updates are no longer kept. */
export type UpdatesAnswer = AccountUpdates | 'TOO_OLD'
