/**
 * Placing and canceling orders. All checks that can refuse come before the first change, except that a MARKET
 * order is refused when matching changed nothing.
 *
 * An order with a stop price waits (`triggers`): the trades of a command determine which waiting orders are
 * due, and due orders are carried out by the engine's own commands, so that no command is unbounded.
 */
import type { AccountId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { OrderTarget } from '../commands/order-changes.ts'
import { type CancelClientOrder, type CancelOrder, isStop, type PlaceOrder } from '../commands/orders.ts'
import type { EventSink } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT } from '../market/order-book.ts'
import {
  DONE,
  type Done,
  type OrderAccepted,
  type OrderRepeated,
  type Refused,
  refused,
} from '../questions/reply.ts'
import { endOrder } from './end-order.ts'
import { execute } from './execution.ts'
import { placedOrder } from './identified-order.ts'
import { newOrder } from './new-order.ts'
import type { Order } from './open-orders.ts'
import { refusalOf } from './order-checks.ts'
import { emitLevel } from './order-events.ts'
import { rememberOrder, repeatOf } from './repeats.ts'
import { causeOfEnd } from './timers/ended.ts'
import { placeStop } from './triggers/place-stop.ts'

export function placeOrder(
  state: ExchangeState,
  command: PlaceOrder,
  emit: EventSink,
): OrderAccepted | OrderRepeated | Refused {
  const market = state.market(command.symbolId)
  if (market === undefined) return refused('UNKNOWN_SYMBOL')
  const repeat = repeatOf(state, market, command)
  if (repeat !== undefined) return repeat
  const reason = refusalOf(command, market, state)
  if (reason !== undefined) return refused(reason)
  const placed = takeOrder(state, market, command, emit)
  if (placed.kind === 'OrderAccepted') rememberOrder(state, market, command, placed)
  return placed
}

/** Carries out an order that was checked: it is matched, or waits. A MARKET order may still be refused. */
export function takeOrder(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  emit: EventSink,
): OrderAccepted | Refused {
  const order = newOrder(state, market, command)
  const status = isStop(command)
    ? placeStop(state, { market, order, command, emit })
    : execute(state, { market, order, asked: command, isTriggered: false, emit })
  if (typeof status !== 'string') return status
  const { number: orderNumber, time, executedQuantity, executedNotional } = order
  return { kind: 'OrderAccepted', orderNumber, time, status, executedQuantity, executedNotional }
}

export function cancelOrder(
  state: ExchangeState,
  command: CancelOrder | CancelClientOrder,
  emit: EventSink,
): Done | Refused {
  const order = openOrderOf(state, command.accountId, command)
  const { symbolId = order?.symbolId } = command
  return order === undefined || order.symbolId !== symbolId
    ? refused('UNKNOWN_ORDER')
    : cancelOpenOrder(state, order, emit)
}

/** The open order that `target` names, of an account; undefined if there is none. */
export function openOrderOf(
  state: ExchangeState,
  accountId: AccountId,
  target: OrderTarget,
): Order | undefined {
  if (target.clientOrderId !== undefined) {
    const known = state.clientOrderIds.find(accountId, target.clientOrderId)
    if (known === undefined || known.kind === 'LIST') return undefined
    return state.orders.get(placedOrder(known).orderNumber)
  }
  const order = state.orders.get(target.orderNumber)
  return order?.accountId === accountId && order.time === target.orderTime ? order : undefined
}

/** Cancels an open order at its account's request. */
export function cancelOpenOrder(state: ExchangeState, order: Order, emit: EventSink): Done {
  const market = state.market(order.symbolId)
  invariant(market !== undefined, () => `symbol ${order.symbolId} of open order ${order.number} must exist`)
  const isResting = order.slot !== NO_SLOT
  endOrder(state, market, order, causeOfEnd(state, order) ?? 'USER', emit)
  if (isResting) emitLevel(emit, market, order.side, order.price)
  return DONE
}
