/**
 * What a gateway may ask of the history, as it travels, and the follower's end of it. A question names the command that
 * its answer must show, and waits until the history has reached it.
 */

import type { PublicTrade } from '../../core/exchange/view.ts'
import type { WaitingList } from '../../engine/follower/waiting.ts'
import type { HistoryStore } from '../../engine/history/history.ts'
import type { HistoryOrder } from '../../engine/history/order-history.ts'
import { writeUpdatesAnswers } from '../../engine/history/update-answer-codec.ts'
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
} from '../../engine/port/ports.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import { answerQuestions, type Channel } from './channel.ts'

export type HistoryQuestions = {
  readonly trades: { readonly fields: TradeQuery; readonly value: TradePage }
  readonly fills: { readonly fields: FillQuery; readonly value: FillPage }
  readonly ledger: { readonly fields: LedgerQuery; readonly value: LedgerPage }
  readonly positions: { readonly fields: PositionQuery; readonly value: PositionPage }
  readonly orders: { readonly fields: OrderQuery; readonly value: OrderPage }
  readonly numberedOrders: {
    readonly fields: NumberedOrdersQuery
    readonly value: readonly HistoryOrder[]
  }
  readonly recentTrades: {
    readonly fields: { readonly symbolId: SymbolId; readonly limit: number; readonly upTo: Seq }
    readonly value: readonly PublicTrade[]
  }
  readonly candles: { readonly fields: CandleQuery; readonly value: CandlePage }
  /** Bytes from a thread (`update-answer-codec.ts`); over a link they are plain values, as all else. */
  readonly updates: { readonly fields: UpdatesQuery; readonly value: readonly UpdatesAnswer[] | Uint8Array }
  readonly operatorActions: {
    readonly fields: OperatorActionQuery
    readonly value: readonly OperatorAction[]
  }
  readonly events: { readonly fields: EventQuery; readonly value: EventsAnswer }
  readonly pastEvents: { readonly fields: PastEventQuery; readonly value: PastEventPage }
}

/** Answers the gateway at the other end of `channel`. */
export function serveHistory(channel: Channel, store: HistoryStore, waiting: WaitingList): void {
  const writer = new ByteWriter()
  answerQuestions<HistoryQuestions>(channel, {
    trades: async (query) => {
      await waiting.reach(query.atLeast)
      return store.page(query)
    },
    fills: async (query) => {
      await waiting.reach(query.atLeast)
      return store.fills(query)
    },
    ledger: async (query) => {
      await waiting.reach(query.atLeast)
      return store.ledger(query)
    },
    positions: async (query) => {
      await waiting.reach(query.atLeast)
      return store.positions(query)
    },
    orders: async (query) => {
      await waiting.reach(query.atLeast)
      return store.orders(query)
    },
    numberedOrders: async ({ orderNumbers, atLeast }) => {
      await waiting.reach(atLeast)
      return store.numberedOrders(orderNumbers)
    },
    recentTrades: async ({ symbolId, limit, upTo }) => {
      await waiting.reach(upTo)
      return store.recentTrades(symbolId, limit, upTo)
    },
    candles: async (query) => {
      await waiting.reach(query.atLeast)
      return store.candles(query)
    },
    updates: async (query) => {
      await waiting.reach(query.atLeast)
      return writeUpdatesAnswers(writer, await store.updates(query))
    },
    operatorActions: async (query) => {
      await waiting.reach(query.atLeast)
      return store.operatorActions(query)
    },
    events: async (query) => {
      await waiting.reach(query.upTo)
      return store.events(query)
    },
    pastEvents: async (query) => {
      await waiting.reach(query.atLeast)
      return store.pastEvents(query)
    },
  })
}
