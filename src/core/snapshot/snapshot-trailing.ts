/**
 * Trailing orders, as bytes. First the distance of each order that is due, set aside, pending or triggered,
 * and whose place is in another section. Then for each symbol and side the orders that begin with the next
 * trade, those that begin at a price, and those that follow the price, by the best price that they follow.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { SIDES, type Side } from '../../units/order-enums.ts'
import { type Price, price, type TimeMs, timeMs } from '../../units/quantities.ts'
import { isTrailingDelta, type TrailingDelta, trailingTrigger } from '../../units/trailing-delta.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { TrailingOrder } from '../market/trailing-side.ts'
import { TRIGGER_DIRECTIONS } from '../market/trigger-direction.ts'
import { hasPlaced } from '../trading/lists/order-lists.ts'
import type { Order, OrderStop } from '../trading/open-orders.ts'
import { isReached } from '../trading/triggers/place-stop.ts'
import { directionIn, orderOf, readWaiting, writeTotal } from './snapshot-triggers.ts'

/** Written for a missing price, time or turn. */
const NONE = 0

/** Whether no open order has a distance. */
export function hasNoTrailing({ orders }: ExchangeState): boolean {
  return orders.trailing().length === 0
}

export function writeTrailing(w: ByteWriter, state: ExchangeState): void {
  const elsewhere = state.orders.trailing().filter((order) => !isFollower(state, order))
  w.uint(elsewhere.length)
  let last = 0
  for (const { number, stop } of elsewhere) {
    w.uint(number - last)
    w.uint(stop?.trailing?.delta ?? NONE)
    w.uint(stop?.trailing?.following.since ?? NONE)
    last = number
  }
  for (const { triggers } of state.markets) {
    for (const side of SIDES) {
      const trailing = triggers.trailing[side]
      writeOrders(w, state, trailing.fresh, false)
      for (const direction of TRIGGER_DIRECTIONS) {
        const levels = trailing.waiting(direction)
        w.uint(levels.length)
        for (const { at, orders } of levels) {
          w.uint(at)
          writeOrders(w, state, orders, false)
        }
      }
      const groups = trailing.following()
      w.uint(groups.length)
      for (const { at, orders } of groups) {
        w.uint(at)
        writeOrders(w, state, orders, true)
      }
    }
  }
}

/** All other orders that wait must be read before. Throws `BytesFault`. */
export function readTrailing(r: ByteReader, state: ExchangeState): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const order = state.orders.get((last + r.uint()) as OrderNumber)
    if (order?.stop === undefined || order.stop.trailing !== undefined || order.number <= last) {
      throw impossible(r, order?.number ?? last)
    }
    last = order.number
    describe(r, state, order, order.stop)
  }
  for (const market of state.markets) for (const side of SIDES) readSide(r, state, market, side)
}

/**
 * Sets the distance of an order that already has its place, and the time at which it began to follow the
 * price.
 */
function describe(r: ByteReader, state: ExchangeState, order: Order, stop: OrderStop): void {
  const delta = readDelta(r, order.number)
  const since = readSince(r, state, order)
  order.stop = { ...stop, trailing: { delta, following: { since } } }
}

function readSide(r: ByteReader, state: ExchangeState, market: Market, side: Side): void {
  const reading = { r, state, market, side }
  for (const each of readOrders(reading, false)) follow(reading, each, undefined)
  for (const direction of TRIGGER_DIRECTIONS) {
    let before = 0
    for (let left = r.uint(); left > 0; left--) {
      const at = price(r.uint())
      if (at <= before || isReached(direction, at, market.lastPrice)) throw impossiblePrice(r, at)
      before = at
      for (const each of readOrders(reading, true)) {
        if (each.order.stop?.price !== at || directionIn(each.order) !== direction) {
          throw impossible(r, each.order.number)
        }
        follow(reading, each, at)
      }
    }
  }
  readGroups(reading)
}

type Reading = {
  readonly r: ByteReader
  readonly state: ExchangeState
  readonly market: Market
  readonly side: Side
}

/** An order as it is read: its trigger has a price and a total, and it is in no index yet. */
type Read = {
  readonly order: Order
  readonly turn: OrderNumber
  readonly delta: TrailingDelta
  readonly since: TimeMs | undefined
}

