/**
 * The answer of exchange information (docs/reference/http.md#exchange-information).
 */

import { plainDecimal } from '../../units/decimal.ts'
import { DECIMALS_MAX, type Decimals, RATE_DECIMALS, type Rate } from '../../units/quantities.ts'
import {
  assetCode,
  between,
  component,
  exactNumber,
  listOf,
  object,
  symbolName,
} from '../../units/shapes/shape.ts'

/** Decimals of an asset, a price or a quantity. */
export const FRACTION = between(0, DECIMALS_MAX, 'Decimals.')

export const EXCHANGE_INFO = component('ExchangeInfo', 'Every listed symbol, in the order of listing.', {
  symbols: listOf(
    object({
      symbol: symbolName(),
      baseAssetCode: assetCode(),
      quoteAssetCode: assetCode(),
      commission: exactNumber("The taker's rate as a fraction: 0.001 is 0.1 %."),
      baseFraction: FRACTION,
      quoteFraction: FRACTION,
    }),
  ),
})

export type SymbolFigures = {
  readonly name: string
  readonly baseCode: string
  readonly quoteCode: string
  /** The displayed rate is the taker's. */
  readonly takerRate: Rate
  readonly baseFraction: Decimals
  readonly quoteFraction: Decimals
}

/** `{"symbols":[...]}`, without the envelope. `commission` is a fraction: 0.001 is 0.1 %. */
export function exchangeInfoBody(symbols: readonly SymbolFigures[]): string {
  return `{"symbols":[${symbols.map(symbolJson).join(',')}]}`
}

function symbolJson(symbol: SymbolFigures): string {
  return (
    `{"symbol":${JSON.stringify(symbol.name)},"baseAssetCode":${JSON.stringify(symbol.baseCode)},` +
    `"quoteAssetCode":${JSON.stringify(symbol.quoteCode)},` +
    `"commission":${plainDecimal(symbol.takerRate, RATE_DECIMALS as Decimals)},` +
    `"baseFraction":${symbol.baseFraction},"quoteFraction":${symbol.quoteFraction}}`
  )
}
