/**
 * Order lists as extensions show them: their orders are found in history by the numbers that follow the
 * list's own (docs/reference/order-lists.md#the-list-object).
 */

import { LIST_READ, orderListBody } from '../../contract/api/order-list.ts'
import { type ListNumber, type OrderNumber, uuidOf } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import type { Call } from './call.ts'
import { shownOrders } from './order-objects.ts'

/** Maximum number of orders of a list. */
const LEGS_MAX = 3

/** The number, time and id by which a request selects a list. */
export type ListName = {
  readonly listNumber: ListNumber
  readonly time: TimeMs
  /** The id, if the request selected the list by it. */
  readonly listClientOrderId: string | undefined
}

/** The current state of a list of the account. Rejects with `EngineFault`. */
export async function shownList(
  call: Call,
  { listNumber, time, listClientOrderId }: ListName,
  heads = LIST_READ,
): Promise<string | Refusal> {
  const { history, market } = call.services
  const orderNumbers = Array.from({ length: LEGS_MAX }, (_, place) => (listNumber + 1 + place) as OrderNumber)
  const named = await history.numberedOrders({ orderNumbers, atLeast: market.seq })
  const own = named
    .filter(
      (order) =>
        order.accountId === call.accountId && order.inList?.listNumber === listNumber && order.time === time,
    )
    .sort((a, b) => a.orderNumber - b.orderNumber)
  const [first] = own
  if (first === undefined) return refuse('UNKNOWN_ORDER_LIST', {})
  const shown = await shownOrders(call, own)
  const symbol = shown[0]?.symbol
  if (symbol === undefined) return refuse('UNKNOWN_ORDER_LIST', {})
  const list = {
    listId: uuidOf('list', listNumber, time),
    listClientOrderId,
    contingencyType: first.inList?.role === 'ABOVE' ? 'OCO' : 'OTO',
    createdAt: time,
    orders: shown.map(({ order }) => order),
  } as const
  return orderListBody(list, symbol, call.language, heads)
}
