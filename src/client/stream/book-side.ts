/**
 * The levels of one side of a book, in an array with the best one last: most changes happen there, so little
 * is moved.
 */

/** Orders resting at a price. */
export type BookLevel = {
  /** Exact, with the symbol's decimals. */
  readonly price: string
  /** Exact, with the symbol's decimals: the sum of all orders at the price. */
  readonly quantity: string
  /** The price without its point. */
  readonly ticks: number
  /** The quantity without its point; above zero. */
  readonly lots: bigint
}

/** Maximum number of changes in a message that are inserted one by one. */
const SET_MAX = 500

export class BookSide {
  /** 1 if a higher price is better (bids); -1 if a lower one is (asks). */
  readonly #direction: 1 | -1
  #levels: BookLevel[] = []

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  get size(): number {
    return this.#levels.length
  }

  /** Undefined if nothing rests on this side. */
  get best(): BookLevel | undefined {
    return this.#levels.at(-1)
  }

  /** Replaces the whole side. If a price occurs twice, the last one counts. */
  replace(levels: readonly BookLevel[]): void {
    const byTicks = new Map(levels.map((level) => [level.ticks, level]))
    this.#levels = [...byTicks.values()]
      .filter(({ lots }) => lots > 0n)
      .sort((a, b) => (a.ticks - b.ticks) * this.#direction)
  }

  /** Sets the quantity at a price; zero lots remove the level. */
  set(level: BookLevel): void {
    const at = this.#indexOf(level.ticks)
    const isKnown = this.#levels[at]?.ticks === level.ticks
    if (level.lots === 0n) {
      if (isKnown) this.#levels.splice(at, 1)
    } else this.#levels.splice(at, isKnown ? 1 : 0, level)
  }

  /** Sets the quantity at many prices, in the given order. */
  setAll(levels: readonly BookLevel[]): void {
    // Inserting each of many changes would move half of the side; sorting all levels costs no more than a
    // complete book.
    if (levels.length > SET_MAX) this.replace([...this.#levels, ...levels])
    else for (const level of levels) this.set(level)
  }

  /** At most `levelsMax` levels, best first. */
  top(levelsMax: number): BookLevel[] {
    return this.#levels.slice(Math.max(0, this.#levels.length - levelsMax)).reverse()
  }

  /**
   * The index of the price, or the index at which it would be inserted: the first whose price is not worse.
   */
  #indexOf(ticks: number): number {
    let low = 0
    let high = this.#levels.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (((this.#levels[middle] as BookLevel).ticks - ticks) * this.#direction < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
