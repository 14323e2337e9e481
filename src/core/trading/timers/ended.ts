/**
 * Orders that have ended although they are still open: after its expiry, a mass cancel, or the end of a
 * countdown or of its session, an order does not trade, however long it takes to end all affected orders
 * (docs/reference/timers.md#when-orders-end).
 */
import type { OrderNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { CancelCause } from '../../events/event.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { Order } from '../open-orders.ts'
import type { Countdown } from './countdowns.ts'
import { ends, isKept } from './meant.ts'

/**
 * The reason why an open order has ended at `time`, which may be later than the state's; undefined if it has
 * not.
 */
export function causeOfEnd(
  state: ExchangeState,
  order: Order,
  time: TimeMs = state.time,
): CancelCause | undefined {
  const { expiries, massCancels, sessions } = state
  if (expiries.isOver(order.number, time)) return 'EXPIRED'
  const massCancel = massCancels.isEmpty
    ? undefined
    : massCancels.of(order.accountId).find((one) => ends(state, one, order))
  if (massCancel !== undefined) return massCancel.cause
  if (hasFired(state, order, time)) return 'DEAD_MAN'
  return sessions.hasAnyAt(time) && sessions.isOver(order.number, time) ? 'DISCONNECT' : undefined
}

/** Whether a countdown has ended that ends the order. */
function hasFired(state: ExchangeState, order: Order, time: TimeMs): boolean {
  const { countdowns } = state
  if (!countdowns.hasAnyAt(time)) return false
  const { accountId, symbolId } = order
  const isEnding = (countdown: Countdown | undefined) =>
    countdown !== undefined &&
    countdown.triggerAt <= time &&
    !(countdown.keepsStops && isKept(state, order, countdown.triggerAt))
  return isEnding(countdowns.get(accountId, undefined)) || isEnding(countdowns.get(accountId, symbolId))
}

/** Returns a check whether a resting order has ended; undefined if no order can have ended. */
export function endedMakers(state: ExchangeState): ((number: OrderNumber) => boolean) | undefined {
  const { expiries, massCancels, countdowns, sessions, orders, time } = state
  if (massCancels.isEmpty && !countdowns.hasAnyAt(time) && !sessions.hasAnyAt(time)) {
    return expiries.hasAnyAt(time) ? (number) => expiries.isOver(number, time) : undefined
  }
  return (number) => {
    const order = orders.get(number)
    return order !== undefined && causeOfEnd(state, order) !== undefined
  }
}
