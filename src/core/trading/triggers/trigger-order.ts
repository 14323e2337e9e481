/**
 * Carrying out an order whose trigger was reached: its hold is released, it is checked like a new order, and
 * it is matched like one that arrives now, under its own number
 * (docs/reference/waiting-orders.md#triggering).
 */
import { invariant } from '../../../units/invariant.ts'
import { NO_LOTS, NO_NOTIONAL } from '../../../units/quantities.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import type { PlaceImmediate, TriggerOrder } from '../../commands/orders.ts'
import { type EventSink, NO_EVENTS } from '../../events/event.ts'
import type { Market } from '../../exchange/market.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { NO_SLOT } from '../../market/order-book.ts'
import { type OrderAccepted, type Refused, refused } from '../../questions/reply.ts'
import { isCarryingOut } from '../due.ts'
import { endOrder, endPartner } from '../end-order.ts'
import { execute } from '../execution.ts'
import type { Order, OrderStop } from '../open-orders.ts'
import { triggeredRefusalOf } from '../order-checks.ts'
import { emitCanceled, emitLevel } from '../order-events.ts'
import { release } from '../settlement.ts'
import { causeOfEnd } from '../timers/ended.ts'

/** Refused, without an effect, unless it is the order's turn and its symbol trades. */
export function triggerOrder(
  state: ExchangeState,
  { orderNumber }: TriggerOrder,
  emit: EventSink,
): OrderAccepted | Refused {
  const order = state.orders.get(orderNumber)
  const market = order === undefined ? undefined : state.market(order.symbolId)
  const isTurn = market?.triggers.firstDue === orderNumber
  if (order === undefined || market === undefined || !isTurn || !isCarryingOut(state, market)) {
    return refused('UNKNOWN_ORDER')
  }
  const { stop } = order
  invariant(stop !== undefined, () => `due order ${orderNumber} must have a trigger`)
  const cause = causeOfEnd(state, order)
  if (cause !== undefined) {
    endOrder(state, market, order, cause, emit)
    return canceled(order)
  }
  const asked = askedOf(state, order, stop)
  const partner = endPartner(state, market, order, emit)
  const carryOutWith = (sink: EventSink) => carryOut(state, market, order, asked, stop, sink)
  if (emit === NO_EVENTS || partner === undefined || partner.slot === NO_SLOT) return carryOutWith(emit)
  return inPlaceOf(partner, market, emit, carryOutWith)
}

/**
 * The order may take the place of its partner, which has left the book: that level is published once, if it
 * shows another quantity than before.
 */
function inPlaceOf(
  { side, price, remaining }: Order,
  market: Market,
  emit: EventSink,
  carryOutWith: (sink: EventSink) => OrderAccepted,
): OrderAccepted {
  const quantity = () => market.book.levelQuantity(side, price)
  const before = quantity() + BigInt(remaining)
  const accepted = carryOutWith((event) => {
    const isIts = event.kind === 'LevelChanged' && event.side === side && event.price === price
    if (!isIts) emit(event)
  })
  if (quantity() !== before) emitLevel(emit, market, side, price)
  return accepted
}

function carryOut(
  state: ExchangeState,
  market: Market,
  order: Order,
  asked: PlaceImmediate,
  stop: OrderStop,
  emit: EventSink,
): OrderAccepted {
  const { number: orderNumber } = order
  release(order, market, NO_LOTS)
  market.triggers.remove(orderNumber)
  order.stop = { ...stop, total: undefined, triggeredAt: state.time }
  order.updatedAt = state.time
  const reason = triggeredRefusalOf(asked, market, state)
  if (reason !== undefined) return end(state, order, reason, emit)
  const status = execute(state, { market, order, asked, isTriggered: true, emit })
  if (typeof status !== 'string') return end(state, order, status.reason, emit)
  if (status !== 'NEW' && status !== 'PARTIALLY_FILLED') state.closeOrder(order)
  const { time, executedQuantity, executedNotional } = order
  return { kind: 'OrderAccepted', orderNumber, time, status, executedQuantity, executedNotional }
}

/** Ends an order that would be refused if it were new. */
function end(state: ExchangeState, order: Order, reason: CoreReason, emit: EventSink): OrderAccepted {
  state.closeOrder(order)
  emitCanceled(emit, order, order.remaining, 'TRIGGER_REFUSED', reason)
  return canceled(order)
}

/** The reply about an order that ended without a trade. */
function canceled({ number: orderNumber, time }: Order): OrderAccepted {
  const executed = { executedQuantity: NO_LOTS, executedNotional: NO_NOTIONAL }
  return { kind: 'OrderAccepted', orderNumber, time, status: 'CANCELED', ...executed }
}

/** The order as it is matched once it is triggered. */
function askedOf(
  { expiries }: ExchangeState,
  { number, accountId, symbolId, side, price, quantity, terms }: Order,
  stop: OrderStop,
): PlaceImmediate {
  const { timeInForce, selfTradeMode } = terms
  const head = { kind: 'PlaceOrder', accountId, symbolId, selfTradeMode, clientOrderId: undefined } as const
  if (price > 0) {
    const expireTime = expiries.timeOf(number)
    return { ...head, type: 'LIMIT', side, timeInForce, price, quantity, total: undefined, expireTime }
  }
  if (side === 'SELL') return { ...head, type: 'MARKET', side, quantity, total: undefined }
  const { total } = stop
  invariant(total !== undefined, 'an order that buys at any price must have a total')
  return { ...head, type: 'MARKET', side, total, quantity: quantity === NO_LOTS ? undefined : quantity }
}
