/**
 * The latest trades, and whether each moved the price. The stream does not contain the taker's side, so a
 * trade's color follows the tick rule: a price above the previous one is up, below is down, equal keeps the
 * direction.
 */
import type { TradeFigures } from '../../../contract/api/market-data.ts'

/** The direction from the previous trade's price; `flat` until the first move. */
export type Direction = 'up' | 'down' | 'flat'

export type TapeTrade = TradeFigures & { readonly direction: Direction }

/** Maximum number of trades kept. */
export const TAPE_MAX = 60

export class TradeTape {
  #trades: readonly TapeTrade[] = []

  /** Newest first. */
  get trades(): readonly TapeTrade[] {
    return this.#trades
  }

  /** The last trade; undefined before the first one. */
  get last(): TapeTrade | undefined {
    return this.#trades[0]
  }

  /** Replaces all trades by recent ones, newest first. */
  replace(trades: readonly TradeFigures[]): void {
    this.#trades = []
    this.add(trades)
  }

  /** Adds new trades, newest first as in the stream. */
  add(trades: readonly TradeFigures[]): void {
    const added: TapeTrade[] = []
    let previous = this.last
    for (const trade of trades.toReversed()) {
      previous = { ...trade, direction: directionAfter(previous, trade) }
      added.push(previous)
    }
    this.#trades = [...added.reverse(), ...this.#trades].slice(0, TAPE_MAX)
  }
}

function directionAfter(previous: TapeTrade | undefined, trade: TradeFigures): Direction {
  if (previous === undefined) return 'flat'
  if (trade.price === previous.price) return previous.direction
  return trade.price > previous.price ? 'up' : 'down'
}
