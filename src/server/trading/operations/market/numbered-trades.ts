/**
 * Trades of a symbol by their numbers in it, and aggregates of them, from history
 * (docs/reference/extensions.md#trades-by-number). Public, so answers are made one at a time, and each
 * address waits for its turn.
 */
import {
  aggregateTradeJson,
  numberedTradeJson,
  TRADES_READ,
} from '../../../../contract/api/numbered-trades.ts'
import { SUCCESS_LIST_END, successListHead } from '../../../../contract/envelope.ts'
import type { PublicTrade } from '../../../../core/questions/view.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import type { AggregateTrade, NumberedRange } from '../../../../engine/port/history-questions.ts'
import { uuidOf } from '../../../../units/ids.ts'
import { readOptional, readTimeRange, readWholeNumber } from '../../../common/read.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { listText } from '../../list-answer.ts'
import { operationOf, requireSymbol } from '../../operation.ts'

const LIMIT = { min: 1, max: 1_000, fallback: 500 }
const FROM = { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }

/** Number of rows covered by the weight of the endpoint, and the weight of more rows. */
const FEW = 100
const WEIGHT_OF_MANY = 25

export const historicalTrades = operationOf('historicalTrades', historicalTradesAnswer)

export const aggTrades = operationOf('aggTrades', aggTradesAnswer)

function historicalTradesAnswer(call: Call): Promise<Answer> | Answer {
  const asked = readAsked(call)
  if (asked instanceof Refusal) return asked
  const { symbol, range } = asked
  const words = (rows: readonly PublicTrade[]): string => rows.map((row) => tradeText(row, symbol)).join(',')
  return rowsText(call, () => call.services.history.symbolTrades(range), words)
}

function aggTradesAnswer(call: Call): Promise<Answer> | Answer {
  const asked = readAsked(call)
  if (asked instanceof Refusal) return asked
  const { symbol, range } = asked
  const refusal = call.charge(aggTradesWeight(range.limit) - aggTrades.weight)
  if (refusal !== undefined) return refusal
  const words = (rows: readonly AggregateTrade[]): string =>
    rows.map((row) => aggregateTradeJson(row, symbol)).join(',')
  return rowsText(call, () => call.services.history.aggregateTrades(range), words)
}

export function aggTradesWeight(limit: number): number {
  return limit > FEW ? WEIGHT_OF_MANY : aggTrades.weight
}

function tradeText(trade: PublicTrade, symbol: TradingSymbol): string {
  const { tradeNumber, symbolTrade, time } = trade
  return numberedTradeJson({ ...trade, id: uuidOf('trade', tradeNumber, time), number: symbolTrade }, symbol)
}

function rowsText<Row>(
  call: Call,
  read: () => Promise<readonly Row[]>,
  words: (rows: readonly Row[]) => string,
): Promise<Answer> | Answer {
  const head = successListHead(TRADES_READ, call.language)
  return call.readInTurn(async () =>
    listText({ head, rows: await read(), words, end: SUCCESS_LIST_END }, call.lane),
  )
}

type Asked = { readonly symbol: TradingSymbol; readonly range: NumberedRange }

function readAsked(call: Call): Asked | Refusal {
  const { parameters, services } = call
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const first = readWholeNumber(parameters, 'fromId', FROM)
  if (first instanceof Refusal) return first
  const times = readTimeRange(parameters, 'startTime', 'endTime')
  if (times instanceof Refusal) return times
  const limit = readWholeNumber(parameters, 'limit', LIMIT)
  if (limit instanceof Refusal) return limit
  const isFrom = readOptional(parameters, 'fromId') !== undefined
  const range = { ...times, first: isFrom ? first : undefined, limit, upTo: services.market.seq }
  return { symbol, range: { symbolId: symbol.id, ...range } }
}
