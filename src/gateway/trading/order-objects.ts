/**
 * Orders as extensions show them: what was asked for from history, and what has become of it from history once the order has ended,
 * from the engine while it is open (docs/reference/orders.md#order).
 */
import type { OrderAccepted } from '../../core/exchange/reply.ts'
import type { OpenOrder } from '../../core/exchange/view.ts'
import { averagePrice, quoteScale } from '../../core/ledger/money.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { HistoryOrder } from '../../engine/order-history.ts'
import { type ListNumber, type OrderNumber, type Uuid, uuidOf } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { takesTimeInForce } from '../../units/order-words.ts'
import { type Lots, lots, type Notional, type Price, type TimeMs } from '../../units/quantities.ts'
import type { Placement } from '../../views/placements.ts'
import { type OrderObject, orderJson } from '../../wire/order-object.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import type { Call } from './call.ts'
import { ledgerTotal } from './operations/order-figures.ts'

/** An order with its market. */
export type ShownOrder = { readonly order: OrderObject; readonly symbol: TradingSymbol }

/**
 * Orders of the account with what has become of them by now. One that ends between the questions is shown as it ended.
 * Rejects with `EngineFault`.
 */
export async function shownOrders(call: Call, orders: readonly HistoryOrder[]): Promise<ShownOrder[]> {
  const { engine, history, market } = call.services
  const { accountId } = call
  const unended = orders.filter(({ end }) => end === undefined).map(({ orderNumber }) => orderNumber)
  const openByNumber = new Map<OrderNumber, OpenOrder>()
  const endedByNumber = new Map<OrderNumber, HistoryOrder>()
  if (unended.length > 0) {
    const open = await engine.ask('ordersByNumber', { accountId, orderNumbers: unended })
    for (const order of open) openByNumber.set(order.orderNumber, order)
    const orderNumbers = unended.filter((number) => !openByNumber.has(number))
    const atLeast = market.seq
    const ended = orderNumbers.length === 0 ? [] : await history.numberedOrders({ orderNumbers, atLeast })
    for (const order of ended) endedByNumber.set(order.orderNumber, order)
  }
  return orders.map((order) => {
    const { orderNumber } = order
    const symbol = marketOf(call, order.symbolId)
    const open = openByNumber.get(orderNumber)
    if (open !== undefined) return { order: openObject({ ...open, ...asked(order) }, symbol), symbol }
    return { order: endedObject(endedByNumber.get(orderNumber) ?? order, symbol), symbol }
  })
}

/** How one order is named. */
export type OrderName = {
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
}

/** One order of the account as it is now. */
export async function shownOrder(
  call: Call,
  { orderNumber, time }: OrderName,
): Promise<ShownOrder | Refusal> {
  const { services, accountId } = call
  const atLeast = services.market.seq
  const named = await services.history.numberedOrders({ orderNumbers: [orderNumber], atLeast })
  const own = named.filter((each) => each.accountId === accountId && each.time === time)
  const [shown] = await shownOrders(call, own)
  return shown ?? refuse('UNKNOWN_ORDER', {})
}

export function marketOf(call: Call, symbolId: TradingSymbol['id']): TradingSymbol {
  const symbol = call.services.market.registry.symbol(symbolId)
  invariant(symbol !== undefined, () => `an order names symbol ${symbolId}, which is not listed`)
  return symbol
}

/** What the engine need not have kept. */
function asked(order: HistoryOrder) {
  const { type, timeInForce, selfTradeMode, total, stopPrice, clientOrderId, expireTime } = order
  return { type, timeInForce, selfTradeMode, total, stopPrice, clientOrderId, expireTime }
}

type Asked = Pick<
  OrderObject,
  'type' | 'timeInForce' | 'selfTradeMode' | 'total' | 'stopPrice' | 'clientOrderId' | 'expireTime'
>

