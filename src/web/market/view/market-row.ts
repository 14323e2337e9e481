/** One market of the list: its star, its name, and its figures. */

import { shownLanguage, TEXTS } from '../../shared/texts/texts.ts'
import type { Closure } from '../connection/market-overview.ts'
import type { ListedSymbol } from '../connection/symbols.ts'
import { marketFigures } from '../state/market-figures.ts'
import type { ListedMarket, ShownFigures } from '../state/market-order.ts'
import { NOTHING, setData, setText } from './dom.ts'

export class MarketRow implements ListedMarket {
  readonly symbol: ListedSymbol
  readonly element = part('market', 'div')
  readonly #star = part('market-star')
  readonly #marked = part('unseen')
  readonly #state = part('market-state')
  readonly #last = part('market-last')
  readonly #change = part('market-change')
  readonly #high = part('market-high')
  readonly #low = part('market-low')
  readonly #volume = part('market-volume')
  #figures: ShownFigures | undefined
  #closure: Closure
  #isFavorite = false

  constructor(symbol: ListedSymbol, id: string) {
    this.symbol = symbol
    this.element.id = id
    this.element.role = 'option'
    this.#star.ariaHidden = 'true'
    const name = part('market-name')
    const code = part('market-code')
    setText(code, symbol.name)
    name.append(code, ' ', this.#marked, ' ', this.#state)
    const range = part('market-range')
    range.append(this.#high, this.#low)
    this.element.append(this.#star, name, this.#last, this.#change, range, this.#volume)
    this.setChosen(false)
    this.setLive(false)
    this.write()
  }

  get figures(): ShownFigures | undefined {
    return this.#figures
  }

  get isFavorite(): boolean {
    return this.#isFavorite
  }

  isStar(target: EventTarget | null): boolean {
    return target === this.#star
  }

  setChosen(isChosen: boolean): void {
    this.element.ariaSelected = String(isChosen)
  }

  setLive(isLive: boolean): void {
    setData(this.element, 'live', isLive ? '' : undefined)
  }

  /** The next `write` writes these changes. */
  setFavorite(isFavorite: boolean): void {
    this.#isFavorite = isFavorite
  }

  setClosure(closure: Closure): void {
    this.#closure = closure
  }

  take(figures: ShownFigures): void {
    this.#figures = figures
  }

  write(): void {
    const { markets: words } = TEXTS
    const { name } = this.symbol
    setText(this.#star, this.#isFavorite ? '★' : '☆')
    this.#star.title = this.#isFavorite ? words.removeFavorite(name) : words.addFavorite(name)
    setData(this.element, 'favorite', this.#isFavorite ? '' : undefined)
    setText(this.#marked, this.#isFavorite ? words.favorite : '')
    setText(this.#state, this.#closure === undefined ? '' : words.states[this.#closure])
    setData(this.element, 'closed', this.#closure)
    const figures = this.#figures && marketFigures(this.#figures, this.symbol, shownLanguage())
    setData(this.element, 'unknown', figures === undefined ? '' : undefined)
    setData(this.element, 'traded', figures?.last === undefined ? undefined : '')
    setText(this.#last, figures?.last ?? NOTHING)
    setText(this.#change, figures?.change === undefined ? NOTHING : TEXTS.percent(figures.change))
    setData(this.#change, 'direction', figures?.direction)
    setText(this.#high, figures?.high ?? NOTHING)
    setText(this.#low, figures?.low ?? NOTHING)
    setText(this.#volume, figures === undefined ? NOTHING : `${figures.volume} ${this.symbol.quoteCode}`)
  }
}

function part(className: string, tag = 'span'): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  return element
}
