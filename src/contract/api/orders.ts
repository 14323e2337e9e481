/**
 * The answers about orders: created (docs/reference/http.md#new-order), canceled, and open ones
 * (docs/reference/http.md#open-orders). Created orders have numbers, open orders have the same figures as
 * strings; in both forms they are exact plain decimals.
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { OrderNumber, Uuid } from '../../units/ids.ts'
import { type JsonPart, JsonWriter, jsonPart } from '../../units/json-writer.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Amount, Decimals, Lots, Price, TimeMs } from '../../units/quantities.ts'
import {
  component,
  decimal,
  exactNumber,
  isoTime as isoTimeShape,
  symbolName,
  uuid,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { type LocalisedPart, sideName, successBody, successHeads, successPart } from '../envelope.ts'
import type { Language } from '../language.ts'
import { isoTime } from '../time.ts'
import { SIDE, SIDE_NAME_TEXT } from './order-fields.ts'

/** The interface's own answer to a new order; written by hand, as bytes. */
export const CREATED_ORDER = component('CreatedOrder', 'An order that was placed.', {
  id: uuid(),
  symbol: symbolName(),
  side: SIDE,
  price: exactNumber('As requested; for a MARKET order the average price of its execution.'),
  qty: exactNumber('As requested; for a MARKET order the executed quantity.'),
  total: exactNumber(),
  created_at: isoTimeShape(),
  side_name: SIDE_NAME_TEXT,
})

export const ACTIVE_ORDER = component('ActiveOrder', 'An open order.', {
  id: uuid(),
  symbol: symbolName(),
  side: SIDE,
  price: decimal(),
  qty: decimal(),
  execQty: decimal(),
  total: decimal(),
  createdAt: isoTimeShape(),
})

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

/** A placed order; its id contains its number and time. */
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

/** The text between the id and the price of an order in a symbol, for each side. */
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

/** The answer of docs/reference/http.md#new-order, in the envelope. */
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

/** The same answer as text. */
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
  return jsonOf(ACTIVE_ORDER, {
    id: order.id,
    symbol: symbol.name,
    side: order.side,
    price: plainDecimal(order.price, symbol.quoteFraction),
    qty: plainDecimal(order.quantity, symbol.baseFraction),
    execQty: plainDecimal(order.executedQuantity, symbol.baseFraction),
    total: plainDecimal(order.total, symbol.quotePrecision),
    createdAt: isoTime(order.time),
  })
}
