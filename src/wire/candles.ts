/**
 * Candles and day tickers: exact strings, times in whole milliseconds (docs/reference/candles.md).
 */
import type { Candle } from '../units/candle.ts'
import { plainDecimal } from '../units/decimal.ts'
import type { Amount, Decimals, Lots, Notional, Price, TimeMs } from '../units/quantities.ts'
import type { Whole } from '../units/whole.ts'
import { type SuccessHeads, successHeads } from './envelope.ts'
import type { MarketDecimals, PriceLevel } from './market-data.ts'

export const CANDLES_READ: SuccessHeads = successHeads({
  en: 'The candles have been read.',
  tr: 'Mumlar getirildi.',
})

export const DAY_TICKERS_READ: SuccessHeads = successHeads({
  en: 'The figures of the last 24 hours have been read.',
  tr: 'Son 24 saatin verileri getirildi.',
})

/** Decimals of `priceChangePercent`. */
const PERCENT_DECIMALS = 3 as Decimals

/** A candle's 12 columns; `next` is when the window after it begins. */
export function klineJson(candle: Candle, next: TimeMs, decimals: MarketDecimals): string {
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

/** What price x quantity has; it may be more than one asset may have. */
function worthDecimals({ baseFraction, quoteFraction }: MarketDecimals): Decimals {
  return (baseFraction + quoteFraction) as Decimals
}

export type DayTickerFigures = {
  readonly openTime: TimeMs
  readonly volume: Whole
  readonly quoteVolume: Notional
  readonly count: number
  /** Undefined: the symbol never had a trade. */
  readonly prices: DayTickerPrices | undefined
  readonly lastQuantity: Lots | undefined
  /** Of the last trade before; undefined: there was none. */
  readonly previousClose: Price | undefined
  /** Of one base asset; undefined: no trades to take it of. */
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

/** The object of one symbol; `closeTime` is when its figures were those. */
export function dayTickerJson(
  name: string,
  figures: DayTickerFigures & { readonly closeTime: TimeMs },
  decimals: DayTickerDecimals,
): string {
  const members = dayTickerMembers(figures, decimals, closeTimeMember(figures.closeTime))
  return `{"symbol":${JSON.stringify(name)}${members}}`
}

/** One member, behind a comma. */
export function closeTimeMember(closeTime: TimeMs): string {
  return `,"closeTime":${closeTime}`
}

/** The members but the name, each behind a comma; without `closeTime` equal while the figures are. */
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
