/** The one list object of extensions (docs/reference/order-lists.md#the-list-object): the list, and its orders as order objects. */
import type { Uuid } from '../units/ids.ts'
import type { TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'
import { type OrderObject, type OrderSymbolDecimals, orderJson } from './order-object.ts'

export type OrderListObject = {
  readonly listId: Uuid
  /** Where the list was placed with it, or asked for by it. */
  readonly listClientOrderId: string | undefined
  /** As Binance has it: `OTO` of an OTOCO list too. */
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
  const head = JSON.stringify({
    listId,
    listClientOrderId,
    contingencyType,
    listStatusType: isOpen ? 'EXEC_STARTED' : 'ALL_DONE',
    listOrderStatus: isOpen ? 'EXECUTING' : 'ALL_DONE',
    symbol: symbol.name,
    createdAt,
  })
  const rows = orders.map((order) => orderJson(order, symbol)).join(',')
  return successBody(heads, language, `${head.slice(0, -1)},"orders":[${rows}]}`)
}
