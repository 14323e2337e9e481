/**
 * The figures of one symbol's trades in the last 24 hours: in the 1,440 complete minutes before the current
 * one, and in the current one. They are kept by minute, so the cost of a trade and of a query does not depend
 * on the number of trades.
 */
import { type Candle, type CandleTrade, candleOf, joined } from '../units/candle.ts'
import { MINUTE_MS, windowStart } from '../units/candle-intervals.ts'
import type { Side } from '../units/order-enums.ts'
import {
  NO_NOTIONAL,
  type Notional,
  notional,
  type Price,
  type Seq,
  type TimeMs,
} from '../units/quantities.ts'
import { add, subtract, type Whole } from '../units/whole.ts'

const MINUTES = 1_440

/** The oldest minute in the window at a time. */
export function dayStart(now: TimeMs): TimeMs {
  return (windowStart('1m', now) - MINUTES * MINUTE_MS) as TimeMs
}

/** The start values of a window. */
export type DayHistory = {
  /** Minutes with trades, oldest first, none older than a day at the time of the last minute. */
  readonly minutes: readonly Candle[]
  /** The last price before the minutes; undefined if there was none. */
  readonly previousClose: Price | undefined
  /** The last command whose trades the minutes include. */
  readonly upTo: Seq
}

const EMPTY = { minutes: [], previousClose: undefined }

export type DayFigures = {
  readonly openTime: TimeMs
  /** In lots. */
  readonly volume: Whole
  readonly quoteVolume: Notional
  readonly count: number
  /** The last price before the window; undefined if there was none. */
  readonly previousClose: Price | undefined
  /** Without trades in the window, each is the last price before it; undefined if there was never a trade. */
  readonly prices: { readonly open: Price; readonly high: Price; readonly low: Price } | undefined
}

export class DayWindow {
  /** Oldest first; at most 1,441. */
  readonly #minutes: Candle[] = []
  readonly #highs = new Extremes((a, b) => a >= b)
  readonly #lows = new Extremes((a, b) => a <= b)
  #volume: Whole = 0
  #quoteVolume = NO_NOTIONAL
  #count = 0
  #previousClose: Price | undefined
  /** The start of the latest window that was queried. */
  #openTime = 0 as TimeMs

  constructor({ minutes, previousClose }: Omit<DayHistory, 'upTo'> = EMPTY) {
    this.#previousClose = previousClose
    for (const minute of minutes) this.#add(minute)
  }

  /** Adds a trade, which must not be older than the previous ones. */
  add(trade: CandleTrade, takerSide: Side): void {
    this.#moveTo(dayStart(trade.time))
    this.#add(candleOf(trade, takerSide, '1m'))
  }

  /**
   * The figures at `now`, which is not before the last trade. If the latest queried time is later than `now`,
   * the figures at that time: windows never go back.
   */
  at(now: TimeMs): DayFigures {
    this.#moveTo(dayStart(now))
    const [oldest] = this.#minutes
    const flat = this.#previousClose
    const open = oldest?.open ?? flat
    return {
      openTime: this.#openTime,
      volume: this.#volume,
      quoteVolume: this.#quoteVolume,
      count: this.#count,
      previousClose: flat,
      prices: open && { open, high: this.#highs.best ?? open, low: this.#lows.best ?? open },
    }
  }

  /** Adds a minute, or a part of one. */
  #add(minute: Candle): void {
    const newest = this.#minutes.at(-1)
    if (newest?.start === minute.start) this.#minutes[this.#minutes.length - 1] = joined(newest, minute)
    else this.#minutes.push(minute)
    this.#highs.add(minute.start, minute.high)
    this.#lows.add(minute.start, minute.low)
    this.#volume = add(this.#volume, minute.volume)
    this.#quoteVolume = notional(add(this.#quoteVolume, minute.quoteVolume))
    this.#count += minute.count
  }

  #moveTo(openTime: TimeMs): void {
    if (openTime <= this.#openTime) return
    this.#openTime = openTime
    this.#forget(openTime)
  }

  #forget(before: TimeMs): void {
    for (;;) {
      const oldest = this.#minutes[0]
      if (oldest === undefined || oldest.start >= before) return
      this.#minutes.shift()
      this.#highs.forget(before)
      this.#lows.forget(before)
      this.#volume = subtract(this.#volume, oldest.volume)
      this.#quoteVolume = notional(subtract(this.#quoteVolume, oldest.quoteVolume))
      this.#count -= oldest.count
      this.#previousClose = oldest.close
    }
  }
}

/**
 * The best price of a sliding window of minutes. A minute is kept only until a later one has a price as good,
 * so the kept prices get worse from minute to minute and the first is the best of all.
 */
class Extremes {
  readonly #isAsGood: (a: Price, b: Price) => boolean
  readonly #kept: { readonly start: TimeMs; readonly price: Price }[] = []

  constructor(isAsGood: (a: Price, b: Price) => boolean) {
    this.#isAsGood = isAsGood
  }

  get best(): Price | undefined {
    return this.#kept[0]?.price
  }

  /** Adds the best price so far of the newest minute, or of a part of it. */
  add(start: TimeMs, price: Price): void {
    const kept = this.#kept
    const newest = kept.at(-1)
    if (newest?.start === start && this.#isAsGood(newest.price, price)) return
    while (kept.length > 0 && this.#isAsGood(price, (kept.at(-1) as { price: Price }).price)) kept.pop()
    kept.push({ start, price })
  }

  forget(before: TimeMs): void {
    while (this.#kept.length > 0 && (this.#kept[0] as { start: TimeMs }).start < before) this.#kept.shift()
  }
}