/** An open order, in words. */
export function openOrderJson(order: OpenOrder, symbol: TradingSymbol): string {
  const asked = { total: order.stop?.total, stopPrice: order.stop?.price }
  return orderJson(openObject({ ...order, ...asked }, symbol), symbol)
}

/** The same. */
export function openObject(order: Omit<OpenOrder, keyof Asked> & Asked, symbol: TradingSymbol): OrderObject {
  const { quantity, executedQuantity, remaining, commission, stop } = order
  return {
    ...common(order, order, symbol),
    listId: listIdOf(order.inList?.listNumber, order.time),
    // Of an order that waits 0 stands for what it does not name.
    price: order.price || undefined,
    quantity: quantity || undefined,
    commission,
    preventedQuantity: lots(quantity - executedQuantity - remaining),
    status: executedQuantity === 0 ? 'NEW' : 'PARTIALLY_FILLED',
    endReason: undefined,
    isWorking: !order.isPending && (stop === undefined || stop.triggeredAt !== undefined),
    triggeredAt: stop?.triggeredAt,
    updatedAt: order.updatedAt,
  }
}

/** An order that has ended. */
export function endedObject(order: HistoryOrder, symbol: TradingSymbol): OrderObject {
  const { end, price, quantity, orderNumber } = order
  invariant(end !== undefined, () => `order ${orderNumber} is neither open nor has it ended`)
  return {
    ...common(order, end, symbol),
    listId: listIdOf(order.listNumber, order.time),
    price,
    quantity: end.amendedQuantity ?? quantity,
    commission: end.commission,
    preventedQuantity: end.preventedQuantity,
    status: end.cause === undefined ? 'FILLED' : 'CANCELED',
    endReason: end.cause,
    isWorking: undefined,
    triggeredAt: undefined,
    updatedAt: end.time,
  }
}

/** An order right after the command that placed it. */
export function placedObject(
  { status, executedQuantity, executedNotional }: OrderAccepted,
  { placed, commission, preventedQuantity, cause }: Placement,
  symbol: TradingSymbol,
): OrderObject {
  const executed = { executedQuantity, executedNotional }
  const isOpen = status === 'NEW' || status === 'PARTIALLY_FILLED'
  return {
    ...common(placed, executed, symbol),
    listId: undefined,
    price: placed.price,
    quantity: placed.quantity,
    commission,
    preventedQuantity,
    status,
    endReason: status === 'CANCELED' ? cause : undefined,
    isWorking: isOpen ? placed.stopPrice === undefined : undefined,
    triggeredAt: undefined,
    updatedAt: placed.time,
  }
}

/** A list is placed at the time of its orders. */
function listIdOf(listNumber: ListNumber | undefined, time: TimeMs): Uuid | undefined {
  return listNumber === undefined ? undefined : uuidOf('list', listNumber, time)
}

type Executed = { readonly executedQuantity: Lots; readonly executedNotional: Notional }

function common(
  order: Asked &
    Pick<OpenOrder, 'orderNumber' | 'time' | 'side' | 'icebergQuantity'> & {
      readonly price: Price | undefined
    },
  { executedQuantity, executedNotional }: Executed,
  symbol: TradingSymbol,
) {
  const { orderNumber, time, side, type, timeInForce, selfTradeMode, total } = order
  const { stopPrice, clientOrderId, expireTime } = order
  const scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
  return {
    id: uuidOf('order', orderNumber, time),
    clientOrderId,
    side,
    type,
    timeInForce: takesTimeInForce(type) ? timeInForce : undefined,
    // Of an order with a limit it was only a check.
    total: order.price ? undefined : total,
    stopPrice,
    visibleQuantity: order.icebergQuantity,
    expireTime,
    selfTradeMode,
    executedQuantity,
    executedTotal: ledgerTotal(executedNotional, side, scale),
    averagePrice: executedQuantity === 0 ? undefined : averagePrice(executedNotional, executedQuantity),
    createdAt: time,
  }
}
