/** The candles of one interval as trades arrive and time passes: the running one, and each closed one. */
import {
  type Candle,
  type CandleInProgress,
  type CandleTrade,
  candleOf,
  flatCandle,
  joined,
  takeTrade,
} from '../../../units/candle.ts'
import { type CandleInterval, startOfWindow, windowOf } from '../../../units/candle-intervals.ts'
import type { Side } from '../../../units/order-enums.ts'
import type { TimeMs } from '../../../units/quantities.ts'

export type CandleRunOptions = {
  readonly interval: CandleInterval
  /** The number of the running window. */
  readonly window: number
  /** The candle of that window; undefined if the symbol was never traded. */
  readonly current: Candle | undefined
  /**
   * Maximum number of windows that are closed one by one; if more pass at once, only the last ones are
   * closed, after a gap.
   */
  readonly closedMax: number
  readonly onClosed: (candle: Candle) => void
  /** Called when a gap follows: the windows closed next do not continue those closed so far. */
  readonly onGap: () => void
}

export class CandleRun {
  readonly #options: CandleRunOptions
  #window: number
  #current: CandleInProgress | undefined

  constructor(options: CandleRunOptions) {
    this.#options = options
    this.#window = options.window
    this.#current = options.current === undefined ? undefined : { ...options.current }
  }

  /** The number of the running window. */
  get window(): number {
    return this.#window
  }

  /** Its candle, flat if there were no trades; undefined if there was never one. */
  get current(): Candle | undefined {
    return this.#current
  }

  /**
   * Notes that time has reached `time`, and that no later event is dated before it: windows that ended
   * earlier are over.
   */
  pass(time: TimeMs): void {
    const { interval, closedMax, onClosed, onGap } = this.#options
    const window = windowOf(interval, time)
    if (window <= this.#window) return
    if (this.#current !== undefined && window - this.#window > closedMax) {
      onGap()
      this.#begin(window - closedMax, this.#current)
    }
    while (this.#current !== undefined && this.#window < window) {
      onClosed(this.#current)
      this.#begin(this.#window + 1, this.#current)
    }
    this.#window = window
  }

  /** Adds a trade, which is not older than any before. */
  add(trade: CandleTrade, takerSide: Side): void {
    this.pass(trade.time)
    if (this.#hasTrades(this.#current)) takeTrade(this.#current, trade, takerSide)
    else this.#current = candleOf(trade, takerSide, this.#options.interval)
  }

  /** Adds the trades of one window together, as `add` does. */
  addCandle(candle: Candle): void {
    this.pass(candle.start)
    this.#current = this.#hasTrades(this.#current) ? joined(this.#current, candle) : { ...candle }
  }

  #hasTrades(candle: CandleInProgress | undefined): candle is CandleInProgress {
    return candle !== undefined && candle.count > 0
  }

  #begin(window: number, before: Candle): void {
    this.#window = window
    this.#current = flatCandle(startOfWindow(this.#options.interval, window), before.close)
  }
}
