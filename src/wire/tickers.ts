/**
 * Tickers: the last price and the best prices of symbols, as exact strings (docs/reference/extensions.md#price-ticker).
 */
import { plainDecimal } from '../units/decimal.ts'
import type { Price, TimeMs } from '../units/quantities.ts'
import { type SuccessHeads, successHeads } from './envelope.ts'
import type { MarketDecimals, PriceLevel } from './market-data.ts'

export type TickerSymbol = MarketDecimals & { readonly name: string }

/** The best level of each side; undefined: the side is empty. */
export type BestLevels = { readonly bid: PriceLevel | undefined; readonly ask: PriceLevel | undefined }

export const PRICES_READ: SuccessHeads = successHeads({
  en: 'The prices have been read.',
  tr: 'Fiyatlar getirildi.',
})
export const BEST_PRICES_READ: SuccessHeads = successHeads({
  en: 'The best prices have been read.',
  tr: 'En iyi fiyatlar getirildi.',
})

/** `last`: the price of the last trade; undefined: there was none. `time`: when this was so. */
export function priceTickerJson(symbol: TickerSymbol, last: Price | undefined, time: TimeMs): string {
  const price = last === undefined ? '' : `"price":"${plainDecimal(last, symbol.quoteFraction)}",`
  return `{"symbol":${JSON.stringify(symbol.name)},${price}"time":${time}}`
}

export function bookTickerJson(symbol: TickerSymbol, { bid, ask }: BestLevels, time: TimeMs): string {
  const sides = sideJson('bid', bid, symbol) + sideJson('ask', ask, symbol)
  return `{"symbol":${JSON.stringify(symbol.name)},${sides}"time":${time}}`
}

function sideJson(side: 'bid' | 'ask', level: PriceLevel | undefined, decimals: MarketDecimals): string {
  if (level === undefined) return ''
  const price = plainDecimal(level.price, decimals.quoteFraction)
  return `"${side}Price":"${price}","${side}Qty":"${plainDecimal(level.quantity, decimals.baseFraction)}",`
}
