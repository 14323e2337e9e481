/** How the reference exchange replaces an order, written from docs/reference/order-changes.md#replace. */
import type { ReplaceOrder } from '../../src/core/commands/order-changes.ts'
import { isBuyByQuantity, type PlaceOrder } from '../../src/core/commands/orders.ts'
import { type OrderReplaced, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { namedBy } from './reference-changes.ts'
import { isSignedTooEarly, isWellFormed, orderRefusal } from './reference-checks.ts'
import { canceled, type Emit, endOthers, leaveBook } from './reference-ends.ts'
import { isSameOrder, remember } from './reference-repeats.ts'
import type { ReferenceOrder, ReferenceState } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'
import { QUANTITY_RULES, take } from './reference-trading.ts'
import { trailsTooEarly } from './reference-trailing.ts'

/** Reasons that can still come from the book and the account's money after the old order is removed. */
const OF_THE_MOMENT: readonly CoreReason[] = [
  'TOO_MANY_PRICE_LEVELS',
  'INSUFFICIENT_FUNDS',
  'FOK_NOT_FILLABLE',
  'LIMIT_MAKER_WOULD_TAKE',
]

export function replace(state: ReferenceState, command: ReplaceOrder, emit: Emit): Reply {
  const { order, target, mode, restriction } = command
  if (isBuyByQuantity(order) && state.rulesVersion < QUANTITY_RULES) return refused('RULES_VERSION_TOO_LOW')
  if (isSignedTooEarly(state, order) || trailsTooEarly(state, [order]))
    return refused('RULES_VERSION_TOO_LOW')
  if (state.symbols[order.symbolId] === undefined) return refused('UNKNOWN_SYMBOL')
  const repeat = repeatOf(state, command)
  if (repeat !== undefined) return repeat
  const named = namedBy(state, order.accountId, target)
  // After its expire time an order can be canceled, but not replaced.
  const isOpen = named?.symbol.id === order.symbolId && causeOfEnd(state, named) === undefined
  const old = isOpen ? named : undefined
  const cancelRefusal = old === undefined ? 'UNKNOWN_ORDER' : restrictionRefusal(old, restriction)
  const leaving = cancelRefusal === undefined ? old : undefined
  // Everything except funds and book is checked before the cancel; the order to be canceled does not count as
  // open.
  const reason = lastingRefusal(state, order, leaving)
  if (reason !== undefined) return refused(reason)
  if (cancelRefusal !== undefined && mode === 'STOP_ON_FAILURE') return refused(cancelRefusal)
  if (leaving !== undefined) {
    endOthers(state, leaving, emit)
    leaveBook(state, leaving)
    emit(canceled(leaving, leaving.remaining, 'USER'))
  }
  const placed = placedNow(state, order, emit)
  // If neither the cancel nor the placement was done, the request is refused.
  if (placed.kind === 'Refused' && cancelRefusal !== undefined) return placed
  const reply: OrderReplaced = { kind: 'OrderReplaced', cancelRefusal, placed, repeated: false }
  if (placed.kind === 'OrderAccepted') remember(state, order, placed, { command, reply })
  return reply
}

function placedNow(state: ReferenceState, order: PlaceOrder, emit: Emit): OrderReplaced['placed'] {
  const reason = orderRefusal(state, order, false)
  return reason === undefined ? take(state, order, emit) : refused(reason)
}

/**
 * The first refusal that no cancel and no trade can change: found with the canceled order removed, which is
 * put back afterwards.
 */
function lastingRefusal(
  state: ReferenceState,
  order: PlaceOrder,
  leaving: ReferenceOrder | undefined,
): CoreReason | undefined {
  const lists = {
    open: state.open,
    waiting: state.waiting,
    due: state.due,
    aside: state.aside,
    pending: state.pending,
  }
  if (leaving !== undefined) state.leave(leaving)
  const reason = orderRefusal(state, order, false)
  Object.assign(state, lists)
  return reason === undefined || OF_THE_MOMENT.includes(reason) ? undefined : reason
}

function repeatOf(state: ReferenceState, command: ReplaceOrder): Reply | undefined {
  const { order } = command
  if (order.clientOrderId === undefined || !isWellFormed(order)) return undefined
  const key = `${order.accountId} ${order.clientOrderId}`
  if (state.ids.listed.has(key)) return refused('DUPLICATE_CLIENT_ORDER_ID')
  const known = state.ids.known.get(key)
  if (known === undefined) return undefined
  const words = ({ target, mode, restriction }: ReplaceOrder) =>
    [target.clientOrderId, target.orderNumber, target.orderTime, mode, restriction].join()
  const { replacement } = known
  const isSame =
    replacement !== undefined &&
    words(replacement.command) === words(command) &&
    isSameOrder(state, order, known)
  return isSame ? { ...replacement.reply, repeated: true } : refused('DUPLICATE_CLIENT_ORDER_ID')
}

function restrictionRefusal(
  { executed }: ReferenceOrder,
  restriction: ReplaceOrder['restriction'],
): CoreReason | undefined {
  if (restriction === undefined) return undefined
  // ONLY_NEW requires that nothing of the order was executed, ONLY_PARTIALLY_FILLED that something was.
  return executed.isPositive === (restriction === 'ONLY_PARTIALLY_FILLED') ? undefined : 'CANCEL_RESTRICTED'
}
