/** Trades and aggregates of a symbol, oldest first. */
import type { PublicTrade } from '../../../core/questions/view.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { AggregateTrade, NumberedRange } from '../../../engine/port/history-questions.ts'
import { worthOf } from '../../../units/notional.ts'
import type { Decimals } from '../../../units/quantities.ts'
import { aggTradesWeight } from '../../trading/operations/market/numbered-trades.ts'
import { MARKET_ROWS } from '../endpoints/market-rows.ts'
import { padded } from '../wire/padded.ts'
import { WireError, wrongParameter } from '../wire/wire-error.ts'
import { rangeOf, symbolOf, type WireAnswer, type WireCall, wholeOf } from '../wire-call.ts'

const LIMIT = { max: 1_000, fallback: 500 }

export function trades(wireCall: WireCall): WireAnswer {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const limit = wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback)
  const newest = wireCall.call.services.market.recentTrades(symbol.id, limit)
  return tradesText(newest.toReversed(), symbol)
}

export function historicalTrades(wireCall: WireCall): WireAnswer | Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { call } = wireCall
  const { history } = call.services
  const asked = numbered(wireCall, symbol)
  return call.readInTurn(async () => tradesText(await history.symbolTrades(asked), symbol))
}

export function aggTrades(wireCall: WireCall): WireAnswer | Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { call, parameters } = wireCall
  const other = ['startTime', 'endTime'].find((name) => parameters.has(name))
  if (parameters.has('fromId') && other !== undefined) {
    const msg = 'Combination of optional parameters invalid.'
    return wrongParameter(other, -1128, msg, 'PARAMETER_NOT_TAKEN')
  }
  const asked = numbered(wireCall, symbol)
  const refusal = call.charge(aggTradesWeight(asked.limit) - MARKET_ROWS.aggTrades.weight)
  if (refusal !== undefined) return refusal
  return call.readInTurn(async () => {
    const found = await call.services.history.aggregateTrades(asked)
    return JSON.stringify(found.map((trade) => aggregateRow(trade, symbol)))
  })
}

function numbered(wireCall: WireCall, { id }: TradingSymbol): NumberedRange {
  const { parameters, call } = wireCall
  const fromId = parameters.get('fromId')
  return {
    symbolId: id,
    first: fromId === undefined ? undefined : Number(fromId),
    ...rangeOf(wireCall),
    limit: wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback),
    upTo: call.services.market.seq,
  }
}

function tradesText(oldestFirst: readonly PublicTrade[], symbol: TradingSymbol): string {
  return JSON.stringify(oldestFirst.map((trade) => tradeRow(trade, symbol)))
}

function tradeRow({ symbolTrade, price, quantity, time, takerSide }: PublicTrade, symbol: TradingSymbol) {
  return {
    id: symbolTrade,
    price: padded(price, symbol.quoteFraction),
    qty: padded(quantity, symbol.baseFraction),
    quoteQty: padded(worthOf(price, quantity), worthDecimals(symbol)),
    time,
    isBuyerMaker: takerSide === 'SELL',
    // An order always trades with the best resting order.
    isBestMatch: true,
  }
}

/** An aggregate with Binance's field names, for answers and stream messages. */
export function aggregateRow(trade: AggregateTrade, symbol: TradingSymbol) {
  const { number, firstTrade, lastTrade, price, quantity, time, takerSide } = trade
  return {
    a: number,
    p: padded(price, symbol.quoteFraction),
    q: padded(quantity, symbol.baseFraction),
    f: firstTrade,
    l: lastTrade,
    T: time,
    m: takerSide === 'SELL',
    M: true,
  }
}

/** Decimals of price x quantity. */
export function worthDecimals({
  baseFraction,
  quoteFraction,
}: Pick<TradingSymbol, 'baseFraction' | 'quoteFraction'>): Decimals {
  return (baseFraction + quoteFraction) as Decimals
}
