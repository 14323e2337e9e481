/**
 * The answer of exchange information (docs/reference/http.md#exchange-information).
 */
import { plainDecimal } from '../units/decimal.ts'
import { type Decimals, RATE_DECIMALS, type Rate } from '../units/quantities.ts'

export type SymbolFigures = {
  readonly name: string
  readonly baseCode: string
  readonly quoteCode: string
  /** The taker's rate is the one shown. */
  readonly takerRate: Rate
  readonly baseFraction: Decimals
  readonly quoteFraction: Decimals
}

/** `{"symbols":[...]}`, bare. `commission` is a fraction: 0.001 is 0.1 %. */
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
