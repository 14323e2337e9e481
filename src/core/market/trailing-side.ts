/**
 * The trailing orders of one side of a symbol: those that begin with the next trade, those that begin when a
 * price is reached, and those that follow the price (docs/reference/trailing-orders.md).
 *
 * Orders that follow the same best price are one group, and an order joins a group but never leaves it for
 * another: a new best price merges whole groups whose best price it passes. So a trade costs a logarithm plus
 * the triggered orders: it examines the last group, and the first of all trigger prices. A group is created
 * by one order, and ends once.
 */
import type { OrderNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Price, TimeMs } from '../../units/quantities.ts'
import { type TrailingDelta, trailingTrigger } from '../../units/trailing-delta.ts'
import { type HeapPlace, MeldableHeap } from './meldable-heap.ts'
import type { TriggerDirection } from './trigger-direction.ts'

/**
 * The time at which an order began to follow the price; undefined until it does. Orders that begin together
 * share one object.
 */
export type Following = { since: TimeMs | undefined }

/** An order to be added: its number, its turn among the orders of one trigger price, its distance. */
export type Trailing = {
  readonly number: OrderNumber
  readonly turn: OrderNumber
  readonly delta: TrailingDelta
}

export type TrailingOrder = Trailing & {
  readonly following: Following
  /** A group that the order was in; `homeOf` returns its current group and stores it here. */
  home: Home
  place: HeapPlace<TrailingOrder>
}

/** Orders that wait for the same price or the next trade, or that follow the same best price. */
type Home = {
  /** The group into which this one was merged; undefined if it was not. */
  into: Home | undefined
  /**
   * At most 2^rank groups are merged in this one: the lower rank is merged into the higher, so chains stay
   * short.
   */
  rank: number
  readonly orders: MeldableHeap<TrailingOrder>
  readonly following: Following
  /** Its state, valid until it is merged. */
  is: Waits | Group
}

/** Orders that begin when a trade reaches `price`, or with the next trade if it is undefined. */
type Waits = {
  readonly kind: 'WAITS'
  readonly direction: TriggerDirection
  readonly price: Price | undefined
}

/** Orders that follow the best price. `place` is in the heap of trigger prices. */
type Group = { readonly kind: 'FOLLOWS'; best: Price; trigger: number; place: HeapPlace<Home> | undefined }

type WaitingHome = { readonly price: Price; readonly home: Home }

/** An order that a trade has triggered, and its trigger price. */
export type Triggered = { readonly follower: TrailingOrder; readonly trigger: Price }

/** Orders with the same price, by number. */
export type TrailingGroup<At> = { readonly at: At; readonly orders: readonly TrailingOrder[] }

export class TrailingSide {
  readonly #side: Side
  /** Orders that begin with the next trade. */
  #fresh: Home | undefined
  /** By price, cheapest first. */
  readonly #waiting: Record<TriggerDirection, WaitingHome[]> = { RISING: [], FALLING: [] }
  /** By best price: the best price nearest to the last trade is at the end. */
  readonly #groups: Home[] = []
  readonly #triggers: MeldableHeap<Home>

  constructor(side: Side) {
    this.#side = side
    this.#triggers = new MeldableHeap((one, other) => this.#isTriggeredFirst(groupOf(one), groupOf(other)))
  }

  /** Number of different prices that are followed or waited for; the next trade counts as a price. */
  get priceCount(): number {
    const { RISING, FALLING } = this.#waiting
    return RISING.length + FALLING.length + this.#groups.length + (this.#fresh === undefined ? 0 : 1)
  }

  /** Whether orders already wait for this price, so that one more order adds none. */
  hasPrice(direction: TriggerDirection, price: Price | undefined): boolean {
    if (price === undefined) return this.#fresh !== undefined
    const waiting = this.#waiting[direction]
    return waiting[placeOf(waiting, price)]?.price === price
  }

  /** Adds an order that begins when a trade reaches `price`, or with the next trade if it is undefined. */
  add(order: Trailing, direction: TriggerDirection, price: Price | undefined): TrailingOrder {
    return this.#enter(order, this.#homeFor(direction, price), undefined)
  }

