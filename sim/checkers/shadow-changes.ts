/** Changes of open orders as the second bookkeeper expects them (docs/reference/order-changes.md). */
import type { AmendOrder, OrderTarget } from '../../src/core/commands/order-changes.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { checkLevels, hold, levelOf } from './shadow-book.ts'
import { type Applied, demand, roundedDown, type ShadowOrder, type ShadowState } from './shadow-state.ts'
import { causeOfEnd } from './shadow-timers.ts'

/** The open order of an account with this id or client order id. */
export function namedBy(
  state: ShadowState,
  accountId: AccountId,
  { orderNumber, orderTime, clientOrderId }: OrderTarget,
): ShadowOrder | undefined {
  if (clientOrderId !== undefined) {
    const known = state.ids.find({ accountId, clientOrderId })
    return known === undefined ? undefined : state.orders.get(known.number)
  }
  const order = state.orders.get(orderNumber)
  return order?.account === accountId && order.time === orderTime ? order : undefined
}

export function checkAmend(state: ShadowState, applied: Applied, command: AmendOrder): void {
  const { reply, events, time } = applied
  const order = namedBy(state, command.accountId, command.target)
  const wanted = bigintOf(command.quantity)
  const justified = amendRefusals(state, order, wanted)
  if (reply.kind === 'Refused') {
    demand(justified.has(reply.reason), () => `AmendOrder is not to be refused with ${reply.reason}`)
    return
  }
  demand(justified.size === 0, () => `AmendOrder is to be refused: ${[...justified].join(', ')}`)
  demand(reply.kind === 'OrderAmended' && order !== undefined, () => `an order is amended: ${reply.kind}`)
  demand(reply.orderNumber === order.number && reply.time === order.time, 'the answer names the order')
  const quantity = Number(wanted / lotOf(order))
  const by = order.quantity - quantity
  if (by === 0) {
    demand(events.length === 0, 'what is asked for anyway changes nothing')
    return
  }
  order.quantity = quantity
  order.remaining -= by
  order.updatedAt = time
  hold(state, order)
  const isSeen = order.shown > order.remaining
  order.shown = Math.min(order.shown, order.remaining)
  const [amended, ...levels] = events
  const isSaid =
    amended?.kind === 'OrderAmended' &&
    amended.orderNumber === order.number &&
    amended.quantity === quantity &&
    amended.remaining === order.remaining
  demand(isSaid, () => `order ${order.number} is amended to ${quantity}, found ${amended?.kind}`)
  checkLevels(state, order.symbol, levels, isSeen ? levelOf(state, order) : new Set())
}

/** Units of 10^-18 in a lot. */
function lotOf({ symbol }: ShadowOrder): bigint {
  return 10n ** BigInt(18 - symbol.baseFraction)
}

/** Every reason for which the change may be refused; if there is one, it must be refused. */
function amendRefusals(state: ShadowState, order: ShadowOrder | undefined, wanted: bigint): Set<string> {
  const reasons = new Set<string>()
  if (wanted < 1n || wanted >= 2n ** 127n) reasons.add('INVALID_COMMAND')
  if (order === undefined || causeOfEnd(state, order) !== undefined) return reasons.add('UNKNOWN_ORDER')
  const { price, remaining } = order
  // The symbol as it is now.
  const symbol = state.symbols[order.symbol.id] as TradingSymbol
  const rests = state.book(symbol.id)[order.side].includes(order)
  if (!rests || order.list !== undefined) reasons.add('ORDER_NOT_AMENDABLE')
  const lot = lotOf(order)
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  if (wanted % lot !== 0n || wanted / lot > most) return reasons.add('AMENDED_QUANTITY_TOO_PRECISE')
  const quantity = wanted / lot
  if (quantity > order.quantity) reasons.add('AMENDED_QUANTITY_TOO_LARGE')
  if (quantity === BigInt(order.quantity)) return reasons
  if (quantity % BigInt(symbol.increments?.stepSize ?? 1) !== 0n) reasons.add('QUANTITY_NOT_ON_STEP')
  const worth = roundedDown(symbol, quantity * BigInt(price))
  const isSmall = quantity < symbol.minQuantity || worth < 1n || worth < symbol.minTotal
  const isBelowPart = order.part !== undefined && quantity < order.part
  if (isSmall || isBelowPart || quantity <= order.quantity - remaining)
    reasons.add('AMENDED_QUANTITY_TOO_SMALL')
  return reasons
}
