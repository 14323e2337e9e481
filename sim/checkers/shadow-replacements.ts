/**
 * Replacements of open orders as the second bookkeeper expects them
 * (docs/reference/order-changes.md#replace).
 */
import type { ReplaceOrder } from '../../src/core/commands/order-changes.ts'
import { isStop } from '../../src/core/commands/orders.ts'
import type { OrderReplaced } from '../../src/core/questions/reply.ts'
import { mostOpenOf } from '../../test/oracle/support.ts'
import { Arrival, checkAnswer } from './shadow-arrival.ts'
import { checkLevels, levelKey, levelOf } from './shadow-book.ts'
import { namedBy } from './shadow-changes.ts'
import { endAlone } from './shadow-ends.ts'
import { endingWith } from './shadow-lists.ts'
import { newOrder } from './shadow-new-order.ts'
import { checkWaits } from './shadow-orders.ts'
import { isInRange, isOfNewerRules, type PlaceRefusals, placeRefusals } from './shadow-refusals.ts'
import { isSameOrder, rememberOrder } from './shadow-repeats.ts'
import { type Applied, demand, levelQuantity, type ShadowOrder, type ShadowState } from './shadow-state.ts'
import { causeOfEnd } from './shadow-timers.ts'

/** Only these reasons can result from the cancel or from other orders: all others are known in advance. */
const OF_THE_MOMENT = [
  'INSUFFICIENT_FUNDS',
  'TOO_MANY_PRICE_LEVELS',
  'FOK_NOT_FILLABLE',
  'LIMIT_MAKER_WOULD_TAKE',
]

export function checkReplace(state: ShadowState, applied: Applied, command: ReplaceOrder): void {
  const { reply } = applied
  if (isOfNewerRules(state, command.order)) {
    demand(reply.kind === 'Refused' && reply.reason === 'RULES_VERSION_TOO_LOW', 'newer rules are needed')
    return
  }
  if (checkRepeat(state, applied, command)) return
  const { order, restriction } = command
  const named = namedBy(state, order.accountId, command.target)
  const isOpen = named?.symbol.id === order.symbolId && causeOfEnd(state, named) === undefined
  const old = isOpen ? named : undefined
  const cancelRefusal = old === undefined ? 'UNKNOWN_ORDER' : refusalOf(old, restriction)
  const leaving = cancelRefusal === undefined ? old : undefined
  const lasting = lastingRefusals(state, command, leaving)
  if (reply.kind === 'Refused') {
    const isLasting = lasting.has(reply.reason)
    const { before, whileMatching } = placeRefusals(state, order)
    const isNeither =
      cancelRefusal !== undefined &&
      (command.mode === 'STOP_ON_FAILURE'
        ? reply.reason === cancelRefusal
        : before.has(reply.reason) || whileMatching.has(reply.reason))
    demand(
      isLasting || (lasting.size === 0 && isNeither),
      () => `ReplaceOrder is not to be refused with ${reply.reason}`,
    )
    return
  }
  demand(lasting.size === 0, () => `ReplaceOrder is to be refused: ${[...lasting].join(', ')}`)
  const mayGoOn = cancelRefusal === undefined || command.mode === 'ALLOW_FAILURE'
  demand(reply.kind === 'OrderReplaced' && mayGoOn && !reply.repeated, () => `found ${reply.kind}`)
  demand(reply.cancelRefusal === cancelRefusal, () => `the cancel is ${cancelRefusal ?? 'done'}`)
  checkBoth(state, applied, command, leaving, reply)
}

