/**
 * The markets in the list and their order: by tab, search and sort column. Pure functions, fast enough for
 * thousands of markets.
 */
import type { DayTicker } from '../../../client/interface/answers.ts'
import { isFound } from './market-figures.ts'

export const SORT_KEYS = ['name', 'last', 'change', 'high', 'low', 'volume'] as const
export type SortKey = (typeof SORT_KEYS)[number]

/** Undefined for the order of listing. */
export type Sort = { readonly key: SortKey; readonly isDescending: boolean } | undefined

export type Tab =
  | { readonly kind: 'ALL' }
  | { readonly kind: 'FAVORITES' }
  | { readonly kind: 'QUOTE'; readonly code: string }

export type ListedMarket = {
  readonly symbol: { readonly name: string; readonly quoteCode: string }
  readonly isFavorite: boolean
  /** Undefined if not known yet. */
  readonly figures: ShownFigures | undefined
}

export type ShownFigures = Pick<
  DayTicker,
  'lastPrice' | 'priceChangePercent' | 'highPrice' | 'lowPrice' | 'volume' | 'quoteVolume'
>

/**
 * The sort order after a click on a column heading: figures begin with the largest, names with A; the third
 * click restores the order of the exchange.
 */
export function nextSort(sort: Sort, key: SortKey): Sort {
  const isDescendingFirst = key !== 'name'
  if (sort?.key !== key) return { key, isDescending: isDescendingFirst }
  return sort.isDescending === isDescendingFirst ? { key, isDescending: !isDescendingFirst } : undefined
}

/** The quote assets, the one with most markets first. */
export function quoteCodes(markets: readonly { readonly quoteCode: string }[]): readonly string[] {
  const count = new Map<string, number>()
  for (const { quoteCode } of markets) count.set(quoteCode, (count.get(quoteCode) ?? 0) + 1)
  return [...count].sort(([, one], [, other]) => other - one).map(([code]) => code)
}

/** A search covers every market, in any tab. */
export function shownMarkets<Market extends ListedMarket>(
  markets: readonly Market[],
  { tab, search, sort }: { readonly tab: Tab; readonly search: string; readonly sort: Sort },
): readonly Market[] {
  const shown = markets.filter((market) =>
    search.trim() === '' ? isInTab(market, tab) : isFound(market.symbol.name, search),
  )
  if (sort === undefined) return shown
  const turned = sort.isDescending ? -1 : 1
  if (sort.key === 'name')
    return shown.toSorted((one, other) => turned * compareTexts(one.symbol.name, other.symbol.name))
  const values = figureValues(markets, sort.key)
  // Unknown values come last, in both directions.
  return shown.toSorted((one, other) => {
    const [a, b] = [values(one), values(other)]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return turned * (a - b)
  })
}

function isInTab({ symbol, isFavorite }: ListedMarket, tab: Tab): boolean {
  switch (tab.kind) {
    case 'ALL':
      return true
    case 'FAVORITES':
      return isFavorite
    case 'QUOTE':
      return symbol.quoteCode === tab.code
  }
}

type FigureOf = (market: ListedMarket) => number | undefined

/** Only for sorting, so floating point is enough. */
function figureValues(markets: readonly ListedMarket[], key: Exclude<SortKey, 'name'>): FigureOf {
  if (key !== 'volume') return ({ figures }) => numberOf(figures?.[FIGURES[key]])
  const worth = worthOfQuotes(markets)
  return ({ figures, symbol: { quoteCode } }) => {
    const volume = numberOf(figures?.quoteVolume)
    return volume === undefined ? undefined : volume * (worth.get(quoteCode) ?? 1)
  }
}

const FIGURES = {
  last: 'lastPrice',
  change: 'priceChangePercent',
  high: 'highPrice',
  low: 'lowPrice',
} as const

/**
 * The value of one unit of each quote asset in the most common one, so that a volume in lira is sorted below
 * a larger one in dollars.
 */
function worthOfQuotes(markets: readonly ListedMarket[]): ReadonlyMap<string, number> {
  const last = new Map(markets.map(({ symbol, figures }) => [symbol.name, numberOf(figures?.lastPrice)]))
  const [common = '', ...others] = quoteCodes(markets.map(({ symbol }) => symbol))
  const worth = others.flatMap((code): [string, number][] => {
    const [price, inverse] = [last.get(`${code}/${common}`), last.get(`${common}/${code}`)]
    if (price !== undefined) return [[code, price]]
    return inverse === undefined ? [] : [[code, 1 / inverse]]
  })
  return new Map([[common, 1], ...worth])
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
