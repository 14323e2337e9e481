/**
 * Cancelling many orders by one operator's command. The writer does nothing else meanwhile, so a command takes a
 * bounded number and says how many are left.
 */
import { invariant } from '../../units/invariant.ts'
import { CANCEL_ORDERS_MAX } from '../../units/limits.ts'
import { SIDES, type Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import type { CancelOrders } from './administration.ts'
import type { EventSink } from './event.ts'
import type { Market } from './market.ts'
import type { Order } from './open-orders.ts'
import { type Reply, refused } from './reply.ts'
import type { ExchangeState } from './state.ts'
import { emitLevel, takeFromBook } from './trading.ts'

export function cancelOrders(state: ExchangeState, command: CancelOrders, emit: EventSink): Reply {
  const { accountId, symbol: name } = command
  const symbol = name === undefined ? undefined : state.registry.symbolByName(name)
  if (name !== undefined && symbol === undefined) return refused('UNKNOWN_SYMBOL')
  if (accountId !== undefined && state.registry.account(accountId) === undefined)
    return refused('UNKNOWN_ACCOUNT')
  if (accountId === undefined && symbol === undefined) return refused('INVALID_COMMAND')
  const orders =
    accountId === undefined
      ? symbol === undefined
        ? []
        : ordersOf(state, state.markets[symbol.id] as Market)
      : state.orders.ofAccount(accountId, symbol?.id)
  const taken = orders.slice(0, CANCEL_ORDERS_MAX)
  const levels: Level[] = []
  for (const order of taken) {
    const market = state.market(order.symbolId)
    invariant(market !== undefined, () => `symbol ${order.symbolId} of open order ${order.number} must exist`)
    takeFromBook(state, market, order, 'OPERATOR', emit)
    noteLevel(levels, { market, side: order.side, price: order.price })
  }
  for (const { market, side, price } of levels) emitLevel(emit, market, side, price)
  return { kind: 'OrdersCanceled', canceled: taken.length, left: orders.length - taken.length }
}

type Level = { readonly market: Market; readonly side: Side; readonly price: Price }

/** Each level once: at most `CANCEL_ORDERS_MAX` of them are looked at. */
function noteLevel(levels: Level[], level: Level): void {
  const isSame = (one: Level) =>
    one.market === level.market && one.side === level.side && one.price === level.price
  if (!levels.some(isSame)) levels.push(level)
}

/** Sell side first, best prices first. */
function ordersOf(state: ExchangeState, { book }: Market): Order[] {
  const orders: Order[] = []
  for (const side of SIDES.toReversed()) {
    for (const slot of book.slots(side)) {
      const order = state.orders.get(book.orderNumber(slot))
      invariant(order !== undefined, () => `order ${book.orderNumber(slot)} in the book must be open`)
      orders.push(order)
    }
  }
  return orders
}
