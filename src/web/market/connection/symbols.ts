/**
 * The listed symbols, from exchange information (docs/reference/http.md#exchange-information).
 */
import type { MarketClient } from '../../../client/market-client.ts'
import type { MarketDecimals } from '../../../contract/api/market-data.ts'
import { DECIMALS_MAX, type Decimals } from '../../../units/quantities.ts'

export type ListedSymbol = MarketDecimals & {
  readonly name: string
  readonly baseCode: string
  readonly quoteCode: string
}

/** Queries this page's own node. Rejects if it does not answer, or if its answer is not a list of symbols. */
export async function fetchSymbols(
  client: Pick<MarketClient, 'exchangeInfo'>,
): Promise<readonly ListedSymbol[]> {
  const symbols = readSymbols(await client.exchangeInfo())
  if (symbols === undefined) throw new Error('the answer is not exchange information')
  return symbols
}

/** The symbols of a decoded answer; undefined if it is invalid. */
export function readSymbols(body: unknown): readonly ListedSymbol[] | undefined {
  const list = (body as { readonly symbols?: unknown } | null)?.symbols
  if (!Array.isArray(list)) return undefined
  const symbols = list.map(readSymbol)
  return symbols.every((symbol) => symbol !== undefined) ? symbols : undefined
}

function readSymbol(item: unknown): ListedSymbol | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const { symbol, baseAssetCode, quoteAssetCode, baseFraction, quoteFraction } = item as Record<
    string,
    unknown
  >
  if (typeof symbol !== 'string' || typeof baseAssetCode !== 'string') return undefined
  if (typeof quoteAssetCode !== 'string' || !isPlaces(baseFraction) || !isPlaces(quoteFraction))
    return undefined
  return { name: symbol, baseCode: baseAssetCode, quoteCode: quoteAssetCode, baseFraction, quoteFraction }
}

function isPlaces(value: unknown): value is Decimals {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= DECIMALS_MAX
}