function checkBoth(
  state: ShadowState,
  applied: Applied,
  { order, ...command }: ReplaceOrder,
  leaving: ShadowOrder | undefined,
  reply: OrderReplaced,
): void {
  const { placed } = reply
  const symbol = state.symbols[order.symbolId]
  demand(symbol !== undefined, 'only in a symbol that is listed')
  const arrival = isStop(order)
    ? undefined
    : new Arrival(state, applied, order, newOrder(state, applied.time, order), 'OrderPlaced')
  const leavers = leaving === undefined ? [] : [...endingWith(state, leaving), leaving]
  const quantityAt = ({ side, price }: ShadowOrder) => levelQuantity(state.book(symbol.id), side, price)
  const rested = leavers
    .filter((one) => levelOf(state, one).size > 0)
    .map((one) => ({ one, before: quantityAt(one) }))
  const changed = () =>
    new Set(
      rested
        .filter(({ one, before }) => quantityAt(one) !== before)
        .map(({ one }) => levelKey(one.side, one.price)),
    )
  const events = [...applied.events]
  for (const { one } of rested) arrival?.touch(one)
  for (const one of leavers) endAlone(state, one, one === leaving ? 'USER' : 'LIST', events.shift())
  const { before: refusals, whileMatching } = placeRefusals(state, order)
  if (placed.kind === 'Refused') {
    demand(
      leaving !== undefined && (refusals.has(placed.reason) || whileMatching.has(placed.reason)),
      () => `the new order is not to be refused with ${placed.reason}`,
    )
    checkLevels(state, symbol, events, changed())
    return
  }
  demand(refusals.size === 0, () => `the new order is to be refused: ${[...refusals].join(', ')}`)
  if (isStop(order)) {
    const [first, ...levels] = events
    checkWaits(state, { ...applied, reply: placed, events: first === undefined ? [] : [first] }, order)
    checkLevels(state, symbol, levels, changed())
  } else if (arrival !== undefined) {
    for (const event of events) arrival.take(event)
    checkAnswer(placed, arrival.taker, arrival.finish())
  }
  rememberOrder(state, order, placed, { command: { ...command, order }, reply })
}

function refusalOf(
  { executed }: ShadowOrder,
  restriction: ReplaceOrder['restriction'],
): 'CANCEL_RESTRICTED' | undefined {
  if (restriction === undefined) return undefined
  const wanted = restriction === 'ONLY_NEW' ? executed === 0 : executed > 0
  return wanted ? undefined : 'CANCEL_RESTRICTED'
}

function lastingRefusals(
  state: ShadowState,
  { order }: ReplaceOrder,
  leaving: ShadowOrder | undefined,
): PlaceRefusals['before'] {
  const { before } = placeRefusals(state, order)
  for (const reason of OF_THE_MOMENT) before.delete(reason)
  const symbol = state.symbols[order.symbolId]
  if (leaving !== undefined && symbol !== undefined) {
    // The canceled order makes room for the new one.
    const most = mostOpenOf(state, order.accountId, symbol)
    if (state.openOrders(order.accountId, symbol.id).length - 1 < most) before.delete('TOO_MANY_OPEN_ORDERS')
  }
  return before
}

/** Returns true if the new order's id is remembered: then nothing is done. */
function checkRepeat(state: ShadowState, { reply, events }: Applied, command: ReplaceOrder): boolean {
  const { order } = command
  const symbol = state.symbols[order.symbolId]
  const known = symbol !== undefined && isInRange(order) ? state.ids.find(order) : undefined
  if (known === undefined || symbol === undefined) {
    const isRepeat = reply.kind === 'OrderReplaced' && reply.repeated
    demand(!isRepeat, () => `no order is known by ${order.clientOrderId}, to be repeated`)
    return false
  }
  demand(events.length === 0, () => `an order that is known by ${order.clientOrderId} causes nothing`)
  const replacement = known.kind === 'ORDER' ? known.replacement : undefined
  const words = ({ target, mode, restriction }: ReplaceOrder) =>
    [target.clientOrderId, target.orderNumber, target.orderTime, mode, restriction].join()
  const isSame =
    known.kind === 'ORDER' &&
    replacement !== undefined &&
    words(replacement.command) === words(command) &&
    isSameOrder(symbol, known, order)
  if (isSame) {
    const wanted = { ...replacement.reply, repeated: true }
    demand(
      Bun.deepEquals(reply, wanted),
      () => `the replacement by ${order.clientOrderId} is answered as it was`,
    )
  } else {
    const isDuplicate = reply.kind === 'Refused' && reply.reason === 'DUPLICATE_CLIENT_ORDER_ID'
    demand(isDuplicate, () => `${order.clientOrderId} stands for another order, found ${reply.kind}`)
  }
  return true
}
