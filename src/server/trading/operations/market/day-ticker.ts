/**
 * The figures of the last 24 hours (docs/reference/candles.md#ticker-of-24-hours), from the gateway's own views. Anybody may ask.
 */
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { dayTicker as tickerOf } from '../../../../views/day-ticker.ts'
import { DAY_TICKERS_READ, dayTickerJson } from '../../../../wire/candles.ts'
import type { Answer, Call } from '../../call.ts'
import { NONE_WITH_PARAMETERS, type Operation, withWindow } from '../../operation.ts'
import { symbolRowsAnswer } from './symbol-list.ts'

const WEIGHT = { one: 2, all: 40 }

export const dayTicker: Operation = {
  security: NONE_WITH_PARAMETERS,
  weight: WEIGHT.one,
  takes: withWindow('symbol'),
  answer: dayTickerAnswer,
}

function dayTickerAnswer(call: Call): Answer {
  const { market } = call.services
  const row = (symbol: TradingSymbol): string =>
    dayTickerJson(symbol.name, tickerOf(market, symbol, call.serverTime), symbol)
  return symbolRowsAnswer(call, { heads: DAY_TICKERS_READ, weight: WEIGHT, row })
}
