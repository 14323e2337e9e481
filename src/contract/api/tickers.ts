/**
 * Tickers: the last price and the best prices of symbols, as exact strings
 * (docs/reference/extensions.md#price-ticker).
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Price, TimeMs } from '../../units/quantities.ts'
import { component, decimal, optional, symbolName, timeMs } from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { type SuccessHeads, successHeads } from '../envelope.ts'
import type { MarketDecimals, PriceLevel } from './market-data.ts'

export const PRICE_TICKER = component('PriceTicker', 'The price of the last trade.', {
  symbol: symbolName(),
  price: optional(decimal()),
  time: timeMs(),
})

export const BOOK_TICKER = component('BookTicker', 'The best prices.', {
  symbol: symbolName(),
  bidPrice: optional(decimal()),
  bidQty: optional(decimal()),
  askPrice: optional(decimal()),
  askQty: optional(decimal()),
  time: timeMs(),
})

export type TickerSymbol = MarketDecimals & { readonly name: string }

/** The best level of each side; undefined if the side is empty. */
export type BestLevels = { readonly bid: PriceLevel | undefined; readonly ask: PriceLevel | undefined }

export const PRICES_READ: SuccessHeads = successHeads({
  en: 'The prices have been read.',
  tr: 'Fiyatlar getirildi.',
})
export const BEST_PRICES_READ: SuccessHeads = successHeads({
  en: 'The best prices have been read.',
  tr: 'En iyi fiyatlar getirildi.',
})

/** `last`: the price of the last trade; undefined if there was none. `time`: the time of this state. */
export function priceTickerJson(symbol: TickerSymbol, last: Price | undefined, time: TimeMs): string {
  const price = last === undefined ? undefined : plainDecimal(last, symbol.quoteFraction)
  return jsonOf(PRICE_TICKER, { symbol: symbol.name, price, time })
}

export function bookTickerJson(symbol: TickerSymbol, { bid, ask }: BestLevels, time: TimeMs): string {
  const price = (level: PriceLevel | undefined) => level && plainDecimal(level.price, symbol.quoteFraction)
  const quantity = (level: PriceLevel | undefined) =>
    level && plainDecimal(level.quantity, symbol.baseFraction)
  return jsonOf(BOOK_TICKER, {
    symbol: symbol.name,
    bidPrice: price(bid),
    bidQty: quantity(bid),
    askPrice: price(ask),
    askQty: quantity(ask),
    time,
  })
}
