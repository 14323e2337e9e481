/**
 * The list of markets over the page: by tab, search and column, with the figures of the last 24 hours of all
 * of them, live for the visible ones. The focus stays in the search field while keys move through the list.
 * Rows move when the user sorts, not when figures change.
 */

import type { DayTicker } from '../../../client/interface/answers.ts'
import type { MarketClient } from '../../../client/market-client.ts'
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { type Closure, MarketOverview } from '../connection/market-overview.ts'
import type { ListedSymbol } from '../connection/symbols.ts'
import { TickerWatch } from '../connection/ticker-watch.ts'
import type { Favorites } from '../state/favorites.ts'
import { quoteCodes, type ShownFigures, shownMarkets } from '../state/market-order.ts'
import { byId, setData, setText, withFrame } from './dom.ts'
import { rowOfKey } from './list-keys.ts'
import { MarketRow } from './market-row.ts'
import { MarketHeads, MarketTabs } from './market-tabs.ts'

export type MarketListOptions = {
  readonly client: Pick<MarketClient, 'dayTickers' | 'symbolRules' | 'stream'>
  readonly favorites: Favorites
  readonly schedule: (delayMs: number, callback: () => void) => () => void
  readonly onChoice: (name: string) => void
}

export class MarketListView {
  /** A sheet over the page, opened by the market button. */
  readonly #sheet = byId('markets', HTMLElement)
  readonly #search = byId('market-search', HTMLInputElement)
  readonly #list = byId('market-list', HTMLElement)
  readonly #none = byId('markets-none', HTMLElement)
  readonly #count = byId('markets-count', HTMLElement)
  readonly #onChoice: (name: string) => void
  readonly #favorites: Favorites
  readonly #watch: TickerWatch
  readonly #overview: MarketOverview
  readonly #sight: IntersectionObserver
  readonly #inSight = new Set<Element>()
  readonly #refresh = withFrame(() => this.#draw())
  readonly #tabs = new MarketTabs(() => this.#arrange())
  readonly #heads = new MarketHeads(() => this.#arrange())
  /** Rows whose displayed figures are outdated. */
  readonly #changed = new Set<MarketRow>()
  #rowByName: ReadonlyMap<string, MarketRow> = new Map()
  #rows: readonly MarketRow[] = []
  /** In the displayed order. */
  #shown: readonly MarketRow[] = []
  #active: MarketRow | undefined
  #chosen = ''
  /** Figures have arrived since the list was opened. */
  #hasFigures = false
  #isFailed = false

