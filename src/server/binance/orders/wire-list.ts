/** Converts an order list of the exchange to the objects of this wire. */
import { parseListUuid } from '../../../units/ids.ts'
import { clientIdOf, listClientIdOf, orderNumberOf, type ShownMembers } from './wire-order.ts'

/** The members of a list object that are read here (docs/reference/order-lists.md#the-list-object). */
export type ShownList = {
  readonly listId: string
  readonly listClientOrderId?: string
  readonly contingencyType: string
  readonly listStatusType: string
  readonly listOrderStatus: string
  readonly symbol: string
  readonly createdAt: number
  readonly orders: readonly ShownMembers[]
}

export function listNumberOf({ listId }: ShownList): number {
  return parseListUuid(listId)?.number ?? -1
}

/** `symbol`: its joined name. */
export function listHead(list: ShownList, symbol: string, transactionTime = list.createdAt) {
  const orderListId = listNumberOf(list)
  return {
    orderListId,
    contingencyType: list.contingencyType,
    listStatusType: list.listStatusType,
    listOrderStatus: list.listOrderStatus,
    listClientOrderId: listClientIdOf(orderListId, list.listClientOrderId),
    transactionTime,
    symbol,
    orders: list.orders.map((order) => ({
      symbol,
      orderId: orderNumberOf(order.id),
      clientOrderId: clientIdOf(order),
    })),
  }
}
