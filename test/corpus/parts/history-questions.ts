/**
 * Questions of a gateway to a history, and their answers: orders, fills, ledger, positions, trades, candles,
 * updates, operators' actions and events.
 */
import * as fc from 'fast-check'
import {
  arbitraryBigint,
  arbitraryCommandByKind,
  arbitraryText,
  arbitraryUint,
} from '../../../src/core/commands/command.arbitraries.ts'
import { arbitraryReplyByKind } from '../../../src/core/questions/reply.arbitraries.ts'
import { refused } from '../../../src/core/questions/reply.ts'
import { CANDLE_WIDTHS } from '../../../src/engine/history/candles/base-widths.ts'
import type { FactKind } from '../../../src/engine/history/numbered-events.ts'
import {
  arbitraryHistoryOrder,
  arbitraryTradeRecord,
  arbitraryUpdatesAnswer,
} from '../../../src/engine/history/updates.arbitraries.ts'
import { TRANSFER_CAUSES } from '../../../src/engine/port/transfer.ts'
import type { HistoryQuestions } from '../../../src/transport/thread/history-queries.ts'
import { EVENT_KINDS } from '../../../src/units/event-enums.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../../src/units/ids.ts'
import { SIDES } from '../../../src/units/order-enums.ts'
import { type Amount, lots, type Notional, price, seq, timeMs } from '../../../src/units/quantities.ts'
import { type Whole, wholeOf } from '../../../src/units/whole.ts'
import type { ByQuestion } from './asked-messages.ts'

const perhaps = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 2 })
const id = <Id extends number>() => arbitraryUint.map((value) => value as Id)
const command = arbitraryUint.map(seq)
const time = arbitraryUint.map(timeMs)
const whole: fc.Arbitrary<Whole> = arbitraryBigint.map(wholeOf)
const amount = whole as fc.Arbitrary<Amount>
const atPrice = arbitraryUint.map(price)
const quantity = arbitraryUint.map(lots)
const limit = fc.integer({ min: 1, max: 1_000 })
const accountId = id<AccountId>()
const symbolId = id<SymbolId>()
const assetId = id<AssetId>()
const orderNumber = id<OrderNumber>()
const tradeNumber = id<TradeNumber>()

/** Members of a question for a page of an account's list. */
const ofAccount = { accountId, limit, atLeast: command }
const span = { from: perhaps(time), to: perhaps(time) }

const publicTrade = fc.record({
  tradeNumber,
  symbolTrade: arbitraryUint,
  price: atPrice,
  quantity,
  time,
  takerSide: fc.constantFrom(...SIDES),
})
const ledgerPlace = fc.record({
  seq: command,
  tradeNumber: fc.oneof(tradeNumber, fc.constant(0 as const)),
  entry: fc.nat(5),
})
const ledgerRecord = fc.oneof(
  fc.record({
    kind: fc.constant('FILL' as const),
    seq: command,
    fill: arbitraryTradeRecord,
    after: fc.record({ base: amount, quote: amount }),
  }),
  fc.record({
    kind: fc.constant('TRANSFER' as const),
    transfer: fc.record({
      ...{ seq: command, time, accountId, assetId, cause: fc.constantFrom(...TRANSFER_CAUSES) },
      ...{ spot: amount, spotAfter: amount, savings: amount, savingsAfter: amount, reference: arbitraryText },
    }),
  }),
)
const position = fc.record({
  ...{ assetId, quantity: amount, withoutCost: amount, atLastPrice: amount },
  ...{ cost: arbitraryBigint, realized: arbitraryBigint, soldCost: arbitraryBigint },
  own: perhaps(fc.record({ symbolId, lastPrice: atPrice })),
})
const notional = whole as fc.Arbitrary<Notional>
const candleFigures = {
  ...{ start: time, open: atPrice, high: atPrice, low: atPrice, close: atPrice },
  ...{ volume: whole, quoteVolume: notional, count: arbitraryUint },
  ...{ takerBuyVolume: whole, takerBuyQuoteVolume: notional },
}
const candle = fc.oneof(
  fc.record(candleFigures),
  fc.record({ ...candleFigures, isMadeUp: fc.constant(true as const) }),
)
const factKind = fc.constantFrom(...EVENT_KINDS.filter((kind): kind is FactKind => kind !== 'FILL'))
const fact = fc.record({
  ...{ kind: factKind, number: arbitraryUint, seq: command, time, accountId: perhaps(accountId) },
  ...{ actor: arbitraryText, note: arbitraryText },
  fields: fc.record(
    {
      amount: arbitraryText,
      count: arbitraryUint,
      isOpen: fc.boolean(),
      words: some(arbitraryText),
    },
    { requiredKeys: [] },
  ),
})
const filledParty = fc.record({
  accountId,
  record: fc.record({
    orderNumber,
    orderTime: time,
    total: amount,
    commission: amount,
    commissionAssetId: assetId,
  }),
})
const numberedFill = fc.record({
  kind: fc.constant('FILL' as const),
  number: arbitraryUint,
  trade: fc.record({ seq: command, symbolId, trade: publicTrade, maker: filledParty, taker: filledParty }),
})
/** A few kinds stand for all commands and replies, which other parts cover. */
const OPERATOR_KINDS = ['Credit', 'CancelOrders'] as const
const action = fc.record({
  ...{ seq: command, time, command: fc.oneof(...OPERATOR_KINDS.map((kind) => arbitraryCommandByKind[kind])) },
  reply: fc.oneof(arbitraryReplyByKind.Done, fc.constant(refused('INSUFFICIENT_FUNDS'))),
  accountId: perhaps(accountId),
})

