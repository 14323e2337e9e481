/**
 * Consecutive trades of one arriving order at one price are one aggregate. An order arrives with one command,
 * so an aggregate is complete when its command is, and its last trade has its figures.
 */
import { lots } from '../../units/quantities.ts'
import type { HistoryTrade } from './history.ts'

/**
 * The trades of one command, passed in order without aggregates; the last trade of each aggregate gets it.
 */
export function aggregated(trades: readonly HistoryTrade[]): readonly HistoryTrade[] {
  let [count, quantity] = [0, 0]
  return trades.map((each, index) => {
    count++
    quantity += each.trade.quantity
    const next = trades[index + 1]
    if (next !== undefined && areOfOne(each, next)) return each
    const aggregate = { trades: count, quantity: lots(quantity) }
    count = 0
    quantity = 0
    return each.trade.symbolTrade === 0 ? each : { ...each, aggregate }
  })
}

function areOfOne(one: HistoryTrade, next: HistoryTrade): boolean {
  return (
    one.symbolId === next.symbolId &&
    one.trade.price === next.trade.price &&
    one.taker.record.orderNumber === next.taker.record.orderNumber
  )
}