  constructor({ client, favorites, schedule, onChoice }: MarketListOptions) {
    this.#favorites = favorites
    this.#onChoice = (name) => {
      onChoice(name)
      if (this.#sheet.matches(':popover-open')) this.#sheet.hidePopover()
    }
    this.#watch = new TickerWatch(client.stream, {
      onFigures: (symbol, figures) => this.#take(symbol, figures),
      onLive: (symbol, isLive) => this.#rowByName.get(symbol)?.setLive(isLive),
    })
    this.#overview = new MarketOverview({
      client,
      schedule,
      onFigures: (tickers) => this.#takeAll(tickers),
      onClosures: (closures) => this.#takeClosures(closures),
      onFailed: (isFailed) => {
        this.#isFailed = isFailed
        this.#writeNone()
      },
    })
    this.#sight = new IntersectionObserver((entries) => this.#seen(entries))
    onLanguage(() => {
      this.#writeNone()
      for (const row of this.#rows) row.write()
    })
    this.#listen()
  }

  #listen(): void {
    this.#sheet.addEventListener('toggle', ({ newState }) => {
      if (newState === 'open') this.#opened()
      else this.#closed()
    })
    this.#search.addEventListener('input', () => this.#arrange())
    this.#search.addEventListener('keydown', (event) => this.#press(event))
    this.#search.addEventListener('blur', () => this.#activate(undefined))
    this.#list.addEventListener('click', ({ target }) => {
      const row = this.#rows.find(({ element }) => target instanceof Node && element.contains(target))
      if (row === undefined) return
      if (row.isStar(target)) this.#favorites.toggle(row.symbol.name)
      else this.#onChoice(row.symbol.name)
    })
  }

  /** Sets the markets to choose from. */
  offer(symbols: readonly ListedSymbol[]): void {
    if (isSameList(symbols, this.#rows)) return
    this.#sight.disconnect()
    this.#inSight.clear()
    this.#watch.follow([])
    this.#rows = symbols.map((symbol, index) => new MarketRow(symbol, `market-${index}`))
    this.#rowByName = new Map(this.#rows.map((row) => [row.symbol.name, row]))
    this.#tabs.offer(quoteCodes(symbols))
    this.showFavorites()
    this.#arrange()
    for (const { element } of this.#rows) this.#sight.observe(element)
    this.showChosen(this.#chosen)
  }

  showChosen(name: string): void {
    this.#chosen = name
    for (const row of this.#rows) row.setChosen(row.symbol.name === name)
  }

  /**
   * Called when the favorites change. A market that was removed from them stays visible until the list is
   * arranged again: it may have been a mistake.
   */
  showFavorites(): void {
    for (const row of this.#rows) {
      const isFavorite = this.#favorites.has(row.symbol.name)
      if (row.isFavorite === isFavorite) continue
      row.setFavorite(isFavorite)
      row.write()
    }
  }

  #opened(): void {
    this.#search.focus()
    this.#overview.open()
    this.#arrange()
    this.#activate(this.#shown.find(({ symbol }) => symbol.name === this.#chosen))
  }

  #closed(): void {
    this.#overview.close()
    this.#hasFigures = false
    this.#search.value = ''
    this.#arrange()
  }

  #take(symbol: string, figures: ShownFigures): void {
    const row = this.#rowByName.get(symbol)
    if (row === undefined) return
    row.take(figures)
    this.#changed.add(row)
    this.#refresh()
  }

  #takeAll(tickers: readonly DayTicker[]): void {
    for (const ticker of tickers) this.#take(ticker.symbol, ticker)
    if (this.#hasFigures) return
    this.#hasFigures = true
    if (this.#heads.sort !== undefined) this.#arrange(this.#active)
  }

  #takeClosures(closures: ReadonlyMap<string, Closure>): void {
    for (const row of this.#rows) {
      row.setClosure(closures.get(row.symbol.name))
      this.#changed.add(row)
    }
    this.#refresh()
  }

  #draw(): void {
    for (const row of this.#changed) row.write()
    this.#changed.clear()
  }

  /** Shows the requested rows in the requested order. `active`: the one from which keys continue. */
  #arrange(active?: MarketRow): void {
    const search = this.#search.value
    const { chosen: tab } = this.#tabs
    this.#tabs.setSearching(search.trim() !== '')
    this.#shown = shownMarkets(this.#rows, { tab, search, sort: this.#heads.sort })
    this.#list.replaceChildren(...this.#shown.map(({ element }) => element))
    this.#writeNone()
    this.#activate(active ?? (search === '' ? undefined : this.#shown[0]))
  }

  #writeNone(): void {
    const { markets: words, book } = TEXTS
    const [shown, all] = [this.#shown.length, this.#rows.length]
    setText(this.#count, words.count(shown, all))
    let text = this.#isFailed ? words.notLoaded : ''
    if (all === 0) text = book.noSymbols
    else if (shown === 0) text = this.#search.value.trim() === '' ? words.noFavorites : words.none
    setText(this.#none, text)
  }

  #press(event: KeyboardEvent): void {
    const { key } = event
    const at = this.#active === undefined ? -1 : this.#shown.indexOf(this.#active)
    const next = rowOfKey(event, at, this.#shown.length)
    if (next !== undefined) this.#activate(this.#shown[next])
    else if (key === 'Enter' && this.#active !== undefined) this.#onChoice(this.#active.symbol.name)
    // No market's name contains this character.
    else if (key === '*' && this.#active !== undefined) this.#favorites.toggle(this.#active.symbol.name)
    else if (key === 'Escape' && this.#search.value !== '') {
      this.#search.value = ''
      this.#arrange()
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

function isSameList(symbols: readonly ListedSymbol[], rows: readonly MarketRow[]): boolean {
  return (
    symbols.length === rows.length &&
    symbols.every(({ name, quoteFraction, quoteCode }, index) => {
      const known = rows[index]?.symbol
      return known?.name === name && known.quoteFraction === quoteFraction && known.quoteCode === quoteCode
    })
  )
}