  /**
   * Adds an order that has followed the price since `since` and now follows `best`, the last best price of
   * all orders so far.
   */
  restore(order: Trailing, best: Price, since: TimeMs): TrailingOrder {
    const last = this.#groups.at(-1)
    const isLast = last !== undefined && groupOf(last).best === best
    const home = isLast ? last : this.#openGroup(best)
    const follower = this.#enter(order, home, { since })
    this.#retrigger(home)
    return follower
  }

  remove(follower: TrailingOrder): void {
    const home = homeOf(follower)
    home.orders.remove(follower.place)
    if (home.is.kind === 'FOLLOWS') this.#settle(home)
    else if (home.orders.isEmpty) this.#closeWaiting(home, home.is)
  }

  /** Applies a trade at `price`: moves the orders that it triggers to `triggered`, in no particular order. */
  trade(price: Price, time: TimeMs, triggered: Triggered[]): void {
    const outdone = this.#takeOutdone(price)
    this.#takeTriggered(price, triggered)
    const beginning = this.#takeBeginning(price)
    for (const home of beginning) home.following.since = time
    const all = [...outdone, ...beginning]
    if (all.length === 0) return
    const last = this.#groups.at(-1)
    const isFollowed = last !== undefined && groupOf(last).best === price
    if (isFollowed) this.#groups.pop()
    if (isFollowed) this.#dropTrigger(last)
    const home = (isFollowed ? [last, ...all] : all).reduce(united)
    home.is = { kind: 'FOLLOWS', best: price, trigger: 0, place: undefined }
    this.#groups.push(home)
    this.#retrigger(home)
  }

  /** The best price that an order follows; undefined if it has not begun. */
  bestOf(follower: TrailingOrder): Price | undefined {
    const { is } = homeOf(follower)
    return is.kind === 'FOLLOWS' ? is.best : undefined
  }

  /** The orders that begin with the next trade. */
  get fresh(): readonly TrailingOrder[] {
    return this.#fresh === undefined ? [] : byNumber(this.#fresh)
  }

  /** The orders that begin at a price, cheapest first. */
  waiting(direction: TriggerDirection): TrailingGroup<Price>[] {
    return this.#waiting[direction].map(({ price, home }) => ({ at: price, orders: byNumber(home) }))
  }

  /** The orders that follow the price, those of the last best price last. */
  following(): TrailingGroup<Price>[] {
    return this.#groups.map((home) => ({ at: groupOf(home).best, orders: byNumber(home) }))
  }

