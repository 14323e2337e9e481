/** Events of the numbered feed as programs read them: names instead of numbers, decimals as text. */

import type { AdminEvent, AdminEventParty } from '../../../contract/admin/events.ts'
import { isoTime } from '../../../contract/time.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { FeedEvent, FilledParty, NumberedFill } from '../../../engine/history/numbered-events.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { type AccountId, uuidOf } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import type { RegistryView } from '../../../views/registry.ts'

export function adminEvent(event: FeedEvent, registry: RegistryView): AdminEvent {
  if (event.kind === 'FILL') return adminFill(event, registry)
  const { number, seq, time, kind, accountId, actor, note, fields } = event
  const account = accountId === undefined ? null : nameOf(accountId, registry)
  const who = actor === '' ? { actor: null, note: null } : { actor, note }
  return { number, seq, time: isoTime(time), kind, account, ...who, fields }
}

function adminFill({ number, trade: fill }: NumberedFill, registry: RegistryView): AdminEvent {
  const { seq, symbolId, trade, maker, taker } = fill
  const symbol = registry.symbol(symbolId)
  invariant(symbol !== undefined, () => `symbol ${symbolId} of trade ${trade.tradeNumber} must be listed`)
  return {
    ...{ number, seq, time: isoTime(trade.time), kind: 'FILL' },
    ...{ account: null, actor: null, note: null },
    fields: {
      symbol: symbol.name,
      tradeId: uuidOf('trade', trade.tradeNumber, trade.time),
      price: plainDecimal(trade.price, symbol.quoteFraction),
      quantity: plainDecimal(trade.quantity, symbol.baseFraction),
      takerSide: trade.takerSide,
      maker: party(maker, symbol, registry),
      taker: party(taker, symbol, registry),
    },
  }
}

/** A party of a trade. Commission is charged on the asset that a side receives. */
function party(
  { accountId, record }: FilledParty,
  symbol: TradingSymbol,
  registry: RegistryView,
): AdminEventParty {
  const { orderNumber, orderTime, total, commission, commissionAssetId } = record
  const isBase = commissionAssetId === symbol.base
  return {
    account: nameOf(accountId, registry),
    orderId: uuidOf('order', orderNumber, orderTime),
    total: plainDecimal(total, symbol.quotePrecision),
    commission: plainDecimal(commission, isBase ? symbol.basePrecision : symbol.quotePrecision),
    commissionAsset: isBase ? symbol.baseCode : symbol.quoteCode,
  }
}

function nameOf(accountId: AccountId, registry: RegistryView): string {
  return registry.account(accountId)?.name ?? `account ${accountId}`
}
