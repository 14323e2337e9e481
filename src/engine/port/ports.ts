/**
 * What a gateway may ask of an engine, whether it runs in another thread or on another machine. Drivers carry
 * these calls; the gateway knows nothing else of the engine.
 */
import type { Command, OperatorCommand } from '../../core/exchange/command.ts'
import type { EventBatch } from '../../core/exchange/event.ts'
import type { Reply } from '../../core/exchange/reply.ts'
import type { Balance, Bootstrap, OpenOrder, PublicTrade } from '../../core/exchange/view.ts'
import type { Candle } from '../../units/candle.ts'
import type { EventKind } from '../../units/event-words.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { Side } from '../../units/order-words.ts'
import type { Amount, Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { CandleWidth } from '../history/candles/base-widths.ts'
import type { FactKind, FeedEvent, NumberedEvent } from '../history/numbered-events.ts'
import type { HistoryOrder } from '../history/order-history.ts'
import type { AssetPosition } from '../history/positions/position.ts'
import type { QueryFields, QueryName, QueryValue } from './queries.ts'
import type { HistoryTransfer } from './transfer.ts'

/** What a gateway may ask by name; a bootstrap comes with following alone. */
export type PortQuery = Exclude<QueryName, 'bootstrap'>

/** Who waits for what became of a command. Neither may throw: other answers come behind. */
export interface ReplyReceiver {
  replied(reply: Reply): void
  /** `EngineFault`, or what a bug threw: then nobody knows. */
  failed(fault: unknown): void
  /** The reply has come after all, behind a fault that says `OUTCOME_UNKNOWN`. Undefined: nobody waits for that. */
  readonly late?: ((reply: Reply) => void) | undefined
}

/**
 * Who is given what happens, in the turns in which it comes from the engine: first the state at some command, then every batch after
 * it, once each and in order. None of these may throw: others are given the same behind.
 */
export interface EngineSubscriber {
  started(bootstrap: Bootstrap): void
  /** Before any reply to a command of the batch is given. */
  batch(batch: EventBatch): void
  /** Between them, about every second where none comes: no later command is dated before `time`. */
  passed(time: TimeMs): void
  /** `EngineFault`: the state could not be had, and nothing comes. */
  failed(fault: unknown): void
}

export interface EnginePort {
  /**
   * Hands a command over; resolves when it is durable and applied, refusals included. The batch with its events
   * has been given to `follow`'s listener before. Rejects with `EngineFault`; with `DEADLINE_PASSED` where the command would be
   * dated after `deadline`, and then it was certainly not done, and never will be. `charge`: of no concern to an engine; a link counts it
   * before it hands the command on, or rejects with `ORDER_RATE_LIMITED`.
   */
  submit(command: Command, deadline?: TimeMs, charge?: OrderCharge): Promise<Reply>

  /**
   * As `submit`, for callers that have thousands of commands under way and would make a promise for each: `receiver` is given the
   * outcome in the turn in which it comes, once. What cannot be handed over fails before this returns.
   */
  hand(command: Command, receiver: ReplyReceiver, deadline?: TimeMs, charge?: OrderCharge): void

  /**
   * Asks one of the questions of the table (queries.ts); the answer is at least as new as every reply given before.
   * Rejects with `EngineFault`.
   */
  ask<Name extends PortQuery>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>>

  /**
   * Starts a read model: resolves with the state at some command, and from then on gives the listener every
   * batch after that one, once each, in order. `onPassed` is told between them, about every second where none comes, that no later
   * command is dated before a time. For a port's whole life; whoever may leave before subscribes.
   */
  follow(listener: (batch: EventBatch) => void, onPassed?: (time: TimeMs) => void): Promise<Bootstrap>

  /** Any number may subscribe, at any time. What is returned ends it: from then on nothing is given. */
  subscribe(subscriber: EngineSubscriber): () => void
}

/** One party's side of a trade, as its history shows it. */
export type TradeRecord = {
  readonly tradeNumber: TradeNumber
  readonly time: TimeMs
  readonly symbolId: SymbolId
  readonly side: Side
  /** Its order rested; the other one arrived. */
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
  /** How many records the whole list has. */
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
  /** The answer shows at least all that the journal holds up to here. */
  readonly atLeast: Seq
}

/** Fills of an account, newest first, from a place on. */
export type FillQuery = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  /** Those of this order alone. */
  readonly orderNumber: OrderNumber | undefined
  /** Those at this time or later ... */
  readonly from: TimeMs | undefined
  /** ... and at this time or earlier. */
  readonly to: TimeMs | undefined
  /** Only trades older than this one. */
  readonly before: TradeNumber | undefined
  /** 1 to `FILLS_MAX`. */
  readonly limit: number
  /** The answer shows at least all that the journal holds up to here. */
  readonly atLeast: Seq
}

/** Most fills of one page, but that both sides of a trade with oneself are never parted. */
export const FILLS_MAX = 1_000

/** Most fills that are looked at for one page, those of other orders included: at most some 30 ms, in which no other question is answered (`bench/NOTES.md`). */
export const FILLS_LOOKED_AT_MAX = 2_000

