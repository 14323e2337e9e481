/**
 * Fills of an account in the form of extensions (docs/reference/orders.md#fills): every decimal an exact
 * string.
 */

import { plainDecimal } from '../../units/decimal.ts'
import {
  assetCode,
  component,
  decimal,
  flag,
  listOf,
  symbolName,
  timeMs,
  uuid,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successHeads } from '../envelope.ts'
import { NEXT } from '../pages.ts'
import { TRADE_NUMBER } from './numbered-trades.ts'
import { SIDE } from './order-fields.ts'
import type { HistoryItem } from './trade-history.ts'

export type Fill = HistoryItem & { readonly isMaker: boolean }

export const FILLS_READ = successHeads({ en: 'The fills have been read.', tr: 'Gerçekleşmeler getirildi.' })

export const FILL = component('Fill', 'Your side of a trade.', {
  id: uuid('The id of the trade.'),
  number: TRADE_NUMBER,
  orderId: uuid(),
  symbol: symbolName(),
  side: SIDE,
  price: decimal(),
  quantity: decimal(),
  total: decimal(),
  commission: decimal(),
  commissionAsset: assetCode(),
  isMaker: flag('True if your order rested and the other one arrived.'),
  time: timeMs(),
})

export const FILL_PAGE = component('FillPage', 'Fills, newest first.', { fills: listOf(FILL), next: NEXT })

/** An element of `fills`. */
export function fillJson(fill: Fill): string {
  return jsonOf(FILL, fillMembers(fill))
}

/** The members of a fill, with decimals as text. */
export function fillMembers(fill: Fill) {
  const { symbol, commissionAsset } = fill
  return {
    id: fill.id,
    number: fill.number || undefined,
    orderId: fill.orderId,
    symbol: symbol.name,
    side: fill.side,
    price: plainDecimal(fill.price, symbol.quoteFraction),
    quantity: plainDecimal(fill.quantity, symbol.baseFraction),
    total: plainDecimal(fill.total, symbol.quotePrecision),
    commission: plainDecimal(fill.commission, commissionAsset.fraction),
    commissionAsset: commissionAsset.code,
    isMaker: fill.isMaker,
    time: fill.time,
  }
}
