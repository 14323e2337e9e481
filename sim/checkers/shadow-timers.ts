/** Orders with an end time, as the second bookkeeper records them (docs/reference/timers.md). */
import type { ExpireOrder } from '../../src/core/commands/orders.ts'
import type { OrderCanceled } from '../../src/core/events/event.ts'
import { checkEnd } from './shadow-ends.ts'
import { isSpared } from './shadow-lists.ts'
import {
  type Applied,
  demand,
  type ShadowCountdown,
  type ShadowMassCancel,
  type ShadowOrder,
  type ShadowSession,
  type ShadowState,
} from './shadow-state.ts'

/** Largest time until an order's expiry. */
export const AHEAD_MOST_MS = 3_650 * 86_400_000

/** The reason why an open order no longer trades. */
export function causeOfEnd(
  { time, massCancels, countdowns, sessions }: ShadowState,
  order: ShadowOrder,
): OrderCanceled['cause'] | undefined {
  if (order.expireTime !== undefined && order.expireTime <= time) return 'EXPIRED'
  const running = massCancels.find((one) => isMeant(one, order))
  if (running !== undefined) return running.cause
  const isOver = (one: ShadowCountdown) =>
    one.triggerAt <= time && isMeant({ ...one, since: one.triggerAt, before: order.number + 1 }, order)
  if (countdowns.some(isOver)) return 'DEAD_MAN'
  const session = order.session === undefined ? undefined : sessions.get(order.session)
  return session !== undefined && isOverAt(session, time) ? 'DISCONNECT' : undefined
}

/** Whether the time of a session is over. */
export function isOverAt({ endsAt }: ShadowSession, time: number): boolean {
  return endsAt !== undefined && endsAt <= time
}

type Meaning = Pick<ShadowMassCancel, 'account' | 'symbol' | 'keepsStops' | 'since' | 'before'>

/** Whether a mass cancel applies to an order. */
export function isMeant(
  { account, symbol, keepsStops, since, before }: Meaning,
  order: ShadowOrder,
): boolean {
  if (order.account !== account || order.number >= before) return false
  if (symbol !== undefined && symbol !== order.symbol.id) return false
  return !keepsStops || !isSpared(order, since)
}

/** Whether there are orders that the engine still has to end. */
export function isAnyExpiring(state: ShadowState): boolean {
  for (const order of state.orders.values()) {
    if (causeOfEnd(state, order) === 'EXPIRED' && !state.expireAside.has(order.number)) return true
  }
  return false
}

/** Checks that the engine ends an order by itself, and only after the order's time. */
export function checkExpire(state: ShadowState, { reply, events }: Applied, command: ExpireOrder): void {
  const order = state.orders.get(command.orderNumber)
  demand(order !== undefined, () => `order ${command.orderNumber} is not open, and was to be ended`)
  demand(causeOfEnd(state, order) === 'EXPIRED', () => `the time of order ${order.number} is not over`)
  demand(reply.kind === 'Done', () => `order ${order.number} is to end, and was answered ${reply.kind}`)
  checkEnd(state, order, events, 'EXPIRED')
}

/** Called when the command that ends the order was quarantined. */
export function setExpiryAside(state: ShadowState, { orderNumber }: ExpireOrder): void {
  const order = state.orders.get(orderNumber)
  demand(
    order !== undefined && causeOfEnd(state, order) === 'EXPIRED',
    () => `order ${orderNumber} was to be ended before its time`,
  )
  state.expireAside.add(orderNumber)
}
