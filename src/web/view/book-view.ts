/**
 * The order book: asks above, bids below, as many levels as there is room for. Rows are made once and only their
 * texts change, so nothing ever moves.
 */

import type { LocalBook } from '../../client/stream/local-book.ts'
import type { MarketDecimals } from '../../wire/market-data.ts'
import { groupLevels, levelsForGroups } from '../state/book-groups.ts'
import { barLength, largestSum } from '../state/depth-bar.ts'
import { type DepthRow, depthRows } from '../state/depth-rows.ts'
import { figure } from '../state/number-text.ts'
import { byId, FigureCell, NO_FIGURE } from './dom.ts'

const LEVELS_MIN = 5
const LEVELS_MAX = 25

export class BookView {
  readonly #body = byId('book-body', HTMLElement)
  readonly #asks = new SideView(byId('asks', HTMLTableSectionElement), 'best last')
  readonly #bids = new SideView(byId('bids', HTMLTableSectionElement), 'best first')
  #levels = 0

  /** `onResize`: there is room for more or fewer levels than before. */
  constructor(onResize: () => void) {
    new ResizeObserver(() => {
      if (this.#fit()) onResize()
    }).observe(this.#body)
    this.#fit()
  }

  /** `step`: how many ticks are one line. */
  render(book: LocalBook, decimals: MarketDecimals, step: number): void {
    const needed = levelsForGroups(this.#levels, step)
    const sell = depthRows(groupLevels(book.asks(needed), 'asks', step, this.#levels))
    const buy = depthRows(groupLevels(book.bids(needed), 'bids', step, this.#levels))
    const largest = largestSum(sell, buy)
    this.#asks.render(sell, decimals, largest)
    this.#bids.render(buy, decimals, largest)
  }

  /** Shows as many levels as there is room for; true when that is another number than before. */
  #fit(): boolean {
    // Not drawn at the moment: another view has the phone's screen.
    if (this.#body.clientHeight === 0) return false
    const taken = heightOf(this.#body.querySelector('thead')) + heightOf(this.#body.querySelector('.middle'))
    const room = Math.floor((this.#body.clientHeight - taken) / 2 / this.#asks.rowHeight)
    const levels = Math.max(LEVELS_MIN, Math.min(LEVELS_MAX, room))
    if (levels === this.#levels) return false
    this.#levels = levels
    this.#asks.resize(levels)
    this.#bids.resize(levels)
    return true
  }
}

class SideView {
  readonly #section: HTMLTableSectionElement
  /** Best first. */
  readonly #rows = Array.from({ length: LEVELS_MAX }, () => new LevelRow())
  readonly #order: 'best first' | 'best last'

  constructor(section: HTMLTableSectionElement, order: 'best first' | 'best last') {
    this.#section = section
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

  render(levels: readonly DepthRow[], decimals: MarketDecimals, largest: bigint): void {
    this.#rows.forEach((row, index) => {
      row.render(levels[index], decimals, largest)
    })
  }
}

class LevelRow {
  readonly element = document.createElement('tr')
  readonly #price = new FigureCell()
  readonly #quantity = new FigureCell()
  readonly #cumulative = new FigureCell()
  #fill = ''

  constructor() {
    this.element.append(this.#price.element, this.#quantity.element, this.#cumulative.element)
  }

  /** `largest`: the sum that fills the row. */
  render(level: DepthRow | undefined, decimals: MarketDecimals, largest: bigint): void {
    if (level === undefined) {
      for (const cell of [this.#price, this.#quantity, this.#cumulative]) cell.set(NO_FIGURE)
      this.#setFill('0%')
      return
    }
    this.#price.set(figure(level.price, decimals.quoteFraction))
    this.#quantity.set(figure(level.quantity, decimals.baseFraction))
    this.#cumulative.set(figure(level.cumulative, decimals.baseFraction))
    this.#setFill(barLength(level.cumulative, largest))
  }

  #setFill(fill: string): void {
    if (this.#fill === fill) return
    this.#fill = fill
    // The property itself: a custom one would be handed down to everything in the row.
    this.element.style.backgroundSize = `${fill} calc(100% - 1px)`
  }
}

function heightOf(element: Element | null): number {
  return element?.getBoundingClientRect().height ?? 0
}
