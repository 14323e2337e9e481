/**
 * Orders and fills of any account: open orders from the engine, all orders and their results from history.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminFill, AdminFillPage, AdminOrder, AdminOrderPage } from '../../../contract/admin/support.ts'
import { fillMembers } from '../../../contract/api/fills.ts'
import { type OrderObject, orderMembers } from '../../../contract/api/order-object.ts'
import { isoTime } from '../../../contract/time.ts'
import type { OpenOrder, OpenOrdersPlace } from '../../../core/questions/view.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { HistoryOrder } from '../../../engine/history/order-history.ts'
import type { TradeRecord } from '../../../engine/port/ports.ts'
import {
  type AccountId,
  isUuidText,
  type OrderNumber,
  parseOrderUuid,
  parseTradeUuid,
  type SymbolId,
  type TradeNumber,
  uuidOf,
} from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { historyItem } from '../../description/history-item.ts'
import { asked, askedOfOpen, endedObject, openObject } from '../../description/order-objects.ts'
import { type AdminContext, AdminRequestError, invalid, knownAccount, knownSymbol } from '../context.ts'
import { operatorOf, submit } from '../submit.ts'

/** Maximum number of orders or fills on a page if the request gives no limit. */
const PAGE = 50
/** Maximum number of fills returned with an order. */
const FILLS_SHOWN = 20
/** A position in open orders, as `next` reports it. */
const OPEN_PLACE = /^([1-9]\d{0,15})\.([1-9]\d{0,15})$/
const ORDER_ID = 'expected the id of an order, for example from order/list'

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

/** The account and symbol of a list of orders. */
type Whose = { readonly accountId: AccountId; readonly symbolId: SymbolId | undefined }

/** Open orders of an account, or with `all` ended ones too. */
export async function listOrders(
  context: AdminContext,
  request: AdminRequests['order/list'],
): Result<'order/list'> {
  const { id: accountId } = knownAccount(context, 'account', request.account)
  const symbolId =
    request.symbol === undefined ? undefined : knownSymbol(context, 'symbol', request.symbol).id
  const { before, limit = PAGE } = request
  const whose = { accountId, symbolId }
  return request.all === true
    ? allOrders(context, whose, before, limit)
    : openOrders(context, whose, before, limit)
}

async function openOrders(
  context: AdminContext,
  whose: Whose,
  before: string | undefined,
  limit: number,
): Promise<AdminOrderPage> {
  const after = before === undefined ? undefined : openPlace(before)
  const page = await context.engine.ask('openOrders', { ...whose, after })
  const orders = page.orders.slice(0, limit)
  const last = orders.at(-1)
  const isCut = page.orders.length > limit && last !== undefined
  const next = isCut ? { before: last.orderNumber, at: last.orderNumber } : page.next
  return {
    orders: orders.map((order) => openOrder(context, order)),
    next: next === undefined ? null : `${next.before}.${next.at}`,
  }
}

function openPlace(text: string): OpenOrdersPlace {
  const [, before, at] = OPEN_PLACE.exec(text) ?? []
  if (before === undefined) throw invalid('before', 'expected the value of next from the previous page')
  return { before: Number(before) as OrderNumber, at: Number(at) as OrderNumber }
}

async function allOrders(
  context: AdminContext,
  whose: Whose,
  before: string | undefined,
  limit: number,
): Promise<AdminOrderPage> {
  const named = before === undefined ? undefined : orderId('before', before).number
  const query = { ...whose, from: undefined, to: undefined, before: named, limit, atLeast: context.seq() }
  const { orders, next } = await context.history.orders(query)
  return {
    orders: await adminOrders(context, whose.accountId, orders),
    next: next === undefined ? null : uuidOf('order', next.orderNumber, next.time),
  }
}

/** One order, by its id or by `<account>:<client order id>`, and its newest fills. */
export async function showOrder(
  context: AdminContext,
  request: AdminRequests['order/show'],
): Result<'order/show'> {
  const order = await namedOrder(context, request.order)
  const [shown] = await adminOrders(context, order.accountId, [order])
  invariant(shown !== undefined, () => `order ${order.orderNumber} was found but cannot be shown`)
  return { ...shown, ...(await fillsOf(context, order, undefined, FILLS_SHOWN)) }
}

/** Cancels an open order of any account, and returns its final state. */
export async function cancelOrder(
  context: AdminContext,
  request: AdminRequests['order/cancel'],
): Result<'order/cancel'> {
  const { orderNumber, time: orderTime } = await namedOrder(context, request.order)
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'CancelAnyOrder', operator, orderNumber, orderTime })
  const order = await namedOrder(context, uuidOf('order', orderNumber, orderTime))
  const [shown] = await adminOrders(context, order.accountId, [order])
  invariant(shown !== undefined, () => `order ${orderNumber} was found but cannot be shown`)
  return shown
}

/** Fills of an order. */
export async function listFills(
  context: AdminContext,
  request: AdminRequests['order/fills'],
): Result<'order/fills'> {
  const order = await namedOrder(context, request.order)
  const { before, limit = PAGE } = request
  return fillsOf(context, order, before === undefined ? undefined : tradeId(before), limit)
}

