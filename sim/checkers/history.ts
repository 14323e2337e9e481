/** History compared with the trades that the second bookkeeper recorded. */
import type { TradePage, TradeQuery, TradeRecord } from '../../src/engine/port/ports.ts'
import { demand, type ShadowState, type ShadowTrade } from './shadow-state.ts'

/**
 * Checks that a page contains all trades up to `atLeast`, newest first and unchanged; it may contain newer
 * ones too.
 */
export function checkTradePage(state: ShadowState, query: TradeQuery, page: TradePage): void {
  const expected = state.trades.flatMap((trade) => linesOf(state, trade, query.accountId))
  const known = expected.filter(({ seq }) => seq <= query.atLeast).length
  demand(
    page.total >= known && page.total <= expected.length,
    () => `account ${query.accountId} has ${known} to ${expected.length} trades, found ${page.total}`,
  )
  const end = page.total - query.page * query.size
  const wanted = expected.slice(Math.max(0, end - query.size), Math.max(0, end)).reverse()
  const found = page.items.map(lineOf)
  demand(
    found.length === wanted.length && found.every((line, i) => line === wanted[i]?.line),
    () =>
      `account ${query.accountId}: history says\n  ${found.join('\n  ')}\nthe events\n  ${wanted.map(({ line }) => line).join('\n  ')}`,
  )
}

/** An account's records of a trade, oldest first: the maker's precedes the taker's. */
function linesOf(
  state: ShadowState,
  trade: ShadowTrade,
  account: number,
): { readonly seq: number; readonly line: string }[] {
  const { number, time, symbol, price, quantity, seq } = trade
  const parties = trade.buyer.isTaker ? [trade.seller, trade.buyer] : [trade.buyer, trade.seller]
  return parties
    .filter((party) => party.account === account)
    .map((party) => {
      const side = party === trade.buyer ? 'BUY' : 'SELL'
      const asset = side === 'BUY' ? state.symbols[symbol]?.base : state.symbols[symbol]?.quote
      const role = party.isTaker ? 'taker' : 'maker'
      const what = `${number} ${time} ${symbol} ${side} ${role} ${party.order} ${price} ${quantity}`
      return { seq, line: `${what} ${party.total} ${party.commission} ${asset}` }
    })
}

function lineOf(record: TradeRecord): string {
  const { tradeNumber, time, symbolId, side, orderNumber, price, quantity } = record
  const { total, commission, commissionAssetId, isMaker } = record
  return `${tradeNumber} ${time} ${symbolId} ${side} ${isMaker ? 'maker' : 'taker'} ${orderNumber} ${price} ${quantity} ${total} ${commission} ${commissionAssetId}`
}
