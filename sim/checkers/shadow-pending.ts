/**
 * Placing the pending orders of a list, as the second bookkeeper expects it
 * (docs/reference/order-lists.md#pending-orders).
 */

import type { ListLeg, PlacePending } from '../../src/core/commands/order-lists.ts'
import { isStop, type PlaceImmediate, type PlaceOrder } from '../../src/core/commands/orders.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { SelfTradeMode, TimeInForce } from '../../src/units/order-enums.ts'
import { amount, type Lots, type Price } from '../../src/units/quantities.ts'
import { Arrival, checkActivated } from './shadow-arrival.ts'
import { hold } from './shadow-book.ts'
import { Caused, checkEnd, endNext } from './shadow-ends.ts'
import { listedRefusals, orderOf, spends } from './shadow-list-refusals.ts'
import { close, leaveQueue } from './shadow-lists.ts'
import { groupsOf } from './shadow-place-list.ts'
import { isReachedAt } from './shadow-reached.ts'
import { admissionRefusals, type PlaceRefusals } from './shadow-refusals.ts'
import {
  type Applied,
  affordableNotional,
  demand,
  lotUnits,
  type ShadowList,
  type ShadowOrder,
  type ShadowState,
} from './shadow-state.ts'
import { causeOfEnd } from './shadow-timers.ts'
import { carriesOut, dueSince } from './shadow-triggers.ts'

/**
 * Checks that the engine places due pending orders by itself: in the order in which working orders were
 * filled, if the symbol trades, and nothing else.
 */
export function checkPlacePending(
  state: ShadowState,
  { reply, events }: Applied,
  command: PlacePending,
): void {
  const list = takeListTurn(state, command)
  const { number, time, symbol, kind } = list
  demand(carriesOut(state, symbol.id), () => `list ${number} is carried out while nothing trades`)
  const answer = { kind: 'ListAccepted', listNumber: number, time, list: kind }
  demand(Bun.deepEquals(reply, answer), () => `list ${number} is due, found ${JSON.stringify(reply)}`)
  const pending = list.legs.slice(1)
  const ended = pending.find((order) => causeOfEnd(state, order) !== undefined)
  if (ended !== undefined) {
    checkEnd(state, ended, events, causeOfEnd(state, ended) ?? 'USER')
    return
  }
  const asked = pending.map((order) => askedOf(state, order, list.received))
  const refusals = asked.map((one) => refusalsOf(state, list, one))
  const refused = events.find((event) => event.kind === 'OrderCanceled' && event.cause === 'PENDING_REFUSED')
  if (refused === undefined) {
    for (const { before } of refusals)
      demand(before.size === 0, () => `list ${number} is to end: ${[...before].join(', ')}`)
    activateAll(state, list, asked as PlaceOrder[], events)
  } else checkRefused(state, pending, asked, refusals, events, refused)
}

export function setListAside(state: ShadowState, command: PlacePending): void {
  const list = takeListTurn(state, command)
  leaveQueue(state, list)
  list.stage = 'ASIDE'
}

function takeListTurn(state: ShadowState, { listNumber }: PlacePending): ShadowList {
  const { dueLists, due } = state
  const list = dueLists.find(({ number }) => number === listNumber)
  demand(list !== undefined, () => `list ${listNumber} is not due`)
  const first = dueLists.find(({ symbol }) => symbol.id === list.symbol.id)
  demand(first === list, () => `it is the turn of list ${first?.number}, not of ${listNumber}`)
  const order = due.find(({ symbol }) => symbol.id === list.symbol.id)
  const isFirst = order === undefined || dueSince(state, list) < dueSince(state, order)
  demand(isFirst, () => `order ${order?.number} was due before list ${listNumber}`)
  return list
}

/** Checks that a pending order that would be refused ends, and its pair with it. */
function checkRefused(
  state: ShadowState,
  pending: readonly ShadowOrder[],
  asked: readonly (PlaceOrder | undefined)[],
  refusals: readonly PlaceRefusals[],
  events: readonly ExchangeEvent[],
  refused: ExchangeEvent,
): void {
  demand(refused.kind === 'OrderCanceled', 'what is refused ends')
  const place = pending.findIndex((order) => order.number === refused.orderNumber)
  const order = pending[place]
  const { before, whileMatching } = refusals[place] as PlaceRefusals
  const reason = refused.reason ?? 'none'
  demand(order !== undefined, () => `order ${refused.orderNumber} is not pending`)
  demand(
    before.has(reason) || whileMatching.has(reason),
    () => `order ${order.number} is not to end for ${reason}`,
  )
  const isBefore = refusals.slice(0, place).every((earlier) => earlier.before.size === 0)
  demand(isBefore, () => `an order before ${order.number} is to be refused`)
  // The order was checked, and the book had no match for it.
  if (before.size === 0) order.remaining = asked[place]?.quantity ?? 0
  const caused = new Caused(events)
  endNext(state, order, 'PENDING_REFUSED', caused)
  caused.demandNoMore()
  demand(caused.levels.length === 0, 'a pending order is on no level')
}

