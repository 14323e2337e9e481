/**
 * The effect of editing an open order: only a smaller quantity keeps its place; anything else is a new order
 * at the end of its price's queue.
 */
import { Decimal } from '../../../../client/decimal.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import { hasPrice } from '../draft/draft.ts'
import { leftOf } from '../order-phrase.ts'
import type { Moved } from '../trader.ts'

/**
 * The exchange amends orders that rest in the book, but no order of a list
 * (docs/reference/order-changes.md#lower-the-quantity).
 */
function isAmendable(order: Order): boolean {
  return order.listId === undefined && order.isWorking === true && hasPrice(order.type)
}

/**
 * The new whole quantity of the order, including the executed part, if the edit only lowers the remaining
 * quantity; undefined if it needs another order. `edited`: the values of the fields, with the remaining
 * quantity. With any fills meanwhile, no more is traded than that.
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
