/**
 * How orders and the others of their lists end in the reference exchange, from
 * docs/reference/order-lists.md#what-ends-a-list. The rule that a line follows is stated beside it.
 */
import type { CancelCause, ExchangeEvent, OrderCanceled } from '../../src/core/events/event.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import { ROLES_BY_KIND } from '../../src/units/order-enums.ts'
import { lots } from '../../src/units/quantities.ts'
import type { Fraction } from './fraction.ts'
import { movedFor, type ReferenceList, type ReferenceOrder, type ReferenceState } from './reference-state.ts'

export type Emit = (event: ExchangeEvent) => void

export function chargedFor(order: ReferenceOrder): Fraction {
  return order.commission.roundedHalfUp(receivedPlaces(order))
}

export function receivedPlaces({ side, symbol }: ReferenceOrder): number {
  return side === 'BUY' ? symbol.basePrecision : symbol.quotePrecision
}

export function canceled(order: ReferenceOrder, quantity: Fraction, cause: CancelCause): OrderCanceled {
  const { symbol, accountId, side } = order
  return {
    kind: 'OrderCanceled',
    symbolId: symbol.id,
    accountId,
    orderNumber: order.number,
    side,
    quantity: lots(Number(quantity.wholeUnits(symbol.baseFraction))),
    cause,
  }
}

/** Closes an order; after the last order of its list, also the list. */
export function leaveBook(state: ReferenceState, order: ReferenceOrder): void {
  state.leave(order)
  state.ids.end(order.number, state.time)
  forgetEnded(state, order.number)
}

export function listOf(state: ReferenceState, order: ReferenceOrder): ReferenceList | undefined {
  return state.lists.find(({ orders }) => orders.includes(order))
}

/** The order's place in its list, as events and views show it. */
export function placeOf(state: ReferenceState, order: ReferenceOrder) {
  const list = listOf(state, order)
  if (list === undefined) return undefined
  const role = ROLES_BY_KIND[list.kind][list.orders.indexOf(order)]
  return role && { listNumber: list.number, role }
}

/** The other order of an OCO pair, while both are open. */
export function partnerOf(state: ReferenceState, order: ReferenceOrder): ReferenceOrder | undefined {
  const list = listOf(state, order)
  if (list === undefined || list.kind === 'OTO' || list.stage !== 'PLACED') return undefined
  const pair = list.orders.slice(-2)
  const other = pair.includes(order) ? pair.find((one) => one !== order) : undefined
  return other !== undefined && state.all.includes(other) ? other : undefined
}

/** If an order of an OCO pair is filled, triggered, decremented or ended, the other one ends. */
export function endPartner(state: ReferenceState, order: ReferenceOrder, emit: Emit): void {
  const other = partnerOf(state, order)
  if (other !== undefined) endOne(state, other, emit)
}

/**
 * Ends the orders that end with this one: its partner, or, before the working order is filled, all others.
 */
export function endOthers(state: ReferenceState, order: ReferenceOrder, emit: Emit): void {
  const list = listOf(state, order)
  if (list === undefined || list.stage === 'PLACED') {
    endPartner(state, order, emit)
    return
  }
  for (const other of list.orders) {
    if (other !== order && state.all.includes(other)) endOne(state, other, emit)
  }
}

export function endOne(state: ReferenceState, order: ReferenceOrder, emit: Emit): void {
  leaveBook(state, order)
  emit(canceled(order, order.remaining, 'LIST'))
}

/** When the working order is FILLED, its list is due. */
export function fillWorking(state: ReferenceState, order: ReferenceOrder): void {
  const list = listOf(state, order)
  if (list === undefined || list.stage !== 'WORKING' || list.orders[0] !== order) return
  // The received amount is after commission.
  const gross = order.side === 'BUY' ? order.executed : movedFor(order, order.exact)
  list.received = gross.minus(chargedFor(order))
  list.stage = 'DUE'
  state.dueLists.push(list)
  state.becameDue(list)
}

/** Removes the list if none of its orders is open. */
function forgetEnded(state: ReferenceState, number: OrderNumber): void {
  const list = state.lists.find(({ orders }) => orders.some((order) => order.number === number))
  if (list === undefined || list.orders.some((order) => state.all.includes(order))) return
  state.lists = state.lists.filter((one) => one !== list)
  state.dueLists = state.dueLists.filter((one) => one !== list)
  state.ids.end(list.number, state.time)
}
