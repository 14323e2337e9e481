/**
 * The reference order book: sorted arrays of levels, each with an array of orders. The fast book is compared
 * with it; it must stay too simple to hide a mistake.
 */

import { type Level, NO_SLOT, type OrderBook, type Slot } from '../../src/core/market/order-book.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import { invariant } from '../../src/units/invariant.ts'
import type { Side } from '../../src/units/order-enums.ts'
import { type Lots, type Price, UNITS_MAX } from '../../src/units/quantities.ts'

type PlainOrder = {
  readonly slot: Slot
  readonly side: Side
  readonly price: Price
  readonly owner: AccountId
  readonly orderNumber: OrderNumber
  remaining: Lots
}

/** One price and its orders, oldest first; never empty. */
type PlainLevel = { readonly price: Price; readonly orders: PlainOrder[] }

export class PlainBook implements OrderBook {
  /** Best level first. */
  readonly #levelsBySide: Record<Side, PlainLevel[]> = { BUY: [], SELL: [] }
  readonly #orderBySlot: (PlainOrder | undefined)[] = []
  readonly #freeSlots: Slot[] = []

  get restingCount(): number {
    return this.#orderBySlot.length - this.#freeSlots.length
  }

  add(side: Side, price: Price, quantity: Lots, owner: AccountId, orderNumber: OrderNumber): Slot {
    invariant(price >= 1 && price <= UNITS_MAX, () => `a price must be 1 to 2^53-1 ticks, found ${price}`)
    invariant(
      quantity >= 1 && quantity <= UNITS_MAX,
      () => `a quantity must be 1 to 2^53-1 lots, found ${quantity}`,
    )
    const slot = this.#freeSlots.pop() ?? (this.#orderBySlot.length as Slot)
    const order = { slot, side, price, owner, orderNumber, remaining: quantity }
    this.#orderBySlot[slot] = order
    this.#levelForAdding(side, price).orders.push(order)
    return slot
  }

  remove(slot: Slot): void {
    const order = this.#order(slot)
    const levels = this.#levelsBySide[order.side]
    const level = this.#findLevel(order.side, order.price)
    invariant(level !== undefined, () => `slot ${slot} rests at a price without a level: ${order.price}`)
    level.orders.splice(level.orders.indexOf(order), 1)
    if (level.orders.length === 0) levels.splice(levels.indexOf(level), 1)
    this.#orderBySlot[slot] = undefined
    this.#freeSlots.push(slot)
  }

  reduce(slot: Slot, by: Lots): void {
    const order = this.#order(slot)
    invariant(
      by >= 1 && by <= order.remaining,
      () => `slot ${slot} can be reduced by 1 to ${order.remaining} lots, found ${by}`,
    )
    order.remaining = (order.remaining - by) as Lots
    if (order.remaining === 0) this.remove(slot)
  }

  best(side: Side): Slot {
    return this.#levelsBySide[side][0]?.orders[0]?.slot ?? NO_SLOT
  }

  side(slot: Slot): Side {
    return this.#order(slot).side
  }

  price(slot: Slot): Price {
    return this.#order(slot).price
  }

  remaining(slot: Slot): Lots {
    return this.#order(slot).remaining
  }

  owner(slot: Slot): AccountId {
    return this.#order(slot).owner
  }

  orderNumber(slot: Slot): OrderNumber {
    return this.#order(slot).orderNumber
  }

  levelCount(side: Side): number {
    return this.#levelsBySide[side].length
  }

  levelQuantity(side: Side, price: Price): bigint {
    const level = this.#findLevel(side, price)
    return level === undefined ? 0n : quantityOf(level)
  }

  levels(side: Side, limit: number): Level[] {
    const best = this.#levelsBySide[side].slice(0, limit)
    return best.map((level) => ({ price: level.price, quantity: quantityOf(level) }))
  }

  slots(side: Side): Iterable<Slot> {
    return this.#levelsBySide[side].flatMap((level) => level.orders.map((order) => order.slot))
  }

  #order(slot: Slot): PlainOrder {
    const order = this.#orderBySlot[slot]
    invariant(order !== undefined, () => `no order rests at slot ${slot}`)
    return order
  }

  #findLevel(side: Side, price: Price): PlainLevel | undefined {
    return this.#levelsBySide[side].find((level) => level.price === price)
  }

  #levelForAdding(side: Side, price: Price): PlainLevel {
    const levels = this.#levelsBySide[side]
    const found = this.#findLevel(side, price)
    if (found !== undefined) return found
    const made: PlainLevel = { price, orders: [] }
    levels.push(made)
    levels.sort((a, b) => (side === 'BUY' ? b.price - a.price : a.price - b.price))
    return made
  }
}

function quantityOf(level: PlainLevel): bigint {
  return level.orders.reduce((sum, order) => sum + BigInt(order.remaining), 0n)
}
