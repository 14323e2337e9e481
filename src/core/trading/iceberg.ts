/**
 * Orders that show one part of themselves at a time (docs/reference/iceberg-orders.md#parts). A book contains
 * only the shown parts, which are public. The hidden part is only in the order's own record.
 */
import type { Lots } from '../../units/quantities.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { IcebergAt } from '../market/look-ahead.ts'
import type { Slot } from '../market/order-book.ts'
import type { Order } from './open-orders.ts'

/** The smallest shown part of an order is its quantity divided by this number. */
export const ICEBERG_PARTS_MAX = 100

/**
 * Whether `icebergQuantity` is not below the smallest shown part of an order of `quantity`. Exact up to
 * 2^53-1 lots.
 */
export function isPartOf(icebergQuantity: Lots, quantity: Lots): boolean {
  return icebergQuantity >= Math.ceil(quantity / ICEBERG_PARTS_MAX)
}

/** Adds an order, or the next part of one, after all others at its price. */
export function addToBook({ book }: Market, order: Order): Slot {
  return book.add(order.side, order.price, nextPart(order), order.accountId, order.number)
}

/** The visible quantity of an order when it begins to rest, or when its previous part is used up. */
function nextPart({ icebergQuantity, remaining }: Order): Lots {
  return icebergQuantity === undefined || icebergQuantity > remaining ? remaining : icebergQuantity
}

/** Whether an order can have the visible quantity `shown` in its book. */
export function isShown(
  { icebergQuantity, remaining }: Pick<Order, 'icebergQuantity' | 'remaining'>,
  shown: Lots,
): boolean {
  if (icebergQuantity === undefined) return shown === remaining
  return shown >= 1 && shown <= Math.min(icebergQuantity, remaining)
}

/** The hidden quantities of orders in a market's book, for look-ahead; undefined if there are none. */
export function icebergsIn({ book }: Market, { orders }: ExchangeState): IcebergAt | undefined {
  if (!orders.hasIcebergs) return undefined
  return (slot) => {
    const order = orders.get(book.orderNumber(slot))
    if (order?.icebergQuantity === undefined) return undefined
    const hidden = order.remaining - book.remaining(slot)
    return hidden === 0 ? undefined : { hidden, part: order.icebergQuantity }
  }
}
