/** Candles of one stream: the running one, and each that has closed since the last message. */
import { readCandles } from '../../../engine/history/candles/read-candles.ts'
import type { Candle } from '../../../units/candle.ts'
import { type CandleInterval, startOfWindow, windowOf } from '../../../units/candle-intervals.ts'
import type { SymbolId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { MarketSources } from '../market/klines.ts'
import type { NumberedCandle } from './stream-events.ts'

/**
 * Maximum number of candles in one read: those that have closed since, if a second was late, and the running
 * one.
 */
const CANDLES_MAX = 10

export class CandleTopic {
  readonly #symbolId: SymbolId
  readonly #interval: CandleInterval
  /** The start of the candle that was running in the last message. */
  #running: TimeMs | undefined

  constructor(symbolId: SymbolId, interval: CandleInterval) {
    this.#symbolId = symbolId
    this.#interval = interval
  }

  /** Whether the candle that was running has closed. */
  isOver(now: TimeMs): boolean {
    return this.#running !== undefined && this.#startOf(now) > this.#running
  }

  /** Oldest first. Rejects as history does. */
  async read(sources: MarketSources, now: TimeMs): Promise<readonly NumberedCandle[]> {
    const { market, history } = sources
    const query = { symbolId: this.#symbolId, interval: this.#interval, from: this.#running, to: now }
    const candles = await readCandles(history, { ...query, limit: CANDLES_MAX, atLeast: market.seq })
    const running = this.#startOf(now)
    const due = candles.filter(({ start }) => start >= (this.#running ?? running))
    const numbered: NumberedCandle[] = []
    for (const candle of due)
      numbered.push({
        candle,
        firstTrade: await this.#firstTrade(sources, candle),
        isClosed: candle.start < running,
      })
    this.#running = running
    return numbered
  }

  async #firstTrade({ market, history }: MarketSources, { start, count }: Candle): Promise<number> {
    if (count === 0) return 0
    const range = { symbolId: this.#symbolId, first: undefined, from: start, to: undefined }
    const [first] = await history.symbolTrades({ ...range, limit: 1, upTo: market.seq })
    return first?.symbolTrade ?? 0
  }

  #startOf(time: TimeMs): TimeMs {
    return startOfWindow(this.#interval, windowOf(this.#interval, time))
  }
}
