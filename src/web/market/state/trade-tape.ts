/**
 * The latest trades, and whether each moved the price. The stream does not say which side a taker was on, so a
 * trade's colour is the tick rule: above the trade before it is up, below is down, equal goes on as before.
 */
import type { TradeFigures } from '../../../wire/market-data.ts'

/** How a trade's price stands to the one before it; `flat` until the first move. */
export type Direction = 'up' | 'down' | 'flat'

export type TapeTrade = TradeFigures & { readonly direction: Direction }

/** Trades kept; older ones are forgotten. */
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

  /** Takes in recent trades, newest first, instead of what was there. */
  replace(trades: readonly TradeFigures[]): void {
    this.#trades = []
    this.add(trades)
  }

  /** Takes in new trades, newest first as the stream lists them. */
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
