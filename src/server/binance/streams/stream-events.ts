/** The messages of streams, with Binance's field names. */
import type { OrdersMatched } from '../../../core/events/event.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { AggregateTrade } from '../../../engine/port/history-questions.ts'
import type { Candle } from '../../../units/candle.ts'
import type { CandleInterval } from '../../../units/candle-intervals.ts'
import type { Side } from '../../../units/order-enums.ts'
import type { Price, TimeMs } from '../../../units/quantities.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { type AveragePrice, klineRow } from '../market/klines.ts'
import { bestPrices, dayFigures } from '../market/tickers.ts'
import { aggregateRow } from '../market/trades.ts'
import { padded } from '../wire/padded.ts'

export function tradeMessage(
  { symbolTrade, price, quantity, time, takerSide }: OrdersMatched,
  symbol: TradingSymbol,
  now: TimeMs,
): string {
  return JSON.stringify({
    e: 'trade',
    E: now,
    s: binanceNameOf(symbol),
    t: symbolTrade,
    p: padded(price, symbol.quoteFraction),
    q: padded(quantity, symbol.baseFraction),
    T: time,
    m: takerSide === 'SELL',
    M: true,
  })
}

export function aggTradeMessage(trade: AggregateTrade, symbol: TradingSymbol, now: TimeMs): string {
  return JSON.stringify({ e: 'aggTrade', E: now, s: binanceNameOf(symbol), ...aggregateRow(trade, symbol) })
}

/** A candle with the number of its first trade; 0 if none of its trades has a number. */
export type NumberedCandle = {
  readonly candle: Candle
  readonly firstTrade: number
  readonly isClosed: boolean
}

export function klineMessage(
  { candle, firstTrade, isClosed }: NumberedCandle,
  interval: CandleInterval,
  symbol: TradingSymbol,
  now: TimeMs,
): string {
  const s = binanceNameOf(symbol)
  const [t, o, h, l, c, v, T, q, n, V, Q] = klineRow(candle, interval, symbol)
  const ids = firstTrade === 0 ? { f: -1, L: -1 } : { f: firstTrade, L: firstTrade + candle.count - 1 }
  const figures = { o, c, h, l, v, n, x: isClosed, q, V, Q, B: '0' }
  return JSON.stringify({ e: 'kline', E: now, s, k: { t, T, s, i: interval, ...ids, ...figures } })
}

export function avgPriceMessage(
  { mins, price, closeTime }: AveragePrice,
  symbol: TradingSymbol,
  now: TimeMs,
): string {
  const figures = { i: `${mins}m`, w: price, T: closeTime }
  return JSON.stringify({ e: 'avgPrice', E: now, s: binanceNameOf(symbol), ...figures })
}

export function bookTickerMessage(market: MarketData, symbol: TradingSymbol): string {
  const { bidPrice: b, bidQty: B, askPrice: a, askQty: A } = bestPrices(market, symbol)
  return JSON.stringify({ u: market.seq, s: binanceNameOf(symbol), b, B, a, A })
}

/** Changed levels; 0n if the level was removed. */
export type LevelsChanged = Readonly<Record<Side, ReadonlyMap<Price, bigint>>>

/** `after`: the number at which the previous message ended. */
export function depthMessage(
  { BUY, SELL }: LevelsChanged,
  symbol: TradingSymbol,
  { after, seq, now }: { readonly after: number; readonly seq: number; readonly now: TimeMs },
): string {
  const levels = (changed: ReadonlyMap<Price, bigint>) =>
    [...changed].map(([price, quantity]) => [
      padded(price, symbol.quoteFraction),
      padded(quantity, symbol.baseFraction),
    ])
  const range = { U: after + 1, u: seq }
  const head = { e: 'depthUpdate', E: now, s: binanceNameOf(symbol) }
  return JSON.stringify({ ...head, ...range, b: levels(BUY), a: levels(SELL) })
}

export function tickerMessage(
  market: MarketData,
  symbol: TradingSymbol,
  now: TimeMs,
  isMini: boolean,
): string {
  const day = dayFigures(market, symbol, now)
  const name = { E: now, s: binanceNameOf(symbol) }
  const prices = { c: day.lastPrice, o: day.openPrice, h: day.highPrice, l: day.lowPrice }
  const volumes = { v: day.volume, q: day.quoteVolume }
  if (isMini) return JSON.stringify({ e: '24hrMiniTicker', ...name, ...prices, ...volumes })
  return JSON.stringify({
    e: '24hrTicker',
    ...name,
    p: day.priceChange,
    P: day.priceChangePercent,
    w: day.weightedAvgPrice,
    x: day.prevClosePrice,
    ...prices,
    Q: day.lastQty,
    ...{ b: day.bidPrice, B: day.bidQty, a: day.askPrice, A: day.askQty },
    ...volumes,
    ...{ O: day.openTime, C: day.closeTime, F: day.firstId, L: day.lastId, n: day.count },
  })
}
