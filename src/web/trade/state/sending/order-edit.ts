/** What becomes of an open order that is edited: a smaller quantity alone keeps its place; anything else is another order at the end of its price's queue. */
import { Decimal } from '../../../../client/decimal.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import { hasPrice } from '../draft/draft.ts'
import { leftOf } from '../order-phrase.ts'
import type { Moved } from '../trader.ts'

/** The exchange amends what rests in the book, and no order of a list (docs/reference/order-changes.md#lower-the-quantity). */
function isAmendable(order: Order): boolean {
  return order.listId === undefined && order.isWorking === true && hasPrice(order.type)
}

/**
 * The whole quantity of the order from now on, what was executed included, where less of what is left is all that was changed; undefined: the edit
 * takes another order. `edited`: what the fields say, its quantity of what is left. However much is filled meanwhile, no more is traded than that.
 */
export function amendedQuantity(order: Order, edited: Moved): string | undefined {
  const left = leftOf(order)
  const { price, stopPrice, quantity } = edited
  if (!isAmendable(order) || order.quantity === undefined || left === undefined) return undefined
  if (quantity === undefined || isOther(order.price, price) || isOther(order.stopPrice, stopPrice))
    return undefined
  if (Decimal.from(quantity).compare(left) >= 0 || Decimal.from(quantity).compare('0') === 0) return undefined
  return Decimal.from(order.quantity).minus(left).plus(quantity).toString()
}

function isOther(before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return false
  return Decimal.from(before).compare(now) !== 0
}
