/** One side of a trade from the history, with the names that lists of fills show. */

import type { HistoryItem } from '../../contract/api/trade-history.ts'
import type { TradeRecord } from '../../engine/port/ports.ts'
import { uuidOf } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { RegistryView } from '../../views/registry.ts'

/** A record in the form of history items. */
export function historyItem(trade: TradeRecord, registry: RegistryView): HistoryItem {
  const symbol = registry.symbol(trade.symbolId)
  const commissionAsset = registry.asset(trade.commissionAssetId)
  invariant(
    symbol !== undefined && commissionAsset !== undefined,
    () =>
      `symbol ${trade.symbolId} and asset ${trade.commissionAssetId} of trade ${trade.tradeNumber} must be listed`,
  )
  return {
    id: uuidOf('trade', trade.tradeNumber, trade.time),
    number: trade.symbolTrade,
    orderId: uuidOf('order', trade.orderNumber, trade.orderTime),
    time: trade.time,
    symbol,
    side: trade.side,
    price: trade.price,
    quantity: trade.quantity,
    total: trade.total,
    commission: trade.commission,
    commissionAsset,
  }
}
