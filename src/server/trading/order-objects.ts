/**
 * Orders as extensions show them: the requested values from history, and the results from history once the
 * order has ended, or from the engine while it is open (docs/reference/orders.md#order).
 */

import type { OrderObject } from '../../contract/api/order-object.ts'
import type { OpenOrder } from '../../core/questions/view.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { HistoryOrder } from '../../engine/history/order-history.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import { asked, endedObject, openObject } from '../description/order-objects.ts'
import type { Call } from './call.ts'

/** An order with its market. */
export type ShownOrder = { readonly order: OrderObject; readonly symbol: TradingSymbol }

/**
 * Orders of the account with their current state. An order that ends between the queries is shown as ended.
 * Rejects with `EngineFault`.
 */
export async function shownOrders(call: Call, orders: readonly HistoryOrder[]): Promise<ShownOrder[]> {
  const { engine, history, market } = call.services
  const { accountId } = call
  const unended = orders.filter(({ end }) => end === undefined).map(({ orderNumber }) => orderNumber)
  const openByNumber = new Map<OrderNumber, OpenOrder>()
  const endedByNumber = new Map<OrderNumber, HistoryOrder>()
  if (unended.length > 0) {
    const open = await engine.ask('ordersByNumber', { accountId, orderNumbers: unended })
    for (const order of open) openByNumber.set(order.orderNumber, order)
    const orderNumbers = unended.filter((number) => !openByNumber.has(number))
    const atLeast = market.seq
    const ended = orderNumbers.length === 0 ? [] : await history.numberedOrders({ orderNumbers, atLeast })
    for (const order of ended) endedByNumber.set(order.orderNumber, order)
  }
  return orders.map((order) => {
    const { orderNumber } = order
    const symbol = marketOf(call, order.symbolId)
    const open = openByNumber.get(orderNumber)
    const { registry } = market
    return open === undefined
      ? { order: endedObject(endedByNumber.get(orderNumber) ?? order, symbol, registry), symbol }
      : { order: openObject({ ...open, ...asked(order, open) }, symbol, registry), symbol }
  })
}

/** The number and time by which a request selects an order. */
export type OrderName = {
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
}

/** The current state of one order of the account. */
export async function shownOrder(
  call: Call,
  { orderNumber, time }: OrderName,
): Promise<ShownOrder | Refusal> {
  const { services, accountId } = call
  const atLeast = services.market.seq
  const named = await services.history.numberedOrders({ orderNumbers: [orderNumber], atLeast })
  const own = named.filter((each) => each.accountId === accountId && each.time === time)
  const [shown] = await shownOrders(call, own)
  return shown ?? refuse('UNKNOWN_ORDER', {})
}

export function marketOf(call: Call, symbolId: TradingSymbol['id']): TradingSymbol {
  const symbol = call.services.market.registry.symbol(symbolId)
  invariant(symbol !== undefined, () => `an order names symbol ${symbolId}, which is not listed`)
  return symbol
}
