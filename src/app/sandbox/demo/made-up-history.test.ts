/**
 * The months before the first trade of the demo: made up, marked as such, and continuous with the real
 * trades.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import { MemoryHistory } from '../../../../sim/memory/history.ts'
import { BASE_OF } from '../../../engine/history/candles/base-widths.ts'
import { readCandles } from '../../../engine/history/candles/read-candles.ts'
import { at, tradeAt } from '../../../engine/history/history-trades.fixture.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import {
  CANDLE_INTERVALS,
  type CandleInterval,
  startOfWindow,
  windowOf,
} from '../../../units/candle-intervals.ts'
import type { SymbolId } from '../../../units/ids.ts'
import type { Seq } from '../../../units/quantities.ts'
import { type TimeMs, timeMs } from '../../../units/quantities.ts'
import { bigintOf } from '../../../units/whole.ts'
import { MADE_UP_DAYS } from './made-up-candles.ts'
import { withMadeUpCandles } from './made-up-history.ts'
import { BTC_USDT } from './markets.ts'

const DAY_MS = 86_400_000
/** A Tuesday, 12 s after the start of a minute. */
const FIRST = Date.parse('2026-09-22T15:37:12.000Z')
const NOW = timeMs(FIRST + 3 * 3_600_000)
const SYMBOL = 0 as SymbolId

let store: MemoryHistory
let isOn = true
let history: HistoryPort

beforeEach(async () => {
  isOn = true
  store = new MemoryHistory()
  await store.append([tradeAt(FIRST, { number: 1 }), tradeAt(FIRST + 7_200_000, { number: 2 })], at(2))
  const plain = { candles: (query) => store.candles(query) } as HistoryPort
  history = withMadeUpCandles(plain, {
    isOn: () => isOn,
    marketOf: (id) => (id === SYMBOL ? BTC_USDT : undefined),
  })
})

const read = (
  interval: CandleInterval,
  limit: number,
  { from, to = NOW }: { from?: number; to?: number } = {},
) =>
  readCandles(history, {
    ...{ symbolId: SYMBOL, interval, limit, atLeast: 0 as Seq },
    ...{ from: from as TimeMs | undefined, to: to as TimeMs },
  })

describe('candles before the first trade', () => {
  test('go back for months, one window after the other, each marked as made up, and open at the close of the one before', async () => {
    for (const interval of CANDLE_INTERVALS.filter((each) => each !== '1s')) {
      const candles = await read(interval, 1_000, { from: 0 })
      const first = Date.parse('2026-09-22T00:00:00.000Z') - MADE_UP_DAYS * DAY_MS
      expect([interval, candles[0]?.start as number]).toEqual([
        interval,
        startOfWindow(interval, windowOf(interval, timeMs(first))),
      ])
      for (const [i, candle] of candles.entries()) {
        const end = startOfWindow(interval, windowOf(interval, candle.start) + 1)
        const next = candles[i + 1]
        if (next !== undefined) expect(next.start).toBe(end)
        if (end <= FIRST) {
          expect([candle.start, candle.isMadeUp]).toEqual([candle.start, true])
          if (next !== undefined && next.start <= FIRST - 60_000) expect(next.open).toBe(candle.close)
        }
        const { open, high, low, close, volume, quoteVolume } = candle
        expect(low <= Math.min(open, close) && high >= Math.max(open, close)).toBe(true)
        const [sum, units] = [bigintOf(quoteVolume), bigintOf(volume)]
        expect(BigInt(low) * units <= sum && sum <= BigInt(high) * units).toBe(true)
      }
    }
  })

  test('end at the first trade: trades are not marked as made up, and the window that has both is', async () => {
    const minutes = await read('1m', 200)
    const traded = minutes.filter(({ start }) => start >= Date.parse('2026-09-22T15:37:00.000Z'))
    expect(traded).toHaveLength(181)
    expect(traded.filter(({ isMadeUp }) => isMadeUp === true)).toEqual([])
    expect(minutes.filter(({ isMadeUp }) => isMadeUp === true)).toHaveLength(19)
    const [before] = minutes.filter(({ start }) => start === Date.parse('2026-09-22T15:36:00.000Z'))
    expect(before?.close).toBe(traded[0]?.open as never)
    const [day] = await read('1d', 1)
    const made = await read('1m', 1_000, { from: Date.parse('2026-09-22T00:00:00.000Z'), to: FIRST - 60_000 })
    expect([day?.isMadeUp, made.length]).toEqual([true, 937])
    expect(day?.count).toBe(made.reduce((sum, { count }) => sum + count, 2))
    expect(day?.open).toBe(made[0]?.open as never)
  })

  test('are the same however they are requested, and when they are made again', async () => {
    const whole = await read('15m', 600, { to: FIRST })
    const pages = [
      ...(await read('15m', 300, { to: (whole[300]?.start as number) - 1 })),
      ...(await read('15m', 300, { to: FIRST })),
    ]
    expect(pages).toEqual(whole)
    const again = withMadeUpCandles({ candles: (query) => store.candles(query) } as HistoryPort, {
      isOn: () => true,
      marketOf: () => BTC_USDT,
    })
    const query = {
      symbolId: SYMBOL,
      interval: '15m',
      limit: 600,
      from: undefined,
      to: timeMs(FIRST),
      atLeast: 0 as Seq,
    } as const
    expect(await readCandles(again, query)).toEqual(whole)
  })

  test('are absent while the demo is off, for a symbol outside the demo, before any trade, and for seconds', async () => {
    expect((await read('1s', 1_000, { from: 0 }))[0]?.start as number).toBe(FIRST)
    isOn = false
    expect(
      (await read('1d', 1_000, { from: 0 })).map(({ start, isMadeUp }) => [start as number, isMadeUp]),
    ).toEqual([[Date.parse('2026-09-22T00:00:00.000Z'), undefined]])
    isOn = true
    const never = {
      symbolId: 1 as SymbolId,
      width: BASE_OF['1d'].width,
      from: timeMs(0),
      before: NOW,
      limit: 10,
      atLeast: 0 as Seq,
    }
    expect((await history.candles(never)).candles).toEqual([])
  })
})
