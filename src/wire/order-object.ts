/** The one order object of extensions (docs/reference/orders.md#order): every decimal an exact string, what does not apply absent. */
import { plainDecimal } from '../units/decimal.ts'
import type { Uuid } from '../units/ids.ts'
import type { OrderStatus, OrderType, SelfTradeMode, Side, TimeInForce } from '../units/order-words.ts'
import type { Amount, Lots, Price, TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'
import { ORDER_PLACED } from './orders.ts'
import type { TestedSymbol } from './tested-order.ts'

export type OrderSymbolDecimals = TestedSymbol

export type OrderObject = {
  readonly id: Uuid
  /** Undefined: it has none. */
  readonly clientOrderId: string | undefined
  /** Where it belongs to a list. */
  readonly listId: Uuid | undefined
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce | undefined
  /** These three as asked, the quantity also as amended since. */
  readonly price: Price | undefined
  readonly quantity: Lots | undefined
  readonly total: Amount | undefined
  /** Of an order that shows one part of itself at a time: how much. */
  readonly visibleQuantity: Lots | undefined
  /** Of an order that waits or has waited for it. */
  readonly stopPrice: Price | undefined
  /** When it ends by itself; undefined: never. */
  readonly expireTime: TimeMs | undefined
  readonly executedQuantity: Lots
  readonly executedTotal: Amount
  /** Of one base asset; undefined: nothing was executed. */
  readonly averagePrice: Amount | undefined
  readonly commission: Amount
  readonly preventedQuantity: Lots
  readonly status: OrderStatus
  /** With `CANCELED`. */
  readonly endReason: string | undefined
  /** While it is open: it waits neither for its trigger nor for the working order of its list. */
  readonly isWorking: boolean | undefined
  /** While it is open, and has waited. */
  readonly triggeredAt: TimeMs | undefined
  readonly selfTradeMode: SelfTradeMode | undefined
  readonly createdAt: TimeMs
  readonly updatedAt: TimeMs
}

export const ORDER_READ = successHeads({ en: 'The order has been read.', tr: 'Emir getirildi.' })
export const ORDER_AMENDED = successHeads({ en: 'The order has been amended.', tr: 'Emir değiştirildi.' })
export const ORDERS_READ = successHeads({ en: 'The orders have been read.', tr: 'Emirler getirildi.' })

export function orderBody(
  order: OrderObject,
  symbol: OrderSymbolDecimals,
  language: Language,
  heads = ORDER_READ,
): string {
  return successBody(heads, language, orderJson(order, symbol))
}

/** One of the fills that an order had. */
export type PlacedFill = {
  /** The trade's. */
  readonly id: Uuid
  readonly price: Price
  readonly quantity: Lots
  readonly total: Amount
  readonly commission: Amount
  readonly isMaker: boolean
}

export type FilledOrder = {
  readonly order: OrderObject
  /** Oldest first. */
  readonly fills: readonly PlacedFill[]
  readonly hasMoreFills: boolean
}

/** An order with its fills (docs/reference/orders.md#answer-to-a-placement). */
export function filledOrderBody(
  { order, fills, hasMoreFills }: FilledOrder,
  symbol: OrderSymbolDecimals,
  language: Language,
): string {
  const isBuy = order.side === 'BUY'
  const commissionAsset = isBuy ? symbol.baseCode : symbol.quoteCode
  const rows = fills.map((fill) => ({
    tradeId: fill.id,
    price: plainDecimal(fill.price, symbol.quoteFraction),
    quantity: plainDecimal(fill.quantity, symbol.baseFraction),
    total: plainDecimal(fill.total, symbol.quotePrecision),
    commission: plainDecimal(fill.commission, isBuy ? symbol.basePrecision : symbol.quotePrecision),
    commissionAsset,
    isMaker: fill.isMaker,
  }))
  const more = hasMoreFills ? ',"hasMoreFills":true' : ''
  const members = `${orderJson(order, symbol).slice(0, -1)},"fills":${JSON.stringify(rows)}${more}}`
  return successBody(ORDER_PLACED, language, members)
}

export function orderJson(order: OrderObject, symbol: OrderSymbolDecimals): string {
  return JSON.stringify(orderMembers(order, symbol))
}

/** The members of the object, decimals as text; what does not apply is undefined. */
export function orderMembers(order: OrderObject, symbol: OrderSymbolDecimals) {
  const isBuy = order.side === 'BUY'
  const price = (ticks: Price | undefined) => ticks && plainDecimal(ticks, symbol.quoteFraction)
  const quantity = (lots: Lots | undefined) =>
    lots === undefined ? undefined : plainDecimal(lots, symbol.baseFraction)
  const quote = (units: Amount) => plainDecimal(units, symbol.quotePrecision)
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    listId: order.listId,
    symbol: symbol.name,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: price(order.price),
    stopPrice: price(order.stopPrice),
    quantity: quantity(order.quantity),
    visibleQuantity: quantity(order.visibleQuantity),
    total: order.total === undefined ? undefined : quote(order.total),
    executedQuantity: plainDecimal(order.executedQuantity, symbol.baseFraction),
    executedTotal: quote(order.executedTotal),
    averagePrice: order.averagePrice === undefined ? undefined : quote(order.averagePrice),
    commission: plainDecimal(order.commission, isBuy ? symbol.basePrecision : symbol.quotePrecision),
    commissionAsset: isBuy ? symbol.baseCode : symbol.quoteCode,
    preventedQuantity: order.preventedQuantity === 0 ? undefined : quantity(order.preventedQuantity),
    status: order.status,
    endReason: order.endReason,
    isWorking: order.isWorking,
    selfTradePreventionMode: order.selfTradeMode,
    expireTime: order.expireTime,
    triggeredAt: order.triggeredAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  }
}
