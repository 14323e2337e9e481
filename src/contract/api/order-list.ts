/**
 * The one list object of extensions (docs/reference/order-lists.md#the-list-object): the list, and its orders
 * as order objects.
 */

import type { Uuid } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import {
  clientOrderId,
  component,
  listOf,
  optional,
  symbolName,
  timeMs,
  uuid,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'
import { ORDER, type OrderObject, type OrderSymbolDecimals, orderMembers } from './order-object.ts'

export const ORDER_LIST = component('OrderList', 'Orders that belong together.', {
  listId: uuid(),
  listClientOrderId: optional(clientOrderId()),
  contingencyType: word(['OCO', 'OTO']),
  listStatusType: word(['EXEC_STARTED', 'ALL_DONE']),
  listOrderStatus: word(['EXECUTING', 'ALL_DONE']),
  symbol: symbolName(),
  createdAt: timeMs(),
  orders: listOf(ORDER, undefined, { min: 2, max: 3 }),
})

export type OrderListObject = {
  readonly listId: Uuid
  /** Present if the list was placed with it, or queried by it. */
  readonly listClientOrderId: string | undefined
  /** Binance's value: `OTO` for an OTOCO list too. */
  readonly contingencyType: 'OCO' | 'OTO'
  readonly createdAt: TimeMs
  /** In the order of their numbers. */
  readonly orders: readonly OrderObject[]
}

export const LIST_READ = successHeads({ en: 'The order list has been read.', tr: 'Emir listesi getirildi.' })
export const LIST_PLACED = successHeads({
  en: 'The order list has been placed.',
  tr: 'Emir listesi verildi.',
})
export const LIST_CANCELED = successHeads({
  en: 'The order list has been canceled.',
  tr: 'Emir listesi iptal edildi.',
})

export function orderListBody(
  { listId, listClientOrderId, contingencyType, createdAt, orders }: OrderListObject,
  symbol: OrderSymbolDecimals,
  language: Language,
  heads: typeof LIST_READ,
): string {
  const isOpen = orders.some(({ status }) => status === 'NEW' || status === 'PARTIALLY_FILLED')
  const data = jsonOf(ORDER_LIST, {
    listId,
    listClientOrderId,
    contingencyType,
    listStatusType: isOpen ? 'EXEC_STARTED' : 'ALL_DONE',
    listOrderStatus: isOpen ? 'EXECUTING' : 'ALL_DONE',
    symbol: symbol.name,
    createdAt,
    orders: orders.map((order) => orderMembers(order, symbol)),
  })
  return successBody(heads, language, data)
}
