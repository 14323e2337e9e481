/**
 * Ends open orders together with the others of their lists: at most two for each, so that the work of ending
 * an order stays bounded (docs/reference/order-lists.md#what-ends-a-list).
 */
import { NO_LOTS } from '../../units/quantities.ts'
import type { CancelCause, EventSink } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT } from '../market/order-book.ts'
import { hasPlaced, ordersOf, partnerIn } from './lists/order-lists.ts'
import type { Order } from './open-orders.ts'
import { emitCanceled, emitLevel } from './order-events.ts'
import { release, releaseSurplus } from './settlement.ts'

/**
 * Ends an open order, resting, pending or waiting for its trigger, and releases its hold. The orders of its
 * list that end with it are ended before. If the order itself rested, the caller publishes the change of its
 * level.
 */
export function endOrder(
  state: ExchangeState,
  market: Market,
  order: Order,
  cause: CancelCause,
  emit: EventSink,
): void {
  endOthers(state, market, order, emit)
  endAlone(state, market, order, cause, emit)
}

/** Ends the orders of a list that do not outlive the end of `order`, which the caller ends next. */
export function endOthers(state: ExchangeState, market: Market, order: Order, emit: EventSink): void {
  const list = state.lists.of(order.number)
  if (list === undefined) return
  if (hasPlaced(list)) {
    const partner = endPartner(state, market, order, emit)
    if (partner !== undefined) publishLevel(market, partner, emit)
    return
  }
  state.lists.end(list)
  for (const number of ordersOf(list)) {
    const other = number === order.number ? undefined : state.orders.get(number)
    if (other !== undefined) endWithList(state, market, other, emit)
  }
}

/**
 * Ends the other order of an OCO pair when `order` is about to be executed, lowered, triggered or ended: from
 * then on only the amount for `order` is held. Returns the ended order; if it rested, the caller publishes
 * the change of its level.
 */
export function endPartner(
  state: ExchangeState,
  market: Market,
  order: Order,
  emit: EventSink,
): Order | undefined {
  const list = state.lists.of(order.number)
  if (list === undefined) return undefined
  const number = partnerIn(list, order.number)
  const partner = number === undefined ? undefined : state.orders.get(number)
  if (partner === undefined) return undefined
  releaseSurplus(partner, order, market)
  state.lists.part(list)
  close(state, market, partner, 'LIST', emit)
  return partner
}

function endWithList(state: ExchangeState, market: Market, order: Order, emit: EventSink): void {
  endAlone(state, market, order, 'LIST', emit)
  publishLevel(market, order, emit)
}

/** Ends an order without any other. */
function endAlone(
  state: ExchangeState,
  market: Market,
  order: Order,
  cause: CancelCause,
  emit: EventSink,
): void {
  if (!state.lists.isPending(order.number)) release(order, market, NO_LOTS)
  close(state, market, order, cause, emit)
}

/**
 * Removes an order, whose hold was released, from its book or from those that wait for a price. A pending
 * order is in neither.
 */
function close(
  state: ExchangeState,
  market: Market,
  order: Order,
  cause: CancelCause,
  emit: EventSink,
): void {
  if (order.slot !== NO_SLOT) market.book.remove(order.slot)
  else market.triggers.remove(order.number)
  state.closeOrder(order)
  emitCanceled(emit, order, order.remaining, cause)
}

export function publishLevel(market: Market, { slot, side, price }: Order, emit: EventSink): void {
  if (slot !== NO_SLOT) emitLevel(emit, market, side, price)
}