function follow({ market, side }: Reading, { order, turn, delta }: Read, at: Price | undefined): void {
  const { number, stop } = order
  const following = market.triggers.follow(side, { number, turn, delta }, directionIn(order), at)
  if (stop !== undefined) order.stop = { ...stop, trailing: { delta, following } }
}

/**
 * By best price, that of the last trade last. No order may be where the last trade would have triggered it.
 */
function readGroups(reading: Reading): void {
  const { r, market, side } = reading
  const { lastPrice } = market
  let before: number | undefined
  for (let left = r.uint(); left > 0; left--) {
    const best = price(r.uint())
    const isBehind = before === undefined || (side === 'SELL' ? best < before : best > before)
    const isOutdone = lastPrice === undefined || (side === 'SELL' ? best < lastPrice : best > lastPrice)
    if (!isBehind || isOutdone || best === NONE) throw impossiblePrice(r, best)
    before = best
    for (const { order, turn, delta, since } of readOrders(reading, true, true)) {
      const { number, stop } = order
      const trigger = trailingTrigger(side, best, delta)
      const isTriggered = side === 'SELL' ? lastPrice <= trigger : lastPrice >= trigger
      if (stop === undefined || since === undefined || isTriggered) throw impossible(r, number)
      const following = market.triggers.followBest(side, { number, turn, delta }, best, since)
      order.stop = { ...stop, trailing: { delta, following } }
    }
  }
}

/** Orders with the same place, by number. */
function writeOrders(
  w: ByteWriter,
  state: ExchangeState,
  orders: readonly TrailingOrder[],
  isFollowing: boolean,
): void {
  w.uint(orders.length)
  let last = 0
  for (const { number, turn, delta, following } of orders) {
    const order = orderOf(state, number)
    w.uint(number - last)
    w.uint(turn - number)
    w.uint(delta)
    w.uint(order.stop?.price ?? NONE)
    if (isFollowing) w.uint(following.since ?? NONE)
    writeTotal(w, order)
    last = number
  }
}

function readOrders(
  { r, state, market, side }: Reading,
  mustBeSome: boolean,
  isFollowing = false,
): readonly Read[] {
  const read: Read[] = []
  let last = 0
  const count = r.uint()
  if (mustBeSome && count === 0)
    throw new BytesFault(`expected trailing orders before byte ${r.at}, found none`)
  while (read.length < count) {
    const number = (last + r.uint()) as OrderNumber
    const turn = (number + r.uint()) as OrderNumber
    const delta = readDelta(r, number)
    const at = r.uint()
    const since = isFollowing ? r.uint() : NONE
    const order = readWaiting(r, state, market, number, at === NONE ? undefined : price(at))
    if (order.side !== side || number <= last || !isTurn(state, order, turn)) throw impossible(r, number)
    read.push({ order, turn, delta, since: timeOf(r, state, order, since) })
    last = number
  }
  return read
}

/** An order's turn is its number, unless it was a pending order of a list before. */
function isTurn(state: ExchangeState, { number }: Order, turn: OrderNumber): boolean {
  if (turn === number) return true
  const list = state.lists.of(number)
  const wasPending = list !== undefined && list.kind !== 'OCO' && hasPlaced(list)
  return wasPending && turn < state.nextOrder && !state.orders.has(turn)
}

function readDelta(r: ByteReader, number: number): TrailingDelta {
  const delta = r.uint()
  if (!isTrailingDelta(delta)) throw impossible(r, number)
  return delta
}

function readSince(r: ByteReader, state: ExchangeState, order: Order): TimeMs | undefined {
  return timeOf(r, state, order, r.uint())
}

function timeOf(r: ByteReader, state: ExchangeState, order: Order, since: number): TimeMs | undefined {
  if (since === NONE) return undefined
  if (since < order.time || since > state.time) throw impossible(r, order.number)
  return timeMs(since)
}

function isFollower({ markets }: ExchangeState, { symbolId, number }: Order): boolean {
  return markets[symbolId]?.triggers.isFollowing(number) === true
}

function impossible(r: ByteReader, number: number): BytesFault {
  return new BytesFault(`trailing order ${number} before byte ${r.at} is not valid`)
}

function impossiblePrice(r: ByteReader, at: Price): BytesFault {
  return new BytesFault(`the price ${at} of trailing orders before byte ${r.at} is not valid`)
}
