/**
 * Orders with an end time in the reference exchange, from docs/reference/timers.md: searched in the list of
 * all open orders when needed.
 */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { CancelCause } from '../../src/core/events/event.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import type {
  ReferenceCountdown,
  ReferenceMassCancel,
  ReferenceOrder,
  ReferenceState,
} from './reference-state.ts'

/** The expire time is at most 3,650 days ahead. */
const AHEAD_MOST_MS = 3_650 * 86_400_000

/** After its expire time, a mass cancel or the end of a countdown, an order does not trade. */
export function causeOfEnd(
  state: ReferenceState,
  order: ReferenceOrder,
  time: number = state.time,
): CancelCause | undefined {
  const { massCancels, countdowns } = state
  if (order.expireTime !== undefined && order.expireTime <= time) return 'EXPIRED'
  const running = massCancels.find((one) => isMeant(state, one, order))
  if (running !== undefined) return running.cause
  const isOver = ({ accountId, symbolId, keepsStops, triggerAt }: ReferenceCountdown) =>
    triggerAt <= time &&
    isMeant(
      state,
      { accountId, symbolId, keepsStops, since: triggerAt, before: Number.MAX_SAFE_INTEGER },
      order,
    )
  if (countdowns.some(isOver)) return 'DEAD_MAN'
  const session = state.sessions.find(({ number }) => number === order.session)
  return session?.endsAt !== undefined && session.endsAt <= time ? 'DISCONNECT' : undefined
}

type Meaning = Pick<ReferenceMassCancel, 'accountId' | 'symbolId' | 'keepsStops' | 'since'> & {
  readonly before: number
}

/**
 * A mass cancel applies to all orders that the account placed before it, in the symbol if one is given; stop
 * orders that waited then are included unless they are spared.
 */
export function isMeant(
  state: ReferenceState,
  { accountId, symbolId, keepsStops, since, before }: Meaning,
  order: ReferenceOrder,
): boolean {
  const isHere = symbolId === undefined || symbolId === order.symbol.id
  const isOld = order.accountId === accountId && order.number < before
  return isOld && isHere && !(keepsStops && isKept(state, order, since))
}

/**
 * Orders that wait for their trigger when a countdown ends stay open. So do lists with such an order, once
 * their working order is filled.
 */
function isKept(state: ReferenceState, order: ReferenceOrder, since: number): boolean {
  const waited = ({ stop }: ReferenceOrder) => stop !== undefined && (stop.triggeredAt ?? since) >= since
  if (waited(order)) return true
  // Compared by number, since lookahead passes copies.
  const list = state.lists.find(({ orders }) => orders.some(({ number }) => number === order.number))
  if (list === undefined || list.stage === 'WORKING') return false
  const others = list.orders.filter((one) => one.number !== order.number && state.all.includes(one))
  if (others.length > 0) return others.some(waited)
  // Trades of this order ended the other order of its pair after that time: otherwise it would not have
  // traded.
  return list.kind !== 'OTO' && order.updatedAt >= since
}

export function timeRefusal({ time }: ReferenceState, { expireTime }: PlaceOrder): CoreReason | undefined {
  if (expireTime === undefined) return undefined
  if (expireTime <= time) return 'EXPIRE_TIME_PASSED'
  return expireTime > time + AHEAD_MOST_MS ? 'EXPIRE_TIME_TOO_FAR' : undefined
}

/** The engine ends the order that expired first; of several with the same time, the oldest. */
export function expiring(state: ReferenceState, time: number): OrderNumber[] {
  return state.unsorted
    .filter(
      ({ number, expireTime = Number.POSITIVE_INFINITY }) =>
        expireTime <= time && !state.expireAside.has(number),
    )
    .sort((a, b) => (a.expireTime ?? 0) - (b.expireTime ?? 0) || a.number - b.number)
    .map(({ number }) => number)
}
