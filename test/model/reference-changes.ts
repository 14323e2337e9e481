/**
 * How the reference exchange changes open orders, sentence by sentence from docs/reference/order-changes.md.
 */
import type { AmendOrder, OrderTarget } from '../../src/core/commands/order-changes.ts'
import { type Reply, refused } from '../../src/core/questions/reply.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { lots, UNITS_MAX } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { Fraction, smallest } from './fraction.ts'
import { type Emit, listOf } from './reference-ends.ts'
import { inSteps, type ReferenceOrder, type ReferenceState } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'

/** The account's open order with that id, or with that client order id. */
export function namedBy(
  state: ReferenceState,
  accountId: AccountId,
  target: OrderTarget,
): ReferenceOrder | undefined {
  if (target.clientOrderId === undefined) {
    const order = state.all.find(({ number }) => number === target.orderNumber)
    return order?.accountId === accountId && order.time === target.orderTime ? order : undefined
  }
  const key = `${accountId} ${target.clientOrderId}`
  const orderNumber = state.ids.known.get(key)?.answer.orderNumber ?? state.ids.listed.get(key)?.orderNumber
  return state.all.find(({ number }) => number === orderNumber)
}

export function amend(
  state: ReferenceState,
  { accountId, target, quantity: units }: AmendOrder,
  emit: Emit,
): Reply {
  if (units < 1 || units > AMOUNT_MAX) return refused('INVALID_COMMAND')
  const order = namedBy(state, accountId, target)
  // After its expire time an order can be canceled, but not amended.
  if (order === undefined || causeOfEnd(state, order) !== undefined) return refused('UNKNOWN_ORDER')
  // Only an order that rests and belongs to no list can be amended.
  if (!state.open.includes(order) || listOf(state, order) !== undefined) return refused('ORDER_NOT_AMENDABLE')
  const wanted = Fraction.decimal(units, 18)
  const reason = refusalOf(state, order, wanted)
  if (reason !== undefined) return refused(reason)
  const { symbol, side, number: orderNumber, time } = order
  // An equal quantity succeeds, and changes nothing.
  if (!wanted.equals(order.quantity)) {
    const gone = order.quantity.minus(order.remaining)
    order.asked ??= order.quantity
    order.quantity = wanted
    order.remaining = wanted.minus(gone)
    // The hidden quantity is reduced first.
    order.shown = smallest(order.shown, order.remaining)
    state.touch(order)
    const [quantity, remaining] = [wanted, order.remaining].map((figure) =>
      lots(Number(figure.wholeUnits(symbol.baseFraction))),
    ) as [ReturnType<typeof lots>, ReturnType<typeof lots>]
    emit({ kind: 'OrderAmended', symbolId: symbol.id, accountId, orderNumber, side, quantity, remaining })
  }
  return { kind: 'OrderAmended', orderNumber, time }
}

function refusalOf(
  state: ReferenceState,
  { symbol: { id }, price, quantity, remaining, part }: ReferenceOrder,
  wanted: Fraction,
): CoreReason | undefined {
  // The symbol as it is now.
  const { baseFraction, quotePrecision, minQuantity, minTotal } = state.symbols[id] as TradingSymbol
  const most = Fraction.decimal(UNITS_MAX, baseFraction)
  if (!wanted.roundedDown(baseFraction).equals(wanted) || most.isBelow(wanted))
    return 'AMENDED_QUANTITY_TOO_PRECISE'
  if (quantity.isBelow(wanted)) return 'AMENDED_QUANTITY_TOO_LARGE'
  if (quantity.equals(wanted)) return undefined
  // The quantity must be a multiple of the step size, unless it is the current one.
  if (!inSteps(state, id, wanted).equals(wanted)) return 'QUANTITY_NOT_ON_STEP'
  // The quantity must be above the sum of what was executed and what self-trade prevention removed.
  if (!quantity.minus(remaining).isBelow(wanted)) return 'AMENDED_QUANTITY_TOO_SMALL'
  // The order must meet the minimum quantity and total of a new order.
  const worth = (price ?? Fraction.ZERO).times(wanted).roundedDown(quotePrecision)
  const isTooSmall =
    wanted.isBelow(Fraction.decimal(minQuantity, baseFraction)) ||
    !worth.isPositive ||
    (part !== undefined && wanted.isBelow(part)) ||
    worth.isBelow(Fraction.decimal(minTotal, quotePrecision))
  return isTooSmall ? 'AMENDED_QUANTITY_TOO_SMALL' : undefined
}
