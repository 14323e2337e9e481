/**
 * A page of orders cut from an account's list, by any store that has the list
 * (docs/reference/orders.md#all-orders).
 */
import { invariant } from '../../units/invariant.ts'
import { ORDERS_MAX, type OrderPage } from '../port/ports.ts'
import type { OrderRange } from './history.ts'
import type { HistoryOrder } from './order-history.ts'

/**
 * `newestFirst`: the list from the newest order that `before` and `to` allow; at most one more than the page
 * is read.
 */
export function orderPage(
  newestFirst: Iterable<HistoryOrder>,
  { from, limit }: OrderRange,
  withEnd: (order: HistoryOrder) => HistoryOrder,
): OrderPage {
  invariant(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= ORDERS_MAX,
    () => `limit must be 1 to ${ORDERS_MAX}, found ${limit}`,
  )
  const orders: HistoryOrder[] = []
  for (const order of newestFirst) {
    if (from !== undefined && order.time < from) break
    const last = orders.at(-1)
    if (last !== undefined && orders.length === limit) {
      return { orders, next: { orderNumber: last.orderNumber, time: last.time } }
    }
    orders.push(withEnd(order))
  }
  return { orders, next: undefined }
}

/** Checks the number of orders in one query; too many is a bug of the caller. */
export function assertOrdersNamed(count: number): void {
  invariant(count <= ORDERS_MAX, () => `expected at most ${ORDERS_MAX} orders, found ${count}`)
}
