/** The figures of a day ticker (docs/reference/candles.md#ticker-of-24-hours). */
import { averagePrice } from '../core/ledger/money.ts'
import type { TradingSymbol } from '../core/registry/records.ts'
import type { Side } from '../units/order-enums.ts'
import type { Amount, Lots, Notional, Price, TimeMs } from '../units/quantities.ts'
import type { Whole } from '../units/whole.ts'
import type { MarketData } from './market-data.ts'

export type DayTicker = {
  readonly openTime: TimeMs
  readonly closeTime: TimeMs
  /** In lots. */
  readonly volume: Whole
  readonly quoteVolume: Notional
  readonly count: number
  /** The price of the last trade before the window; undefined if there was none. */
  readonly previousClose: Price | undefined
  /** Undefined if the symbol has never had a trade. */
  readonly prices: DayTickerPrices | undefined
  readonly lastQuantity: Lots | undefined
  /** The average price of one unit of the base asset; undefined without trades. */
  readonly average: Amount | undefined
  readonly bid: BestLevel | undefined
  readonly ask: BestLevel | undefined
}

export type DayTickerPrices = {
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly last: Price
  /** In thousandths of a percent, from `open` to `last`. */
  readonly change: bigint
}

type BestLevel = { readonly price: Price; readonly quantity: bigint }

/** The figures at `closeTime`, which is never before the last command. */
export function dayTicker(market: MarketData, symbol: TradingSymbol, closeTime: TimeMs): DayTicker {
  const { prices, ...day } = market.day(symbol.id, closeTime)
  const [last] = market.recentTrades(symbol.id, 1)
  return {
    ...day,
    closeTime,
    prices: prices && last && { ...prices, last: last.price, change: change(prices.open, last.price) },
    lastQuantity: last?.quantity,
    average: averagePrice(day.quoteVolume, day.volume, symbol),
    bid: bestLevel(market, symbol, 'BUY'),
    ask: bestLevel(market, symbol, 'SELL'),
  }
}

function bestLevel(market: MarketData, { id }: TradingSymbol, side: Side): BestLevel | undefined {
  const [best] = market.depth(id).levels(side, 1)
  return best
}

/** In thousandths of a percent, rounded half away from zero. */
function change(open: Price, last: Price): bigint {
  const [from, to] = [BigInt(open), BigInt(last)]
  const by = to < from ? from - to : to - from
  const rounded = (by * 200_000n + from) / (2n * from)
  return to < from ? -rounded : rounded
}
