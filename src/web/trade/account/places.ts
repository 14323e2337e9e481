/**
 * The number of decimals of a column's figures, so that their points are aligned: all figures of one market,
 * or of one asset, get as many as the one with the most.
 */
import type { TradedMarket } from '../state/draft/draft.ts'

export type Places = {
  /** Decimals of the figures of this market or asset. */
  readonly of: (unit: string) => number
}

/**
 * For the figures of a column, each with its market or asset; undefined if its row has none. `least`: their
 * minimum number of decimals, such as that of a market's prices.
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

/**
 * The zeros to append so that an exact decimal has `places` decimals: `0` after `1.5`, `.00` after `1`. None
 * are removed.
 */
export function zerosBehind(decimal: string, places: number): string {
  const [, fraction = ''] = decimal.split('.')
  const zeros = '0'.repeat(Math.max(0, places - fraction.length))
  return fraction === '' && zeros !== '' ? `.${zeros}` : zeros
}

/** The decimals of prices in each market; 0 for an unknown market. */
export function priceDecimals(markets: readonly TradedMarket[]): (symbol: string) => number {
  const byName = new Map(markets.map(({ name, quoteFraction }) => [name, quoteFraction]))
  return (symbol) => byName.get(symbol) ?? 0
}
