/**
 * Exchange information, order book and recent trades (endpoints 1 to 3), answered from the gateway's own views.
 */
import { exchangeInfoBody } from '../../../../wire/exchange-info.ts'
import { orderBookJson, publicTradesJson } from '../../../../wire/market-data.ts'
import { readWholeNumber } from '../../../common/read.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { KeptBodies } from '../../kept-bodies.ts'
import { listedSymbols, NONE, type Operation, requireSymbol, USER_DATA } from '../../operation.ts'

const DEPTH_LIMIT = { min: 1, max: 5_000, fallback: 500 }
const TRADES_LIMIT = { min: 1, max: 1_000, fallback: 500 }

const DEPTH_WEIGHT = 5

/** Weights of deeper books; the first that reaches is taken. */
const DEPTH_WEIGHTS = [
  { levels: 100, weight: DEPTH_WEIGHT },
  { levels: 500, weight: 25 },
  { levels: 1_000, weight: 50 },
  { levels: 5_000, weight: 250 },
]

export const exchangeInfo: Operation = {
  security: NONE,
  weight: 20,
  answer: exchangeInfoAnswer,
}

const bodies = new KeptBodies<'exchangeInfo'>()

function exchangeInfoAnswer({ services }: Call): Answer {
  const { registry } = services.market
  const make = () => exchangeInfoBody(listedSymbols(registry))
  return bodies.get(registry, registry.symbolChanges, 'exchangeInfo', make)
}

export const depth: Operation = { security: USER_DATA, weight: DEPTH_WEIGHT, answer: depthAnswer }

export const trades: Operation = { security: USER_DATA, weight: 25, answer: tradesAnswer }

function depthAnswer(call: Call): Answer {
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const limit = readWholeNumber(call.parameters, 'limit', DEPTH_LIMIT)
  if (limit instanceof Refusal) return limit
  const weight = DEPTH_WEIGHTS.find(({ levels }) => limit <= levels)?.weight ?? DEPTH_WEIGHT
  const refusal = call.charge(weight - DEPTH_WEIGHT)
  if (refusal !== undefined) return refusal
  const view = call.services.market.depth(symbol.id)
  return orderBookJson({ sell: view.levels('SELL', limit), buy: view.levels('BUY', limit) }, symbol)
}

function tradesAnswer(call: Call): Answer {
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const limit = readWholeNumber(call.parameters, 'limit', TRADES_LIMIT)
  if (limit instanceof Refusal) return limit
  return publicTradesJson(call.services.market.recentTrades(symbol.id, limit), symbol)
}