  #homeFor(direction: TriggerDirection, price: Price | undefined): Home {
    if (price === undefined) {
      this.#fresh ??= emptyHome({ kind: 'WAITS', direction, price })
      return this.#fresh
    }
    const waiting = this.#waiting[direction]
    const at = placeOf(waiting, price)
    if (waiting[at]?.price !== price) {
      waiting.splice(at, 0, { price, home: emptyHome({ kind: 'WAITS', direction, price }) })
    }
    return (waiting[at] as WaitingHome).home
  }

  #openGroup(best: Price): Home {
    const home = emptyHome({ kind: 'FOLLOWS', best, trigger: 0, place: undefined })
    this.#groups.push(home)
    return home
  }

  #enter(order: Trailing, home: Home, following = home.following): TrailingOrder {
    const entered = { ...order, following, home } as TrailingOrder
    entered.place = home.orders.add(entered)
    return entered
  }

  /** Takes the groups whose best price is worse than `price`, to be merged. */
  #takeOutdone(price: Price): Home[] {
    const outdone: Home[] = []
    for (let last = this.#groups.at(-1); last !== undefined; last = this.#groups.at(-1)) {
      if (!this.#isBetter(price, groupOf(last).best)) break
      this.#groups.pop()
      this.#dropTrigger(last)
      outdone.push(last)
    }
    return outdone
  }

  #takeTriggered(price: Price, triggered: Triggered[]): void {
    for (let home = this.#triggers.first; home !== undefined; home = this.#triggers.first) {
      const { trigger } = groupOf(home)
      if (this.#side === 'SELL' ? price > trigger : price < trigger) break
      const follower = home.orders.first as TrailingOrder
      triggered.push({ follower, trigger: trigger as Price })
      this.remove(follower)
    }
  }

  /** The orders that begin with a trade at `price`. */
  #takeBeginning(price: Price): Home[] {
    const { RISING, FALLING } = this.#waiting
    const beginning = this.#fresh === undefined ? [] : [this.#fresh]
    this.#fresh = undefined
    const risen = (RISING[0]?.price ?? Number.POSITIVE_INFINITY) <= price
    if (risen)
      for (const { home } of RISING.splice(0, placeOf(RISING, (price + 1) as Price))) beginning.push(home)
    const fallen = (FALLING.at(-1)?.price ?? 0) >= price
    if (fallen) for (const { home } of FALLING.splice(placeOf(FALLING, price))) beginning.push(home)
    return beginning
  }

  /** Updates the group's trigger price, or ends the group, after an order has left it. */
  #settle(home: Home): void {
    if (!home.orders.isEmpty) {
      this.#retrigger(home)
      return
    }
    this.#dropTrigger(home)
    const { best } = groupOf(home)
    let low = 0
    let high = this.#groups.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#isBetter(groupOf(this.#groups[middle] as Home).best, best)) low = middle + 1
      else high = middle
    }
    invariant(this.#groups[low] === home, () => `the group that follows ${best} must be among its side's`)
    this.#groups.splice(low, 1)
  }

  #retrigger(home: Home): void {
    const group = groupOf(home)
    const trigger = trailingTrigger(this.#side, group.best, (home.orders.first as TrailingOrder).delta)
    if (group.place !== undefined && group.trigger === trigger) return
    this.#dropTrigger(home)
    group.trigger = trigger
    group.place = this.#triggers.add(home)
  }

  #dropTrigger(home: Home): void {
    const group = groupOf(home)
    if (group.place !== undefined) this.#triggers.remove(group.place)
    group.place = undefined
  }

  #closeWaiting(home: Home, { direction, price }: Waits): void {
    if (this.#fresh === home) this.#fresh = undefined
    if (price === undefined) return
    const waiting = this.#waiting[direction]
    waiting.splice(placeOf(waiting, price), 1)
  }

  /** Whether a price is further in the direction in which the orders follow it. */
  #isBetter(one: Price, other: Price): boolean {
    return this.#side === 'SELL' ? one > other : one < other
  }

  /** Ordered by trigger price, then by best price. No two groups follow the same price. */
  #isTriggeredFirst(one: Group, other: Group): boolean {
    const [a, b] = one.trigger === other.trigger ? [one.best, other.best] : [one.trigger, other.trigger]
    return this.#side === 'SELL' ? a > b : a < b
  }
}

function emptyHome(is: Waits | Group): Home {
  const orders = new MeldableHeap<TrailingOrder>((one, other) =>
    one.delta === other.delta ? one.turn < other.turn : one.delta < other.delta,
  )
  return { into: undefined, rank: 0, orders, following: { since: undefined }, is }
}

/** Merges two groups and returns the remaining one. */
function united(one: Home, other: Home): Home {
  const [taker, taken] = one.rank < other.rank ? [other, one] : [one, other]
  if (taker.rank === taken.rank) taker.rank++
  taker.orders.absorb(taken.orders)
  taken.into = taker
  return taker
}

/** The current group of an order; shortens the path for the groups on the way. */
function homeOf(follower: TrailingOrder): Home {
  let home = follower.home
  while (home.into !== undefined) {
    if (home.into.into !== undefined) home.into = home.into.into
    home = home.into
  }
  follower.home = home
  return home
}

function groupOf({ is }: Home): Group {
  invariant(is.kind === 'FOLLOWS', 'orders that follow the price must be a group')
  return is
}

function byNumber({ orders }: Home): TrailingOrder[] {
  return [...orders].sort((a, b) => a.number - b.number)
}

/** The index of the first entry at `price` or above, or the index at which it would be. */
function placeOf(waiting: readonly WaitingHome[], price: Price): number {
  let low = 0
  let high = waiting.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((waiting[middle] as WaitingHome).price < price) low = middle + 1
    else high = middle
  }
  return low
}
