/**
 * Recent fills in one market on one side, combined for one notice: 200 trades of an order become one
 * sentence.
 */
import { Decimal } from '../../../client/decimal.ts'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import { groupedText } from '../../shared/grouped-text.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import { amountText, codesOf, leftOf } from './order-phrase.ts'

/** The order of the fills. `order`: its state after the last of them; undefined if not known yet. */
type FilledOrders =
  | { readonly kind: 'ONE'; readonly id: string; readonly order: Order | undefined }
  | { readonly kind: 'MANY' }

export type FilledSum = {
  readonly symbol: string
  readonly side: Fill['side']
  readonly quantity: Decimal
  readonly low: Decimal
  readonly high: Decimal
  /** Number of trades. */
  readonly count: number
  readonly orders: FilledOrders
}

/** `order`: the known state of the filled order; fills and orders arrive in any order. */
export function withFill(sum: FilledSum | undefined, fill: Fill, order: Order | undefined): FilledSum {
  const { symbol, side, orderId } = fill
  const price = Decimal.from(fill.price)
  const orders: FilledOrders = { kind: 'ONE', id: orderId, order }
  if (sum === undefined)
    return { symbol, side, quantity: Decimal.from(fill.quantity), low: price, high: price, count: 1, orders }
  const isSame = sum.orders.kind === 'ONE' && sum.orders.id === orderId
  return {
    ...sum,
    quantity: sum.quantity.plus(fill.quantity),
    low: price.compare(sum.low) < 0 ? price : sum.low,
    high: price.compare(sum.high) > 0 ? price : sum.high,
    count: sum.count + 1,
    orders: isSame ? orders : { kind: 'MANY' },
  }
}

/** The same sum, if the order has no part in it, or if no more of the order was filled. */
export function withOrder(sum: FilledSum, order: Order): FilledSum {
  const { orders } = sum
  if (orders.kind !== 'ONE' || orders.id !== order.id) return sum
  if (orders.order?.executedQuantity === order.executedQuantity) return sum
  return { ...sum, orders: { ...orders, order } }
}

export function filledText(sum: FilledSum): string {
  const { notices: words } = TEXTS
  const { symbol, side, quantity, count, orders } = sum
  const { base } = codesOf(symbol)
  const order = orders.kind === 'ONE' ? orders.order : undefined
  const about = [words.done[side], amountText(quantity, base), priceText(sum, order)] as const
  const left = order === undefined || !isOpen(order) ? undefined : leftOf(order)
  if (left === undefined) return count === 1 ? words.filled(...about) : words.filledIn(...about, count)
  const rest = amountText(left, base)
  return count === 1 ? words.partlyFilled(...about, rest) : words.partlyFilledIn(...about, rest, count)
}

/**
 * A single price; for several prices the exchange's own average, if it covers exactly these fills; otherwise
 * the range from the lowest to the highest.
 */
function priceText({ symbol, low, high, quantity }: FilledSum, order: Order | undefined): string {
  const { notices: words } = TEXTS
  const { quote } = codesOf(symbol)
  if (low.compare(high) === 0) return amountText(low, quote)
  const { averagePrice, executedQuantity } = order ?? {}
  if (
    averagePrice !== undefined &&
    executedQuantity !== undefined &&
    quantity.compare(executedQuantity) === 0
  )
    return words.average(amountText(averagePrice, quote))
  return words.range(groupedText(low.toString()), amountText(high, quote))
}

function isOpen({ status }: Order): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED'
}
