/**
 * The interface of an order book. A book orders resting quantities by price, then time; it has quantities and
 * the accounts that must not trade with each other, but no money. Two implementations pass one contract
 * suite: a simple one in the tests that is obviously right, and a fast one.
 */
import type { Branded } from '../../units/brand.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Lots, Price } from '../../units/quantities.ts'

/**
 * Handle of a resting order inside one book; valid until that order leaves, then reused. Slots are small:
 * always below the largest number of orders that ever rested at once, so they can index arrays. Passing a
 * slot without an order to any method is a bug of the caller (`InvariantError`).
 */
export type Slot = Branded<number, 'Slot'>

/** The result if there is no order. */
export const NO_SLOT = -1 as Slot

/** The quantity resting at one price. A sum over orders, so it can exceed the range of one order. */
export type Level = { readonly price: Price; readonly quantity: bigint }

export interface OrderBook {
  /** Number of resting orders on both sides. */
  readonly restingCount: number

  /** Adds an order after all others at its price. `price` and `quantity` at least 1. */
  add(side: Side, price: Price, quantity: Lots, owner: AccountId, orderNumber: OrderNumber): Slot

  /** Removes a resting order, with its remaining quantity. */
  remove(slot: Slot): void

  /**
   * Lowers the remaining quantity of an order without changing its priority; at 0 the order leaves the book.
   * `by` is from 1 to the remaining quantity.
   */
  reduce(slot: Slot, by: Lots): void

  /** The first order in turn on `side`: best price, then oldest; `NO_SLOT` if the side is empty. */
  best(side: Side): Slot

  side(slot: Slot): Side
  price(slot: Slot): Price
  remaining(slot: Slot): Lots
  owner(slot: Slot): AccountId
  orderNumber(slot: Slot): OrderNumber

  /** Number of price levels on `side`. */
  levelCount(side: Side): number

  /** The quantity at a price; 0n if nothing rests. */
  levelQuantity(side: Side, price: Price): bigint

  /** The best `limit` levels of `side`, best first. */
  levels(side: Side, limit: number): Level[]

  /**
   * All resting orders of `side` in the order in which they would be matched. The book must not change during
   * the iteration.
   */
  slots(side: Side): Iterable<Slot>
}
