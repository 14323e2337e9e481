/**
 * The figures of the last 24 hours (docs/reference/candles.md#ticker-of-24-hours), from the gateway's own views.
 */
import { averagePrice } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { Side } from '../../../units/order-words.ts'
import type { Price } from '../../../units/quantities.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { DAY_TICKERS_READ, type DayTickerPrices, dayTickerJson } from '../../../wire/candles.ts'
import type { PriceLevel } from '../../../wire/market-data.ts'
import type { Answer, Call } from '../call.ts'
import { type Operation, USER_DATA } from '../operation.ts'
import { symbolRowsAnswer } from './symbol-list.ts'

const WEIGHT = { one: 2, all: 40 }

export const dayTicker: Operation = { security: USER_DATA, weight: WEIGHT.one, answer: dayTickerAnswer }

function dayTickerAnswer(call: Call): Answer {
  const { market } = call.services
  const row = (symbol: TradingSymbol): string => {
    const closeTime = call.serverTime
    const day = market.day(symbol.id, closeTime)
    const [last] = market.recentTrades(symbol.id, 1)
    const { volume, quoteVolume, count, openTime, previousClose } = day
    const figures = {
      name: symbol.name,
      openTime,
      closeTime,
      volume,
      quoteVolume,
      count,
      previousClose,
      prices: day.prices &&
        last && { ...day.prices, last: last.price, change: change(day.prices.open, last.price) },
      lastQuantity: last?.quantity,
      average: count === 0 ? undefined : averagePrice(quoteVolume, volume),
      bid: bestLevel(market, symbol, 'BUY'),
      ask: bestLevel(market, symbol, 'SELL'),
    }
    return dayTickerJson(figures, symbol)
  }
  return symbolRowsAnswer(call, { heads: DAY_TICKERS_READ, weight: WEIGHT, row })
}

function bestLevel(market: MarketData, { id }: TradingSymbol, side: Side): PriceLevel | undefined {
  const [best] = market.depth(id).levels(side, 1)
  return best
}

/** Thousandths of a percent, rounded half away from zero. */
function change(open: Price, last: Price): DayTickerPrices['change'] {
  const [from, to] = [BigInt(open), BigInt(last)]
  const by = to < from ? from - to : to - from
  const rounded = (by * 200_000n + from) / (2n * from)
  return to < from ? -rounded : rounded
}
