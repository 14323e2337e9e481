/**
 * The order book as kept from the stream alone: replaced by `orders`, changed by updates
 * (docs/reference/stream.md#keeping-a-book). Pure book-keeping in exact integers; it knows neither the page nor the connection.
 */

import type { Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import type { BookLevels, PriceLevel } from '../../wire/market-data.ts'

/** One line of the book as shown. */
export type DepthRow = PriceLevel & {
  /** Lots at this price and every better one. */
  readonly cumulative: bigint
}

/** Both sides, best levels first. */
export type DepthRows = { readonly sell: readonly DepthRow[]; readonly buy: readonly DepthRow[] }

export class OrderBookState {
  readonly #sell = new BookSide(-1)
  readonly #buy = new BookSide(1)

  /** Takes a whole book in; what was there before is gone. Levels may come in any order. */
  replace(book: BookLevels): void {
    this.#sell.replace(book.sell)
    this.#buy.replace(book.buy)
  }

  /** Takes in what now rests at some prices of one side; 0n: nothing any more. */
  update(side: Side, levels: readonly PriceLevel[]): void {
    const changed = this.#side(side)
    for (const { price, quantity } of levels) changed.set(price, quantity)
  }

  /** Best price of a side; undefined when it is empty. */
  best(side: Side): Price | undefined {
    return this.#side(side).best
  }

  /** How many prices of a side have orders. */
  levelCount(side: Side): number {
    return this.#side(side).size
  }

  /** At most `levelsMax` levels a side. */
  rows(levelsMax: number): DepthRows {
    return { sell: this.#sell.rows(levelsMax), buy: this.#buy.rows(levelsMax) }
  }

  #side(side: Side): BookSide {
    return side === 'SELL' ? this.#sell : this.#buy
  }
}

/**
 * The levels of one side. Prices stand in an array with the best one last: where most changes happen, little has
 * to be moved.
 */
class BookSide {
  /** 1: a higher price is better (buy); -1: a lower one (sell). */
  readonly #direction: 1 | -1
  readonly #quantityByPrice = new Map<Price, bigint>()
  #prices: Price[] = []

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  get size(): number {
    return this.#prices.length
  }

  get best(): Price | undefined {
    return this.#prices.at(-1)
  }

  replace(levels: readonly PriceLevel[]): void {
    this.#quantityByPrice.clear()
    for (const { price, quantity } of levels) if (quantity > 0n) this.#quantityByPrice.set(price, quantity)
    this.#prices = [...this.#quantityByPrice.keys()].sort((a, b) => (a - b) * this.#direction)
  }

  set(price: Price, quantity: bigint): void {
    const isKnown = this.#quantityByPrice.has(price)
    if (quantity > 0n) {
      if (!isKnown) this.#prices.splice(this.#indexOf(price), 0, price)
      this.#quantityByPrice.set(price, quantity)
    } else if (isKnown) {
      this.#prices.splice(this.#indexOf(price), 1)
      this.#quantityByPrice.delete(price)
    }
  }

  rows(levelsMax: number): DepthRow[] {
    const rows: DepthRow[] = []
    let cumulative = 0n
    for (let at = this.#prices.length - 1; at >= 0 && rows.length < levelsMax; at--) {
      const price = this.#prices[at]!
      const quantity = this.#quantityByPrice.get(price) ?? 0n
      cumulative += quantity
      rows.push({ price, quantity, cumulative })
    }
    return rows
  }

  /** Where the price stands, or would: the first place whose price is not worse. */
  #indexOf(price: Price): number {
    let low = 0
    let high = this.#prices.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#prices[middle]! - price) * this.#direction < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
