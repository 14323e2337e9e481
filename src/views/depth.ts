/**
 * The price levels of one symbol, maintained from `LevelChanged` events: prices and quantities, but not the
 * orders behind them.
 */

import type { Level } from '../core/market/order-book.ts'
import type { BookView } from '../core/questions/view.ts'
import type { Side } from '../units/order-enums.ts'
import type { Price } from '../units/quantities.ts'
import { type DepthPiece, Ladder } from './ladder.ts'

/** The view of a symbol's depth for readers. */
export interface DepthView {
  /** The number of levels of `side`. */
  levelCount(side: Side): number

  /**
   * The best `limit` levels of `side`, best first: BUY descending, SELL ascending. Without a limit, all of
   * them.
   */
  levels(side: Side, limit?: number): Level[]

  /**
   * All levels of `side`, best first, in pieces; if a later call returns the same piece, nothing in it has
   * changed.
   */
  pieces(side: Side): readonly DepthPiece[]

  /** The best price of `side`; undefined when it is empty. */
  best(side: Side): Price | undefined

  /** Lots resting at a price; 0n if there is no such level. */
  quantity(side: Side, price: Price): bigint
}

/** A `DepthView` that its owner changes. */
export class Depth implements DepthView {
  readonly #buy = new Ladder(1)
  readonly #sell = new Ladder(-1)

  /** Starts from a complete book, or empty if there is none. */
  constructor(book?: Pick<BookView, 'sell' | 'buy'>) {
    for (const level of book?.buy ?? []) this.#buy.set(level.price, level.quantity)
    for (const level of book?.sell ?? []) this.#sell.set(level.price, level.quantity)
  }

  /** Sets the quantity at a price; 0n removes the level. */
  set(side: Side, price: Price, quantity: bigint): void {
    this.#ladder(side).set(price, quantity)
  }

  levelCount(side: Side): number {
    return this.#ladder(side).count
  }

  levels(side: Side, limit = Number.POSITIVE_INFINITY): Level[] {
    return this.#ladder(side).best(limit)
  }

  pieces(side: Side): readonly DepthPiece[] {
    return this.#ladder(side).pieces()
  }

  best(side: Side): Price | undefined {
    return this.#ladder(side).bestPrice
  }

  quantity(side: Side, price: Price): bigint {
    return this.#ladder(side).quantity(price)
  }

  #ladder(side: Side): Ladder {
    return side === 'BUY' ? this.#buy : this.#sell
  }
}
