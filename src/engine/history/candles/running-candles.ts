/**
 * The candles of one symbol that may still change: the newest of each base width. A candle has ended once a
 * trade of a later window has come.
 */
import { type Candle, joined } from '../../../units/candle.ts'
import { windowStart } from '../../../units/candle-intervals.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { CANDLE_WIDTHS, type CandleWidth } from './base-widths.ts'

/** A candle as an entry in the list of its symbol and width. */
export type ListedCandle = {
  readonly candle: Candle
  /** The beginning of the previous candle; undefined for the first. */
  readonly previous: TimeMs | undefined
}

export class RunningCandles {
  readonly #byWidth = new Map<CandleWidth, ListedCandle>()

  /** The newest candle of a width. */
  newest(width: CandleWidth): ListedCandle | undefined {
    return this.#byWidth.get(width)
  }

  /** Restores the newest candle of a width. */
  restore(width: CandleWidth, newest: ListedCandle): void {
    this.#byWidth.set(width, newest)
  }

  /**
   * Adds trades of one second, after all earlier ones; `onEnded` is called with each candle that they
   * complete.
   */
  add(second: Candle, onEnded: (width: CandleWidth, ended: ListedCandle) => void): void {
    for (const width of CANDLE_WIDTHS) {
      const start = windowStart(width, second.start)
      const newest = this.#byWidth.get(width)
      if (newest !== undefined && newest.candle.start === start) {
        this.#byWidth.set(width, {
          candle: joined(newest.candle, second),
          previous: newest.previous,
        })
        continue
      }
      if (newest !== undefined) onEnded(width, newest)
      this.#byWidth.set(width, { candle: { ...second, start }, previous: newest?.candle.start })
    }
  }
}
