import { describe, expect, test } from 'bun:test'
import { RefusedError } from '../../../client/errors.ts'
import type { Candle } from '../../../client/interface/answers.ts'
import { CANDLES_MAX, CandleSeries } from '../state/candle-series.ts'
import { type CandleSource, OlderCandles, type OlderState, PAGE_SIZE } from './older-candles.ts'

const candle = (second: number): Candle => [
  ...([second * 1_000, '1', '1', '1', '1', '2', second * 1_000 + 999, '2', 1, '1', '1', '0'] as const),
]

/** A market whose first candle opens at second 0, and a series that begins at `from`. */
function market(from: number) {
  const series = new CandleSeries()
  series.take({ symbol: 'A/B', seq: 1, closed: [], current: candle(from) })
  const asked: number[] = []
  const states: OlderState[] = []
  const answers: (() => void)[] = []
  const source: CandleSource = ({ endTime, limit }) => {
    asked.push(endTime)
    const last = Math.floor(endTime / 1_000)
    const first = Math.max(0, last - limit + 1)
    const page = Array.from({ length: last - first + 1 }, (_, index) => candle(first + index))
    return new Promise((resolve) => answers.push(() => resolve(page)))
  }
  let added = 0
  const older = new OlderCandles({
    symbol: 'A/B',
    interval: '1s',
    series,
    source,
    onAdded: () => added++,
    onState: (state) => states.push(state),
  })
  const answer = async () => {
    answers.shift()?.()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { series, older, asked, states, answer, added: () => added }
}

describe('older candles', () => {
  test('are requested page by page, one request at a time, until the first of all is loaded', async () => {
    const { series, older, asked, states, answer, added } = market(PAGE_SIZE + 3)
    older.want()
    older.want()
    expect(asked).toEqual([(PAGE_SIZE + 3) * 1_000 - 1])
    await answer()
    expect([series.oldest?.[0], older.state, added()]).toEqual([3_000, 'idle', 1])
    older.want()
    await answer()
    expect([series.oldest?.[0], series.size, added()]).toEqual([0, PAGE_SIZE + 4, 2])
    older.want()
    expect([asked.length, states]).toEqual([2, ['loading', 'idle', 'loading', 'end']])
  })

  test('are requested until no more are kept', async () => {
    const { series, older, answer } = market(CANDLES_MAX * 2)
    for (let page = 0; page * PAGE_SIZE < CANDLES_MAX; page++) {
      older.want()
      await answer()
    }
    expect([older.state, series.size]).toEqual(['full', CANDLES_MAX + 1])
  })

  test('that the exchange refuses permanently are not requested again', async () => {
    const refused = new RefusedError(
      { reason: 'UNKNOWN_SYMBOL', status: 400, code: '4001', messages: ['no'] },
      { outcome: 'NOT_DONE' },
    )
    const { series } = market(9)
    let refusals = 0
    const source: CandleSource = async () => {
      refusals++
      throw refused
    }
    const options = { symbol: 'A/B', interval: '1s', series, onAdded: () => {}, onState: () => {} } as const
    const older = new OlderCandles({ ...options, source })
    older.want()
    await Promise.resolve()
    await Promise.resolve()
    older.want()
    expect([older.state, refusals]).toEqual(['refused', 1])
  })

  test('that arrive after the page has moved elsewhere are left out', async () => {
    const { series, older, states, answer } = market(9)
    older.want()
    older.close()
    await answer()
    expect([series.size, states]).toEqual([1, ['loading']])
  })
})
