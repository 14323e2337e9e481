/**
 * The orders of a symbol that wait for a price, outside its book
 * (docs/reference/waiting-orders.md#orders-that-wait). The index stores where each of them waits and which
 * are due; it does not carry them out.
 */
import type { OrderNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { LinkedQueue, type QueuePlace } from '../../units/linked-queue.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Price, Seq, TimeMs } from '../../units/quantities.ts'
import { DueQueue, placeOf, type TriggerLevel } from './due-queue.ts'
import {
  type Following,
  type Trailing,
  type TrailingOrder,
  TrailingSide,
  type Triggered,
} from './trailing-side.ts'
import type { TriggerDirection } from './trigger-direction.ts'

/** The place where an order waits. */
type Waiting = {
  readonly direction: TriggerDirection
  readonly level: TriggerLevel
  /** Its place in the order of turns. */
  place: QueuePlace<OrderNumber>
}

export type DueOrder = { readonly number: OrderNumber; readonly since: Seq }

export class TriggerIndex {
  /** By price, cheapest first. The number of levels in a direction is limited at admission (`levelCount`). */
  readonly #levels: Readonly<Record<TriggerDirection, TriggerLevel[]>> = { RISING: [], FALLING: [] }
  readonly #due = new DueQueue()
  readonly #waitingByNumber = new Map<OrderNumber, Waiting>()
  /**
   * For orders that began to wait after newer ones: their numbers by their turns. The turn of any other order
   * is its number.
   */
  readonly #numberByTurn = new Map<OrderNumber, OrderNumber>()
  /** Orders that are never carried out, because carrying them out is a known bug. */
  readonly #setAside = new Set<OrderNumber>()
  /** The trailing orders that are not due: they have no trigger price of their own yet. */
  readonly trailing: Readonly<Record<Side, TrailingSide>> = {
    SELL: new TrailingSide('SELL'),
    BUY: new TrailingSide('BUY'),
  }
  readonly #followerByNumber = new Map<
    OrderNumber,
    { readonly side: Side; readonly follower: TrailingOrder }
  >()

  /**
   * Number of all orders in the index: those whose price is not reached, those that are due, those that are
   * set aside.
   */
  get count(): number {
    return this.pricedCount + this.#followerByNumber.size
  }

  /** The number of these orders without trailing orders that are not due. */
  get pricedCount(): number {
    return this.#waitingByNumber.size + this.#setAside.size
  }

  /** Whether any order follows the price, or waits to begin. */
  get hasTrailing(): boolean {
    return this.#followerByNumber.size > 0
  }

  levelCount(direction: TriggerDirection): number {
    return this.#levels[direction].length
  }

  hasLevel(direction: TriggerDirection, price: Price): boolean {
    const levels = this.#levels[direction]
    return levels[placeOf(levels, price)]?.price === price
  }

  /**
   * Adds an order after those that wait for the same price. `turn` is above those of all waiting orders; it
   * differs from the order's number if that is lower.
   */
  add(direction: TriggerDirection, price: Price, number: OrderNumber, turn = number): void {
    const levels = this.#levels[direction]
    const at = placeOf(levels, price)
    if (levels[at]?.price !== price) levels.splice(at, 0, emptyLevel(price))
    this.#enter(direction, levels[at] as TriggerLevel, number, turn)
  }

  /** Adds an order that is due since command `since` (0 if unknown), after all due ones. */
  addDue(direction: TriggerDirection, price: Price, number: OrderNumber, since: Seq): void {
    const level = emptyLevel(price)
    this.#enter(direction, level, number, number)
    this.#due.add([[level]], price, since)
  }

  /** Whether an order is a trailing one that is not due. */
  isFollowing(number: OrderNumber): boolean {
    return this.#followerByNumber.has(number)
  }

  /**
   * Adds a trailing order, which follows the price from the trade that reaches `price`, or from the next
   * trade if it is undefined. Returns an object that has the time at which the order began to follow, once it
   * has begun.
   */
  follow(side: Side, order: Trailing, direction: TriggerDirection, price: Price | undefined): Following {
    return this.#note(side, this.trailing[side].add(order, direction, price))
  }

  /**
   * Adds a trailing order that has followed the price since `since`, and now follows `best`. On each side,
   * the orders that follow the last best price must be added last.
   */
  followBest(side: Side, order: Trailing, best: Price, since: TimeMs): Following {
    return this.#note(side, this.trailing[side].restore(order, best, since))
  }

  /** Removes an order; returns false if it is not in the index. */
  remove(number: OrderNumber): boolean {
    const trailing = this.#followerByNumber.get(number)
    if (trailing !== undefined) {
      this.trailing[trailing.side].remove(trailing.follower)
      return this.#followerByNumber.delete(number)
    }
    const waiting = this.#waitingByNumber.get(number)
    if (waiting === undefined) return this.#setAside.delete(number)
    const { direction, level, place } = waiting
    this.#waitingByNumber.delete(number)
    this.#numberByTurn.delete(place.value)
    level.orders.remove(place)
    if (!level.orders.isEmpty) return true
    if (this.#isReached(direction, level)) this.#due.trim()
    else {
      const levels = this.#levels[direction]
      levels.splice(placeOf(levels, level.price), 1)
    }
    return true
  }

  /**
   * Command `since` has traded, at `low` and `high` and nowhere beyond: every level in this range is due now,
   * with those in `trailed`, which `trail` returned, nearest to `from` first. The cost does not grow with
   * orders or levels, except that lists of levels are split in two.
   */
  reach(from: Price, low: Price, high: Price, since: Seq, trailed: readonly TriggerLevel[][] = []): void {
    const { RISING: rising, FALLING: falling } = this.#levels
    const isReached =
      (rising[0]?.price ?? Number.POSITIVE_INFINITY) <= high || (falling.at(-1)?.price ?? 0) >= low
    if (!isReached && trailed.length === 0) return
    const risen = rising.splice(0, placeOf(rising, (high + 1) as Price))
    this.#due.add([risen, falling.splice(placeOf(falling, low)), ...trailed], from, since)
  }

  /**
   * Applies trades at these prices, in this order and at `time`, to the trailing orders. Returns the
   * triggered ones by trigger price, cheapest first, for `reach`.
   */
  trail(prices: readonly Price[], time: TimeMs): TriggerLevel[][] {
    return (['SELL', 'BUY'] as const).flatMap((side) => {
      const triggered: Triggered[] = []
      for (const price of prices) this.trailing[side].trade(price, time, triggered)
      return triggered.length === 0 ? [] : [this.#levelsOf(side, triggered)]
    })
  }

  get hasDue(): boolean {
    return !this.#due.isEmpty
  }

  /** The first due order; undefined if none is due. */
  get firstDue(): OrderNumber | undefined {
    return this.dueOrders().next().value ?? undefined
  }

  /** The due orders, in order. No order may be added or removed during the iteration. */
  *dueOrders(): Generator<OrderNumber, void> {
    for (const { number } of this.dueTurns()) yield number
  }

  /** The due orders, in order, each with the command that reached it; 0 if that is not known. */
  *dueTurns(): Generator<DueOrder, void> {
    for (const { turn, since } of this.#due.turns())
      yield { number: this.#numberByTurn.get(turn) ?? turn, since }
  }

  /** Sets the command that made each due order due, in their order: `addDue` added them without it. */
  dateDue(commands: readonly Seq[]): void {
    this.#due.dateEach(commands)
  }

  /** Sets an order aside: it is never carried out, and stays in the index until it is removed. */
  setAside(number: OrderNumber): void {
    this.remove(number)
    this.#setAside.add(number)
  }

  /** The orders that are set aside, oldest first. */
  get asideOrders(): readonly OrderNumber[] {
    return [...this.#setAside].sort((a, b) => a - b)
  }

  /**
   * The levels that are not reached, cheapest first, each with the orders whose turn is their number. A level
   * can be without such orders.
   */
  levels(direction: TriggerDirection): readonly { readonly price: Price; readonly orders: OrderNumber[] }[] {
    return this.#levels[direction].map(({ price, orders }) => {
      return { price, orders: [...orders].filter((turn) => !this.#numberByTurn.has(turn)) }
    })
  }

  /** The other orders whose price is not reached, in the order of their turns. */
  withTurns(): { readonly turn: OrderNumber; readonly number: OrderNumber }[] {
    return [...this.#numberByTurn]
      .map(([turn, number]) => ({ turn, number }))
      .filter(({ number }) => {
        const waiting = this.#waitingByNumber.get(number)
        return waiting === undefined || !this.#isReached(waiting.direction, waiting.level)
      })
      .sort((a, b) => a.turn - b.turn)
  }

  /** Sorts the orders of every level by their turn, after they were read in another order. */
  sortByTurn(): void {
    for (const levels of Object.values(this.#levels)) {
      for (const { orders } of levels) {
        const turns = [...orders].sort((a, b) => a - b)
        for (const waiting of this.#waitingOf(turns)) {
          orders.remove(waiting.place)
          waiting.place = orders.add(waiting.place.value)
        }
      }
    }
  }

  #note(side: Side, follower: TrailingOrder): Following {
    const { number } = follower
    const isNew = !this.#followerByNumber.has(number) && !this.#waitingByNumber.has(number)
    invariant(isNew, () => `order ${number} is already waiting`)
    this.#followerByNumber.set(number, { side, follower })
    return follower.following
  }

  #levelsOf(side: Side, triggered: readonly Triggered[]): TriggerLevel[] {
    const levels: TriggerLevel[] = []
    const inOrder = triggered.toSorted((a, b) => a.trigger - b.trigger || a.follower.turn - b.follower.turn)
    const direction = side === 'SELL' ? 'FALLING' : 'RISING'
    for (const { trigger, follower } of inOrder) {
      if (levels.at(-1)?.price !== trigger) levels.push(emptyLevel(trigger))
      this.#followerByNumber.delete(follower.number)
      this.#enter(direction, levels.at(-1) as TriggerLevel, follower.number, follower.turn)
    }
    return levels
  }

  #isReached(direction: TriggerDirection, level: TriggerLevel): boolean {
    const levels = this.#levels[direction]
    return levels[placeOf(levels, level.price)] !== level
  }

  #waitingOf(turns: readonly OrderNumber[]): Waiting[] {
    return turns.map((turn) => this.#waitingByNumber.get(this.#numberByTurn.get(turn) ?? turn) as Waiting)
  }

  #enter(direction: TriggerDirection, level: TriggerLevel, number: OrderNumber, turn: OrderNumber): void {
    invariant(!this.#waitingByNumber.has(number), () => `order ${number} is already waiting`)
    this.#waitingByNumber.set(number, { direction, level, place: level.orders.add(turn) })
    if (turn !== number) this.#numberByTurn.set(turn, number)
  }
}

function emptyLevel(price: Price): TriggerLevel {
  return { price, orders: new LinkedQueue() }
}
