/**
 * The figures of the last 24 hours (docs/reference/candles.md#ticker-of-24-hours), from the gateway's own
 * views. Public.
 */

import { DAY_TICKERS_READ, dayTickerJson } from '../../../../contract/api/candles.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { dayTicker as tickerOf } from '../../../../views/day-ticker.ts'
import type { Answer, Call } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { symbolRowsAnswer } from './symbol-list.ts'

const ALL_WEIGHT = 40

export const dayTicker = operationOf('dayTicker', dayTickerAnswer)

function dayTickerAnswer(call: Call): Answer {
  const { market } = call.services
  const row = (symbol: TradingSymbol): string =>
    dayTickerJson(symbol.name, tickerOf(market, symbol, call.serverTime), symbol)
  return symbolRowsAnswer(call, {
    heads: DAY_TICKERS_READ,
    weight: { one: dayTicker.weight, all: ALL_WEIGHT },
    row,
  })
}
