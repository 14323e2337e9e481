/** The figures of a market in the list and in the bar at the top, for the last 24 hours, as text. */
import type { DayTicker } from '../../../client/interface/answers.ts'
import type { Language } from '../../../contract/language.ts'
import type { Decimals } from '../../../units/quantities.ts'
import { groupedDecimal } from './number-text.ts'
import type { Direction } from './trade-tape.ts'

export type MarketFigures = {
  /** Absent if nothing has been traded yet. */
  readonly last: string | undefined
  /** In percent, `+1.25`; absent if nothing was traded in 24 hours. */
  readonly change: string | undefined
  readonly direction: Direction
  /** Absent if `last` is. */
  readonly high: string | undefined
  readonly low: string | undefined
  /** In the quote asset, `1.25M`, rounded: only for display. */
  readonly volume: string
}

const COMPACT: { readonly [L in Language]: Intl.NumberFormat } = {
  en: compact('en', 'short'),
  // The short form of billion would be B, which in Turkish stands for thousand (bin).
  tr: compact('tr', 'long'),
}

export function marketFigures(
  {
    lastPrice,
    priceChangePercent,
    highPrice,
    lowPrice,
    quoteVolume,
  }: Pick<DayTicker, 'lastPrice' | 'priceChangePercent' | 'highPrice' | 'lowPrice' | 'quoteVolume'>,
  symbol: { readonly quoteFraction: Decimals },
  language: Language = 'en',
): MarketFigures {
  const change = priceChangePercent === undefined ? undefined : Number(priceChangePercent).toFixed(2)
  const price = (text: string | undefined) =>
    text === undefined ? undefined : groupedDecimal(text, symbol.quoteFraction)
  return {
    last: price(lastPrice),
    change: change === undefined ? undefined : `${Number(change) > 0 ? '+' : ''}${unsigned(change)}`,
    direction: directionOf(Number(change ?? 0)),
    high: price(highPrice),
    low: price(lowPrice),
    volume: shortened(Number(quoteVolume), language),
  }
}

function compact(language: Language, compactDisplay: 'short' | 'long'): Intl.NumberFormat {
  return new Intl.NumberFormat(language, {
    notation: 'compact',
    compactDisplay,
    maximumFractionDigits: 2,
    useGrouping: false,
  })
}

/**
 * `1.25M`, in Turkish `1.25 milyon`: the word for millions depends on the language, the decimal point is the
 * same on the whole page.
 */
function shortened(value: number, language: Language): string {
  const parts = COMPACT[language].formatToParts(value)
  return parts.map(({ type, value: text }) => (type === 'decimal' ? '.' : text)).join('')
}

/** A fall that is rounded to zero has no sign. */
function unsigned(change: string): string {
  return Number(change) === 0 ? '0.00' : change
}

function directionOf(change: number): Direction {
  if (change === 0) return 'flat'
  return change > 0 ? 'up' : 'down'
}

/**
 * Whether a market matches a search: `btcusdt`, `BTC/` and `usdt` find `BTC/USDT`; a Turkish keyboard's `ı`
 * and `İ` count as i.
 */
export function isFound(name: string, search: string): boolean {
  const [all, wanted] = [name, search].map((text) =>
    text
      .replace(/[ıİ]/g, 'i')
      .toLowerCase()
      .replace(/[\s/_-]/g, ''),
  )
  return all?.includes(wanted ?? '') ?? false
}
