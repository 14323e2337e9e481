/**
 * The answer of trade history: one item per side of a trade, in its page wrapper
 * (docs/reference/http.md#trade-history).
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Uuid } from '../../units/ids.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Amount, Decimals, Lots, Price, TimeMs } from '../../units/quantities.ts'
import {
  assetCode,
  component,
  decimal,
  isoTime as isoTimeShape,
  listOf,
  object,
  symbolName,
  uuid,
  whole,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { sideName } from '../envelope.ts'
import type { Language } from '../language.ts'
import { isoTime } from '../time.ts'
import { SIDE, SIDE_NAME_TEXT } from './order-fields.ts'
import type { OrderSymbol } from './orders.ts'

export const TRADE_HISTORY = component('TradeHistory', 'A page of trades, newest first.', {
  items: listOf(
    object({
      id: uuid(),
      orderId: uuid(),
      tradeAt: isoTimeShape(),
      symbol: symbolName(),
      side: SIDE,
      sideName: SIDE_NAME_TEXT,
      price: decimal(),
      quantity: decimal(),
      total: decimal(),
      commission: decimal(),
      commissionAssetCode: assetCode(),
    }),
  ),
  page: whole(),
  size: whole(),
  total_pages: whole(),
  total: whole(),
})

export type HistoryItem = {
  readonly id: Uuid
  /** The number in its symbol; 0 if it has none. */
  readonly number: number
  readonly orderId: Uuid
  readonly time: TimeMs
  readonly symbol: OrderSymbol
  readonly side: Side
  readonly price: Price
  readonly quantity: Lots
  /** Ledger units of the quote asset. */
  readonly total: Amount
  /** Ledger units of `commissionAsset`. */
  readonly commission: Amount
  readonly commissionAsset: { readonly code: string; readonly fraction: Decimals }
}

export type HistoryPage = {
  readonly items: readonly HistoryItem[]
  /** From 0. */
  readonly page: number
  readonly size: number
  /** Number of items in the whole list. */
  readonly total: number
}

/** The bare page wrapper; `total_pages` is 0 for an empty list. */
export function tradeHistoryBody(history: HistoryPage, language: Language): string {
  const { page, size, total } = history
  const items = history.items.map((item) => historyItem(item, language))
  return jsonOf(TRADE_HISTORY, { items, page, size, total_pages: Math.ceil(total / size), total })
}

function historyItem(item: HistoryItem, language: Language) {
  const { symbol, commissionAsset } = item
  return {
    id: item.id,
    orderId: item.orderId,
    tradeAt: isoTime(item.time),
    symbol: symbol.name,
    side: item.side,
    sideName: sideName(item.side, language),
    price: plainDecimal(item.price, symbol.quoteFraction),
    quantity: plainDecimal(item.quantity, symbol.baseFraction),
    total: plainDecimal(item.total, symbol.quotePrecision),
    commission: plainDecimal(item.commission, commissionAsset.fraction),
    commissionAssetCode: commissionAsset.code,
  }
}
