/**
 * Canceling many orders by one command of an operator. The writer does nothing else in the meantime, so a
 * command cancels a bounded number of orders (the last one together with the orders that end with it) and
 * reports how many are left.
 */
import { invariant } from '../../units/invariant.ts'
import { CANCEL_ORDERS_MAX } from '../../units/limits.ts'
import { SIDES } from '../../units/order-enums.ts'
import type { CancelAnyOrder, CancelOrders } from '../commands/orders.ts'
import type { EventSink } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT } from '../market/order-book.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import type { TradingSymbol } from '../registry/records.ts'
import { ChangedLevels } from './changed-levels.ts'
import { endOrder } from './end-order.ts'
import type { Order } from './open-orders.ts'
import { emitLevel } from './order-events.ts'

export function cancelOrders(state: ExchangeState, command: CancelOrders, emit: EventSink): Reply {
  const { accountId, symbol: name } = command
  const symbol = name === undefined ? undefined : state.registry.symbolByName(name)
  if (name !== undefined && symbol === undefined) return refused('UNKNOWN_SYMBOL')
  if (accountId !== undefined && state.registry.account(accountId) === undefined)
    return refused('UNKNOWN_ACCOUNT')
  if (accountId === undefined && symbol === undefined) return refused('INVALID_COMMAND')
  const orders =
    accountId === undefined
      ? firstInMarket(state, state.markets[(symbol as TradingSymbol).id] as Market)
      : state.orders.ofAccount(accountId, symbol?.id, CANCEL_ORDERS_MAX)
  const count = () =>
    accountId === undefined
      ? state.orders.countIn((symbol as TradingSymbol).id)
      : state.orders.count(accountId, symbol?.id)
  const before = count()
  const canceled = () => before - count()
  const levels = new ChangedLevels()
  for (const order of orders) {
    // The end of an order in a list ends others of the list, which may be among the chosen orders.
    if (!state.orders.has(order.number)) continue
    if (canceled() >= CANCEL_ORDERS_MAX) break
    const market = state.market(order.symbolId)
    invariant(market !== undefined, () => `symbol ${order.symbolId} of open order ${order.number} must exist`)
    const isResting = order.slot !== NO_SLOT
    endOrder(state, market, order, 'OPERATOR', levels.collectedFrom(emit, market))
    if (isResting) levels.add(market, order.side, order.price)
  }
  levels.publish(emit)
  return { kind: 'OrdersCanceled', canceled: canceled(), left: count() }
}

/** Cancels one order of any account, and the other orders of its list that end with it. */
export function cancelAnyOrder(state: ExchangeState, command: CancelAnyOrder, emit: EventSink): Reply {
  const order = state.orders.get(command.orderNumber)
  if (order === undefined || order.time !== command.orderTime) return refused('UNKNOWN_ORDER')
  const market = state.market(order.symbolId)
  invariant(market !== undefined, () => `symbol ${order.symbolId} of open order ${order.number} must exist`)
  const isResting = order.slot !== NO_SLOT
  endOrder(state, market, order, 'OPERATOR', emit)
  if (isResting) emitLevel(emit, market, order.side, order.price)
  return DONE
}

/**
 * The orders of a market to be canceled first: those that rest, sell side first, best prices first; then
 * those that wait, oldest first. At most `CANCEL_ORDERS_MAX`; no others are examined.
 */
function firstInMarket(state: ExchangeState, { book, symbol }: Market): readonly Order[] {
  const orders: Order[] = []
  for (const side of SIDES.toReversed()) {
    for (const slot of book.slots(side)) {
      if (orders.length === CANCEL_ORDERS_MAX) break
      const order = state.orders.get(book.orderNumber(slot))
      invariant(order !== undefined, () => `order ${book.orderNumber(slot)} in the book must be open`)
      orders.push(order)
    }
  }
  for (const order of state.orders.waitingIn(symbol.id)) {
    if (orders.length === CANCEL_ORDERS_MAX) break
    orders.push(order)
  }
  return orders
}
