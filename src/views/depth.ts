/**
 * The price levels of one symbol, kept from `LevelChanged` events. It knows prices and quantities and nothing of
 * the orders behind them.
 */
import type { BookView } from '../core/exchange/view.ts'
import type { Level } from '../core/market/order-book.ts'
import type { Side } from '../units/order-words.ts'
import type { Price } from '../units/quantities.ts'

/** What readers see of a symbol's depth. */
export interface DepthView {
  /** How many levels `side` has. */
  levelCount(side: Side): number

  /** The best `limit` levels of `side`, best first: BUY descending, SELL ascending. All of them without a limit. */
  levels(side: Side, limit?: number): Level[]

  /** The best price of `side`; undefined when it is empty. */
  best(side: Side): Price | undefined

  /** Lots resting at a price; 0n where there is no level. */
  quantity(side: Side, price: Price): bigint
}

/** A `DepthView` that its owner changes. */
export class Depth implements DepthView {
  readonly #buy = new Ladder(1)
  readonly #sell = new Ladder(-1)

  /** Starts from a whole book; empty without one. */
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

/**
 * One side's levels in two parallel arrays, worst price first. Changes crowd around the best price, so an
 * insertion or removal moves few elements; any price is found in logarithmic time.
 */
class Ladder {
  /** 1: higher is better (BUY); -1: lower is better (SELL). */
  readonly #direction: 1 | -1
  readonly #prices: Price[] = []
  readonly #quantities: bigint[] = []

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  get count(): number {
    return this.#prices.length
  }

  get bestPrice(): Price | undefined {
    return this.#prices.at(-1)
  }

  set(price: Price, quantity: bigint): void {
    const at = this.#position(price)
    const found = this.#prices[at] === price
    if (quantity === 0n) {
      if (!found) return
      this.#prices.splice(at, 1)
      this.#quantities.splice(at, 1)
    } else if (found) {
      this.#quantities[at] = quantity
    } else {
      this.#prices.splice(at, 0, price)
      this.#quantities.splice(at, 0, quantity)
    }
  }

  best(limit: number): Level[] {
    const levels: Level[] = []
    const end = Math.max(0, this.#prices.length - limit)
    for (let at = this.#prices.length - 1; at >= end; at--) {
      levels.push({ price: this.#prices[at] as Price, quantity: this.#quantities[at] as bigint })
    }
    return levels
  }

  quantity(price: Price): bigint {
    const at = this.#position(price)
    return this.#prices[at] === price ? (this.#quantities[at] as bigint) : 0n
  }

  /** Where `price` is, or where it would go. */
  #position(price: Price): number {
    let low = 0
    let high = this.#prices.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (((this.#prices[middle] as Price) - price) * this.#direction < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
