/**
 * Cancelling many orders by one operator's command. The writer does nothing else meanwhile, so a command takes a
 * bounded number and says how many are left.
 */
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { CANCEL_ORDERS_MAX } from '../../../units/limits.ts'
import { SIDES } from '../../../units/order-words.ts'
import { NO_SLOT } from '../../market/order-book.ts'
import type { TradingSymbol } from '../../registry/records.ts'
import type { CancelOrders } from '../commands/orders.ts'
import type { EventSink } from '../event.ts'
import type { Market } from '../market.ts'
import { type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { ChangedLevels } from './changed-levels.ts'
import type { Order } from './open-orders.ts'
import { endOrder } from './trading.ts'

export function cancelOrders(state: ExchangeState, command: CancelOrders, emit: EventSink): Reply {
  const { accountId, symbol: name } = command
  const symbol = name === undefined ? undefined : state.registry.symbolByName(name)
  if (name !== undefined && symbol === undefined) return refused('UNKNOWN_SYMBOL')
  if (accountId !== undefined && state.registry.account(accountId) === undefined)
    return refused('UNKNOWN_ACCOUNT')
  if (accountId === undefined && symbol === undefined) return refused('INVALID_COMMAND')
  const { orders, count } =
    accountId === undefined
      ? firstInMarket(state, state.markets[(symbol as TradingSymbol).id] as Market)
      : newestOf(state, accountId, symbol?.id)
  const levels = new ChangedLevels()
  for (const order of orders) {
    const market = state.market(order.symbolId)
    invariant(market !== undefined, () => `symbol ${order.symbolId} of open order ${order.number} must exist`)
    const isResting = order.slot !== NO_SLOT
    endOrder(state, market, order, 'OPERATOR', emit)
    if (isResting) levels.add(market, order.side, order.price)
  }
  levels.publish(emit)
  return { kind: 'OrdersCanceled', canceled: orders.length, left: count - orders.length }
}

/** Those to cancel now, at most `CANCEL_ORDERS_MAX`, and how many there are: the others are not looked at. */
type Chosen = { readonly orders: readonly Order[]; readonly count: number }

function newestOf({ orders }: ExchangeState, accountId: AccountId, symbolId: SymbolId | undefined): Chosen {
  return {
    orders: orders.ofAccount(accountId, symbolId, CANCEL_ORDERS_MAX),
    count: orders.count(accountId, symbolId),
  }
}

/** Those that rest, sell side first, best prices first; then those that wait, oldest first. */
function firstInMarket(state: ExchangeState, { book, symbol }: Market): Chosen {
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
  return { orders, count: state.orders.countIn(symbol.id) }
}