async function fillsOf(
  context: AdminContext,
  order: HistoryOrder,
  before: TradeNumber | undefined,
  limit: number,
): Promise<AdminFillPage> {
  const { accountId, symbolId, orderNumber, time, end } = order
  // No order has a fill before it was placed, or after it has ended.
  const times = { from: time, to: end?.time }
  const { fills, next } = await context.history.fills({
    accountId,
    symbolId,
    orderNumber,
    ...times,
    before,
    limit,
    atLeast: context.seq(),
  })
  return {
    fills: fills.map((fill) => adminFill(context, fill)),
    next: next === undefined ? null : uuidOf('trade', next.tradeNumber, next.time),
  }
}

/** The order that a request names; throws an `AdminRequestError`. */
export async function namedOrder(context: AdminContext, name: string): Promise<HistoryOrder> {
  const colon = name.indexOf(':')
  const { number, time } = colon < 0 ? orderId('order', name) : await clientOrder(context, name, colon)
  const [order] = await context.history.numberedOrders({ orderNumbers: [number], atLeast: context.seq() })
  if (order !== undefined && order.time === time) return order
  throw unknownOrder(name)
}

type NamedOrder = { readonly number: OrderNumber; readonly time: TimeMs }

async function clientOrder(context: AdminContext, name: string, colon: number): Promise<NamedOrder> {
  const { id: accountId } = knownAccount(context, 'order', name.slice(0, colon))
  const clientOrderId = name.slice(colon + 1)
  const { order } = await context.engine.ask('clientOrder', { accountId, clientOrderId })
  if (order === undefined) throw unknownOrder(name)
  return { number: order.orderNumber, time: order.time }
}

function unknownOrder(name: string): AdminRequestError {
  return new AdminRequestError('UNKNOWN_ORDER', {
    field: 'order',
    message: `order: there is no order ${name}`,
  })
}

function orderId(field: string, text: string): NamedOrder {
  const order = isUuidText(text) ? parseOrderUuid(text) : undefined
  if (order === undefined) throw invalid(field, ORDER_ID)
  return { number: order.number, time: order.time }
}

function tradeId(text: string): TradeNumber {
  const trade = isUuidText(text) ? parseTradeUuid(text) : undefined
  if (trade === undefined) throw invalid('before', 'expected the id of a trade, as returned in next')
  return trade.number
}

/**
 * Orders of one account in their current state. An order that ends between the queries is shown as it ended.
 */
export async function adminOrders(
  context: AdminContext,
  accountId: AccountId,
  orders: readonly HistoryOrder[],
): Promise<AdminOrder[]> {
  const { engine, history } = context
  const orderNumbers = orders.flatMap(({ end, orderNumber }) => (end === undefined ? [orderNumber] : []))
  const open =
    orderNumbers.length === 0 ? [] : await engine.ask('ordersByNumber', { accountId, orderNumbers })
  const openByNumber = new Map(open.map((order) => [order.orderNumber, order]))
  const closed = orderNumbers.filter((number) => !openByNumber.has(number))
  const ended =
    closed.length === 0 ? [] : await history.numberedOrders({ orderNumbers: closed, atLeast: context.seq() })
  const endedByNumber = new Map(ended.map((order) => [order.orderNumber, order]))
  return orders.map((order) => {
    const stillOpen = openByNumber.get(order.orderNumber)
    if (stillOpen !== undefined) return openOrder(context, stillOpen, order)
    const symbol = symbolOf(context, order.symbolId)
    const object = endedObject(endedByNumber.get(order.orderNumber) ?? order, symbol, context.registry)
    return adminOrder(context, accountId, object, symbol)
  })
}

/** `placed`: its record in history; without it the engine's own data is used. */
function openOrder(context: AdminContext, order: OpenOrder, placed?: HistoryOrder): AdminOrder {
  const symbol = symbolOf(context, order.symbolId)
  const own = { ...order, ...askedOfOpen(order) }
  const shown = placed === undefined ? own : { ...order, ...asked(placed, order) }
  const object = openObject(shown, symbol, context.registry)
  return adminOrder(context, order.accountId, object, symbol)
}

function adminOrder(
  { registry }: AdminContext,
  accountId: AccountId,
  object: OrderObject,
  symbol: TradingSymbol,
): AdminOrder {
  const { createdAt, updatedAt, expireTime, triggeredAt, trailingTime, ...members } = orderMembers(
    object,
    symbol,
  )
  return {
    account: registry.account(accountId)?.name ?? '',
    ...members,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    expireTime: expireTime === undefined ? undefined : isoTime(expireTime),
    triggeredAt: triggeredAt === undefined ? undefined : isoTime(triggeredAt),
    trailingTime: trailingTime === undefined ? undefined : isoTime(trailingTime),
  }
}

function adminFill({ registry }: AdminContext, fill: TradeRecord): AdminFill {
  const { time, ...members } = fillMembers({ ...historyItem(fill, registry), isMaker: fill.isMaker })
  return { ...members, time: isoTime(time) }
}

function symbolOf({ registry }: AdminContext, symbolId: SymbolId): TradingSymbol {
  const symbol = registry.symbol(symbolId)
  invariant(symbol !== undefined, () => `an order names symbol ${symbolId}, which is not listed`)
  return symbol
}
