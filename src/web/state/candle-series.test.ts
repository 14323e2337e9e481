import { describe, expect, test } from 'bun:test'
import type { Candle } from '../../client/interface/answers.ts'
import { CANDLES_MAX, CandleSeries } from './candle-series.ts'

const candle = (openTime: number, close = '1'): Candle => [
  ...([openTime, '1', '1', '1', close, '2', openTime + 59_999, '2', 1, '1', '1', '0'] as const),
]
const whole = { symbol: 'A/B', seq: 1 }
const next = { symbol: 'A/B', seq: 2, prevSeq: 1 }

describe('a series of candles', () => {
  test('is those that are over and the one that runs, which the next message replaces', () => {
    const series = new CandleSeries()
    expect(series.take({ ...whole, closed: [candle(0)], current: candle(60_000) })).toEqual({ kind: 'whole' })
    expect(series.take({ ...next, current: candle(60_000, '3') })).toEqual({
      kind: 'newest',
      candles: [candle(60_000, '3')],
    })
    const change = series.take({ ...next, closed: [candle(60_000, '4')], current: candle(120_000) })
    expect(change).toEqual({ kind: 'newest', candles: [candle(60_000, '4'), candle(120_000)] })
    expect(series.candles).toEqual([candle(0), candle(60_000, '4'), candle(120_000)])
    expect(series.newest).toEqual(candle(120_000))
  })

  test('is thrown away by a message that follows none', () => {
    const series = new CandleSeries()
    series.take({ ...whole, closed: [candle(0)], current: candle(60_000) })
    series.take({ ...whole, closed: [] })
    expect([series.candles, series.newest]).toEqual([[], undefined])
  })

  test('forgets the oldest candles beyond its limit', () => {
    const series = new CandleSeries()
    series.take({ ...whole, closed: Array.from({ length: CANDLES_MAX }, (_, index) => candle(index)) })
    series.take({ ...next, closed: [candle(CANDLES_MAX)], current: candle(CANDLES_MAX + 1) })
    expect(series.candles).toHaveLength(CANDLES_MAX + 1)
    expect(series.candles[0]).toEqual(candle(1))
  })
})
