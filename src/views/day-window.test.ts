import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { candleOf } from '../units/candle.ts'
import { type Lots, notional, type Price, type TimeMs, timeMs } from '../units/quantities.ts'
import { wholeOf } from '../units/whole.ts'
import { type DayFigures, DayWindow } from './day-window.ts'

const START = Date.parse('2026-02-28T22:13:14.156Z')
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

type Trade = { time: TimeMs; price: Price; quantity: Lots }

const aTrade = (time: number, price: number, quantity = 10): Trade => ({
  time: timeMs(time),
  price: price as Price,
  quantity: quantity as Lots,
})

function plain(trades: readonly Trade[], now: number): DayFigures {
  const openTime = now - (now % MINUTE_MS) - DAY_MS
  const within = trades.filter(({ time }) => time >= openTime)
  const previousClose = trades.findLast(({ time }) => time < openTime)?.price
  const prices = within.map(({ price }) => price)
  const open = prices[0] ?? previousClose
  const sum = (of: (trade: Trade) => bigint): bigint => within.reduce((total, trade) => total + of(trade), 0n)
  return {
    openTime: timeMs(openTime),
    volume: wholeOf(sum(({ quantity }) => BigInt(quantity))),
    quoteVolume: notional(sum(({ price, quantity }) => BigInt(price) * BigInt(quantity))),
    count: within.length,
    previousClose,
    prices: open && {
      open,
      high: Math.max(open, ...prices) as Price,
      low: Math.min(open, ...prices) as Price,
    },
  }
}

test('the open minute counts, and the 1,440 whole ones before it', () => {
  const day = new DayWindow()
  const minute = START - (START % MINUTE_MS)
  day.add(aTrade(minute - DAY_MS - 1, 70), 'BUY')
  day.add(aTrade(minute - DAY_MS, 90), 'BUY')
  day.add(aTrade(minute + 59_999, 80), 'BUY')
  expect(day.at(timeMs(minute + 59_999))).toMatchObject({ count: 2, previousClose: 70 as Price })
  expect(day.at(timeMs(minute + 60_000))).toMatchObject({ count: 1, previousClose: 90 as Price })
})

test('without trades for a day all prices are the last one, and without any trade there are none', () => {
  const day = new DayWindow()
  expect(day.at(timeMs(START)).prices).toBeUndefined()
  day.add(aTrade(START, 70), 'BUY')
  const price = 70 as Price
  const later = day.at(timeMs(START + 2 * DAY_MS))
  expect(later).toMatchObject({ count: 0, volume: 0, prices: { open: price, high: price, low: price } })
})

test('the figures are those of all trades of the window, wherever the data began', () => {
  const step = fc.record({
    afterMs: fc.constantFrom(0, 1, 30_000, 60_000, 3_600_000, 5 * 3_600_000, 25 * 3_600_000),
    price: fc.integer({ min: 1, max: 12 }),
    quantity: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(2 ** 53 - 1)),
    asksAfterMs: fc.option(fc.constantFrom(0, 59_999, 60_000, 7_200_000), { nil: undefined }),
  })
  const property = fc.property(
    fc.array(step, { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 0, max: 40 }),
    (steps, kept) => {
      const trades: Trade[] = []
      let time = START
      let day = new DayWindow()
      for (const [i, { afterMs, price, quantity, asksAfterMs }] of steps.entries()) {
        time += afterMs
        if (i === kept) day = new DayWindow(historyOf(trades, time))
        trades.push(aTrade(time, price, quantity))
        day.add(aTrade(time, price, quantity), 'BUY')
        if (asksAfterMs === undefined) continue
        time += asksAfterMs
        expect(day.at(timeMs(time))).toEqual(plain(trades, time))
      }
      expect(day.at(timeMs(time))).toEqual(plain(trades, time))
    },
  )
  fc.assert(property, { numRuns: 500 })
})

/** The history of the day before `now`: one candle for each trade, so a minute may come in several parts. */
function historyOf(trades: readonly Trade[], now: number) {
  const { openTime, previousClose } = plain(trades, now)
  const minutes = trades.filter(({ time }) => time >= openTime).map((trade) => candleOf(trade, 'BUY', '1m'))
  return { minutes, previousClose }
}
