/** The levels of one side of a book. They stand in an array with the best one last: where most changes happen, little is moved. */

/** What rests at a price. */
export type BookLevel = {
  /** Exact, with the symbol's decimals. */
  readonly price: string
  /** Exact, with the symbol's decimals: of all orders at the price together. */
  readonly quantity: string
  /** The price without its point. */
  readonly ticks: number
  /** The quantity without its point; above zero. */
  readonly lots: bigint
}

/** Changes of a message that are put in their places one by one. */
const SET_MAX = 500

export class BookSide {
  /** 1: a higher price is better (bids); -1: a lower one (asks). */
  readonly #direction: 1 | -1
  #levels: BookLevel[] = []

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  get size(): number {
    return this.#levels.length
  }

  /** Undefined: nothing rests on this side. */
  get best(): BookLevel | undefined {
    return this.#levels.at(-1)
  }

  /** Takes the whole side in; what was there before is gone. Of a price that is there twice the last one counts. */
  replace(levels: readonly BookLevel[]): void {
    const byTicks = new Map(levels.map((level) => [level.ticks, level]))
    this.#levels = [...byTicks.values()]
      .filter(({ lots }) => lots > 0n)
      .sort((a, b) => (a.ticks - b.ticks) * this.#direction)
  }

  /** Takes in what rests at a price now; zero lots: nothing any more. */
  set(level: BookLevel): void {
    const at = this.#indexOf(level.ticks)
    const isKnown = this.#levels[at]?.ticks === level.ticks
    if (level.lots === 0n) {
      if (isKnown) this.#levels.splice(at, 1)
    } else this.#levels.splice(at, isKnown ? 1 : 0, level)
  }

  /** The same for many prices, one after the other. */
  setAll(levels: readonly BookLevel[]): void {
    // Each of many would move half of the side: sorted anew it costs no more than a whole book.
    if (levels.length > SET_MAX) this.replace([...this.#levels, ...levels])
    else for (const level of levels) this.set(level)
  }

  /** At most so many levels, best first. */
  top(levelsMax: number): BookLevel[] {
    return this.#levels.slice(Math.max(0, this.#levels.length - levelsMax)).reverse()
  }

  /** Where the price stands, or would: the first place whose price is not worse. */
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
