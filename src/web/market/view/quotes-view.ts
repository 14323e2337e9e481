/**
 * Last price, figures of the last 24 hours, best prices and spread: in the bar at the top, in the middle of
 * the book, and in the window's title.
 */

import { price } from '../../../units/quantities.ts'
import { shownLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { marketFigures } from '../state/market-figures.ts'
import type { MarketState } from '../state/market-state.ts'
import { grouped, midPrice, spreadPercent } from '../state/number-text.ts'
import { byId, NOTHING, setData, setText } from './dom.ts'

export class QuotesView {
  readonly #lasts = [byId('last', HTMLElement), byId('middle-last', HTMLElement)]
  readonly #change = byId('day-change', HTMLElement)
  readonly #high = byId('day-high', HTMLElement)
  readonly #low = byId('day-low', HTMLElement)
  readonly #volume = byId('day-volume', HTMLElement)
  readonly #bid = byId('bid', HTMLElement)
  readonly #ask = byId('ask', HTMLElement)
  readonly #mid = byId('mid', HTMLElement)
  readonly #spread = byId('spread', HTMLElement)
  readonly #middleSpread = byId('middle-spread', HTMLElement)
  readonly #onTitle: (title: string) => void

  constructor(onTitle: (title: string) => void) {
    this.#onTitle = onTitle
  }

  render(market: MarketState): void {
    const { symbol, book, tape } = market
    const places = symbol.quoteFraction
    const [buy, sell] = [book.bestBid, book.bestAsk].map((level) => level && price(level.ticks))
    const last = tape.last === undefined ? NOTHING : grouped(tape.last.price, places)
    for (const element of this.#lasts) {
      setText(element, last)
      setData(element, 'direction', tape.last?.direction)
    }
    setText(this.#bid, buy === undefined ? NOTHING : grouped(buy, places))
    setText(this.#ask, sell === undefined ? NOTHING : grouped(sell, places))
    const isTwoSided = buy !== undefined && sell !== undefined
    const spread = isTwoSided ? grouped(sell - buy, places) : NOTHING
    const share = isTwoSided ? TEXTS.percent(spreadPercent(buy, sell)) : NOTHING
    setText(this.#mid, isTwoSided ? midPrice(buy, sell, places) : NOTHING)
    setText(this.#spread, isTwoSided ? `${spread} (${share})` : NOTHING)
    setText(this.#middleSpread, spread)
    this.#renderDay(market)
    this.#onTitle(`${tape.last === undefined ? '' : `${last} `}${symbol.name} · Bourse`)
  }

  #renderDay({ day, symbol }: MarketState): void {
    const figures = day && marketFigures(day, symbol, shownLanguage())
    setText(this.#change, figures?.change === undefined ? NOTHING : TEXTS.percent(figures.change))
    setData(this.#change, 'direction', figures?.direction)
    setText(this.#high, figures?.high ?? NOTHING)
    setText(this.#low, figures?.low ?? NOTHING)
    setText(this.#volume, figures?.volume ?? NOTHING)
  }
}
