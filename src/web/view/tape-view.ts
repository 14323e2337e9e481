/**
 * The latest trades, newest on top.
 */
import type { MarketDecimals } from '../../wire/market-data.ts'
import { clockTime } from '../state/clock-time.ts'
import { figure } from '../state/number-text.ts'
import { TAPE_MAX, type TapeTrade, type TradeTape } from '../state/trade-tape.ts'
import { byId, FigureCell, NO_FIGURE, setData } from './dom.ts'

export class TapeView {
  readonly #rows = Array.from({ length: TAPE_MAX }, () => new TradeRow())
  #shown: readonly TapeTrade[] | undefined

  constructor() {
    byId('tape', HTMLTableSectionElement).append(...this.#rows.map((row) => row.element))
  }

  render(tape: TradeTape, decimals: MarketDecimals): void {
    if (this.#shown === tape.trades) return
    this.#shown = tape.trades
    this.#rows.forEach((row, index) => {
      row.render(tape.trades[index], decimals)
    })
  }
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

  render(trade: TapeTrade | undefined, decimals: MarketDecimals): void {
    if (this.#shown === trade) return
    this.#shown = trade
    setData(this.element, 'direction', trade?.direction)
    this.#time.set(trade === undefined ? NO_FIGURE : { text: clockTime(trade.time), zeros: '' })
    this.#price.set(trade === undefined ? NO_FIGURE : figure(trade.price, decimals.quoteFraction))
    this.#quantity.set(trade === undefined ? NO_FIGURE : figure(trade.quantity, decimals.baseFraction))
  }
}
