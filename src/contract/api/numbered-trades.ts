/**
 * Trades of a symbol by their numbers, and aggregates of them
 * (docs/reference/extensions.md#trades-by-number): every decimal an exact string.
 */
import { plainDecimal } from '../../units/decimal.ts'
import type { Uuid } from '../../units/ids.ts'
import type { Side } from '../../units/order-enums.ts'
import { between, component, decimal, flag, optional, timeMs, uuid, whole } from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successHeads } from '../envelope.ts'
import type { MarketDecimals, TradeFigures } from './market-data.ts'
import { SIDE } from './order-fields.ts'

/** The number of a trade, if it has one. */
export const TRADE_NUMBER = optional(
  whole(
    'The number of the trade in its symbol, from 1 without gaps; absent if the trade is older than these numbers.',
  ),
)

export const TRADES_READ = successHeads({ en: 'The trades have been read.', tr: 'İşlemler getirildi.' })

const FIGURES = { price: decimal(), quantity: decimal(), time: timeMs() }

const TAKEN = {
  side: SIDE,
  isBuyerMaker: flag("The buyer's order rested and the seller's arrived."),
}

const POSITIVE = 2 ** 53 - 1

export const NUMBERED_TRADE = component('NumberedTrade', 'A trade with its number in its symbol.', {
  id: uuid(),
  number: between(1, POSITIVE, 'The number of the trade in its symbol, from 1 without gaps.'),
  ...FIGURES,
  ...TAKEN,
})

export const AGGREGATE_TRADE = component(
  'AggregateTrade',
  'Consecutive trades of one arriving order at one price.',
  {
    number: between(1, POSITIVE, 'The number of the aggregate in its symbol, from 1 without gaps.'),
    firstTrade: between(1, POSITIVE, 'The number of its first trade.'),
    lastTrade: between(1, POSITIVE, 'The number of its last trade.'),
    ...FIGURES,
    ...TAKEN,
  },
)

type Taken = TradeFigures & { readonly takerSide: Side }

export type NumberedTrade = Taken & { readonly id: Uuid; readonly number: number }

export type AggregateFigures = Taken & {
  readonly number: number
  readonly firstTrade: number
  readonly lastTrade: number
}

export function numberedTradeJson(trade: NumberedTrade, decimals: MarketDecimals): string {
  const { id, number } = trade
  return jsonOf(NUMBERED_TRADE, { id, number, ...takenMembers(trade, decimals) })
}

export function aggregateTradeJson(trade: AggregateFigures, decimals: MarketDecimals): string {
  const { number, firstTrade, lastTrade } = trade
  return jsonOf(AGGREGATE_TRADE, { number, firstTrade, lastTrade, ...takenMembers(trade, decimals) })
}

/** The members that a trade and an aggregate have in common; `side` is that of the arriving order. */
function takenMembers({ price, quantity, time, takerSide }: Taken, decimals: MarketDecimals) {
  return {
    price: plainDecimal(price, decimals.quoteFraction),
    quantity: plainDecimal(quantity, decimals.baseFraction),
    time,
    side: takerSide,
    isBuyerMaker: takerSide === 'SELL',
  }
}
