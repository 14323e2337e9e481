/** Statistics of 24 hours, last prices and best prices. Missing values are 0, as at Binance. */

import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import type { Decimals, TimeMs } from '../../../units/quantities.ts'
import { dayTicker } from '../../../views/day-ticker.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { MARKET_ROWS } from '../endpoints/market-rows.ts'
import { padded } from '../wire/padded.ts'
import type { WireCall } from '../wire-call.ts'
import { rowsHandler } from './some-symbols.ts'
import { worthDecimals } from './trades.ts'

/** Decimals of `priceChangePercent`. */
const PERCENT_DECIMALS = 3 as Decimals
/** Weights of a complete list. */
const FEW = { symbols: 20, weight: 2 }
const SOME = { symbols: 100, weight: 40 }
const ALL_DAYS = 80
const ALL_PRICES = 4

export const ticker24hr = rowsHandler({
  taken: MARKET_ROWS.ticker24hr.weight,
  weightOf: ({ symbols, isAll }) => {
    if (isAll || symbols.length > SOME.symbols) return ALL_DAYS
    return symbols.length > FEW.symbols ? SOME.weight : FEW.weight
  },
  row: dayRow,
})

export const tickerPrice = rowsHandler({
  taken: MARKET_ROWS.tickerPrice.weight,
  weightOf: ({ isOne }) => (isOne ? MARKET_ROWS.tickerPrice.weight : ALL_PRICES),
  row: (symbol, { call }) => {
    const [last] = call.services.market.recentTrades(symbol.id, 1)
    return { symbol: binanceNameOf(symbol), price: padded(last?.price ?? 0, symbol.quoteFraction) }
  },
})

export const bookTicker = rowsHandler({
  taken: MARKET_ROWS.bookTicker.weight,
  weightOf: ({ isOne }) => (isOne ? MARKET_ROWS.bookTicker.weight : ALL_PRICES),
  row: (symbol, { call }) => ({ symbol: binanceNameOf(symbol), ...bestPrices(call.services.market, symbol) }),
})

/** The best prices and their quantities; 0 if a side is empty. */
export function bestPrices(market: MarketData, symbol: TradingSymbol) {
  const [bid] = market.depth(symbol.id).levels('BUY', 1)
  const [ask] = market.depth(symbol.id).levels('SELL', 1)
  return {
    bidPrice: padded(bid?.price ?? 0, symbol.quoteFraction),
    bidQty: padded(bid?.quantity ?? 0n, symbol.baseFraction),
    askPrice: padded(ask?.price ?? 0, symbol.quoteFraction),
    askQty: padded(ask?.quantity ?? 0n, symbol.baseFraction),
  }
}

function dayRow(symbol: TradingSymbol, { call, parameters }: WireCall) {
  const figures = dayFigures(call.services.market, symbol, call.serverTime)
  if (parameters.get('type') !== 'MINI') return { symbol: binanceNameOf(symbol), ...figures }
  const { openPrice, highPrice, lowPrice, lastPrice, volume, quoteVolume, ...rest } = figures
  const { openTime, closeTime, firstId, lastId, count } = rest
  const times = { openTime, closeTime, firstId, lastId, count }
  const prices = { openPrice, highPrice, lowPrice, lastPrice, volume, quoteVolume }
  return { symbol: binanceNameOf(symbol), ...prices, ...times }
}

/** The statistics of the 24 hours before `now`. */
export function dayFigures(market: MarketData, symbol: TradingSymbol, now: TimeMs) {
  const day = dayTicker(market, symbol, now)
  const [last] = market.recentTrades(symbol.id, 1)
  const price = (of: number | bigint | undefined) => padded(of ?? 0, symbol.quoteFraction)
  const lots = (of: number | bigint | undefined) => padded(of ?? 0, symbol.baseFraction)
  const { prices } = day
  const figures = {
    openPrice: price(prices?.open),
    highPrice: price(prices?.high),
    lowPrice: price(prices?.low),
    lastPrice: price(prices?.last),
    volume: lots(day.volume),
    quoteVolume: padded(day.quoteVolume, worthDecimals(symbol)),
    openTime: day.openTime,
    closeTime: day.closeTime,
    ...idsOf(day.count, last?.symbolTrade ?? 0),
    count: day.count,
  }
  return {
    priceChange: price(prices && prices.last - prices.open),
    priceChangePercent: fixedDecimal(prices?.change ?? 0n, PERCENT_DECIMALS),
    weightedAvgPrice: padded(day.average ?? 0n, symbol.quotePrecision),
    prevClosePrice: price(day.previousClose),
    lastQty: lots(day.lastQuantity),
    ...bestPrices(market, symbol),
    ...figures,
  }
}

/** Numbers of trades have no gaps; -1 if there was no trade, or none with a number. */
function idsOf(count: number, last: number) {
  if (count === 0 || last === 0) return { firstId: -1, lastId: -1 }
  return { firstId: Math.max(1, last - count + 1), lastId: last }
}
