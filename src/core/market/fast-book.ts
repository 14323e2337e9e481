/**
 * The fast order book: orders in pools of typed arrays, a linked queue per price level, a sorted ladder of
 * levels per side. Best order, cancel and reduce take constant time; a new order costs a search among the
 * level pages of its side, or none if its page was used recently. Nothing is allocated per order. This file
 * joins the parts: `OrderPool` and `LevelPool` are the memory, `LevelLadder` is the order.
 */
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { InvariantError } from '../../units/invariant.ts'
import type { Side } from '../../units/order-enums.ts'
import { type Lots, type Price, UNITS_MAX } from '../../units/quantities.ts'
import { LevelLadder } from './level-ladder.ts'
import { type LevelId, LevelPool, NO_LEVEL } from './level-pool.ts'
import { type Level, NO_SLOT, type OrderBook, type Slot } from './order-book.ts'
import { OrderPool } from './order-pool.ts'

const FIRST_ORDERS = 1024
const FIRST_LEVELS = 256

export class FastBook implements OrderBook {
  readonly #orders: OrderPool
  readonly #levels: LevelPool
  readonly #buyLadder: LevelLadder
  readonly #sellLadder: LevelLadder

  /** Room for `orders` orders and `levels` levels before the memory first grows, each at least 1. */
  constructor(orders = FIRST_ORDERS, levels = FIRST_LEVELS) {
    this.#orders = new OrderPool(orders)
    this.#levels = new LevelPool(levels)
    this.#buyLadder = new LevelLadder('BUY', this.#levels)
    this.#sellLadder = new LevelLadder('SELL', this.#levels)
  }

  get restingCount(): number {
    return this.#orders.count
  }

  add(side: Side, price: Price, quantity: Lots, owner: AccountId, orderNumber: OrderNumber): Slot {
    if (!(price >= 1 && price <= UNITS_MAX)) {
      throw new InvariantError(`a price must be 1 to 2^53-1 ticks, found ${price}`)
    }
    if (!(quantity >= 1 && quantity <= UNITS_MAX)) {
      throw new InvariantError(`a quantity must be 1 to 2^53-1 lots, found ${quantity}`)
    }
    const level = this.#ladder(side).take(price)
    const slot = this.#orders.take(level, quantity, owner, orderNumber)
    const last = this.#levels.last(level)
    if (last === NO_SLOT) {
      this.#levels.setFirst(level, slot)
    } else {
      this.#orders.setNext(last, slot)
      this.#orders.setPrevious(slot, last)
    }
    this.#levels.setLast(level, slot)
    this.#levels.addQuantity(level, quantity)
    return slot
  }

  remove(slot: Slot): void {
    const level = this.#orders.level(slot)
    this.#levels.subtractQuantity(level, this.#orders.remaining(slot))
    this.#unlink(slot, level)
  }

  reduce(slot: Slot, by: Lots): void {
    const level = this.#orders.level(slot)
    const remaining = this.#orders.remaining(slot)
    if (!(by >= 1 && by <= remaining)) {
      throw new InvariantError(`slot ${slot} can be reduced by 1 to ${remaining} lots, found ${by}`)
    }
    this.#levels.subtractQuantity(level, by)
    if (by === remaining) this.#unlink(slot, level)
    else this.#orders.setRemaining(slot, (remaining - by) as Lots)
  }

  best(side: Side): Slot {
    const level = this.#ladder(side).best
    return level === NO_LEVEL ? NO_SLOT : this.#levels.first(level)
  }

  side(slot: Slot): Side {
    return this.#levels.side(this.#orders.level(slot))
  }

  price(slot: Slot): Price {
    return this.#levels.price(this.#orders.level(slot))
  }

  remaining(slot: Slot): Lots {
    this.#orders.level(slot)
    return this.#orders.remaining(slot)
  }

  owner(slot: Slot): AccountId {
    this.#orders.level(slot)
    return this.#orders.owner(slot)
  }

  orderNumber(slot: Slot): OrderNumber {
    this.#orders.level(slot)
    return this.#orders.orderNumber(slot)
  }

  levelCount(side: Side): number {
    return this.#ladder(side).count
  }

  levelQuantity(side: Side, price: Price): bigint {
    const level = this.#ladder(side).find(price)
    return level === NO_LEVEL ? 0n : this.#levels.quantity(level)
  }

  levels(side: Side, limit: number): Level[] {
    const best: Level[] = []
    if (limit <= 0) return best
    for (const level of this.#ladder(side).fromBest()) {
      best.push({ price: this.#levels.price(level), quantity: this.#levels.quantity(level) })
      if (best.length >= limit) break
    }
    return best
  }

  *slots(side: Side): Generator<Slot> {
    for (const level of this.#ladder(side).fromBest()) {
      let slot = this.#levels.first(level)
      while (slot !== NO_SLOT) {
        yield slot
        slot = this.#orders.next(slot)
      }
    }
  }

  #ladder(side: Side): LevelLadder {
    return side === 'BUY' ? this.#buyLadder : this.#sellLadder
  }

  /** Takes an order out of its level's queue, and the level out of the book if no order is left there. */
  #unlink(slot: Slot, level: LevelId): void {
    const orders = this.#orders
    const levels = this.#levels
    const next = orders.next(slot)
    const previous = orders.previous(slot)
    if (previous === NO_SLOT) levels.setFirst(level, next)
    else orders.setNext(previous, next)
    if (next === NO_SLOT) levels.setLast(level, previous)
    else orders.setPrevious(next, previous)
    orders.release(slot)
    if (previous === NO_SLOT && next === NO_SLOT) this.#ladder(levels.side(level)).release(level)
  }
}
