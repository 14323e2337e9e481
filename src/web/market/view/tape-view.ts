/**
 * The latest trades, newest on top.
 */
import type { MarketDecimals } from '../../../contract/api/market-data.ts'
import { shownZone } from '../../shared/texts/time-zone.ts'
import { clockTime } from '../state/clock-time.ts'
import { figure } from '../state/number-text.ts'
import { TAPE_MAX, type TapeTrade, type TradeTape } from '../state/trade-tape.ts'
import { byId, FigureCell, NO_FIGURE, setData } from './dom.ts'

export class TapeView {
  readonly #body = byId('tape', HTMLTableSectionElement)
  /** In the displayed order. */
  #rows: readonly TradeRow[] = Array.from({ length: TAPE_MAX }, () => new TradeRow())
  #shown: readonly TapeTrade[] = []
  #zone = shownZone()

  constructor() {
    this.#body.append(...this.#rows.map((row) => row.element))
  }

  render({ trades }: TradeTape, decimals: MarketDecimals): void {
    const zone = shownZone()
    if (this.#shown === trades && this.#zone === zone) return
    if (this.#zone !== zone) for (const row of this.#rows) row.forget()
    this.#zone = zone
    this.#rotate(addedBefore(this.#shown, trades))
    this.#shown = trades
    this.#rows.forEach((row, index) => {
      row.render(trades[index], decimals)
    })
  }

  /** Makes the last rows the first ones, so that all others stay as they are. */
  #rotate(count: number): void {
    if (count === 0) return
    const moved = this.#rows.slice(-count)
    this.#rows = [...moved, ...this.#rows.slice(0, -count)]
    this.#body.prepend(...moved.map(({ element }) => element))
  }
}

/** The number of new trades before the displayed ones; 0 if there are none, or all are new. */
function addedBefore(shown: readonly TapeTrade[], trades: readonly TapeTrade[]): number {
  const [newest] = shown
  return newest === undefined ? 0 : Math.max(0, trades.indexOf(newest))
}

class TradeRow {
  readonly element = document.createElement('tr')
  readonly #time = new FigureCell()
  readonly #price = new FigureCell()
  readonly #quantity = new FigureCell()
  #shown: TapeTrade | undefined

  constructor() {
    this.element.append(this.#time.element, this.#price.element, this.#quantity.element)
  }

  /** Makes the next `render` rewrite the content. */
  forget(): void {
    this.#shown = undefined
  }

  render(trade: TapeTrade | undefined, decimals: MarketDecimals): void {
    if (this.#shown === trade) return
    this.#shown = trade
    setData(this.element, 'direction', trade?.direction)
    this.#time.set(trade === undefined ? NO_FIGURE : { text: clockTime(trade.time), zeros: '' })
    this.#price.set(trade === undefined ? NO_FIGURE : figure(trade.price, decimals.quoteFraction))
    this.#quantity.set(trade === undefined ? NO_FIGURE : figure(trade.quantity, decimals.baseFraction))
  }
}