function activateAll(
  state: ShadowState,
  list: ShadowList,
  asked: readonly PlaceOrder[],
  events: readonly ExchangeEvent[],
): void {
  const groups = groupsOf(events, 'OrderActivated')
  const pending = list.legs.slice(1)
  demand(
    groups.length === pending.length,
    () => `${pending.length} orders are placed, found ${groups.length}`,
  )
  leaveQueue(state, list)
  list.stage = 'PLACED'
  for (const [place, order] of pending.entries()) {
    const { quantity, total, price } = asked[place] as PlaceOrder
    order.quantity = quantity ?? 0
    order.remaining = order.quantity
    order.updatedAt = state.time
    if (order.stop !== undefined) {
      const budget = price === undefined && total !== undefined ? BigInt(total) : undefined
      order.stop = { ...order.stop, total: budget }
    }
  }
  for (const [place, order] of pending.entries()) {
    activate(state, order, asked[place] as PlaceOrder, groups[place] ?? [])
  }
}

function activate(
  state: ShadowState,
  order: ShadowOrder,
  asked: PlaceOrder,
  events: readonly ExchangeEvent[],
): void {
  if (!isStop(asked)) {
    state.orders.delete(order.number)
    if (asked.quantity === undefined) order.remaining = Number.MAX_SAFE_INTEGER
    const arrival = new Arrival(state, { time: state.time }, asked as PlaceImmediate, order, 'OrderActivated')
    for (const event of events) arrival.take(event)
    arrival.finish()
    if (!state.orders.has(order.number)) close(state, order)
    return
  }
  const [event, ...more] = events
  demand(
    event?.kind === 'OrderActivated' && more.length === 0,
    () => `order ${order.number} waits from now on`,
  )
  demand(
    event.orderNumber === order.number && event.accountId === order.account && event.time === state.time,
    () => `order ${order.number} is placed now, found ${event.orderNumber}`,
  )
  checkActivated(asked, event)
  hold(state, order)
  const last = state.lastPrices[order.symbol.id]
  if (last !== undefined && order.stop?.trailing !== undefined) {
    const isNext = order.stop.trailing.isNext || isReachedAt(order.stop, last)
    order.stop = { ...order.stop, trailing: { ...order.stop.trailing, isNext } }
  } else if (last !== undefined && order.stop !== undefined && isReachedAt(order.stop, last)) {
    state.due.push(order)
    state.dueSince.set(order, state.seq)
    return
  }
  // Behind all orders that are already waiting.
  order.turn = ++state.lastOrder
  state.waiting.push(order)
}

function refusalsOf(state: ShadowState, list: ShadowList, asked: PlaceOrder | undefined): PlaceRefusals {
  if (asked !== undefined) return listedRefusals(state, asked)
  const before = new Set(admissionRefusals(state, list.account as never, list.symbol))
  return { before: before.add('QUANTITY_TOO_SMALL'), whileMatching: new Set() }
}

/**
 * A pending order as a new order, now that the proceeds of the working order are known; undefined for less
 * than a lot.
 */
function askedOf(state: ShadowState, order: ShadowOrder, received: bigint): PlaceOrder | undefined {
  const { symbol, side, price, stop } = order
  const [type, timeInForce, mode] = order.words.split(' ') as [ListLeg['type'], TimeInForce, SelfTradeMode]
  const ofProceeds = spends({ side, type })
  const quantity =
    order.quantity > 0 || ofProceeds
      ? order.quantity
      : lotsFor(order, received, state.symbols[symbol.id] ?? symbol)
  if (ofProceeds ? received === 0n : quantity === 0) return undefined
  const takesTime = type === 'LIMIT' || type.endsWith('_LIMIT')
  const leg: ListLeg = {
    type,
    side,
    timeInForce: takesTime ? timeInForce : undefined,
    price: price === 0 ? undefined : (price as Price),
    stopPrice: stop?.price as Price | undefined,
    trailingDelta: stop?.trailing?.delta as ListLeg['trailingDelta'],
    quantity: quantity === 0 ? undefined : (quantity as Lots),
    total: ofProceeds ? amount(received) : undefined,
    clientOrderId: undefined,
  }
  const head = { accountId: order.account, symbolId: symbol.id, selfTradeMode: mode }
  return orderOf(head as Parameters<typeof orderOf>[0], leg)
}

/**
 * Lots of the pending order: for a SELL, the bought quantity; for a BUY, as many as the proceeds pay for at
 * its limit. In whole steps of the symbol as it is `now`.
 */
function lotsFor({ symbol, side, price }: ShadowOrder, received: bigint, now: TradingSymbol): number {
  const most =
    side === 'SELL' ? received / lotUnits(symbol) : affordableNotional(symbol, received) / BigInt(price)
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  const step = BigInt(now.increments?.stepSize ?? 1)
  const lots = most < limit ? most : limit
  return Number(lots - (lots % step))
}
