/** How the reference exchange cancels and ends resting and waiting orders. */
import type {
  CancelAnyOrder,
  CancelClientOrder,
  CancelOrder,
  CancelOrders,
  ExpireOrder,
} from '../../src/core/commands/orders.ts'
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Side } from '../../src/units/order-enums.ts'
import { canceled, type Emit, endOthers, leaveBook } from './reference-ends.ts'
import type { ReferenceOrder, ReferenceState } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'
import { priceOf } from './reference-trading.ts'

export function cancel(state: ReferenceState, command: CancelOrder, emit: Emit): Reply {
  const order = state.all.find(({ number }) => number === command.orderNumber)
  const isYours = order?.accountId === command.accountId && order.time === command.orderTime
  // The symbol, if given, must be that of the order.
  const isOfSymbol = command.symbolId === undefined || order?.symbol.id === command.symbolId
  if (order === undefined || !isYours || !isOfSymbol) return refused('UNKNOWN_ORDER')
  const cause = causeOfEnd(state, order) ?? 'USER'
  endOthers(state, order, emit)
  leaveBook(state, order)
  emit(canceled(order, order.remaining, cause))
  return DONE
}

/** Cancels the open order with a client order id. */
export function cancelByClientOrderId(
  state: ReferenceState,
  { accountId, clientOrderId, symbolId }: CancelClientOrder,
  emit: Emit,
): Reply {
  const key = `${accountId} ${clientOrderId}`
  const known = state.ids.known.get(key)?.answer ?? legUnder(state, key)
  if (known === undefined) return refused('UNKNOWN_ORDER')
  const { orderNumber, time: orderTime } = known
  return cancel(state, { kind: 'CancelOrder', accountId, orderNumber, orderTime, symbolId }, emit)
}

function legUnder(state: ReferenceState, key: string) {
  const listed = state.ids.listed.get(key)
  if (listed?.orderNumber === undefined) return undefined
  return { orderNumber: listed.orderNumber, time: listed.answer.time }
}

/**
 * At most 500 (docs/reference/admin-account-operations.md#operations, `order/cancel-all`): of an account the
 * newest first; of a symbol first those that would trade first, then the waiting ones, oldest first.
 */
export function cancelMany(state: ReferenceState, command: CancelOrders, emit: Emit): Reply {
  const { accountId, symbol: name } = command
  const symbol = state.symbols.find((one) => one.name === name)
  if (name !== undefined && symbol === undefined) return refused('UNKNOWN_SYMBOL')
  if (accountId !== undefined && state.accounts[accountId] === undefined) return refused('UNKNOWN_ACCOUNT')
  if (accountId === undefined && symbol === undefined) return refused('INVALID_COMMAND')
  const isMeant = (order: ReferenceOrder) =>
    (accountId === undefined || order.accountId === accountId) &&
    (symbol === undefined || order.symbol.id === symbol.id)
  const meant = state.all.filter(isMeant)
  const resting = state.open.filter(isMeant)
  const inTurn =
    accountId === undefined
      ? [
          ...priority(resting, 'SELL', 1),
          ...priority(resting, 'BUY', -1),
          ...state.notResting.filter(isMeant),
        ]
      : meant.toSorted((a, b) => b.number - a.number)
  for (const order of inTurn.slice(0, 500)) {
    // Another order of the same list was canceled before, and this order ended with it.
    if (!state.all.includes(order)) continue
    endOthers(state, order, emit)
    leaveBook(state, order)
    emit(canceled(order, order.remaining, 'OPERATOR'))
  }
  const left = state.all.filter(isMeant).length
  return { kind: 'OrdersCanceled', canceled: meant.length - left, left }
}

/** Cancels one order of any account, in any state. */
export function cancelAny(state: ReferenceState, command: CancelAnyOrder, emit: Emit): Reply {
  const order = state.all.find(({ number }) => number === command.orderNumber)
  if (order?.time !== command.orderTime) return refused('UNKNOWN_ORDER')
  endOthers(state, order, emit)
  leaveBook(state, order)
  emit(canceled(order, order.remaining, 'OPERATOR'))
  return DONE
}

/** Orders of a side, cheapest first if `sign` is 1, most expensive first if -1; the input is oldest first. */
function priority(orders: readonly ReferenceOrder[], side: Side, sign: 1 | -1): ReferenceOrder[] {
  return orders.filter((order) => order.side === side).sort((a, b) => sign * priceOf(a).compare(priceOf(b)))
}

/** The engine ends an expired order whatever the state of its symbol. */
export function expire(state: ReferenceState, { orderNumber }: ExpireOrder, emit: Emit): Reply {
  const order = state.all.find(({ number }) => number === orderNumber)
  if (order === undefined || causeOfEnd(state, order) !== 'EXPIRED') return refused('UNKNOWN_ORDER')
  endOthers(state, order, emit)
  leaveBook(state, order)
  emit(canceled(order, order.remaining, 'EXPIRED'))
  return DONE
}

/**
 * Sets aside an order whose end is quarantined: it stays open, does not trade, and its end is not tried
 * again.
 */
export function setExpiryAside(state: ReferenceState, { orderNumber }: ExpireOrder): void {
  const order = state.all.find(({ number }) => number === orderNumber)
  if (order !== undefined && causeOfEnd(state, order) === 'EXPIRED') state.expireAside.add(orderNumber)
}
