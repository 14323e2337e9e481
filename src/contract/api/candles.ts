/** Candles and day tickers: exact strings, times in integer milliseconds (docs/reference/candles.md). */

import type { Candle } from '../../units/candle.ts'
import { plainDecimal } from '../../units/decimal.ts'
import type { Amount, Decimals, Lots, Notional, Price, TimeMs } from '../../units/quantities.ts'
import {
  component,
  decimal,
  named,
  optional,
  signedDecimal,
  symbolName,
  timeMs,
  tuple,
  whole,
  word,
} from '../../units/shapes/shape.ts'
import type { Whole } from '../../units/whole.ts'
import { type SuccessHeads, successHeads } from '../envelope.ts'
import type { MarketDecimals, PriceLevel } from './market-data.ts'

export const CANDLES_READ: SuccessHeads = successHeads({
  en: 'The candles have been read.',
  tr: 'Mumlar getirildi.',
})

export const DAY_TICKERS_READ: SuccessHeads = successHeads({
  en: 'The figures of the last 24 hours have been read.',
  tr: 'Son 24 saatin verileri getirildi.',
})

/** A candle's 12 columns. */
export const CANDLE = named(
  'Candle',
  'A candle, as 12 columns.',
  tuple(
    timeMs('openTime'),
    decimal('open'),
    decimal('high'),
    decimal('low'),
    decimal('close'),
    decimal('volume, in the base asset'),
    timeMs('closeTime'),
    decimal('quoteVolume'),
    whole('number of trades'),
    decimal('the part of the volume bought by arriving orders'),
    decimal('the part of the quote volume bought by arriving orders'),
    word(['0', '1'], '1 if a sandbox generated some of it'),
  ),
)

/** The figures of the last 24 hours without the name. */
export const DAY_FIGURES = {
  priceChange: optional(signedDecimal()),
  priceChangePercent: optional(signedDecimal()),
  weightedAvgPrice: optional(decimal()),
  prevClosePrice: optional(decimal()),
  lastPrice: optional(decimal()),
  lastQty: optional(decimal()),
  bidPrice: optional(decimal()),
  bidQty: optional(decimal()),
  askPrice: optional(decimal()),
  askQty: optional(decimal()),
  openPrice: optional(decimal()),
  highPrice: optional(decimal()),
  lowPrice: optional(decimal()),
  volume: decimal(),
  quoteVolume: decimal(),
  openTime: timeMs(),
  closeTime: timeMs(),
  count: whole(),
}

export const DAY_TICKER = component('DayTicker', 'The figures of the last 24 hours.', {
  symbol: symbolName(),
  ...DAY_FIGURES,
})

/** Decimals of `priceChangePercent`. */
const PERCENT_DECIMALS = 3 as Decimals

/** A candle's 12 columns; `next` is the beginning of the following window. */
export function candleJson(candle: Candle, next: TimeMs, decimals: MarketDecimals): string {
  const price = (of: Price): string => `"${plainDecimal(of, decimals.quoteFraction)}"`
  const volume = (of: Whole): string => `"${plainDecimal(of, decimals.baseFraction)}"`
  const worth = (of: Notional): string => `"${plainDecimal(of, worthDecimals(decimals))}"`
  const { open, high, low, close, quoteVolume, takerBuyVolume, takerBuyQuoteVolume } = candle
  return (
    `[${candle.start},${price(open)},${price(high)},${price(low)},${price(close)},${volume(candle.volume)},` +
    `${next - 1},${worth(quoteVolume)},${candle.count},` +
    `${volume(takerBuyVolume)},${worth(takerBuyQuoteVolume)},"${candle.isMadeUp ? 1 : 0}"]`
  )
}

/** Decimals of price x quantity; may be more than an asset may have. */
function worthDecimals({ baseFraction, quoteFraction }: MarketDecimals): Decimals {
  return (baseFraction + quoteFraction) as Decimals
}

export type DayTickerFigures = {
  readonly openTime: TimeMs
  readonly volume: Whole
  readonly quoteVolume: Notional
  readonly count: number
  /** Undefined if the symbol has never had a trade. */
  readonly prices: DayTickerPrices | undefined
  readonly lastQuantity: Lots | undefined
  /** The price of the trade before the window; undefined if there was none. */
  readonly previousClose: Price | undefined
  /** Average price of one unit of the base asset; undefined without trades. */
  readonly average: Amount | undefined
  readonly bid: PriceLevel | undefined
  readonly ask: PriceLevel | undefined
}

export type DayTickerPrices = {
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly last: Price
  /** Thousandths of a percent from `open` to `last`. */
  readonly change: bigint
}

/** `quotePrecision`: decimals of the quote asset's ledger. */
export type DayTickerDecimals = MarketDecimals & { readonly quotePrecision: Decimals }

/** The object of one symbol; `closeTime` is the time of its figures. */
export function dayTickerJson(
  name: string,
  figures: DayTickerFigures & { readonly closeTime: TimeMs },
  decimals: DayTickerDecimals,
): string {
  const members = dayTickerMembers(figures, decimals, closeTimeMember(figures.closeTime))
  return `{"symbol":${JSON.stringify(name)}${members}}`
}

/** The member `closeTime`, preceded by a comma. */
export function closeTimeMember(closeTime: TimeMs): string {
  return `,"closeTime":${closeTime}`
}

/**
 * The members without the name, each preceded by a comma. Without `closeTime`, equal figures have equal
 * members.
 */
export function dayTickerMembers(
  figures: DayTickerFigures,
  decimals: DayTickerDecimals,
  closeTime = '',
): string {
  const { prices, bid, ask, lastQuantity, average } = figures
  const price = (name: string, of: Price | undefined): string =>
    of === undefined ? '' : `,"${name}":"${plainDecimal(of, decimals.quoteFraction)}"`
  const quantity = (name: string, of: Whole | undefined): string =>
    of === undefined ? '' : `,"${name}":"${plainDecimal(of, decimals.baseFraction)}"`
  const change =
    prices === undefined
      ? ''
      : `,"priceChange":"${plainDecimal(prices.last - prices.open, decimals.quoteFraction)}"` +
        `,"priceChangePercent":"${plainDecimal(prices.change, PERCENT_DECIMALS)}"`
  return (
    change +
    (average === undefined ? '' : `,"weightedAvgPrice":"${plainDecimal(average, decimals.quotePrecision)}"`) +
    price('prevClosePrice', figures.previousClose) +
    price('lastPrice', prices?.last) +
    quantity('lastQty', lastQuantity) +
    price('bidPrice', bid?.price) +
    quantity('bidQty', bid?.quantity) +
    price('askPrice', ask?.price) +
    quantity('askQty', ask?.quantity) +
    price('openPrice', prices?.open) +
    price('highPrice', prices?.high) +
    price('lowPrice', prices?.low) +
    quantity('volume', figures.volume) +
    `,"quoteVolume":"${plainDecimal(figures.quoteVolume, worthDecimals(decimals))}"` +
    `,"openTime":${figures.openTime}${closeTime},"count":${figures.count}`
  )
}
