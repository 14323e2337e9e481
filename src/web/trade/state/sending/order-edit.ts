/**
 * The edit of an open order: its fields, their problems, and the effect. Only if nothing but the quantity is
 * lowered does the order keep its place; any other change makes a new order at the end of the queue at its
 * price.
 */
import { Decimal } from '../../../../client/decimal.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import { checkedField, type FieldProblem, hasPrice } from '../draft/draft.ts'
import { basisPointsOf, percentOf, TRAILING_PERCENTS } from '../draft/trailing.ts'
import { leftOf } from '../order-phrase.ts'
import type { Moved } from './replacement.ts'

export const EDIT_FIELDS = ['stopPrice', 'trailingDelta', 'price', 'quantity'] as const

export type EditField = (typeof EDIT_FIELDS)[number]

/** The typed texts of the fields that the order has; `trailingDelta` in percent. */
export type EditTexts = { readonly [Name in EditField]?: string }

export type CheckedEdit = {
  readonly problems: { readonly [Name in EditField]?: FieldProblem }
  /** The fields without a problem, each as it is sent. */
  readonly edited: Moved
}

/** `order`: the rest of the edited order, as a new order. */
export function editTexts(order: NewOrderParameters): EditTexts {
  const texts = EDIT_FIELDS.flatMap((name) => {
    const { [name]: value } = order
    if (value === undefined) return []
    return [[name, name === 'trailingDelta' ? percentOf(Number(value)) : `${value}`] as const]
  })
  return Object.fromEntries(texts)
}

export function checkedEdit(texts: EditTexts): CheckedEdit {
  const problems: { [Name in EditField]?: FieldProblem } = {}
  const edited: { -readonly [Name in keyof Moved]: Moved[Name] } = {}
  for (const name of EDIT_FIELDS) {
    const { [name]: text } = texts
    if (text === undefined) continue
    const isDistance = name === 'trailingDelta'
    // Without a stop price, an order that follows the price begins with the next trade.
    const isOptional = name === 'stopPrice' && texts.trailingDelta !== undefined
    const checked = checkedField(text, isDistance ? TRAILING_PERCENTS.places : undefined, isOptional)
    if (checked === undefined) edited.beginsAtOnce = true
    else if ('kind' in checked) problems[name] = checked
    else if (!isDistance) edited[name] = checked.value.toString()
    else if (basisPointsOf(checked.value) === undefined) problems[name] = { kind: 'DISTANCE', offers: [] }
    else edited[name] = basisPointsOf(checked.value)
  }
  return { problems, edited }
}

/**
 * The exchange amends orders that rest in the book, except orders of a list
 * (docs/reference/order-changes.md#lower-the-quantity).
 */
function isAmendable(order: Order): boolean {
  return order.listId === undefined && order.isWorking === true && hasPrice(order.type)
}

/**
 * The new total quantity of the order, including the executed part, if the edit only lowers the remaining
 * quantity; undefined if a new order is needed. `edited`: the values of the fields, with the remaining
 * quantity. If there are fills in the meantime, no more than this total is traded.
 */
export function amendedQuantity(order: Order, edited: Moved): string | undefined {
  const left = leftOf(order)
  const { price, stopPrice, trailingDelta, quantity, beginsAtOnce } = edited
  if (!isAmendable(order) || order.quantity === undefined || left === undefined) return undefined
  if (quantity === undefined || isOther(order.price, price) || isOther(order.stopPrice, stopPrice))
    return undefined
  if (beginsAtOnce === true || (trailingDelta !== undefined && trailingDelta !== order.trailingDelta))
    return undefined
  if (Decimal.from(quantity).compare(left) >= 0 || Decimal.from(quantity).compare('0') === 0) return undefined
  return Decimal.from(order.quantity).minus(left).plus(quantity).toString()
}

function isOther(before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return false
  return Decimal.from(before).compare(now) !== 0
}
