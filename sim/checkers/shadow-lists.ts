/**
 * The relations between the orders of a list, as the second bookkeeper records them
 * (docs/reference/order-lists.md): which are pending, which form a pair, and which end with which.
 */
import type { ListKind, ListRole } from '../../src/units/order-enums.ts'
import {
  halfUp,
  lotUnits,
  roundedDown,
  type ShadowList,
  type ShadowOrder,
  type ShadowState,
} from './shadow-state.ts'

const ROLES: Readonly<Record<ListKind, readonly ListRole[]>> = {
  OCO: ['ABOVE', 'BELOW'],
  OTO: ['WORKING', 'PENDING'],
  OTOCO: ['WORKING', 'PENDING_ABOVE', 'PENDING_BELOW'],
}

export function roleOf(order: ShadowOrder): ListRole | undefined {
  const { list } = order
  return list && ROLES[list.kind][list.legs.indexOf(order)]
}

/**
 * A pending order is placed when the working order of its list is filled: until then it has no hold and is in
 * no book.
 */
export function isPending(order: ShadowOrder): boolean {
  const { list } = order
  return list !== undefined && list.stage !== 'PLACED' && list.legs[0] !== order
}

/** The other order of an OCO pair, while both orders are open and placed. */
export function partnerOf({ orders }: ShadowState, order: ShadowOrder): ShadowOrder | undefined {
  const { list } = order
  if (list === undefined || list.kind === 'OTO' || list.stage !== 'PLACED') return undefined
  const pair = list.legs.slice(-2)
  return pair.includes(order) ? pair.find((one) => one !== order && orders.has(one.number)) : undefined
}

/** The orders that end because `order` ends, and before it. */
export function endingWith(state: ShadowState, order: ShadowOrder): ShadowOrder[] {
  const { list } = order
  const partner = partnerOf(state, order)
  if (list === undefined || list.stage === 'PLACED') return partner === undefined ? [] : [partner]
  return list.legs.filter((one) => one !== order && state.orders.has(one.number))
}

/** Closes an order; after the last order of its list, also the list. Holds are not changed. */
export function close(state: ShadowState, { number, list }: ShadowOrder): void {
  state.orders.delete(number)
  state.ids.end(number, state.time)
  if (list === undefined || list.legs.some((one) => state.orders.has(one.number))) return
  state.lists.delete(list.number)
  leaveQueue(state, list)
  state.ids.end(list.number, state.time)
}

export function leaveQueue({ dueLists }: ShadowState, list: ShadowList): void {
  const at = dueLists.indexOf(list)
  if (at >= 0) dueLists.splice(at, 1)
}

/**
 * Called when an order is filled: if it is the working order of a list, the list is due from now on, after
 * all lists that are already due.
 */
export function fillWorking(state: ShadowState, order: ShadowOrder): void {
  const { list, symbol, side, executed, notional, commission } = order
  if (list?.stage !== 'WORKING' || list.legs[0] !== order) return
  const gross = side === 'BUY' ? BigInt(executed) * lotUnits(symbol) : roundedDown(symbol, notional)
  list.received = gross - halfUp(commission)
  list.stage = 'DUE'
  state.dueLists.push(list)
  state.dueSince.set(list, state.seq)
}

/**
 * Whether a countdown that spares stop orders, and that ended at `since`, spares an order, either because of
 * the order itself or because of another order of its list.
 */
export function isSpared(order: ShadowOrder, since: number): boolean {
  if (waitedAt(order, since)) return true
  const { list } = order
  return list !== undefined && list.stage !== 'WORKING' && list.legs.some((one) => waitedAt(one, since))
}

/** An order that was triggered or ended exactly at `since` counts as waiting. */
function waitedAt({ stop, waitedUntil }: ShadowOrder, since: number): boolean {
  if (waitedUntil !== undefined) return waitedUntil >= since
  return stop !== undefined && (stop.triggeredAt ?? since) >= since
}
