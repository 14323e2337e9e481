/**
 * The queries to the history, each declared once: its parameters, its answer, the command that the answer
 * must include, and the encoding of its answer between threads, if there is one. Ports, transport and all
 * layers in between pass on every query of this table without interpreting it; a store answers each query.
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
 * The encoding of an answer that is sent between threads as often as orders are: objects of many fields cost
 * more to copy.
 */
type AnswerBytes<Value> = {
  /** `writer` is reused. */
  readonly write: (writer: ByteWriter, value: Value) => Uint8Array<ArrayBuffer>
  /** Throws `BytesFault`. */
  readonly read: (bytes: Uint8Array) => Value
}

type Question<Fields, Value> = {
  /** The answer includes at least the whole journal up to this command. */
  readonly shows: (fields: Fields) => Seq
  /** Undefined if the answer is sent as a plain value. */
  readonly bytes?: AnswerBytes<Value>
  /** Never present at run time: `fields` and `value` only have types. */
  readonly fields?: Fields
  readonly value?: Value
}

function question<Fields extends { readonly atLeast: Seq }, Value>(
  bytes?: AnswerBytes<Value>,
): Question<Fields, Value> {
  return { shows: ({ atLeast }) => atLeast, ...(bytes === undefined ? {} : { bytes }) }
}

/** Limited to the effects of commands up to `upTo`: the answer contains nothing later. */
function questionUpTo<Fields extends { readonly upTo: Seq }, Value>(): Question<Fields, Value> {
  return { shows: ({ upTo }) => upTo }
}

export const HISTORY_QUESTIONS = {
  /**
   * A page of an account's trades, newest first. Of two records of one trade (both parties are the same
   * account), the taker's comes first.
   */
  trades: question<TradeQuery, TradePage>(),
  /** Fills of an account, newest first; of one trade, the taker's fill comes first. */
  fills: question<FillQuery, FillPage>(),
  /** Changes of an account's balances, newest first. */
  ledger: question<LedgerQuery, LedgerPage>(),
  /** The positions of an account with their cost, in the order of assets. */
  positions: question<PositionQuery, PositionPage>(),
  /** Orders of an account, newest first. */
  orders: question<OrderQuery, OrderPage>(),
  /**
   * Those of at most `ORDERS_MAX` requested orders that exist, of any account, in the order of the request.
   */
  numberedOrders: question<NumberedOrdersQuery, readonly HistoryOrder[]>(),
  /** The newest `limit` trades of a symbol up to and including command `upTo`, newest first. */
  recentTrades: questionUpTo<RecentTradesQuery, readonly PublicTrade[]>(),
  /** Trades of a symbol by their numbers in it, oldest first; trades without a number are left out. */
  symbolTrades: questionUpTo<NumberedRange, readonly PublicTrade[]>(),
  /** Aggregates of a symbol by their numbers, oldest first. */
  aggregateTrades: questionUpTo<NumberedRange, readonly AggregateTrade[]>(),
  /** The candles of a symbol. */
  candles: question<CandleQuery, CandlePage>(),
  /** Changes of accounts by commands: one answer for each account, in the order of the request. */
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
 * `limit` records that match, otherwise the newest.
 */
export type NumberedRange = {
  readonly symbolId: SymbolId
  /** This number or higher. */
  readonly first: number | undefined
  /** Only records at this time or later; undefined for no limit. */
  readonly from: TimeMs | undefined
  /** Only records at this time or earlier; undefined for no limit. */
  readonly to: TimeMs | undefined
  /** 1 to `RECENT_TRADES_MAX`. */
  readonly limit: number
  readonly upTo: Seq
}

/** Consecutive trades of one arriving order at one price. */
export type AggregateTrade = {
  /** In its symbol, from 1, without gaps. */
  readonly number: number
  /** The number of the aggregate's first trade in the symbol. */
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

/** Each query as a call, answered with its value or as `Sent`. */
export type HistoryCalls<Sent> = {
  readonly [Name in HistoryName]: (fields: HistoryFields<Name>) => Promise<HistoryValue<Name> | Sent>
}

/** Calls reject with `EngineFault`, or with `JournalFault` if the history cannot be read. */
export type HistoryPort = HistoryCalls<never>

type AskHistory<Sent> = <Name extends HistoryName>(
  name: Name,
  fields: HistoryFields<Name>,
) => Promise<HistoryValue<Name> | Sent>

/** The queries to a store, without the required command, which the store has reached by then. */
export type HistoryRange<Name extends HistoryName> = Omit<HistoryFields<Name>, 'atLeast'>

/** The answers of a store that has reached the required command. */
export type HistoryAnswers = {
  readonly [Name in HistoryName]: (range: HistoryRange<Name>) => Promise<HistoryValue<Name>>
}

/** The port that sends each query by its name. */
export function historyPort(ask: AskHistory<never>): HistoryPort {
  return historyCalls<never>(ask)
}

/** The calls, with answers that may have another form. */
export function historyCalls<Sent>(ask: AskHistory<Sent>): HistoryCalls<Sent> {
  const asking = <Name extends HistoryName>(name: Name) => {
    return async (fields: HistoryFields<Name>) => ask(name, fields)
  }
  return Object.fromEntries(HISTORY_NAMES.map((name) => [name, asking(name)])) as HistoryCalls<Sent>
}

/**
 * The port of a store that is queried only after `reach` resolves for the command that the answer must
 * include.
 */
export function reachedHistory(store: HistoryAnswers, reach: (seq: Seq) => Promise<void>): HistoryPort {
  return historyPort(async (name, fields) => {
    await reach(shownBy(name, fields))
    return store[name](fields)
  })
}

/** The command that the answer must include. */
export function shownBy<Name extends HistoryName>(name: Name, fields: HistoryFields<Name>): Seq {
  return ROWS[name].shows(fields)
}

/** An answer as it is sent between threads. */
export function sentAnswer<Name extends HistoryName>(
  writer: ByteWriter,
  name: Name,
  value: HistoryValue<Name>,
): HistoryValue<Name> | Uint8Array {
  const { bytes } = ROWS[name]
  return bytes === undefined ? value : bytes.write(writer, value)
}

/** An answer that arrived as bytes. Throws `BytesFault`. */
export function receivedAnswer<Name extends HistoryName>(name: Name, bytes: Uint8Array): HistoryValue<Name> {
  const form = ROWS[name].bytes
  if (form === undefined) throw new BytesFault(`an answer to ${name} has no bytes of its own`)
  return form.read(bytes)
}
