/**
 * Rules for candles in every store of history. Part of the store's contract; a driver's test calls this with
 * an empty store, and with a function that creates more.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Candle } from '../../../units/candle.ts'
import { CANDLE_INTERVALS } from '../../../units/candle-intervals.ts'
import type { SymbolId } from '../../../units/ids.ts'
import { notional, type Price, type Seq, seq, type TimeMs, timeMs } from '../../../units/quantities.ts'
import type { CandlePage } from '../../port/ports.ts'
import type { CandleRange, HistoryStore, HistoryTrade } from '../history.ts'
import { at, tradeAt } from '../history-trades.fixture.ts'
import { type PlainQuery, type PlainTrade, plainCandles } from './plain-candles.fixture.ts'
import { readCandles } from './read-candles.ts'

const SYMBOL = 0 as SymbolId

export function candleContract(store: () => HistoryStore, open: () => Promise<HistoryStore>): void {
  const START = 1_700_000_000_000
  const MINUTE = 60_000
  const range = (terms: Partial<CandleRange> = {}): CandleRange => {
    const all = { from: 0 as TimeMs, before: timeMs(START * 2), limit: 1_000 }
    return { symbolId: SYMBOL, width: '1m', ...all, ...terms }
  }
  const startsOf = (page: CandlePage) => ({
    candles: page.candles.map(({ start }) => start as number),
    earlier: page.earlier?.start as number | undefined,
    first: page.first as number | undefined,
  })

  test('a symbol without trades has no candles', async () => {
    await store().append([tradeAt(START, { number: 1, symbol: 1 })], at(1))
    const nothing = { candles: [], earlier: undefined, first: undefined, seq: seq(1) }
    expect(await store().candles(range())).toEqual(nothing)
  })

  test('a candle summarizes the trades of its window', async () => {
    const start = START - (START % MINUTE) + MINUTE
    await store().append(
      [
        tradeAt(start, { number: 1, size: 10 }),
        tradeAt(start + 1, { number: 2, size: 30, takerSide: 'SELL' }),
        tradeAt(start + 59_999, { number: 3, size: 5 }),
      ],
      at(3),
    )
    const { candles } = await store().candles(range())
    expect(candles).toEqual([
      {
        start: timeMs(start),
        open: 11 as Price,
        high: 31 as Price,
        low: 6 as Price,
        close: 6 as Price,
        volume: 45,
        quoteVolume: notional(11 * 10 + 31 * 30 + 6 * 5),
        count: 3,
        takerBuyVolume: 15,
        takerBuyQuoteVolume: notional(11 * 10 + 6 * 5),
      },
    ])
  })

  test('candles are newest first, from a time and before one, with the next older one and the time of the first', async () => {
    const start = START - (START % MINUTE)
    const minutes = [0, 2, 3, 7].map((minute, i) => tradeAt(start + minute * MINUTE, { number: i + 1 }))
    await store().append(minutes, at(4))
    const at_ = (minute: number): TimeMs => timeMs(start + minute * MINUTE)
    const ask = async (from: number, before: number, limit = 10) =>
      startsOf(await store().candles(range({ from: at_(from), before: at_(before), limit })))
    const answer = (candles: readonly number[], earlier: number | undefined) => ({
      candles: candles.map((minute) => at_(minute) as number),
      earlier: earlier === undefined ? undefined : (at_(earlier) as number),
      first: start,
    })
    expect(await ask(0, 8)).toEqual(answer([7, 3, 2, 0], undefined))
    expect(await ask(0, 7)).toEqual(answer([3, 2, 0], undefined))
    expect(await ask(1, 4)).toEqual(answer([3, 2], 0))
    expect(await ask(0, 8, 2)).toEqual(answer([7, 3], 2))
    expect(await ask(0, 4, 1)).toEqual(answer([3], 2))
    expect(await ask(4, 6)).toEqual(answer([], 3))
    expect(await ask(8, 9)).toEqual(answer([], 7))
    expect(await ask(0, 0)).toEqual(answer([], undefined))
  })

  test('a page of candles says up to which command it includes their trades', async () => {
    await store().append([tradeAt(START, { number: 1 })], at(3))
    expect((await store().candles(range())).seq).toBe(seq(3))
    await store().append([], at(5))
    expect((await store().candles(range({ width: '1s', limit: 1 }))).seq).toBe(seq(5))
  })

  test('candles are cleared with the rest of history', async () => {
    await store().append([tradeAt(START, { number: 1 })], at(1))
    await store().clear()
    expect((await store().candles(range())).candles).toEqual([])
    await store().append([tradeAt(START, { number: 1 })], at(1))
    expect((await store().candles(range())).candles).toHaveLength(1)
  })

  test('a limit of candles out of range is a bug of the caller', async () => {
    for (const limit of [0, 1_001, 0.5]) {
      await expect(store().candles(range({ limit }))).rejects.toThrow('limit must be 1 to 1000')
    }
  })

  test('history of years is read in parts, to the same candles', async () => {
    const days = 2_300
    const trades = Array.from({ length: days }, (_, i) => tradeAt(START + i * 86_400_000, { number: i + 1 }))
    await store().append(trades, at(days))
    const to = START + days * 86_400_000
    for (const interval of ['1d', '1w', '1M'] as const) {
      const asked = { interval, from: START, to, limit: 1_000 }
      expect(await read(store(), asked)).toEqual(plainCandles(publicOf(trades), asked))
    }
  })

  test('candles of every interval summarize the trades of their windows, whatever the batches', async () => {
    const property = fc.asyncProperty(
      fc.array(aStep, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.record({
        start: fc.constantFrom(...BORDERS),
        from: fc.option(fc.integer({ min: 0, max: 39 }), { nil: undefined }),
        to: fc.integer({ min: 0, max: 39 }),
        beyond: fc.constantFrom(0, 1, 61_000, 40 * 86_400_000),
        limit: fc.integer({ min: 1, max: 30 }),
      }),
      async (steps, batch, { start, from, to, beyond, limit }) => {
        const own = await open()
        const trades = tradesOf(Date.parse(start), steps)
        for (let i = 0; i < trades.length; i += batch) {
          await own.append(trades.slice(i, i + batch), at(Math.min(i + batch, trades.length)))
        }
        const timeOf = (n: number): number => trades[n % trades.length]?.trade.time ?? 0
        for (const interval of CANDLE_INTERVALS) {
          const asked = {
            interval,
            from: from === undefined ? undefined : timeOf(from),
            to: timeOf(to) + beyond,
            limit,
          }
          expect(await read(own, asked)).toEqual(plainCandles(publicOf(trades), asked))
        }
        await own.close()
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })
}

/** Shortly before a leap day, after one, a turn of the year, a Monday, and a February without a leap day. */
const BORDERS = [
  '2024-02-28T23:59:58.500Z',
  '2024-02-29T23:59:59.999Z',
  '2023-12-31T23:59:00.000Z',
  '2026-01-04T23:59:59.000Z',
  '2100-02-28T23:59:59.990Z',
] as const

