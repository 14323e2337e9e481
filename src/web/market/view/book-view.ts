/**
 * The order book: asks above, bids below, with as many levels as fit. Rows are created once and only their
 * texts change, so nothing ever moves.
 */

import type { LocalBook } from '../../../client/stream/local-book.ts'
import type { MarketDecimals } from '../../../contract/api/market-data.ts'
import { groupLevels, levelsForGroups } from '../state/book-groups.ts'
import { barPercent, barsOutline, largestSum } from '../state/depth-bar.ts'
import { type DepthRow, depthRows } from '../state/depth-rows.ts'
import { figure } from '../state/number-text.ts'
import { byId, FigureCell, NO_FIGURE } from './dom.ts'

const LEVELS_MIN = 5
const LEVELS_MAX = 25

export class OrderBookView {
  readonly #body = byId('book-body', HTMLElement)
  readonly #asks = new SideView('ask', 'best last')
  readonly #bids = new SideView('bid', 'best first')
  #levels = 0

  /** `onResize`: the number of levels that fit has changed. */
  constructor(onResize: () => void) {
    new ResizeObserver(() => {
      if (this.#fit()) onResize()
    }).observe(this.#body)
    this.#fit()
  }

  /** `step`: the number of ticks in one line. */
  render(book: LocalBook, decimals: MarketDecimals, step: number): void {
    const needed = levelsForGroups(this.#levels, step)
    const sell = depthRows(groupLevels(book.asks(needed), 'asks', step, this.#levels))
    const buy = depthRows(groupLevels(book.bids(needed), 'bids', step, this.#levels))
    const largest = largestSum(sell, buy)
    this.#asks.render(sell, decimals, largest)
    this.#bids.render(buy, decimals, largest)
  }

  /** Adapts the number of levels to the available height; returns whether it has changed. */
  #fit(): boolean {
    // Not visible: a phone shows another view.
    if (this.#body.clientHeight === 0) return false
    const taken = heightOf(this.#body.querySelector('thead')) + heightOf(this.#body.querySelector('.middle'))
    const room = Math.floor((this.#body.clientHeight - taken) / 2 / this.#asks.rowHeight)
    const levels = Math.max(LEVELS_MIN, Math.min(LEVELS_MAX, room))
    if (levels === this.#levels) return false
    this.#levels = levels
    for (const side of [this.#asks, this.#bids]) side.resize(levels)
    for (const side of [this.#asks, this.#bids]) side.placeBars()
    return true
  }
}

class SideView {
  readonly #section: HTMLTableSectionElement
  readonly #bars: HTMLElement
  /** In pixels, measured at the bars. */
  #rowHeight = 0
  #outline = ''
  /** Best first. */
  readonly #rows = Array.from({ length: LEVELS_MAX }, () => new LevelRow())
  readonly #order: 'best first' | 'best last'

  constructor(side: 'ask' | 'bid', order: 'best first' | 'best last') {
    this.#section = byId(`${side}s`, HTMLTableSectionElement)
    this.#bars = byId(`${side}-bars`, HTMLElement)
    this.#order = order
    this.resize(LEVELS_MIN)
  }

  get rowHeight(): number {
    return heightOf(this.#section) / this.#section.childElementCount
  }

  resize(levels: number): void {
    const rows = this.#rows.slice(0, levels).map((row) => row.element)
    this.#section.replaceChildren(...(this.#order === 'best first' ? rows : rows.reverse()))
  }

  /** Places the bars behind the rows. */
  placeBars(): void {
    this.#rowHeight = this.rowHeight
    this.#bars.style.top = `${this.#section.offsetTop}px`
    this.#bars.style.height = `${this.#section.offsetHeight}px`
  }

  /** `largest`: the sum that fills a row. */
  render(levels: readonly DepthRow[], decimals: MarketDecimals, largest: bigint): void {
    this.#rows.forEach((row, index) => {
      row.render(levels[index], decimals)
    })
    this.#drawBars(levels.map(({ cumulative }) => barPercent(cumulative, largest)))
  }

  /** `percents`: best first. */
  #drawBars(percents: readonly number[]): void {
    const empty = Array<number>(this.#section.childElementCount - percents.length).fill(0)
    const fromBest = [...percents, ...empty]
    const fromTop = this.#order === 'best first' ? fromBest : fromBest.reverse()
    const outline = barsOutline(fromTop, this.#rowHeight)
    if (this.#outline === outline) return
    this.#outline = outline
    this.#bars.style.clipPath = outline
  }
}

class LevelRow {
  readonly element = document.createElement('tr')
  readonly #price = new FigureCell()
  readonly #quantity = new FigureCell()
  readonly #cumulative = new FigureCell()

  constructor() {
    this.element.append(this.#price.element, this.#quantity.element, this.#cumulative.element)
  }

  render(level: DepthRow | undefined, decimals: MarketDecimals): void {
    if (level === undefined) {
      for (const cell of [this.#price, this.#quantity, this.#cumulative]) cell.set(NO_FIGURE)
      return
    }
    this.#price.set(figure(level.price, decimals.quoteFraction))
    this.#quantity.set(figure(level.quantity, decimals.baseFraction))
    this.#cumulative.set(figure(level.cumulative, decimals.baseFraction))
  }
}

function heightOf(element: Element | null): number {
  return element?.getBoundingClientRect().height ?? 0
}
