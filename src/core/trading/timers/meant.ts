/** The orders that a mass cancel or a countdown ends (docs/reference/timers.md#countdown). */
import type { TimeMs } from '../../../units/quantities.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { ordersOf } from '../lists/order-lists.ts'
import type { Order } from '../open-orders.ts'
import type { MassCancel } from './mass-cancels.ts'

/** Whether an open order is one of those that a mass cancel ends. */
export function ends(
  state: ExchangeState,
  { symbolId, before, keepsStops, time }: MassCancel,
  order: Order,
): boolean {
  const isMeant = order.number < before && (symbolId === undefined || symbolId === order.symbolId)
  return isMeant && !(keepsStops && isKept(state, order, time))
}

/**
 * Whether an open order is kept when stops are kept: it waited for its trigger at `time`, or belonged to a
 * list in which another order did. Ending one order of a pair would end the other, and with it the protection
 * of a holding.
 */
export function isKept(state: ExchangeState, order: Order, time: TimeMs): boolean {
  if (isWaitingAt(order, time)) return true
  const list = state.lists.of(order.number)
  // Before the working order is filled there is nothing to protect.
  if (list === undefined || list.stage === 'WORKING') return false
  // An order that is not kept has not traded since `time`. So if this one has, its stop order was still
  // waiting at `time`, and that trade ended it.
  if (list.stage === 'PARTED') return order.updatedAt >= time
  const others = ordersOf(list).map((number) => state.orders.get(number))
  return others.some((other) => other !== undefined && isWaitingAt(other, time))
}

/** Whether an order waited for its trigger at `time`, including an order triggered at exactly that time. */
function isWaitingAt({ stop }: Order, time: TimeMs): boolean {
  return stop !== undefined && (stop.triggeredAt === undefined || stop.triggeredAt >= time)
}
