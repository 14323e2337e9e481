/** Candles compared with the trades that the second bookkeeper recorded. */

import { type PlainTrade, plainCandles } from '../../src/engine/history/candles/plain-candles.fixture.ts'
import type { CandlesQuery } from '../../src/engine/history/candles/read-candles.ts'
import type { Candle } from '../../src/units/candle.ts'
import type { CandleInterval } from '../../src/units/candle-intervals.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { DayFigures } from '../../src/views/day-window.ts'
import { demand, type ShadowState } from './shadow-state.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Checks that the candles contain all trades up to `atLeast`, and possibly newer ones, up to those that
 * existed at the time of the reading.
 */
export function checkCandles(state: ShadowState, query: CandlesQuery, candles: readonly Candle[]): void {
  const trades = state.trades.filter(({ symbol }) => symbol === query.symbolId)
  const plain = plainTrades(state, query.symbolId)
  const found = textOf(candles)
  const known = trades.filter(({ seq }) => seq <= query.atLeast).length
  const isSome = Array.from({ length: trades.length - known + 1 }, (_, more) =>
    textOf(plainCandles(plain.slice(0, known + more), query)),
  ).includes(found)
  const expected = (): string => textOf(plainCandles(plain.slice(0, known), query))
  demand(
    isSome,
    () =>
      `${query.interval} candles of symbol ${query.symbolId}: history says\n${found}\nthe events\n${expected()}`,
  )
}

/**
 * The newest 500 candles up to the window that begins at `to`; each line lists a candle's integers in the
 * order of the interface's columns.
 */
export function candleLines(
  state: ShadowState,
  symbolId: number,
  interval: CandleInterval,
  to: number,
): string[] {
  const query = { interval, from: undefined, to, limit: 500 }
  return plainCandles(plainTrades(state, symbolId), query).map((candle) => {
    const { start, open, high, low, close, volume, quoteVolume, count } = candle
    const bought = [candle.takerBuyVolume, candle.takerBuyQuoteVolume]
    return [start, open, high, low, close, volume, quoteVolume, count, ...bought].join()
  })
}

function plainTrades(state: ShadowState, symbolId: number): PlainTrade[] {
  return state.trades
    .filter(({ symbol }) => symbol === symbolId)
    .map(({ buyer, ...trade }) => ({ ...trade, takerSide: buyer.isTaker ? 'BUY' : 'SELL' }))
}

/** Checks a view's figures of the last 24 hours, at the time of the last command or later. */
export function checkDay(state: ShadowState, symbolId: number, now: TimeMs, day: DayFigures): void {
  const expected = dayText(state, symbolId, now - (now % MINUTE_MS) - DAY_MS)
  const { volume, quoteVolume, count, previousClose, prices: found } = day
  const figures = [day.openTime, volume, quoteVolume, count, previousClose]
  const text = [...figures, ...(found === undefined ? [] : [found.open, found.high, found.low])].join()
  demand(text === expected, () => `the day of symbol ${symbolId} is ${text}, the events say ${expected}`)
}

/**
 * Start of a window, volumes, count, price before it and, if there has been a trade, first, highest and
 * lowest price.
 */
export function dayText(state: ShadowState, symbolId: number, openTime: number): string {
  const trades = state.trades.filter(({ symbol }) => symbol === symbolId)
  const within = trades.filter(({ time }) => time >= openTime)
  const previous = trades.findLast(({ time }) => time < openTime)?.price
  const prices = within.map(({ price }) => price)
  const [open = previous] = prices
  return [
    openTime,
    within.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n),
    within.reduce((sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity), 0n),
    within.length,
    previous,
    ...(open === undefined ? [] : [open, Math.max(open, ...prices), Math.min(open, ...prices)]),
  ].join()
}

function textOf(candles: readonly Candle[]): string {
  return candles
    .map((candle) => JSON.stringify(candle, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
    .join('\n')
}