export type FillPage = {
  /** Newest first. */
  readonly fills: readonly TradeRecord[]
  readonly lookedAt: number
  /** The trade before which to go on; undefined: there are no more. A page before the end may be empty. */
  readonly next: Pick<TradeRecord, 'tradeNumber' | 'time'> | undefined
}

/** What changed the balances of an account, newest first, from a place on. */
export type LedgerQuery = {
  readonly accountId: AccountId
  /** What changed the balance of this asset alone. */
  readonly assetId: AssetId | undefined
  readonly from: TimeMs | undefined
  readonly to: TimeMs | undefined
  /** Only entries before this one; its record is given whole if any of its entries are. */
  readonly before: LedgerPlace | undefined
  /** 1 to `LEDGER_RECORDS_MAX`. */
  readonly limit: number
  readonly atLeast: Seq
}

/** Most records of one page, and most that are looked at for it. */
export const LEDGER_RECORDS_MAX = 1_000
export const LEDGER_LOOKED_AT_MAX = 2_000

/** An entry of an account's ledger (`ledger-entries.ts`): places rise with time, and hold for ever. */
export type LedgerPlace = {
  readonly seq: Seq
  /** 0: the command made a transfer. */
  readonly tradeNumber: TradeNumber | 0
  /** Within what they caused, from 0. */
  readonly entry: number
}

/** What changed balances: a fill, whole with its commission, or a transfer. */
export type LedgerRecord =
  | {
      readonly kind: 'FILL'
      readonly seq: Seq
      readonly fill: TradeRecord
      /** Of the fill's account, right after it, without savings. */
      readonly after: { readonly base: Amount; readonly quote: Amount }
    }
  | { readonly kind: 'TRANSFER'; readonly transfer: HistoryTransfer }

export type LedgerPage = {
  /** Newest first. */
  readonly records: readonly LedgerRecord[]
  readonly lookedAt: number
  /** The entry before which to go on; undefined: there are no more. A page before the end may be empty. */
  readonly next: LedgerPlace | undefined
}

/** What an account has and what that cost, by asset. */
export type PositionQuery = {
  readonly accountId: AccountId
  /** Of this asset and those with higher numbers. */
  readonly from: AssetId
  /** 1 to `POSITIONS_MAX`. */
  readonly limit: number
  /** The answer shows at least all that the journal holds up to here. */
  readonly atLeast: Seq
}

/** Most positions of one page. */
export const POSITIONS_MAX = 1_000

export type PositionPage = {
  /** In the order of assets, also those of which nothing is left. */
  readonly positions: readonly AccountPosition[]
  /** The asset from which to go on; undefined: there are no more. */
  readonly next: AssetId | undefined
}

export type AccountPosition = AssetPosition & {
  /** The market that the asset is valued in, and the price of its last trade, 0: there was none; undefined: the asset is the base of no market. */
  readonly own: { readonly symbolId: SymbolId; readonly lastPrice: Price } | undefined
}

/** Orders of an account, newest first by placement, from a place on. */
export type OrderQuery = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  /** Those placed at this time or later ... */
  readonly from: TimeMs | undefined
  /** ... and at this time or earlier. */
  readonly to: TimeMs | undefined
  /** Only orders older than this one. */
  readonly before: OrderNumber | undefined
  /** 1 to `ORDERS_MAX`. */
  readonly limit: number
  /** The answer shows at least all that the journal holds up to here. */
  readonly atLeast: Seq
}

/** Most orders of one page, and that one question names. */
export const ORDERS_MAX = 1_000

export type OrderPage = {
  /** Newest first. */
  readonly orders: readonly HistoryOrder[]
  /** The order before which to go on; undefined: there are no more. */
  readonly next: Pick<HistoryOrder, 'orderNumber' | 'time'> | undefined
}

export type NumberedOrdersQuery = {
  /** At most `ORDERS_MAX`. */
  readonly orderNumbers: readonly OrderNumber[]
  readonly atLeast: Seq
}

/** A command of an operator, as the journal has it, and what was answered. */
export type OperatorAction = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly command: OperatorCommand
  readonly reply: Reply
  /** Whom it concerns, where that follows from it or from what it has caused. */
  readonly accountId?: AccountId | undefined
}

/** What a transfer is known by, where the command names one. */
export function referenceOf(command: OperatorCommand): string | undefined {
  return 'reference' in command ? command.reference : undefined
}

export type OperatorActionQuery = {
  /** Only those before this command. */
  readonly before: Seq | undefined
  /** 1 to `OPERATOR_ACTIONS_MAX`. */
  readonly limit: number
  readonly actor: string | undefined
  readonly kind: OperatorCommand['kind'] | undefined
  /** What concerns this account alone; then `actor` is not given. */
  readonly accountId?: AccountId | undefined
  /** Of the transfer with this reference alone; then neither of the three above is given. */
  readonly reference?: string | undefined
  /** The answer shows at least all that the journal holds up to here. */
  readonly atLeast: Seq
}

