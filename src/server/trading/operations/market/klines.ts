/**
 * Candles of a symbol (docs/reference/candles.md#candles): any interval, made from the base width stored in
 * history. Public, so answers are made one at a time, and each address waits for its turn.
 */

import { CANDLES_READ, candleJson } from '../../../../contract/api/candles.ts'
import { SUCCESS_LIST_END, successListHead } from '../../../../contract/envelope.ts'
import { BASE_OF } from '../../../../engine/history/candles/base-widths.ts'
import { readCandles } from '../../../../engine/history/candles/read-candles.ts'
import type { Candle } from '../../../../units/candle.ts'
import {
  CANDLE_INTERVALS,
  type CandleInterval,
  startOfWindow,
  windowOf,
} from '../../../../units/candle-intervals.ts'
import type { TimeMs } from '../../../../units/quantities.ts'
import { readTimeRange, readWholeNumber, readWord } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { listText } from '../../list-answer.ts'
import { operationOf, requireSymbol } from '../../operation.ts'

const LIMIT = { min: 1, max: 1_000, fallback: 500 }

/** Number of stored candles covered by one more unit of weight. */
const STORED_PER_WEIGHT = 50

export const klines = operationOf('klines', klinesAnswer)

function klinesAnswer(call: Call): Promise<Answer> | Answer {
  const { parameters, services, serverTime } = call
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const interval =
    readWord(parameters, 'interval', CANDLE_INTERVALS) ?? refuse('MISSING_PARAMETER', { name: 'interval' })
  if (interval instanceof Refusal) return interval
  const times = readTimeRange(parameters, 'startTime', 'endTime')
  if (times instanceof Refusal) return times
  const limit = readWholeNumber(parameters, 'limit', LIMIT)
  if (limit instanceof Refusal) return limit
  const refusal = call.charge(klinesWeight(interval, limit) - klines.weight)
  if (refusal !== undefined) return refusal
  const { from, to = serverTime } = times
  const query = { symbolId: symbol.id, interval, from, limit, atLeast: services.market.seq }
  const head = successListHead(CANDLES_READ, call.language)
  const words = (candles: readonly Candle[]): string =>
    candles.map((candle) => candleJson(candle, nextStart(interval, candle.start), symbol)).join(',')
  return call.readInTurn(async () => {
    const rows = await readCandles(services.history, { ...query, to: to < serverTime ? to : serverTime })
    return listText({ head, rows, words, end: SUCCESS_LIST_END }, call.lane)
  })
}

/**
 * The weight of a request, by the number of stored candles from which its answer may be made
 * (docs/reference/candles.md#weight).
 */
export function klinesWeight(interval: CandleInterval, limit: number): number {
  return klines.weight + Math.ceil((limit * BASE_OF[interval].windows) / STORED_PER_WEIGHT)
}

function nextStart(interval: CandleInterval, start: TimeMs): TimeMs {
  return startOfWindow(interval, windowOf(interval, start) + 1)
}
