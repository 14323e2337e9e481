/**
 * The answers about orders: created (docs/reference/http.md#new-order), cancelled, and open ones
 * (docs/reference/http.md#open-orders). Created orders have numbers, open orders have the same figures as
 * strings; either way they are exact plain decimals.
 */
import { plainDecimal } from '../units/decimal.ts'
import type { OrderNumber, Uuid } from '../units/ids.ts'
import { type JsonPart, JsonWriter, jsonPart } from '../units/json-writer.ts'
import type { Side } from '../units/order-words.ts'
import type { Amount, Decimals, Lots, Price, TimeMs } from '../units/quantities.ts'
import { type LocalisedPart, sideName, successBody, successHeads, successPart } from './envelope.ts'
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

type Figures = {
  readonly side: Side
  readonly price: Price
  readonly quantity: Lots
  /** Ledger units of the quote asset. */
  readonly total: Amount
  readonly time: TimeMs
}

/** An order that was placed; its id says its number and time. */
export type CreatedOrderFigures = Figures & { readonly orderNumber: OrderNumber }

export type OpenOrderFigures = Figures & { readonly id: Uuid; readonly executedQuantity: Lots }

export const ORDER_PLACED = successHeads({ en: 'The order has been placed.', tr: 'Emir verildi.' })
const CANCELED = successHeads({ en: 'The order has been canceled.', tr: 'Emir iptal edildi.' })

const CREATED = successPart(ORDER_PLACED)
const ID = jsonPart('{"id":"')
const QUANTITY = jsonPart(',"qty":')
const TOTAL = jsonPart(',"total":')
const CREATED_AT = jsonPart(',"created_at":"')
const SIDE_NAME: { readonly [S in Side]: LocalisedPart } = {
  BUY: sideNamePart('BUY'),
  SELL: sideNamePart('SELL'),
}

function sideNamePart(side: Side): LocalisedPart {
  const inLanguage = (language: Language) =>
    jsonPart(`","side_name":${JSON.stringify(sideName(side, language))}}}`)
  return { en: inLanguage('en'), tr: inLanguage('tr') }
}

/** What stands between id and price of an order in a symbol, by its side. */
type MarketParts = { readonly [S in Side]: JsonPart }
const marketPartsBySymbol = new WeakMap<OrderSymbol, MarketParts>()

function marketParts(symbol: OrderSymbol): MarketParts {
  let parts = marketPartsBySymbol.get(symbol)
  if (parts === undefined) {
    const ofSide = (side: Side) =>
      jsonPart(`","symbol":${JSON.stringify(symbol.name)},"side":"${side}","price":`)
    parts = { BUY: ofSide('BUY'), SELL: ofSide('SELL') }
    marketPartsBySymbol.set(symbol, parts)
  }
  return parts
}

/** docs/reference/http.md#new-order, in the envelope. */
export function writeOrderCreated(
  w: JsonWriter,
  order: CreatedOrderFigures,
  symbol: OrderSymbol,
  language: Language,
): void {
  w.part(CREATED[language])
  w.part(ID)
  w.uuid('order', order.orderNumber, order.time)
  w.part(marketParts(symbol)[order.side])
  w.decimal(order.price, symbol.quoteFraction)
  w.part(QUANTITY)
  w.decimal(order.quantity, symbol.baseFraction)
  w.part(TOTAL)
  w.decimal(order.total, symbol.quotePrecision)
  w.part(CREATED_AT)
  w.text(isoTime(order.time))
  w.part(SIDE_NAME[order.side][language])
}

/** The same as a text. */
export function orderCreatedBody(
  order: CreatedOrderFigures,
  symbol: OrderSymbol,
  language: Language,
): string {
  const writer = new JsonWriter()
  writeOrderCreated(writer, order, symbol, language)
  return writer.take()
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
