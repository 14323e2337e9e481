/**
 * Memory of the fast book's price levels, both sides in one pool: per level its price, side, position in that
 * side's ladder, first and last order and the exact sum of the resting quantities. A sum over orders can
 * exceed 2^53-1 lots, so it is kept as two whole numbers, high x 2^53 + low.
 */
import type { Branded } from '../../units/brand.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Lots, Price } from '../../units/quantities.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'
import { NO_SLOT, type Slot } from './order-book.ts'

/** Index of a level in the pool; valid until the level is empty, then reused. */
export type LevelId = Branded<number, 'LevelId'>

/** The result if there is no level. */
export const NO_LEVEL = -1 as LevelId

/** One unit of the high half of a level's quantity. */
const HIGH_UNIT = 2 ** 53

const BUY = 0
const SELL = 1

export class LevelPool {
  #side: Int32Array
  #position: Int32Array
  #first: Int32Array
  #last: Int32Array
  #price: Float64Array
  #quantityLow: Float64Array
  #quantityHigh: Float64Array
  #firstVacant: LevelId = NO_LEVEL
  #used = 0

  /** Room for `capacity` levels before the first growth, at least 1. */
  constructor(capacity: number) {
    this.#side = new Int32Array(capacity)
    this.#position = new Int32Array(capacity)
    this.#first = new Int32Array(capacity)
    this.#last = new Int32Array(capacity)
    this.#price = new Float64Array(capacity)
    this.#quantityLow = new Float64Array(capacity)
    this.#quantityHigh = new Float64Array(capacity)
  }

  /** Creates an empty level at `position` of the ladder of its side. */
  take(side: Side, price: Price, position: number): LevelId {
    const level = this.#vacantLevel()
    this.#side[level] = side === 'BUY' ? BUY : SELL
    this.#position[level] = position
    this.#price[level] = price
    this.#first[level] = NO_SLOT
    this.#last[level] = NO_SLOT
    return level
  }

  /**
   * Returns a level to the pool. No order may be left in it, so its quantity is 0, as the next `take`
   * expects. A vacant level stores the next vacant one in `#first`.
   */
  release(level: LevelId): void {
    this.#first[level] = this.#firstVacant
    this.#firstVacant = level
  }

  side(level: LevelId): Side {
    return this.#side[level] === BUY ? 'BUY' : 'SELL'
  }

  price(level: LevelId): Price {
    return this.#price[level] as Price
  }

  position(level: LevelId): number {
    return this.#position[level] as number
  }

  /** The oldest order. */
  first(level: LevelId): Slot {
    return this.#first[level] as Slot
  }

  setFirst(level: LevelId, slot: Slot): void {
    this.#first[level] = slot
  }

  /** The newest order. */
  last(level: LevelId): Slot {
    return this.#last[level] as Slot
  }

  setLast(level: LevelId, slot: Slot): void {
    this.#last[level] = slot
  }

  quantity(level: LevelId): bigint {
    const low = BigInt(this.#quantityLow[level] as number)
    const high = this.#quantityHigh[level] as number
    return high === 0 ? low : BigInt(high) * BigInt(HIGH_UNIT) + low
  }

  addQuantity(level: LevelId, quantity: Lots): void {
    const low = this.#quantityLow[level] as number
    const room = HIGH_UNIT - quantity
    if (low < room) {
      this.#quantityLow[level] = low + quantity
    } else {
      this.#quantityLow[level] = low - room
      this.#quantityHigh[level] = (this.#quantityHigh[level] as number) + 1
    }
  }

  /** `quantity` is at most the level's quantity. */
  subtractQuantity(level: LevelId, quantity: Lots): void {
    const low = this.#quantityLow[level] as number
    if (low >= quantity) {
      this.#quantityLow[level] = low - quantity
    } else {
      this.#quantityLow[level] = HIGH_UNIT - (quantity - low)
      this.#quantityHigh[level] = (this.#quantityHigh[level] as number) - 1
    }
  }

  #vacantLevel(): LevelId {
    const level = this.#firstVacant
    if (level !== NO_LEVEL) {
      this.#firstVacant = this.#first[level] as LevelId
      return level
    }
    if (this.#used === this.#price.length) this.#grow()
    return this.#used++ as LevelId
  }

  #grow(): void {
    const capacity = this.#price.length * 2
    this.#side = grownInt32(this.#side, capacity)
    this.#position = grownInt32(this.#position, capacity)
    this.#first = grownInt32(this.#first, capacity)
    this.#last = grownInt32(this.#last, capacity)
    this.#price = grownFloat64(this.#price, capacity)
    this.#quantityLow = grownFloat64(this.#quantityLow, capacity)
    this.#quantityHigh = grownFloat64(this.#quantityHigh, capacity)
  }
}
