/** One party's side of a trade, made from the event of the match. */
import type { OrdersMatched } from '../../core/events/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { AssetId } from '../../units/ids.ts'
import { opposite, type Side } from '../../units/order-enums.ts'
import type { TradeRecord } from '../port/ports.ts'

/** `symbol`: the symbol in which they traded. */
export function tradeRecord(
  event: OrdersMatched,
  role: 'maker' | 'taker',
  symbol: Pick<TradingSymbol, 'base' | 'quote'>,
): TradeRecord {
  const { orderNumber, orderTime, total, commission } = event[role]
  const side = role === 'taker' ? event.takerSide : opposite(event.takerSide)
  return {
    tradeNumber: event.tradeNumber,
    symbolTrade: event.symbolTrade,
    time: event.time,
    symbolId: event.symbolId,
    side,
    isMaker: role === 'maker',
    orderNumber,
    orderTime,
    price: event.price,
    quantity: event.quantity,
    total,
    commission,
    commissionAssetId: receivedAsset(side, symbol),
  }
}

/**
 * Commission is charged on what a side receives: base for the buyer, quote for the seller
 * (docs/reference/matching.md#commission).
 */
function receivedAsset(side: Side, { base, quote }: Pick<TradingSymbol, 'base' | 'quote'>): AssetId {
  return side === 'BUY' ? base : quote
}