const numberedRange = fc.record({
  ...{ symbolId, first: perhaps(arbitraryUint), ...span, limit, upTo: command },
})

export const HISTORY_QUESTIONS: ByQuestion<HistoryQuestions> = {
  trades: {
    fields: fc.record({
      ...{ accountId, symbolId: perhaps(symbolId), page: fc.nat(9), size: limit },
      ...{ before: perhaps(tradeNumber), atLeast: command },
    }),
    value: fc.record({ items: some(arbitraryTradeRecord), total: arbitraryUint }),
  },
  fills: {
    fields: fc.record({
      ...{ ...ofAccount, ...span, symbolId: perhaps(symbolId), orderNumber: perhaps(orderNumber) },
      before: perhaps(tradeNumber),
      oldestFrom: perhaps(tradeNumber),
    }),
    value: fc.record({
      fills: some(arbitraryTradeRecord),
      lookedAt: arbitraryUint,
      next: perhaps(fc.record({ tradeNumber, time })),
    }),
  },
  ledger: {
    fields: fc.record({ ...ofAccount, ...span, assetId: perhaps(assetId), before: perhaps(ledgerPlace) }),
    value: fc.record({ records: some(ledgerRecord), lookedAt: arbitraryUint, next: perhaps(ledgerPlace) }),
  },
  positions: {
    fields: fc.record({ ...ofAccount, from: assetId }),
    value: fc.record({ positions: some(position), next: perhaps(assetId) }),
  },
  orders: {
    fields: fc.record({
      ...{ ...ofAccount, ...span, symbolId: perhaps(symbolId), before: perhaps(orderNumber) },
      oldestFrom: perhaps(orderNumber),
    }),
    value: fc.record({
      orders: some(arbitraryHistoryOrder),
      next: perhaps(fc.record({ orderNumber, time })),
    }),
  },
  numberedOrders: {
    fields: fc.record({ orderNumbers: some(orderNumber), atLeast: command }),
    value: some(arbitraryHistoryOrder),
  },
  recentTrades: {
    fields: fc.record({ symbolId, limit, upTo: command }),
    value: some(publicTrade),
  },
  symbolTrades: { fields: numberedRange, value: some(publicTrade) },
  aggregateTrades: {
    fields: numberedRange,
    value: some(
      fc.record({
        ...{ number: arbitraryUint, firstTrade: arbitraryUint, lastTrade: arbitraryUint },
        ...{ price: atPrice, quantity, time, takerSide: fc.constantFrom(...SIDES) },
      }),
    ),
  },
  candles: {
    fields: fc.record({
      ...{ symbolId, width: fc.constantFrom(...CANDLE_WIDTHS), from: time, before: time },
      ...{ limit, atLeast: command },
    }),
    value: fc.record({
      ...{ candles: some(candle), earlier: perhaps(candle), first: perhaps(time) },
      seq: command,
    }),
  },
  updates: {
    fields: fc.record({
      accounts: some(fc.record({ accountId, after: command })),
      atLeast: command,
    }),
    value: fc.array(arbitraryUpdatesAnswer, { maxLength: 1 }),
  },
  operatorActions: {
    fields: fc.record({
      ...{
        before: perhaps(command),
        limit,
        actor: perhaps(arbitraryText),
        kind: perhaps(fc.constantFrom(...OPERATOR_KINDS)),
      },
      ...{ accountId: perhaps(accountId), reference: perhaps(arbitraryText), atLeast: command },
    }),
    value: some(action),
  },
  events: {
    fields: fc.record({
      ...{ after: arbitraryUint, upTo: command, limit, accountId: perhaps(accountId) },
      kinds: perhaps(fc.subarray([...EVENT_KINDS])),
    }),
    value: fc.oneof(
      fc.record({
        kind: fc.constant('PAGE' as const),
        events: some(fc.oneof(fact, numberedFill)),
        next: arbitraryUint,
        end: arbitraryUint,
      }),
      fc.record({ kind: fc.constant('TOO_NEW' as const), end: arbitraryUint }),
    ),
  },
  pastEvents: {
    fields: fc.record({
      ...{ before: perhaps(arbitraryUint), kinds: some(factKind), accountId: perhaps(accountId) },
      ...{ limit, atLeast: command },
    }),
    value: fc.record({ events: some(fact), next: perhaps(arbitraryUint) }),
  },
}
