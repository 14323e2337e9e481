/** What the list of markets says of one: figures of the last 24 hours as texts. */
import type { TickerMessage } from '../../client/interface/messages.ts'
import type { Decimals } from '../../units/quantities.ts'
import type { Language } from '../../wire/language.ts'
import { groupedDecimal } from './number-text.ts'
import type { Direction } from './trade-tape.ts'

export type MarketFigures = {
  /** Absent: nothing was traded yet. */
  readonly last: string | undefined
  /** In percent, `+1.25`; absent where nothing was traded in 24 hours. */
  readonly change: string | undefined
  readonly direction: Direction
  /** `1.25M USDT`, rounded: for the eye only. */
  readonly volume: string
}

const COMPACT: { readonly [L in Language]: Intl.NumberFormat } = {
  en: compact('en', 'short'),
  // A short B is a thousand there (bin), and is read as a billion.
  tr: compact('tr', 'long'),
}

export function marketFigures(
  {
    lastPrice,
    priceChangePercent,
    quoteVolume,
  }: Pick<TickerMessage, 'lastPrice' | 'priceChangePercent' | 'quoteVolume'>,
  symbol: { readonly quoteFraction: Decimals; readonly quoteCode: string },
  language: Language = 'en',
): MarketFigures {
  const change = priceChangePercent === undefined ? undefined : Number(priceChangePercent).toFixed(2)
  return {
    last: lastPrice === undefined ? undefined : groupedDecimal(lastPrice, symbol.quoteFraction),
    change: change === undefined ? undefined : `${Number(change) > 0 ? '+' : ''}${unsigned(change)}`,
    direction: directionOf(Number(change ?? 0)),
    volume: `${shortened(Number(quoteVolume), language)} ${symbol.quoteCode}`,
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

/** `1.25M`, in Turkish `1.25 milyon`: the word for millions is the language's, the point is the page's. */
function shortened(value: number, language: Language): string {
  const parts = COMPACT[language].formatToParts(value)
  return parts.map(({ type, value: text }) => (type === 'decimal' ? '.' : text)).join('')
}

/** A fall too small to be seen is none. */
function unsigned(change: string): string {
  return Number(change) === 0 ? '0.00' : change
}

function directionOf(change: number): Direction {
  if (change === 0) return 'flat'
  return change > 0 ? 'up' : 'down'
}

/** Whether a market is one that was searched for: `btcusdt`, `BTC/` and `usdt` find `BTC/USDT`; a Turkish keyboard's `ı` and `İ` are an i. */
export function isFound(name: string, search: string): boolean {
  const [all, wanted] = [name, search].map((text) =>
    text
      .replace(/[ıİ]/g, 'i')
      .toLowerCase()
      .replace(/[\s/_-]/g, ''),
  )
  return all?.includes(wanted ?? '') ?? false
}
