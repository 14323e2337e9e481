/** The order book of a symbol. A long one is computed once for each state of the exchange. */
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { Side } from '../../../units/order-enums.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { DEPTH_LEVELS_MAX, MARKET_ROWS } from '../endpoints/market-rows.ts'
import { padded } from '../wire/padded.ts'
import { WireError } from '../wire/wire-error.ts'
import { symbolOf, type WireAnswer, type WireCall, wholeOf } from '../wire-call.ts'

const LEVELS_DEFAULT = 100

/** Weights of deeper books; the first entry that is deep enough applies. */
const WEIGHTS = [
  { levels: 100, weight: 5 },
  { levels: 500, weight: 25 },
  { levels: 1_000, weight: 50 },
  { levels: DEPTH_LEVELS_MAX, weight: 250 },
]

type Kept = { readonly seq: number; readonly limit: number; readonly text: string }

/** The last long book of each symbol, by the record of the symbol. */
const keptBySymbol = new WeakMap<TradingSymbol, Kept>()

export function depth(wireCall: WireCall): WireAnswer {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const limit = wholeOf(wireCall, 'limit', DEPTH_LEVELS_MAX, LEVELS_DEFAULT)
  const weight = WEIGHTS.find(({ levels }) => limit <= levels)?.weight ?? 0
  const { call } = wireCall
  const refusal = call.charge(weight - MARKET_ROWS.depth.weight)
  if (refusal !== undefined) return refusal
  const { market } = call.services
  if (limit <= LEVELS_DEFAULT) return depthText(market, symbol, limit)
  const kept = keptBySymbol.get(symbol)
  if (kept?.seq === market.seq && kept.limit === limit) return kept.text
  const text = depthText(market, symbol, limit)
  keptBySymbol.set(symbol, { seq: market.seq, limit, text })
  return text
}

export function depthText(market: MarketData, symbol: TradingSymbol, limit: number): string {
  const view = market.depth(symbol.id)
  const levels = (side: Side): string =>
    view
      .levels(side, limit)
      .map(
        ({ price, quantity }) =>
          `["${padded(price, symbol.quoteFraction)}","${padded(quantity, symbol.baseFraction)}"]`,
      )
      .join(',')
  return `{"lastUpdateId":${market.seq},"bids":[${levels('BUY')}],"asks":[${levels('SELL')}]}`
}