const STEPS_MS = [
  0, 1, 10, 500, 1_000, 59_000, 60_000, 899_999, 3_600_000, 7_200_000, 86_400_000, 604_800_000, 2_678_400_000,
]

const aStep = fc.record({
  afterMs: fc.constantFrom(...STEPS_MS),
  size: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 2 ** 52, max: 2 ** 53 - 2 })),
  takerSide: fc.constantFrom('BUY' as const, 'SELL' as const),
  symbol: fc.constantFrom(0, 0, 0, 1),
})

type Step = { afterMs: number; size: number; takerSide: 'BUY' | 'SELL'; symbol: number }

function tradesOf(start: number, steps: readonly Step[]): HistoryTrade[] {
  let time = start
  return steps.map(({ afterMs, ...terms }, i) => {
    time += afterMs
    return tradeAt(time, { number: i + 1, ...terms })
  })
}

function read(store: HistoryStore, { interval, from, to, limit }: PlainQuery): Promise<Candle[]> {
  const times = { from: from === undefined ? undefined : timeMs(from), to: timeMs(to) }
  return readCandles(store, { symbolId: SYMBOL, interval, ...times, limit, atLeast: 0 as Seq })
}

/** The public view of the symbol's trades. */
function publicOf(trades: readonly HistoryTrade[]): PlainTrade[] {
  return trades
    .filter(({ symbolId }) => symbolId === SYMBOL)
    .map(({ trade, taker }) => ({ ...trade, takerSide: taker.record.side }))
}