/** What happened, oldest first, from a number on (docs/reference/events.md). */
export type EventQuery = {
  /** Only what has a higher number. */
  readonly after: number
  /** Nothing of later commands; the answer shows at least all that the journal holds up to here. */
  readonly upTo: Seq
  /** 1 to `EVENTS_MAX`. */
  readonly limit: number
  /** Undefined: every kind. */
  readonly kinds: readonly EventKind[] | undefined
  /** What concerns this account alone. */
  readonly accountId: AccountId | undefined
}

/** Most events that are looked at for one page. */
export const EVENTS_LOOKED_AT_MAX = 2_000

export type EventPage = {
  readonly kind: 'PAGE'
  /** Oldest first; may be none although there are more. */
  readonly events: readonly FeedEvent[]
  /** After which to go on: that of the last one that was looked at, or `end`. */
  readonly next: number
  /** No event up to `upTo` has a higher number, and every later one has. */
  readonly end: number
}

/** `TOO_NEW`: the number asked for is above `end`, so that it is not of this journal. */
export type EventsAnswer = EventPage | { readonly kind: 'TOO_NEW'; readonly end: number }

/** Facts that operators' commands caused, newest first, from a number on. */
export type PastEventQuery = {
  /** Only what has a lower number; undefined: the newest. */
  readonly before: number | undefined
  /** Each once; trades are not among them (`fills` has those). */
  readonly kinds: readonly FactKind[]
  /** What concerns this account alone. */
  readonly accountId: AccountId | undefined
  /** 1 to `EVENTS_MAX`. */
  readonly limit: number
  /** The answer shows at least all that the journal holds up to here. */
  readonly atLeast: Seq
}

export type PastEventPage = {
  /** Newest first. */
  readonly events: readonly NumberedEvent[]
  /** The number before which to go on; undefined: there are no more. */
  readonly next: number | undefined
}

/** Candles of a base width in the windows that had trades; all other intervals are made of them (`candles/read-candles.ts`). */
export type CandleQuery = {
  readonly symbolId: SymbolId
  readonly width: CandleWidth
  /** Those that begin here or later ... */
  readonly from: TimeMs
  /** ... and before this. */
  readonly before: TimeMs
  /** 1 to `STORED_CANDLES_MAX`. */
  readonly limit: number
  /** The answer shows at least all that the journal holds up to here. */
  readonly atLeast: Seq
}

/** Most candles in one answer: some milliseconds, in which no other question is answered. */
export const STORED_CANDLES_MAX = 1_000

export type CandlePage = StoredCandles & {
  /** The last command whose trades are in them, of all that may be. */
  readonly seq: Seq
}

export type StoredCandles = {
  /** Newest first. */
  readonly candles: readonly Candle[]
  /** The next older one, also where it begins before `from`. */
  readonly earlier: Candle | undefined
  /** When the oldest candle of this width begins; undefined: the symbol never had a trade. */
  readonly first: TimeMs | undefined
}

/** What one command changed for one account, as it is right after it: what the private feed shows. At most one for each command and account. */
export type AccountUpdate = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly accountId: AccountId
  /** Orders that it concerned and that are open after it. */
  readonly open: readonly OpenOrder[]
  /** Orders that it has ended. */
  readonly ended: readonly HistoryOrder[]
  /** Oldest first; of a trade with oneself the maker's comes first. */
  readonly fills: readonly TradeRecord[]
  /** Of the assets that it concerned. */
  readonly balances: readonly Balance[]
}

/** The updates of one account after a command. */
export type UpdatesAfter = { readonly accountId: AccountId; readonly after: Seq }

/** Of several accounts; at most `UPDATE_ACCOUNTS_MAX`. */
export type UpdatesQuery = {
  readonly accounts: readonly UpdatesAfter[]
  /** The answer shows at least all that the journal holds up to here, as far as it does not say otherwise in `upTo`. */
  readonly atLeast: Seq
}

/** Oldest first: all of the account after the command asked for, up to and including command `upTo`. */
export type AccountUpdates = { readonly updates: readonly AccountUpdate[]; readonly upTo: Seq }

/** `TOO_OLD`: what is asked for is not kept any more. */
export type UpdatesAnswer = AccountUpdates | 'TOO_OLD'

export interface HistoryPort {
  /** Newest first. */
  operatorActions(query: OperatorActionQuery): Promise<readonly OperatorAction[]>

  events(query: EventQuery): Promise<EventsAnswer>

  /** Newest first. */
  pastEvents(query: PastEventQuery): Promise<PastEventPage>

  trades(query: TradeQuery): Promise<TradePage>

  fills(query: FillQuery): Promise<FillPage>

  ledger(query: LedgerQuery): Promise<LedgerPage>

  positions(query: PositionQuery): Promise<PositionPage>

  orders(query: OrderQuery): Promise<OrderPage>

  /** Those of the orders named that there are, whoever's, in the order in which they are named. */
  numberedOrders(query: NumberedOrdersQuery): Promise<readonly HistoryOrder[]>

  /** The newest `limit` trades of a symbol up to and including command `upTo`, newest first. */
  recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]>

  candles(query: CandleQuery): Promise<CandlePage>

  /** What commands changed for accounts, an answer for each, in the order in which they are named. */
  updates(query: UpdatesQuery): Promise<readonly UpdatesAnswer[]>
}
