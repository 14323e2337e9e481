import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Candle } from '../../../client/interface/answers.ts'
import { CANDLES_MAX, CANDLES_SPARE, CandleSeries } from './candle-series.ts'

const WIDTH = 60_000

/** The candle of the given minute. */
const candle = (minute: number, close = '1'): Candle => [
  ...([minute * WIDTH, '1', '1', '1', close, '2', (minute + 1) * WIDTH - 1, '2', 1, '1', '1', '0'] as const),
]
const candles = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => candle(from + index))
const whole = { symbol: 'A/B', seq: 1 }
const next = { symbol: 'A/B', seq: 2, prevSeq: 1 }

describe('a series of candles', () => {
  test('consists of closed candles and the open one, which the next message replaces', () => {
    const series = new CandleSeries()
    expect(series.take({ ...whole, closed: [candle(0)], current: candle(1) })).toEqual({ kind: 'whole' })
    const running = { kind: 'newest', candles: [candle(1, '3')] } as const
    expect(series.take({ ...next, current: candle(1, '3') })).toEqual(running)
    const change = series.take({ ...next, closed: [candle(1, '4')], current: candle(2) })
    expect(change).toEqual({ kind: 'newest', candles: [candle(1, '4'), candle(2)] })
    expect(series.candles).toEqual([candle(0), candle(1, '4'), candle(2)])
    expect([series.newest, series.oldest, series.size]).toEqual([candle(2), candle(0), 3])
  })

  test('is discarded by a message that starts elsewhere, and kept where the message joins on', () => {
    const series = new CandleSeries()
    series.take({ ...whole, closed: candles(0, 10), current: candle(10) })
    expect(series.take({ ...whole, closed: candles(5, 12), current: candle(12) })).toEqual({
      kind: 'continued',
    })
    expect(series.candles).toEqual(candles(0, 13))
    expect(series.take({ ...whole, closed: candles(20, 22) })).toEqual({ kind: 'whole' })
    expect(series.candles).toEqual(candles(20, 22))
    series.take({ ...whole, closed: [] })
    expect([series.candles, series.newest, series.oldest]).toEqual([[], undefined, undefined])
  })

  test('accepts older candles in front without duplicates, and none that leave a gap', () => {
    const series = new CandleSeries()
    series.take({ ...whole, closed: candles(10, 12), current: candle(12) })
    expect(series.addOlder(candles(5, 11))).toBe(5)
    expect(series.candles).toEqual(candles(5, 13))
    expect(series.addOlder(candles(0, 4))).toBe(0)
    expect(series.addOlder([])).toBe(0)
    expect(series.candles).toEqual(candles(5, 13))
  })

  test('accepts older candles before the open one, where none is closed yet', () => {
    const series = new CandleSeries()
    series.take({ ...whole, current: candle(3) })
    expect(series.addOlder(candles(0, 3))).toBe(3)
    expect(series.candles).toEqual(candles(0, 4))
  })

  test('accepts no more older candles than it keeps, and drops the oldest as new ones come', () => {
    const series = new CandleSeries()
    series.take({ ...whole, closed: candles(10_000, 10_001) })
    expect(series.addOlder(candles(1, 10_000))).toBe(CANDLES_MAX - 1)
    expect([series.isFull, series.size, series.addOlder([candle(0)])]).toEqual([true, CANDLES_MAX, 0])
    const last = 10_001 + CANDLES_SPARE
    expect(series.take({ ...next, closed: candles(10_001, last) }).kind).toBe('newest')
    expect(series.take({ ...next, closed: [candle(last)] })).toEqual({ kind: 'older' })
    expect(series.size).toBe(CANDLES_MAX)
    expect(series.newest).toEqual(candle(last))
  })

  test('of any pages and messages is one run of consecutive windows', () => {
    const span = fc.tuple(fc.nat(60), fc.nat(40)).map(([from, length]) => candles(from, from + length))
    const step = fc.record({ isPage: fc.boolean(), isWhole: fc.boolean(), span })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const series = new CandleSeries()
        for (const { isPage, isWhole, span: closed } of steps) {
          if (isPage) series.addOlder(closed)
          else if (isWhole) series.take({ ...whole, closed })
          const kept = series.candles
          for (const [index, one] of kept.entries())
            if (index > 0) expect((kept[index - 1] as Candle)[6]).toBe(one[0] - 1)
        }
      }),
    )
  })

  test('finds the candle of a time by its window', () => {
    const series = new CandleSeries()
    series.take({ ...whole, closed: candles(2, 5), current: candle(5) })
    expect(series.at(2 * WIDTH)).toEqual(candle(2))
    expect(series.at(5 * WIDTH - 1)).toEqual(candle(4))
    expect(series.at(5 * WIDTH + 7)).toEqual(candle(5))
    expect([series.at(2 * WIDTH - 1), series.at(6 * WIDTH)]).toEqual([undefined, undefined])
  })
})
