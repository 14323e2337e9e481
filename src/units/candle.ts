/**
 * A candle: the summary of the trades of one window. Its sums are exact, so that the joined candles of parts
 * of a window equal the candle of the whole window.
 */
import { type CandleInterval, windowStart } from './candle-intervals.ts'
import { notionalSum, worthOf } from './notional.ts'
import type { Side } from './order-enums.ts'
import { type Lots, NO_NOTIONAL, type Notional, type Price, type TimeMs } from './quantities.ts'
import { add, type Whole } from './whole.ts'

export type Candle = {
  /** The start of its window. */
  readonly start: TimeMs
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
  /** Traded lots. */
  readonly volume: Whole
  /** Sum of price x quantity. */
  readonly quoteVolume: Notional
  /** Number of trades; 0 in a flat candle. */
  readonly count: number
  /** The part of `volume` that takers bought. */
  readonly takerBuyVolume: Whole
  readonly takerBuyQuoteVolume: Notional
  /**
   * True if a sandbox has invented some of the candle's trades
   * (docs/sandbox.md#candles-before-the-first-trade).
   */
  readonly isMadeUp?: true
}

/** A candle to which its owner still adds trades. */
export type CandleInProgress = { -readonly [Field in keyof Candle]: Candle[Field] }

/** The fields of a trade that a candle needs, besides the taker's side. */
export type CandleTrade = { readonly price: Price; readonly quantity: Lots; readonly time: TimeMs }

/** The candle of one trade. */
export function candleOf(
  { price, quantity, time }: CandleTrade,
  takerSide: Side,
  interval: CandleInterval,
): CandleInProgress {
  const worth = worthOf(price, quantity)
  const isBuy = takerSide === 'BUY'
  return {
    start: windowStart(interval, time),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: quantity,
    quoteVolume: worth,
    count: 1,
    takerBuyVolume: isBuy ? quantity : 0,
    takerBuyQuoteVolume: isBuy ? worth : NO_NOTIONAL,
  }
}

/**
 * Adds the newest trade of the candle's window in place, without creating another candle
 * (`npm run bench -- history`).
 */
export function takeTrade(candle: CandleInProgress, { price, quantity }: CandleTrade, takerSide: Side): void {
  const worth = worthOf(price, quantity)
  if (price > candle.high) candle.high = price
  if (price < candle.low) candle.low = price
  candle.close = price
  candle.volume = add(candle.volume, quantity)
  candle.quoteVolume = notionalSum(candle.quoteVolume, worth)
  candle.count++
  if (takerSide !== 'BUY') return
  candle.takerBuyVolume = add(candle.takerBuyVolume, quantity)
  candle.takerBuyQuoteVolume = notionalSum(candle.takerBuyQuoteVolume, worth)
}

/** Joins two candles into one that begins at `start`; the trades of `later` come after those of `earlier`. */
export function joined(earlier: Candle, later: Candle, start = earlier.start): Candle {
  return {
    start,
    open: earlier.open,
    high: later.high > earlier.high ? later.high : earlier.high,
    low: later.low < earlier.low ? later.low : earlier.low,
    close: later.close,
    volume: add(earlier.volume, later.volume),
    quoteVolume: notionalSum(earlier.quoteVolume, later.quoteVolume),
    count: earlier.count + later.count,
    takerBuyVolume: add(earlier.takerBuyVolume, later.takerBuyVolume),
    takerBuyQuoteVolume: notionalSum(earlier.takerBuyQuoteVolume, later.takerBuyQuoteVolume),
  }
}

/** The candle of a window without trades, after one that closed at `close`. */
export function flatCandle(start: TimeMs, close: Price): Candle {
  return {
    start,
    open: close,
    high: close,
    low: close,
    close,
    volume: 0,
    quoteVolume: NO_NOTIONAL,
    count: 0,
    takerBuyVolume: 0,
    takerBuyQuoteVolume: NO_NOTIONAL,
  }
}
