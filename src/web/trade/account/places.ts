/** How many decimals the figures of a column have, so that their points stand below each other: those of one market, or of one asset, have as many as the longest of them. */
import type { TradedMarket } from '../state/draft/draft.ts'

export type Places = {
  /** Of figures of this market or asset. */
  readonly of: (unit: string) => number
}

/**
 * Of the figures of a column, each with the market or asset that it is of; undefined: there is none in its row. `least`: decimals that they have in
 * any case, as prices have those of their market.
 */
export function placesOf(
  figures: Iterable<readonly [unit: string, figure: string | undefined]>,
  least: (unit: string) => number = () => 0,
): Places {
  const longest = new Map<string, number>()
  for (const [unit, figure = ''] of figures) {
    const point = figure.indexOf('.')
    const places = point < 0 ? 0 : figure.length - point - 1
    longest.set(unit, Math.max(longest.get(unit) ?? least(unit), places))
  }
  return { of: (unit) => longest.get(unit) ?? least(unit) }
}

/** The zeros behind an exact decimal that is to have so many decimals: `0` behind `1.5`, `.00` behind `1`. None are cut off. */
export function zerosBehind(decimal: string, places: number): string {
  const [, fraction = ''] = decimal.split('.')
  const zeros = '0'.repeat(Math.max(0, places - fraction.length))
  return fraction === '' && zeros !== '' ? `.${zeros}` : zeros
}

/** The decimals that prices have in each market; none of a market that is not known. */
export function priceDecimals(markets: readonly TradedMarket[]): (symbol: string) => number {
  const byName = new Map(markets.map(({ name, quoteFraction }) => [name, quoteFraction]))
  return (symbol) => byName.get(symbol) ?? 0
}
