/** Fills of an account in the form of extensions (docs/reference/orders.md#fills): every decimal an exact string. */
import { plainDecimal } from '../units/decimal.ts'
import { successHeads } from './envelope.ts'
import type { HistoryItem } from './trade-history.ts'

export type Fill = HistoryItem & { readonly isMaker: boolean }

export const FILLS_READ = successHeads({ en: 'The fills have been read.', tr: 'Gerçekleşmeler getirildi.' })

/** An element of `fills`. */
export function fillJson(fill: Fill): string {
  return JSON.stringify(fillMembers(fill))
}

/** Its members, decimals as text. */
export function fillMembers(fill: Fill) {
  const { symbol, commissionAsset } = fill
  return {
    id: fill.id,
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
