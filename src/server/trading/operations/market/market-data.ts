/**
 * Exchange information, order book and recent trades (endpoints 1 to 3), answered from the gateway's own
 * views.
 */

import { exchangeInfoBody } from '../../../../contract/api/exchange-info.ts'
import { orderBookJson, publicTradesJson } from '../../../../contract/api/market-data.ts'
import { ENDPOINT_ROWS } from '../../../../contract/endpoints/endpoints.ts'
import { readWholeNumber } from '../../../common/read.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { KeptBodies } from '../../kept-bodies.ts'
import { listedSymbols, operationOf, requireSymbol } from '../../operation.ts'

const DEPTH_LIMIT = { min: 1, max: 5_000, fallback: 500 }
const TRADES_LIMIT = { min: 1, max: 1_000, fallback: 500 }

/** Weights of deeper books; the first entry that is deep enough applies. */
const DEPTH_WEIGHTS = [
  { levels: 100, weight: ENDPOINT_ROWS.depth.weight },
  { levels: 500, weight: 25 },
  { levels: 1_000, weight: 50 },
  { levels: 5_000, weight: 250 },
]

export const exchangeInfo = operationOf('exchangeInfo', exchangeInfoAnswer)

const bodies = new KeptBodies<'exchangeInfo'>()

function exchangeInfoAnswer({ services }: Call): Answer {
  const { registry } = services.market
  const make = () => exchangeInfoBody(listedSymbols(registry))
  return bodies.get(registry, registry.symbolChanges, 'exchangeInfo', make)
}

export const depth = operationOf('depth', depthAnswer)

export const trades = operationOf('trades', tradesAnswer)

function depthAnswer(call: Call): Answer {
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const limit = readWholeNumber(call.parameters, 'limit', DEPTH_LIMIT)
  if (limit instanceof Refusal) return limit
  const weight = DEPTH_WEIGHTS.find(({ levels }) => limit <= levels)?.weight ?? depth.weight
  const refusal = call.charge(weight - depth.weight)
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
