/**
 * Placing the pending orders of a list whose working order was filled: they are checked like new ones, and
 * wait, rest or are matched under their own numbers (docs/reference/order-lists.md#pending-orders).
 */
import type { OrderNumber } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { takesTimeInForce } from '../../../units/order-enums.ts'
import { type Amount, NO_LOTS } from '../../../units/quantities.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import type { PlacePending } from '../../commands/order-lists.ts'
import { isStop, type PlaceOrder, type PlaceStop } from '../../commands/orders.ts'
import type { EventSink } from '../../events/event.ts'
import type { Market } from '../../exchange/market.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { type ListAccepted, type Refused, refused } from '../../questions/reply.ts'
import { isCarryingOut } from '../due.ts'
import { endOrder, endOthers } from '../end-order.ts'
import { execute } from '../execution.ts'
import type { Order } from '../open-orders.ts'
import { admissionRefusal, listedRefusalOf, quantityRefusal } from '../order-checks.ts'
import { emitCanceled } from '../order-events.ts'
import { lock, releaseShared } from '../settlement.ts'
import { causeOfEnd } from '../timers/ended.ts'
import { directionOf, followPrice, isReached } from '../triggers/place-stop.ts'
import { orderOfLeg, spendsTotal } from './list-legs.ts'
import { ordersOf } from './order-lists.ts'
import { lotsFor } from './received.ts'

/** A pending order and its current parameters. */
type Pending = { readonly order: Order; readonly asked: PlaceOrder | undefined }

type Placing = { readonly state: ExchangeState; readonly market: Market; readonly emit: EventSink }

/**
 * Places the pending orders of a list. Refused, without an effect, unless it is the list's turn and its
 * symbol trades.
 */
export function placePending(
  state: ExchangeState,
  { listNumber }: PlacePending,
  emit: EventSink,
): ListAccepted | Refused {
  const list = state.lists.get(listNumber)
  const market = list === undefined ? undefined : state.market(list.symbolId)
  const isTurn = list !== undefined && state.lists.firstDue(list.symbolId) === listNumber
  if (!isTurn || market === undefined || !isCarryingOut(state, market)) return refused('UNKNOWN_ORDER_LIST')
  const { received, time, kind } = list
  invariant(received !== undefined, () => `due list ${listNumber} must have the working order's proceeds`)
  const placing = { state, market, emit }
  const pending = ordersOf(list).flatMap((number) => {
    const order = state.orders.get(number)
    return order === undefined ? [] : [{ order, asked: askedOf(order, received, market) }]
  })
  const ended = pending.find(({ order }) => causeOfEnd(state, order) !== undefined)
  const cause = ended && causeOfEnd(state, ended.order)
  if (ended !== undefined && cause !== undefined) {
    endOrder(state, market, ended.order, cause, emit)
    return { kind: 'ListAccepted', listNumber, time, list: kind }
  }
  const refusal = firstRefusal(placing, pending)
  if (refusal !== undefined) refuse(placing, refusal.order, refusal.reason)
  else {
    state.lists.place(list)
    for (const [place, each] of pending.entries()) activate(placing, each, pending[place - 1]?.order)
  }
  return { kind: 'ListAccepted', listNumber, time, list: kind }
}

/** The first order that would be refused if it were new, and the reason. */
function firstRefusal(
  { state, market }: Placing,
  pending: readonly Pending[],
): { readonly order: Order; readonly reason: CoreReason } | undefined {
  for (const { order, asked } of pending) {
    const reason = refusalOf(state, market, order, asked)
    if (reason !== undefined) return { order, reason }
  }
  return undefined
}

function refusalOf(
  state: ExchangeState,
  market: Market,
  { accountId }: Order,
  asked: PlaceOrder | undefined,
): CoreReason | undefined {
  const admission = admissionRefusal(accountId, market, state)
  if (admission !== undefined) return admission
  if (asked === undefined) return 'QUANTITY_TOO_SMALL'
  return quantityRefusal(asked.quantity, market) ?? listedRefusalOf(asked, market, state)
}

/** Ends the list because one of its orders cannot be placed. */
function refuse({ state, market, emit }: Placing, order: Order, reason: CoreReason): void {
  endOthers(state, market, order, emit)
  state.closeOrder(order)
  emitCanceled(emit, order, order.remaining, 'PENDING_REFUSED', reason)
}

/**
 * Makes a checked pending order take effect. `partner` is the other order of its OCO pair, placed before it.
 */
function activate(
  { state, market, emit }: Placing,
  { order, asked }: Pending,
  partner: Order | undefined,
): void {
  invariant(asked !== undefined, () => `order ${order.number} must have been checked`)
  order.quantity = asked.quantity ?? NO_LOTS
  order.remaining = order.quantity
  order.updatedAt = state.time
  if (order.stop !== undefined)
    order.stop = { ...order.stop, total: asked.price === undefined ? asked.total : undefined }
  state.orders.keep(order)
  if (partner !== undefined) releaseShared(order, partner, market)
  if (isStop(asked)) {
    wait({ state, market, emit }, order, asked)
    return
  }
  const status = execute(state, { market, order, asked, isTriggered: true, emit })
  if (typeof status !== 'string') refuse({ state, market, emit }, order, status.reason)
  else if (status !== 'NEW' && status !== 'PARTIALLY_FILLED') state.closeOrder(order)
}

/** Makes an order wait for its trigger. */
function wait({ state, market, emit }: Placing, order: Order, asked: PlaceStop): void {
  const { accountId, symbolId, number: orderNumber } = order
  const { side, quantity, total } = asked
  lock(order, market)
  waitForPrice(state, market, order, asked)
  const { time } = state
  emit({ kind: 'OrderActivated', symbolId, accountId, orderNumber, time, side, quantity, total })
}

/**
 * An order whose price is already reached is due at once; a trailing order follows the price from the next
 * trade on.
 */
function waitForPrice(state: ExchangeState, market: Market, order: Order, asked: PlaceStop): void {
  const { triggers, lastPrice } = market
  const { type, side, stopPrice, trailingDelta } = asked
  const direction = directionOf(type, side)
  const isPassed = stopPrice !== undefined && isReached(direction, stopPrice, lastPrice)
  if (trailingDelta !== undefined) {
    const follows = { type, side, trailingDelta, stopPrice: isPassed ? undefined : stopPrice }
    followPrice(market, order, follows, state.nextOrder++ as OrderNumber)
  } else if (isPassed) {
    triggers.addDue(direction, stopPrice, order.number, state.seq)
    state.marketsDue.add(market)
  } else triggers.add(direction, stopPrice, order.number, state.nextOrder++ as OrderNumber)
}

/** The parameters of a pending order; undefined if less than a lot of it was received. */
function askedOf(order: Order, received: Amount, market: Market): PlaceOrder | undefined {
  const { accountId, symbolId, side, price, quantity, stop, terms } = order
  const { type, timeInForce, selfTradeMode } = terms
  const isBudget = spendsTotal({ side, type })
  const lots = quantity > 0 || isBudget ? quantity : lotsFor(order, received, market)
  if (lots === NO_LOTS && !isBudget) return undefined
  if (isBudget && received === 0) return undefined
  const leg = {
    side,
    type,
    timeInForce: takesTimeInForce(type) ? timeInForce : undefined,
    price: price > 0 ? price : undefined,
    stopPrice: stop?.price,
    trailingDelta: stop?.trailing?.delta,
    quantity: lots === NO_LOTS ? undefined : lots,
    total: isBudget ? received : undefined,
    clientOrderId: undefined,
  }
  return orderOfLeg({ accountId, symbolId, selfTradeMode }, leg)
}
