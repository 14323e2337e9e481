/** Trades as one-second candles, symbol by symbol: the amounts that a batch adds to all wider candles. */
import { type Candle, type CandleInProgress, candleOf, takeTrade } from '../../../units/candle.ts'
import type { SymbolId } from '../../../units/ids.ts'
import type { HistoryTrade } from '../history.ts'
import { NARROWEST, NARROWEST_MS } from './base-widths.ts'

/** The seconds of `trades`, oldest first. */
export function secondsOf(trades: readonly HistoryTrade[]): ReadonlyMap<SymbolId, readonly Candle[]> {
  const secondsBySymbol = new Map<SymbolId, CandleInProgress[]>()
  for (const { symbolId, trade, taker } of trades) {
    const { side } = taker.record
    const seconds = secondsBySymbol.get(symbolId)
    if (seconds === undefined) {
      secondsBySymbol.set(symbolId, [candleOf(trade, side, NARROWEST)])
      continue
    }
    // The list must not be empty: reading before its start makes the engine discard the compiled code (`npm
    // run bench -- order-entry`).
    const newest = seconds[seconds.length - 1] as CandleInProgress
    if (trade.time < newest.start + NARROWEST_MS) takeTrade(newest, trade, side)
    else seconds.push(candleOf(trade, side, NARROWEST))
  }
  return secondsBySymbol
}
