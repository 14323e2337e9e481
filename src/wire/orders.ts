/**
 * The answers about orders: created (docs/reference/http.md#new-order), cancelled, and open ones
 * (docs/reference/http.md#open-orders). Created orders have numbers, open orders have the same figures as
 * strings; either way they are exact plain decimals.
 */
import { plainDecimal } from '../units/decimal.ts'
import type { Uuid } from '../units/ids.ts'
import type { Side } from '../units/order-words.ts'
import type { Amount, Decimals, Lots, Price, TimeMs } from '../units/quantities.ts'
import { sideName, successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'
import { isoTime } from './time.ts'

/** The symbol's name and the decimals of quantity, price and total. */
export type OrderSymbol = {
  readonly name: string
  readonly baseFraction: Decimals
  readonly quoteFraction: Decimals
  /** Ledger decimals of the quote asset. */
  readonly quotePrecision: Decimals
}

export type OrderFigures = {
  readonly id: Uuid
  readonly side: Side
  readonly price: Price
  readonly quantity: Lots
  /** Ledger units of the quote asset. */
  readonly total: Amount
  readonly time: TimeMs
}

export type OpenOrderFigures = OrderFigures & { readonly executedQuantity: Lots }

export const ORDER_PLACED = successHeads({ en: 'The order has been placed.', tr: 'Emir verildi.' })
const CANCELED = successHeads({ en: 'The order has been canceled.', tr: 'Emir iptal edildi.' })

/** docs/reference/http.md#new-order, in the envelope. */
export function orderCreatedBody(order: OrderFigures, symbol: OrderSymbol, language: Language): string {
  const data =
    `{"id":"${order.id}","symbol":${JSON.stringify(symbol.name)},"side":"${order.side}",` +
    `"price":${plainDecimal(order.price, symbol.quoteFraction)},` +
    `"qty":${plainDecimal(order.quantity, symbol.baseFraction)},` +
    `"total":${plainDecimal(order.total, symbol.quotePrecision)},` +
    `"created_at":"${isoTime(order.time)}","side_name":${JSON.stringify(sideName(order.side, language))}}`
  return successBody(ORDER_PLACED, language, data)
}

/** The answer to a cancel: the envelope without `data`. */
export function orderCanceledBody(language: Language): string {
  return successBody(CANCELED, language, undefined)
}

/** docs/reference/http.md#open-orders, an element of the bare array of open orders. */
export function openOrderJson(order: OpenOrderFigures, symbol: OrderSymbol): string {
  return (
    `{"id":"${order.id}","symbol":${JSON.stringify(symbol.name)},"side":"${order.side}",` +
    `"price":"${plainDecimal(order.price, symbol.quoteFraction)}",` +
    `"qty":"${plainDecimal(order.quantity, symbol.baseFraction)}",` +
    `"execQty":"${plainDecimal(order.executedQuantity, symbol.baseFraction)}",` +
    `"total":"${plainDecimal(order.total, symbol.quotePrecision)}",` +
    `"createdAt":"${isoTime(order.time)}"}`
  )
}
