/** Converts an order object of the exchange to the objects of this wire. */
import { parseListUuid, parseOrderUuid } from '../../../units/ids.ts'
import { paddedText } from '../wire/padded.ts'
import { orderStatus } from './order-status.ts'

/** The members of an order object that are read here, decimals as texts (docs/reference/orders.md#order). */
export type ShownMembers = {
  readonly id: string
  readonly clientOrderId?: string | undefined
  readonly listId?: string | undefined
  readonly side: string
  readonly type: string
  readonly timeInForce?: string | undefined
  readonly price?: string | 0 | undefined
  readonly stopPrice?: string | 0 | undefined
  readonly trailingDelta?: number | undefined
  readonly trailingTime?: number | undefined
  readonly quantity?: string | undefined
  readonly visibleQuantity?: string | undefined
  readonly total?: string | undefined
  readonly executedQuantity: string
  readonly executedTotal: string
  readonly preventedQuantity?: string | undefined
  readonly status: string
  readonly endReason?: string | undefined
  readonly isWorking?: boolean | undefined
  readonly selfTradePreventionMode?: string | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export type ShownFill = {
  /** The number of the trade in its symbol; absent if it has none. */
  readonly number?: number
  readonly price: string
  readonly quantity: string
  readonly commission: string
  readonly commissionAsset: string
}

/** Prefix of the id of an order whose account gave it none; the number of the order follows. */
const OWN_ID = 'bourse-'
const OWN_ID_FORM = /^bourse-(\d{1,16})$/

export function orderNumberOf(id: string): number {
  return parseOrderUuid(id)?.number ?? -1
}

/** The client id of an order, or an id derived from its number if its account gave it none. */
export function clientIdOf({ id, clientOrderId }: Pick<ShownMembers, 'id' | 'clientOrderId'>): string {
  return clientOrderId ?? clientIdOfNumber(orderNumberOf(id))
}

/** The id of an order or a list whose account gave it none. */
export function clientIdOfNumber(number: number): string {
  return OWN_ID + number
}

/** The client id of a list, or one derived from its number: lists and orders share one numbering. */
export function listClientIdOf(listNumber: number, listClientOrderId: string | undefined): string {
  return listClientOrderId ?? clientIdOfNumber(listNumber)
}

/** The number in an id that was derived from one; undefined for other ids. */
export function numberInId(clientOrderId: string): number | undefined {
  const digits = OWN_ID_FORM.exec(clientOrderId)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const figure = (text: string | 0 | undefined): string => paddedText(text || '0')

/** `trailingTime` is -1 while the order does not follow the price, either not yet or not any more. */
function trailingOf(trailingDelta: number, trailingTime = -1) {
  return { trailingDelta, trailingTime }
}

/** Members that the answers to a placement and a cancel share. */
export function orderFigures(order: ShownMembers) {
  return {
    price: figure(order.price),
    origQty: figure(order.quantity),
    executedQty: figure(order.executedQuantity),
    origQuoteOrderQty: figure(order.total),
    cummulativeQuoteQty: figure(order.executedTotal),
    status: orderStatus(order),
    timeInForce: order.timeInForce === undefined || order.timeInForce === 'GTD' ? 'GTC' : order.timeInForce,
    type: order.type,
    side: order.side,
    ...(order.stopPrice ? { stopPrice: figure(order.stopPrice) } : {}),
    ...(order.trailingDelta === undefined ? {} : trailingOf(order.trailingDelta, order.trailingTime)),
    ...(order.visibleQuantity ? { icebergQty: figure(order.visibleQuantity) } : {}),
    ...(order.preventedQuantity ? { preventedQuantity: figure(order.preventedQuantity) } : {}),
    selfTradePreventionMode: order.selfTradePreventionMode ?? 'NONE',
  }
}

export function orderHead(order: ShownMembers, symbol: string) {
  const orderListId = order.listId === undefined ? undefined : parseListUuid(order.listId)?.number
  return { symbol, orderId: orderNumberOf(order.id), orderListId: orderListId ?? -1 }
}

/** The answer to a query of an order. */
export function queriedOrder(order: ShownMembers, symbol: string) {
  return {
    ...orderHead(order, symbol),
    clientOrderId: clientIdOf(order),
    stopPrice: '0.00000000',
    icebergQty: '0.00000000',
    ...orderFigures(order),
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: order.isWorking ?? true,
    workingTime: order.isWorking === false ? -1 : order.createdAt,
  }
}

export type RespType = 'ACK' | 'RESULT' | 'FULL'

/** An order that was just placed. */
export function placedOrder(
  order: ShownMembers & { readonly fills: readonly ShownFill[] },
  symbol: string,
  type: RespType,
) {
  const head = {
    ...orderHead(order, symbol),
    clientOrderId: clientIdOf(order),
    transactTime: order.createdAt,
  }
  if (type === 'ACK') return head
  const result = {
    ...head,
    ...orderFigures(order),
    workingTime: order.isWorking === false ? -1 : order.createdAt,
  }
  if (type === 'RESULT') return result
  const fills = order.fills.map((fill) => ({
    price: paddedText(fill.price),
    qty: paddedText(fill.quantity),
    commission: paddedText(fill.commission),
    commissionAsset: fill.commissionAsset,
    tradeId: fill.number ?? 0,
  }))
  return { ...result, fills }
}

/** An order whose quantity was lowered. */
export function amendedOrder(order: ShownMembers, symbol: string) {
  const { price, origQty, executedQty, origQuoteOrderQty, cummulativeQuoteQty, ...rest } = orderFigures(order)
  const clientOrderId = clientIdOf(order)
  return {
    ...orderHead(order, symbol),
    origClientOrderId: clientOrderId,
    clientOrderId,
    price,
    qty: origQty,
    executedQty,
    preventedQty: figure(order.preventedQuantity),
    quoteOrderQty: origQuoteOrderQty,
    cumulativeQuoteQty: cummulativeQuoteQty,
    ...{ status: rest.status, timeInForce: rest.timeInForce, type: rest.type, side: rest.side },
    workingTime: order.isWorking === false ? -1 : order.createdAt,
    selfTradePreventionMode: rest.selfTradePreventionMode,
  }
}

/** An order that was canceled; `cancelId`: the id that the request gives to the cancel. */
export function canceledOrder(order: ShownMembers, symbol: string, cancelId: string | undefined) {
  const origClientOrderId = clientIdOf(order)
  return {
    origClientOrderId,
    ...orderHead(order, symbol),
    clientOrderId: cancelId ?? origClientOrderId,
    transactTime: order.updatedAt,
    ...orderFigures(order),
  }
}
