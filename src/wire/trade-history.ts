/**
 * The answer of trade history: one item per side of a trade, in its page wrapper
 * (docs/reference/http.md#trade-history).
 */
import { plainDecimal } from '../units/decimal.ts'
import type { Uuid } from '../units/ids.ts'
import type { Side } from '../units/order-words.ts'
import type { Amount, Decimals, Lots, Price, TimeMs } from '../units/quantities.ts'
import { sideName } from './envelope.ts'
import type { Language } from './language.ts'
import type { OrderSymbol } from './orders.ts'
import { isoTime } from './time.ts'

export type HistoryItem = {
  readonly id: Uuid
  readonly orderId: Uuid
  readonly time: TimeMs
  readonly symbol: OrderSymbol
  readonly side: Side
  readonly price: Price
  readonly quantity: Lots
  /** Ledger units of the quote asset. */
  readonly total: Amount
  /** Ledger units of the asset below. */
  readonly commission: Amount
  readonly commissionAsset: { readonly code: string; readonly fraction: Decimals }
}

export type HistoryPage = {
  readonly items: readonly HistoryItem[]
  /** From 0. */
  readonly page: number
  readonly size: number
  /** How many items the whole list has. */
  readonly total: number
}

/** The bare page wrapper; `total_pages` is 0 for an empty list. */
export function tradeHistoryBody(history: HistoryPage, language: Language): string {
  const items = history.items.map((item) => historyItemJson(item, language)).join(',')
  const pages = Math.ceil(history.total / history.size)
  return (
    `{"items":[${items}],"page":${history.page},"size":${history.size},` +
    `"total_pages":${pages},"total":${history.total}}`
  )
}

function historyItemJson(item: HistoryItem, language: Language): string {
  const { symbol } = item
  return (
    `{"id":"${item.id}","orderId":"${item.orderId}","tradeAt":"${isoTime(item.time)}",` +
    `"symbol":${JSON.stringify(symbol.name)},"side":"${item.side}",` +
    `"sideName":${JSON.stringify(sideName(item.side, language))},` +
    `"price":"${plainDecimal(item.price, symbol.quoteFraction)}",` +
    `"quantity":"${plainDecimal(item.quantity, symbol.baseFraction)}",` +
    `"total":"${plainDecimal(item.total, symbol.quotePrecision)}",` +
    `"commission":"${plainDecimal(item.commission, item.commissionAsset.fraction)}",` +
    `"commissionAssetCode":${JSON.stringify(item.commissionAsset.code)}}`
  )
}
