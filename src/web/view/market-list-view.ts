/**
 * The list of markets: searched by name, with price, change and volume of the last 24 hours of those that are in sight. The focus stays in the
 * search field while the arrow keys go through the list. Rows stand in the exchange's order and never move.
 */
import type { TickerMessage } from '../../client/interface/messages.ts'
import type { MarketStream } from '../../client/stream/market-stream.ts'
import type { ListedSymbol } from '../connection/symbols.ts'
import { TickerWatch } from '../connection/ticker-watch.ts'
import { isFound, marketFigures } from '../state/market-figures.ts'
import { onLanguage, shownLanguage, TEXTS } from '../texts/texts.ts'
import { byId, NOTHING, setData, setText, withFrame } from './dom.ts'

export type MarketListOptions = {
  readonly stream: Pick<MarketStream, 'subscribe'>
  readonly onChoice: (name: string) => void
}

export class MarketListView {
  /** A sheet over the page, which the market's button opens. */
  readonly #sheet = byId('markets', HTMLElement)
  readonly #search = byId('market-search', HTMLInputElement)
  readonly #list = byId('market-list', HTMLElement)
  readonly #none = byId('markets-none', HTMLElement)
  readonly #onChoice: (name: string) => void
  readonly #watch: TickerWatch
  readonly #sight: IntersectionObserver
  readonly #inSight = new Set<Element>()
  readonly #refresh = withFrame(() => this.#draw())
  /** Rows whose figures are others than those that stand there. */
  readonly #changed = new Set<MarketRow>()
  #rows: readonly MarketRow[] = []
  /** Those that were searched for. */
  #found: readonly MarketRow[] = []
  #active: MarketRow | undefined
  #chosen = ''

  constructor({ stream, onChoice }: MarketListOptions) {
    this.#onChoice = (name) => {
      onChoice(name)
      if (this.#sheet.matches(':popover-open')) this.#sheet.hidePopover()
    }
    this.#sheet.addEventListener('toggle', ({ newState }) => {
      if (newState === 'open') this.#search.focus()
      else if (this.#search.value !== '') {
        this.#search.value = ''
        this.#filter()
      }
    })
    this.#watch = new TickerWatch(stream, {
      onFigures: (symbol, figures) => this.#take(symbol, figures),
      onLive: (symbol, isLive) => this.#rowOf(symbol)?.setLive(isLive),
    })
    this.#sight = new IntersectionObserver((entries) => this.#seen(entries))
    onLanguage(() => {
      this.#writeNone()
      for (const row of this.#rows) row.write()
    })
    this.#search.addEventListener('input', () => this.#filter())
    this.#search.addEventListener('keydown', (event) => this.#press(event))
    this.#search.addEventListener('blur', () => this.#activate(undefined))
    this.#list.addEventListener('click', ({ target }) => {
      const row = this.#rows.find(({ element }) => target instanceof Node && element.contains(target))
      if (row !== undefined) this.#onChoice(row.symbol.name)
    })
  }

  /** What can be chosen from. */
  offer(symbols: readonly ListedSymbol[]): void {
    if (isSameList(symbols, this.#rows)) return
    this.#sight.disconnect()
    this.#inSight.clear()
    this.#watch.follow([])
    this.#rows = symbols.map((symbol, index) => new MarketRow(symbol, `market-${index}`))
    this.#list.replaceChildren(...this.#rows.map(({ element }) => element))
    for (const { element } of this.#rows) this.#sight.observe(element)
    this.showChosen(this.#chosen)
    this.#filter()
  }

  showChosen(name: string): void {
    this.#chosen = name
    for (const row of this.#rows) row.setChosen(row.symbol.name === name)
  }

  #take(symbol: string, figures: TickerMessage): void {
    const row = this.#rowOf(symbol)
    if (row === undefined) return
    row.take(figures)
    this.#changed.add(row)
    this.#refresh()
  }

  #draw(): void {
    for (const row of this.#changed) row.write()
    this.#changed.clear()
  }

  #rowOf(symbol: string): MarketRow | undefined {
    return this.#rows.find(({ symbol: { name } }) => name === symbol)
  }

  #filter(): void {
    for (const row of this.#rows) row.element.hidden = !isFound(row.symbol.name, this.#search.value)
    this.#found = this.#rows.filter(({ element }) => !element.hidden)
    this.#writeNone()
    this.#activate(this.#search.value === '' ? undefined : this.#found[0])
  }

  #writeNone(): void {
    const isNone = this.#found.length === 0 && this.#rows.length > 0
    setText(this.#none, isNone ? TEXTS.markets.none : '')
  }

  #press(event: KeyboardEvent): void {
    const { key } = event
    const at = this.#active === undefined ? -1 : this.#found.indexOf(this.#active)
    if (key === 'ArrowDown') this.#activate(this.#found[Math.min(at + 1, this.#found.length - 1)])
    else if (key === 'ArrowUp') this.#activate(this.#found[Math.max(at - 1, 0)])
    else if (key === 'Enter' && this.#active !== undefined) this.#onChoice(this.#active.symbol.name)
    else if (key === 'Escape' && this.#search.value !== '') {
      this.#search.value = ''
      this.#filter()
    } else return
    event.preventDefault()
  }

  #activate(row: MarketRow | undefined): void {
    if (this.#active !== undefined) setData(this.#active.element, 'active', undefined)
    this.#active = row
    if (row === undefined) {
      this.#search.removeAttribute('aria-activedescendant')
      return
    }
    setData(row.element, 'active', '')
    this.#search.setAttribute('aria-activedescendant', row.element.id)
    row.element.scrollIntoView({ block: 'nearest' })
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#inSight.add(target)
      else this.#inSight.delete(target)
    }
    const rows = this.#rows.filter(({ element }) => this.#inSight.has(element))
    this.#watch.follow(rows.map(({ symbol }) => symbol.name))
  }
}

class MarketRow {
  readonly symbol: ListedSymbol
  readonly element = document.createElement('div')
  readonly #last = part('market-last')
  readonly #volume = part('market-volume')
  readonly #change = part('market-change')
  #message: TickerMessage | undefined

  constructor(symbol: ListedSymbol, id: string) {
    this.symbol = symbol
    this.element.id = id
    this.element.className = 'market'
    this.element.role = 'option'
    const name = part('market-name')
    setText(name, symbol.name)
    setText(this.#last, NOTHING)
    this.setChosen(false)
    this.setLive(false)
    this.element.append(name, this.#last, this.#volume, this.#change)
  }

  setChosen(isChosen: boolean): void {
    this.element.ariaSelected = String(isChosen)
  }

  setLive(isLive: boolean): void {
    setData(this.element, 'stale', isLive ? undefined : '')
  }

  /** Written with the next `write`. */
  take(message: TickerMessage): void {
    this.#message = message
  }

  write(): void {
    if (this.#message === undefined) return
    const { last, change, direction, volume } = marketFigures(this.#message, this.symbol, shownLanguage())
    setText(this.#last, last ?? NOTHING)
    setText(this.#change, change === undefined ? '' : TEXTS.percent(change))
    setData(this.#change, 'direction', direction)
    setText(this.#volume, TEXTS.markets.volume(volume))
  }
}

function part(className: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  return element
}

function isSameList(symbols: readonly ListedSymbol[], rows: readonly MarketRow[]): boolean {
  return (
    symbols.length === rows.length &&
    symbols.every(({ name, quoteFraction, quoteCode }, index) => {
      const known = rows[index]?.symbol
      return known?.name === name && known.quoteFraction === quoteFraction && known.quoteCode === quoteCode
    })
  )
}
