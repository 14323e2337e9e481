/** Candles, and the average price computed from the newest of them. */
import { averagePrice } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { readCandles } from '../../../engine/history/candles/read-candles.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import type { Candle } from '../../../units/candle.ts'
import { type CandleInterval, startOfWindow, windowOf } from '../../../units/candle-intervals.ts'
import { notionalSum } from '../../../units/notional.ts'
import { NO_NOTIONAL, type TimeMs } from '../../../units/quantities.ts'
import { add, type Whole } from '../../../units/whole.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { klinesWeight } from '../../trading/operations/market/klines.ts'
import { MARKET_ROWS } from '../endpoints/market-rows.ts'
import { padded } from '../wire/padded.ts'
import { WireError } from '../wire/wire-error.ts'
import { symbolOf, timeOf, type WireAnswer, type WireCall, wholeOf } from '../wire-call.ts'
import { worthDecimals } from './trades.ts'

const LIMIT = { max: 1_000, fallback: 500 }
const AVERAGE_MINUTES = 5
/** One more candle, because the running one is not complete. */
const AVERAGE_CANDLES = AVERAGE_MINUTES + 1

export function klines(wireCall: WireCall): WireAnswer | Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { call, parameters } = wireCall
  const { services, serverTime } = call
  // The check against the endpoint's row has accepted this value.
  const interval = parameters.get('interval') as CandleInterval
  const limit = wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback)
  const from = timeOf(wireCall, 'startTime')
  const end = timeOf(wireCall, 'endTime')
  const to = end !== undefined && end < serverTime ? end : serverTime
  const refusal = call.charge(Math.max(0, klinesWeight(interval, limit) - MARKET_ROWS.klines.weight))
  if (refusal !== undefined) return refusal
  if (from !== undefined && from > to) return '[]'
  const query = { symbolId: symbol.id, interval, from, to, limit, atLeast: services.market.seq }
  return call.readInTurn(async () => {
    const candles = await readCandles(services.history, query)
    return JSON.stringify(candles.map((candle) => klineRow(candle, interval, symbol)))
  })
}

export function avgPrice(wireCall: WireCall): WireAnswer | Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { call } = wireCall
  return call.readInTurn(async () =>
    JSON.stringify(await averagePriceOf(call.services, symbol, call.serverTime)),
  )
}

export type AveragePrice = { readonly mins: number; readonly price: string; readonly closeTime: number }

/** The average price of the trades of the last minutes, with the time of the last trade. */
export async function averagePriceOf(
  { market, history }: MarketSources,
  symbol: TradingSymbol,
  now: TimeMs,
): Promise<AveragePrice> {
  const query = { symbolId: symbol.id, interval: '1m', from: undefined, to: now } as const
  const more = { limit: AVERAGE_CANDLES, atLeast: market.seq }
  const candles = await readCandles(history, { ...query, ...more })
  const [last] = market.recentTrades(symbol.id, 1)
  const price = padded(averageOf(candles, symbol) ?? 0n, symbol.quotePrecision)
  return { mins: AVERAGE_MINUTES, price, closeTime: last?.time ?? now }
}

/** The source of candles and last prices. */
export type MarketSources = { readonly market: MarketData; readonly history: HistoryPort }

/** Undefined if there was never a trade. Without a trade in these minutes it is the last price. */
function averageOf(candles: readonly Candle[], symbol: TradingSymbol) {
  const volume = candles.reduce<Whole>((sum, candle) => add(sum, candle.volume), 0)
  const worth = candles.reduce((sum, candle) => notionalSum(sum, candle.quoteVolume), NO_NOTIONAL)
  const last = candles.at(-1)
  if (volume !== 0 || last === undefined) return averagePrice(worth, volume, symbol)
  return BigInt(last.close) * 10n ** BigInt(symbol.quotePrecision - symbol.quoteFraction)
}

/** The columns of a candle. */
export function klineRow(
  candle: Candle,
  interval: CandleInterval,
  symbol: TradingSymbol,
): readonly unknown[] {
  const { start, volume, quoteVolume, count, takerBuyVolume, takerBuyQuoteVolume, isMadeUp } = candle
  const price = (of: Candle['open']) => padded(of, symbol.quoteFraction)
  const lots = (of: Whole) => padded(of, symbol.baseFraction)
  const worth = (of: Candle['quoteVolume']) => padded(of, worthDecimals(symbol))
  return [
    start,
    ...[price(candle.open), price(candle.high), price(candle.low), price(candle.close), lots(volume)],
    startOfWindow(interval, windowOf(interval, start) + 1) - 1,
    worth(quoteVolume),
    count,
    ...[lots(takerBuyVolume), worth(takerBuyQuoteVolume), isMadeUp ? '1' : '0'],
  ]
}
