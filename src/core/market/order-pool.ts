/**
 * Memory of the fast book's resting orders: one typed array per field; a slot is an index into all of them.
 * Vacant slots form a chain, and the last one freed is reused first. If there is no vacant slot the arrays
 * double; they never shrink. 32 bytes an order. Prices are not stored here: they belong to levels.
 */
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { InvariantError, invariant } from '../../units/invariant.ts'
import { ACCOUNTS_MAX } from '../../units/limits.ts'
import type { Lots } from '../../units/quantities.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'
import type { LevelId } from './level-pool.ts'
import { NO_SLOT, type Slot } from './order-book.ts'

/** Marks a vacant slot in the level column. */
const VACANT = -1

invariant(ACCOUNTS_MAX <= 2 ** 31, 'account numbers must fit in the 32-bit column of owners')

export class OrderPool {
  #level: Int32Array
  #next: Int32Array
  #previous: Int32Array
  #owner: Int32Array
  #remaining: Float64Array
  #orderNumber: Float64Array
  #firstVacant: Slot = NO_SLOT
  /** Slots from here on were never used. */
  #used = 0
  #count = 0

  /** Room for `capacity` orders before the first growth, at least 1. */
  constructor(capacity: number) {
    this.#level = new Int32Array(capacity)
    this.#next = new Int32Array(capacity)
    this.#previous = new Int32Array(capacity)
    this.#owner = new Int32Array(capacity)
    this.#remaining = new Float64Array(capacity)
    this.#orderNumber = new Float64Array(capacity)
  }

  /** Number of orders in the pool. */
  get count(): number {
    return this.#count
  }

  /** Creates a slot for an order of `level` that is not yet linked to any other. */
  take(level: LevelId, quantity: Lots, owner: AccountId, orderNumber: OrderNumber): Slot {
    const slot = this.#vacantSlot()
    this.#level[slot] = level
    this.#next[slot] = NO_SLOT
    this.#previous[slot] = NO_SLOT
    this.#owner[slot] = owner
    this.#remaining[slot] = quantity
    this.#orderNumber[slot] = orderNumber
    this.#count++
    return slot
  }

  /** Returns a slot to the pool; the order must be unlinked. */
  release(slot: Slot): void {
    this.#level[slot] = VACANT
    this.#next[slot] = this.#firstVacant
    this.#firstVacant = slot
    this.#count--
  }

  /**
   * The level of the order at `slot`. Every access by a slot from outside begins with this call, which fails
   * for a vacant slot.
   */
  level(slot: Slot): LevelId {
    const level = this.#level[slot] as number
    if (slot < this.#used && level >= 0) return level as LevelId
    throw new InvariantError(`no order rests at slot ${slot}`)
  }

  remaining(slot: Slot): Lots {
    return this.#remaining[slot] as Lots
  }

  setRemaining(slot: Slot, quantity: Lots): void {
    this.#remaining[slot] = quantity
  }

  owner(slot: Slot): AccountId {
    return this.#owner[slot] as AccountId
  }

  orderNumber(slot: Slot): OrderNumber {
    return this.#orderNumber[slot] as OrderNumber
  }

  /** The order after `slot` at its level, or `NO_SLOT`. */
  next(slot: Slot): Slot {
    return this.#next[slot] as Slot
  }

  setNext(slot: Slot, next: Slot): void {
    this.#next[slot] = next
  }

  /** The order before `slot` at its level, or `NO_SLOT`. */
  previous(slot: Slot): Slot {
    return this.#previous[slot] as Slot
  }

  setPrevious(slot: Slot, previous: Slot): void {
    this.#previous[slot] = previous
  }

  #vacantSlot(): Slot {
    const slot = this.#firstVacant
    if (slot !== NO_SLOT) {
      this.#firstVacant = this.#next[slot] as Slot
      return slot
    }
    if (this.#used === this.#level.length) this.#grow()
    return this.#used++ as Slot
  }

  #grow(): void {
    const capacity = this.#level.length * 2
    this.#level = grownInt32(this.#level, capacity)
    this.#next = grownInt32(this.#next, capacity)
    this.#previous = grownInt32(this.#previous, capacity)
    this.#owner = grownInt32(this.#owner, capacity)
    this.#remaining = grownFloat64(this.#remaining, capacity)
    this.#orderNumber = grownFloat64(this.#orderNumber, capacity)
  }
}
