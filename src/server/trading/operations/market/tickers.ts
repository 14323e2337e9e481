/**
 * The last price and the best prices of symbols (docs/reference/extensions.md#price-ticker), from the
 * gateway's own views. Public.
 */

import type { PriceLevel } from '../../../../contract/api/market-data.ts'
import {
  BEST_PRICES_READ,
  bookTickerJson,
  PRICES_READ,
  priceTickerJson,
} from '../../../../contract/api/tickers.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import type { Side } from '../../../../units/order-enums.ts'
import type { MarketData } from '../../../../views/market-data.ts'
import type { Answer, Call } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { symbolRowsAnswer } from './symbol-list.ts'

const ALL_WEIGHT = 4

export const priceTicker = operationOf('priceTicker', priceTickerAnswer)

export const bookTicker = operationOf('bookTicker', bookTickerAnswer)

function priceTickerAnswer(call: Call): Answer {
  const { market } = call.services
  const row = (symbol: TradingSymbol) => {
    const [last] = market.recentTrades(symbol.id, 1)
    return priceTickerJson(symbol, last?.price, call.serverTime)
  }
  return symbolRowsAnswer(call, {
    heads: PRICES_READ,
    weight: { one: priceTicker.weight, all: ALL_WEIGHT },
    row,
  })
}

function bookTickerAnswer(call: Call): Answer {
  const { market } = call.services
  const row = (symbol: TradingSymbol) => {
    const best = { bid: bestLevel(market, symbol, 'BUY'), ask: bestLevel(market, symbol, 'SELL') }
    return bookTickerJson(symbol, best, call.serverTime)
  }
  return symbolRowsAnswer(call, {
    heads: BEST_PRICES_READ,
    weight: { one: bookTicker.weight, all: ALL_WEIGHT },
    row,
  })
}

function bestLevel(market: MarketData, { id }: TradingSymbol, side: Side): PriceLevel | undefined {
  const [best] = market.depth(id).levels(side, 1)
  return best
}
