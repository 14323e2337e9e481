/**
 * Candles for tests, computed in the obvious way: windows from the fields of dates, figures from all trades.
 */
import { type Candle, flatCandle } from '../../../units/candle.ts'
import type { CandleInterval } from '../../../units/candle-intervals.ts'
import { notional, type Price, timeMs } from '../../../units/quantities.ts'
import { wholeOf } from '../../../units/whole.ts'

const DAY_MS = 86_400_000
const MONDAY = 1

export type PlainTrade = {
  readonly time: number
  readonly price: number
  readonly quantity: number
  readonly takerSide: 'BUY' | 'SELL'
}

export type PlainQuery = {
  readonly interval: CandleInterval
  readonly from: number | undefined
  readonly to: number
  readonly limit: number
}

/** The candles of a symbol; `trades`: its own, oldest first. */
export function plainCandles(
  trades: readonly PlainTrade[],
  { interval, from, to, limit }: PlainQuery,
): Candle[] {
  const first = trades[0]
  if (first === undefined) return []
  const oldest = plainStart(interval, first.time)
  const starts: number[] = []
  if (from === undefined) {
    for (let start = plainStart(interval, to); start >= oldest && starts.length < limit; ) {
      starts.unshift(start)
      start = plainStart(interval, start - 1)
    }
  } else {
    let start = plainStart(interval, from)
    if (start < from) start = plainNext(interval, start)
    if (start < oldest) start = oldest
    for (; start <= to && starts.length < limit; start = plainNext(interval, start)) starts.push(start)
  }
  return starts.map((start) => plainCandle(trades, start, plainNext(interval, start)))
}

function plainCandle(trades: readonly PlainTrade[], start: number, next: number): Candle {
  const within = trades.filter(({ time }) => time >= start && time < next)
  const [oldest, newest] = [within[0], within.at(-1)]
  if (oldest === undefined || newest === undefined) {
    const before = trades.findLast(({ time }) => time < start)
    return flatCandle(timeMs(start), before?.price as Price)
  }
  const prices = within.map(({ price }) => price)
  const bought = within.filter(({ takerSide }) => takerSide === 'BUY')
  return {
    start: timeMs(start),
    open: oldest.price as Price,
    high: Math.max(...prices) as Price,
    low: Math.min(...prices) as Price,
    close: newest.price as Price,
    volume: wholeOf(sum(within, ({ quantity }) => BigInt(quantity))),
    quoteVolume: notional(sum(within, ({ price, quantity }) => BigInt(price) * BigInt(quantity))),
    count: within.length,
    takerBuyVolume: wholeOf(sum(bought, ({ quantity }) => BigInt(quantity))),
    takerBuyQuoteVolume: notional(sum(bought, ({ price, quantity }) => BigInt(price) * BigInt(quantity))),
  }
}

function sum(trades: readonly PlainTrade[], of: (trade: PlainTrade) => bigint): bigint {
  return trades.reduce((total, trade) => total + of(trade), 0n)
}

/** The beginning of the window that contains `time`. */
function plainStart(interval: CandleInterval, time: number): number {
  const [, digits = '', unit = ''] = /^(\d+)(\w)$/.exec(interval) ?? []
  const count = Number(digits)
  const date = new Date(time)
  date.setUTCMilliseconds(0)
  if (unit === 's') return date.getTime()
  date.setUTCSeconds(0)
  if (unit === 'm') return date.setUTCMinutes(date.getUTCMinutes() - (date.getUTCMinutes() % count))
  date.setUTCMinutes(0)
  if (unit === 'h') return date.setUTCHours(date.getUTCHours() - (date.getUTCHours() % count))
  date.setUTCHours(0)
  if (unit === 'M') return date.setUTCDate(1)
  if (unit === 'd') return date.getTime() - ((date.getTime() / DAY_MS) % count) * DAY_MS
  while (date.getUTCDay() !== MONDAY) date.setUTCDate(date.getUTCDate() - 1)
  return date.getTime()
}

/** The beginning of the window after the one that begins at `start`: no window is longer than 31 days. */
function plainNext(interval: CandleInterval, start: number): number {
  const [, digits = '', unit = ''] = /^(\d+)(\w)$/.exec(interval) ?? []
  if (unit === 'M') return plainStart(interval, start + 31 * DAY_MS)
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS }[unit]
  return start + Number(digits) * (unitMs ?? Number.NaN)
}
