/**
 * The one order object of extensions (docs/reference/orders.md#order): every decimal an exact string,
 * inapplicable fields absent.
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Uuid } from '../../units/ids.ts'
import {
  type OrderStatus,
  type OrderType,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
} from '../../units/order-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../units/quantities.ts'
import {
  assetCode,
  clientOrderId,
  component,
  constant,
  decimal,
  flag,
  listOf,
  object,
  optional,
  symbolName,
  text,
  timeMs,
  uuid,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'
import { NEXT } from '../pages.ts'
import { TRADE_NUMBER } from './numbered-trades.ts'
import { END_REASON, SIDE, statusOf, TIME_IN_FORCE, TRAILING_DELTA, TYPE } from './order-fields.ts'
import { ORDER_PLACED } from './orders.ts'
import type { TestedSymbol } from './tested-order.ts'

/** The label of a key, or `#` and its number. */
const keyName = () =>
  text(
    "The key that placed the order: its label, or # and its number. Absent if a customer's session placed it, or if the key is unknown.",
  )

const MEMBERS = {
  id: uuid(),
  clientOrderId: optional(clientOrderId()),
  listId: optional(uuid('The list that the order belongs to.')),
  keyName: optional(keyName()),
  symbol: symbolName(),
  side: SIDE,
  type: TYPE,
  timeInForce: TIME_IN_FORCE,
  price: optional(decimal('For an order with a limit price, as requested.')),
  stopPrice: optional(decimal('For an order that waits or has waited for this price.')),
  trailingDelta: TRAILING_DELTA,
  quantity: optional(decimal('As requested, or as amended since.')),
  visibleQuantity: optional(decimal('For an iceberg order: the visible quantity.')),
  total: optional(decimal('For an order without a limit price, as requested.')),
  executedQuantity: decimal(),
  executedTotal: decimal('Paid or received so far, before commission.'),
  averagePrice: optional(decimal()),
  commission: decimal(),
  commissionAsset: assetCode(),
  preventedQuantity: optional(decimal('The quantity removed by self-trade prevention.')),
  status: statusOf(),
  endReason: END_REASON,
  isWorking: optional(flag('For an open order: true if it rests in the book.')),
  selfTradePreventionMode: optional(word(SELF_TRADE_MODES)),
  expireTime: optional(timeMs('For a GTD order: its expiry time.')),
  triggeredAt: optional(timeMs()),
  trailingTime: optional(timeMs('For an open trailing order: when it began to follow the price.')),
  createdAt: timeMs(),
  updatedAt: timeMs(),
}

export const ORDER = component('Order', 'An order as it is now.', MEMBERS)

export const ORDER_PAGE = component('OrderPage', 'Orders, newest first.', {
  orders: listOf(ORDER),
  next: NEXT,
})

export const FILLED_ORDER = component('FilledOrder', 'An order as it was placed, with its fills.', {
  ...MEMBERS,
  fills: listOf(
    object({
      tradeId: uuid(),
      number: TRADE_NUMBER,
      price: decimal(),
      quantity: decimal(),
      total: decimal(),
      commission: decimal(),
      commissionAsset: assetCode(),
      isMaker: flag(),
    }),
    'The first 100, oldest first.',
    { max: 100 },
  ),
  hasMoreFills: optional(constant(true)),
})

export type OrderSymbolDecimals = TestedSymbol

export type OrderObject = {
  readonly id: Uuid
  /** Undefined if it has none. */
  readonly clientOrderId: string | undefined
  /** If it belongs to a list. */
  readonly listId: Uuid | undefined
  /**
   * The label of the key that placed it, or `#` and its number; undefined if no key with a number placed it.
   */
  readonly keyName: string | undefined
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce | undefined
  /** `price`, `quantity` and `total` as requested; the quantity includes later amendments. */
  readonly price: Price | undefined
  readonly quantity: Lots | undefined
  readonly total: Amount | undefined
  /** For an iceberg order: the part shown at a time. */
  readonly visibleQuantity: Lots | undefined
  /** For an order that waits or has waited for it. */
  readonly stopPrice: Price | undefined
  /** For an order that follows the price. */
  readonly trailingDelta: TrailingDelta | undefined
  /** The time of its automatic end; undefined if there is none. */
  readonly expireTime: TimeMs | undefined
  readonly executedQuantity: Lots
  readonly executedTotal: Amount
  /** Average price of one unit of the base asset; undefined if nothing was executed. */
  readonly averagePrice: Amount | undefined
  readonly commission: Amount
  readonly preventedQuantity: Lots
  readonly status: OrderStatus
  /** With `CANCELED`. */
  readonly endReason: string | undefined
  /** For an open order: true if it waits neither for its trigger nor for the working order of its list. */
  readonly isWorking: boolean | undefined
  /** For an open order that has waited. */
  readonly triggeredAt: TimeMs | undefined
  /** For an open order that follows, or followed, the price. */
  readonly trailingTime: TimeMs | undefined
  readonly selfTradeMode: SelfTradeMode | undefined
  readonly createdAt: TimeMs
  readonly updatedAt: TimeMs
}

export const ORDER_READ = successHeads({ en: 'The order has been read.', tr: 'Emir getirildi.' })
/** For a cancel whose answer has the order in addition to the message. */
export const ORDER_CANCELED_READ = successHeads({
  en: 'The order has been canceled.',
  tr: 'Emir iptal edildi.',
})
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

/** One of an order's fills. */
export type PlacedFill = {
  /** The trade's id. */
  readonly id: Uuid
  /** The trade's number in its symbol; 0 if it has none. */
  readonly number: number
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
    number: fill.number || undefined,
    price: plainDecimal(fill.price, symbol.quoteFraction),
    quantity: plainDecimal(fill.quantity, symbol.baseFraction),
    total: plainDecimal(fill.total, symbol.quotePrecision),
    commission: plainDecimal(fill.commission, isBuy ? symbol.basePrecision : symbol.quotePrecision),
    commissionAsset,
    isMaker: fill.isMaker,
  }))
  const placed = { ...orderMembers(order, symbol), fills: rows, hasMoreFills: hasMoreFills || undefined }
  return successBody(ORDER_PLACED, language, jsonOf(FILLED_ORDER, placed))
}

export function orderJson(order: OrderObject, symbol: OrderSymbolDecimals): string {
  return jsonOf(ORDER, orderMembers(order, symbol))
}

/** The members of the object, decimals as text; inapplicable ones are undefined. */
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
    keyName: order.keyName,
    symbol: symbol.name,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: price(order.price),
    stopPrice: price(order.stopPrice),
    trailingDelta: order.trailingDelta,
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
    trailingTime: order.trailingTime,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  }
}
