/**
 * Orders that show one part of themselves at a time (docs/reference/iceberg-orders.md#parts). A book knows only parts: what it
 * says is what everybody sees. What an order hides is known by its own record alone.
 */
import type { Lots } from '../../../units/quantities.ts'
import type { IcebergAt } from '../../market/look-ahead.ts'
import type { Slot } from '../../market/order-book.ts'
import type { Market } from '../market.ts'
import type { ExchangeState } from '../state.ts'
import type { Order } from './open-orders.ts'

/** An order shows at least one part in so many of its quantity. */
export const ICEBERG_PARTS_MAX = 100

/** Whether `icebergQuantity` of `quantity` is not less than an order must show. Exact up to 2^53-1 lots. */
export function isPartOf(icebergQuantity: Lots, quantity: Lots): boolean {
  return icebergQuantity >= Math.ceil(quantity / ICEBERG_PARTS_MAX)
}

/** Rests an order, or the next part of one, behind all others at its price. */
export function addToBook({ book }: Market, order: Order): Slot {
  return book.add(order.side, order.price, nextPart(order), order.accountId, order.number)
}

/** What an order shows when it rests, or when the part before is used up. */
function nextPart({ icebergQuantity, remaining }: Order): Lots {
  return icebergQuantity === undefined || icebergQuantity > remaining ? remaining : icebergQuantity
}

/** Whether what a book shows of an order can be. */
export function isShown(
  { icebergQuantity, remaining }: Pick<Order, 'icebergQuantity' | 'remaining'>,
  shown: Lots,
): boolean {
  if (icebergQuantity === undefined) return shown === remaining
  return shown >= 1 && shown <= Math.min(icebergQuantity, remaining)
}

/** What orders in a market's book hide, for whoever looks ahead; undefined where none hides anything. */
export function icebergsIn({ book }: Market, { orders }: ExchangeState): IcebergAt | undefined {
  if (!orders.hasIcebergs) return undefined
  return (slot) => {
    const order = orders.get(book.orderNumber(slot))
    if (order?.icebergQuantity === undefined) return undefined
    const hidden = order.remaining - book.remaining(slot)
    return hidden === 0 ? undefined : { hidden, part: order.icebergQuantity }
  }
}
