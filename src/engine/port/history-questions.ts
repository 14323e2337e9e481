/**
 * The questions to the history, each declared once: its parameters, its answer, the command that the answer
 * must include, and its bytes between threads if it has any. Ports, transport and all layers in between carry
 * every question of this table without interpreting it; a store answers each of them.
 */
import type { PublicTrade } from '../../core/questions/view.ts'
import { BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { HistoryOrder } from '../history/order-history.ts'
import { readUpdatesAnswers, writeUpdatesAnswers } from '../history/update-answer-codec.ts'
import type {
  CandlePage,
  CandleQuery,
  EventQuery,
  EventsAnswer,
  FillPage,
  FillQuery,
  LedgerPage,
  LedgerQuery,
  NumberedOrdersQuery,
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
  UpdatesAnswer,
  UpdatesQuery,
} from './ports.ts'

/**
 * The bytes of an answer that crosses threads at the rate of orders: objects of many fields cost more to
 * copy.
 */
type AnswerBytes<Value> = {
  /** `writer` is used again and again. */
  readonly write: (writer: ByteWriter, value: Value) => Uint8Array<ArrayBuffer>
  /** Throws `BytesFault`. */
  readonly read: (bytes: Uint8Array) => Value
}

type Question<Fields, Value> = {
  /** The answer includes at least the whole journal up to this command. */
  readonly shows: (fields: Fields) => Seq
  /** Undefined if the answer is sent as a plain value. */
  readonly bytes?: AnswerBytes<Value>
  /** Never present: both carry a type. */
  readonly fields?: Fields
  readonly value?: Value
}

function question<Fields extends { readonly atLeast: Seq }, Value>(
  bytes?: AnswerBytes<Value>,
): Question<Fields, Value> {
  return { shows: ({ atLeast }) => atLeast, ...(bytes === undefined ? {} : { bytes }) }
}

/** Limited to the effects of commands up to one: the answer contains nothing later. */
function questionUpTo<Fields extends { readonly upTo: Seq }, Value>(): Question<Fields, Value> {
  return { shows: ({ upTo }) => upTo }
}

export const HISTORY_QUESTIONS = {
  /**
   * A page of an account's trades, newest first. Two records of one trade (its parties the same account):
   * taker's first.
   */
  trades: question<TradeQuery, TradePage>(),
  /** Fills of an account, newest first; of one trade, taker's first. */
  fills: question<FillQuery, FillPage>(),
  /** Changes of an account's balances, newest first. */
  ledger: question<LedgerQuery, LedgerPage>(),
  /** The positions of an account with their cost, in the order of assets. */
  positions: question<PositionQuery, PositionPage>(),
  /** Orders of an account, newest first. */
  orders: question<OrderQuery, OrderPage>(),
  /**
   * The existing ones of at most `ORDERS_MAX` named orders, of any account, in the order in which they are
   * named.
   */
  numberedOrders: question<NumberedOrdersQuery, readonly HistoryOrder[]>(),
  /** The newest `limit` trades of a symbol up to and including command `upTo`, newest first. */
  recentTrades: questionUpTo<RecentTradesQuery, readonly PublicTrade[]>(),
  /** Trades of a symbol by their numbers in it, oldest first; those without a number are not among them. */
  symbolTrades: questionUpTo<NumberedRange, readonly PublicTrade[]>(),
  /** Aggregates of a symbol by their numbers, oldest first. */
  aggregateTrades: questionUpTo<NumberedRange, readonly AggregateTrade[]>(),
  /** The candles of a symbol. */
  candles: question<CandleQuery, CandlePage>(),
  /** Changes of accounts by commands, an answer for each, in the order in which they are named. */
  updates: question<UpdatesQuery, readonly UpdatesAnswer[]>({
    write: writeUpdatesAnswers,
    read: readUpdatesAnswers,
  }),
  /** Operators' actions, newest first. */
  operatorActions: question<OperatorActionQuery, readonly OperatorAction[]>(),
  /** Events, oldest first. */
  events: questionUpTo<EventQuery, EventsAnswer>(),
  /** Facts besides trades, newest first. */
  pastEvents: question<PastEventQuery, PastEventPage>(),
} as const

export type RecentTradesQuery = {
  readonly symbolId: SymbolId
  /** At most `RECENT_TRADES_MAX`. */
  readonly limit: number
  readonly upTo: Seq
}

/**
 * A range of records that are numbered in a symbol, from 1 without gaps: with `first` or `from` the oldest
 * `limit` that fit, otherwise the newest.
 */
export type NumberedRange = {
  readonly symbolId: SymbolId
  /** This number or higher. */
  readonly first: number | undefined
  /** At this time or later ... */
  readonly from: TimeMs | undefined
  /** ... and at this time or earlier. */
  readonly to: TimeMs | undefined
  /** 1 to `RECENT_TRADES_MAX`. */
  readonly limit: number
  readonly upTo: Seq
}

/** Consecutive trades of one arriving order at one price. */
export type AggregateTrade = {
  /** In its symbol, from 1, without gaps. */
  readonly number: number
  /** The numbers of its first and its last trade in their symbol. */
  readonly firstTrade: number
  readonly lastTrade: number
  readonly price: Price
  readonly quantity: Lots
  readonly time: TimeMs
  /** The side of the arriving order. */
  readonly takerSide: Side
}

type Questions = typeof HISTORY_QUESTIONS
export type HistoryName = keyof Questions
export type HistoryFields<Name extends HistoryName> = Required<Questions[Name]>['fields']
export type HistoryValue<Name extends HistoryName> = Required<Questions[Name]>['value']

const ROWS: { readonly [Name in HistoryName]: Question<HistoryFields<Name>, HistoryValue<Name>> } =
  HISTORY_QUESTIONS

/** In the order of the table. */
export const HISTORY_NAMES = Object.keys(HISTORY_QUESTIONS) as readonly HistoryName[]

/** Each question as a call, answered with its value or as `Sent`. */
export type HistoryCalls<Sent> = {
  readonly [Name in HistoryName]: (fields: HistoryFields<Name>) => Promise<HistoryValue<Name> | Sent>
}

/** Calls reject with `EngineFault`, or with `JournalFault` if the history cannot be read. */
export type HistoryPort = HistoryCalls<never>

type AskHistory<Sent> = <Name extends HistoryName>(
  name: Name,
  fields: HistoryFields<Name>,
) => Promise<HistoryValue<Name> | Sent>

/** The questions to a store: the required command is included by then. */
export type HistoryRange<Name extends HistoryName> = Omit<HistoryFields<Name>, 'atLeast'>

/** The questions to a store that has reached the required command. */
export type HistoryAnswers = {
  readonly [Name in HistoryName]: (range: HistoryRange<Name>) => Promise<HistoryValue<Name>>
}

/** The port that asks each question by its name. */
export function historyPort(ask: AskHistory<never>): HistoryPort {
  return historyCalls<never>(ask)
}

/** The port with answers that may have another form. */
export function historyCalls<Sent>(ask: AskHistory<Sent>): HistoryCalls<Sent> {
  const asking = <Name extends HistoryName>(name: Name) => {
    return async (fields: HistoryFields<Name>) => ask(name, fields)
  }
  return Object.fromEntries(HISTORY_NAMES.map((name) => [name, asking(name)])) as HistoryCalls<Sent>
}

/** The port of a store that is asked once `reach` has resolved with the command that the answer must show. */
export function reachedHistory(store: HistoryAnswers, reach: (seq: Seq) => Promise<void>): HistoryPort {
  return historyPort(async (name, fields) => {
    await reach(shownBy(name, fields))
    return store[name](fields)
  })
}

/** The command that the answer must show. */
export function shownBy<Name extends HistoryName>(name: Name, fields: HistoryFields<Name>): Seq {
  return ROWS[name].shows(fields)
}

/** An answer as it crosses threads. */
export function sentAnswer<Name extends HistoryName>(
  writer: ByteWriter,
  name: Name,
  value: HistoryValue<Name>,
): HistoryValue<Name> | Uint8Array {
  const { bytes } = ROWS[name]
  return bytes === undefined ? value : bytes.write(writer, value)
}

/** An answer that has come as bytes. Throws `BytesFault`. */
export function receivedAnswer<Name extends HistoryName>(name: Name, bytes: Uint8Array): HistoryValue<Name> {
  const form = ROWS[name].bytes
  if (form === undefined) throw new BytesFault(`an answer to ${name} has no bytes of its own`)
  return form.read(bytes)
}
