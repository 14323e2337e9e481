/**
 * One side of a book: price levels in runs of neighbors. A change anywhere moves at most a few hundred
 * numbers, however many levels there are, and data that a reader derived from a run stays valid until that
 * run changes.
 */
import type { Level } from '../core/market/order-book.ts'
import type { Price } from '../units/quantities.ts'

/** A run that grows beyond this many levels is split in two. */
export const RUN_LEVELS_MAX = 512
/** A run that shrinks to this many levels is joined with the next one, if that leaves room to grow. */
const RUN_LEVELS_MIN = 64

/** Neighboring levels in their current state. While the object is the same, its levels are unchanged. */
export interface DepthPiece {
  /** Best first. Must be called only before the next change. */
  levels(): Level[]
}

export class Ladder {
  /** 1 if higher is better (BUY); -1 if lower is better (SELL). */
  readonly #direction: 1 | -1
  /** Worst first; no run is empty. */
  readonly #runs: Run[] = []
  #count = 0

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  get count(): number {
    return this.#count
  }

  get bestPrice(): Price | undefined {
    return this.#runs.at(-1)?.bestPrice
  }

  set(price: Price, quantity: bigint): void {
    const at = this.#runAt(price)
    const run = this.#runs[at]
    if (run === undefined) {
      if (quantity === 0n) return
      this.#runs.push(new Run(this.#direction, [price], [quantity]))
      this.#count++
      return
    }
    this.#count += run.set(price, quantity)
    if (run.count > RUN_LEVELS_MAX) this.#runs.splice(at + 1, 0, run.splitBetterHalf())
    else if (run.count < RUN_LEVELS_MIN) this.#joinOrDrop(run, at)
  }

  best(limit: number): Level[] {
    const levels: Level[] = []
    for (let at = this.#runs.length - 1; at >= 0 && levels.length < limit; at--) {
      this.#runs[at]?.best(limit - levels.length, levels)
    }
    return levels
  }

  /** All levels, best first, in pieces. */
  pieces(): DepthPiece[] {
    return this.#runs.map((run) => run.piece()).reverse()
  }

  quantity(price: Price): bigint {
    return this.#runs[this.#runAt(price)]?.quantity(price) ?? 0n
  }

  /** The run for a price: the worst run whose best price is not worse; the last run if there is none. */
  #runAt(price: Price): number {
    let low = 0
    let high = this.#runs.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (((this.#runs[middle] as Run).bestPrice - price) * this.#direction < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #joinOrDrop(run: Run, at: number): void {
    if (run.count === 0) {
      this.#runs.splice(at, 1)
      return
    }
    const better = this.#runs[at + 1]
    if (better === undefined || run.count + better.count > RUN_LEVELS_MAX / 2) return
    run.join(better)
    this.#runs.splice(at + 1, 1)
  }
}

/** Levels in two parallel arrays, worst price first. */
class Run {
  readonly #direction: 1 | -1
  readonly #prices: Price[]
  readonly #quantities: bigint[]
  #piece: DepthPiece | undefined

  constructor(direction: 1 | -1, prices: Price[], quantities: bigint[]) {
    this.#direction = direction
    this.#prices = prices
    this.#quantities = quantities
  }

  get count(): number {
    return this.#prices.length
  }

  get bestPrice(): Price {
    return this.#prices.at(-1) as Price
  }

  /** Sets a quantity, 0n for none; returns the change of the number of levels. */
  set(price: Price, quantity: bigint): -1 | 0 | 1 {
    const at = this.#position(price)
    const isKnown = this.#prices[at] === price
    if (quantity === 0n && !isKnown) return 0
    this.#piece = undefined
    if (quantity === 0n) {
      this.#prices.splice(at, 1)
      this.#quantities.splice(at, 1)
      return -1
    }
    if (isKnown) {
      this.#quantities[at] = quantity
      return 0
    }
    this.#prices.splice(at, 0, price)
    this.#quantities.splice(at, 0, quantity)
    return 1
  }

  /** Adds the best `limit` levels to `levels`, best first. */
  best(limit: number, levels: Level[]): void {
    const end = Math.max(0, this.#prices.length - limit)
    for (let at = this.#prices.length - 1; at >= end; at--) {
      levels.push({ price: this.#prices[at] as Price, quantity: this.#quantities[at] as bigint })
    }
  }

  quantity(price: Price): bigint {
    const at = this.#position(price)
    return this.#prices[at] === price ? (this.#quantities[at] as bigint) : 0n
  }

  piece(): DepthPiece {
    this.#piece ??= {
      levels: () => {
        const levels: Level[] = []
        this.best(Number.POSITIVE_INFINITY, levels)
        return levels
      },
    }
    return this.#piece
  }

  /** Removes the better half and returns it. */
  splitBetterHalf(): Run {
    const from = this.#prices.length >>> 1
    this.#piece = undefined
    return new Run(this.#direction, this.#prices.splice(from), this.#quantities.splice(from))
  }

  /** Adds the levels of the next better run. */
  join(better: Run): void {
    this.#piece = undefined
    this.#prices.push(...better.#prices)
    this.#quantities.push(...better.#quantities)
  }

  /** The index of `price`, or the index at which it would be inserted. */
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
