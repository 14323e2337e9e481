/**
 * Market data as JSON text. Numbers are written from integers as plain decimals, never through a float and
 * never with an exponent, so they are exact for any size (docs/reference/http.md#answers).
 */

import { fixedDecimal, plainDecimal } from '../../units/decimal.ts'
import type { Uuid } from '../../units/ids.ts'
import type { Decimals, Lots, Price, TimeMs } from '../../units/quantities.ts'
import {
  component,
  exactNumber,
  fixedDecimal as fixedDecimalShape,
  object,
  tableOf,
  timeMs,
  uuid,
} from '../../units/shapes/shape.ts'

/** A side of the book. */
export const LEVELS = tableOf(fixedDecimalShape(), exactNumber(), 'Price to quantity, best first.')

export const DEPTH = component('Depth', 'The order book.', { sell: LEVELS, buy: LEVELS })

export const RECENT_TRADE = component('RecentTrade', 'A trade.', {
  quantity: exactNumber(),
  price: exactNumber(),
  timestamp: timeMs(),
})

export const MATCHED_ORDER = object({
  id: uuid('The resting order.'),
  takerId: uuid('The arriving order.'),
  quantity: exactNumber(),
  price: exactNumber(),
  timestamp: timeMs(),
})

/** Decimals of a symbol's quantities (`baseFraction`) and prices (`quoteFraction`). */
export type MarketDecimals = { readonly baseFraction: Decimals; readonly quoteFraction: Decimals }

/** The quantity resting at a price, in lots; 0n if nothing rests there any longer. */
export type PriceLevel = { readonly price: Price; readonly quantity: bigint }

/** Both sides of a book, best levels first. */
export type BookLevels = { readonly sell: readonly PriceLevel[]; readonly buy: readonly PriceLevel[] }

/** The public data of one trade. */
export type TradeFigures = { readonly price: Price; readonly quantity: Lots; readonly time: TimeMs }

/** A match: the resting order and the arriving one. */
export type MatchFigures = TradeFigures & { readonly makerId: Uuid; readonly takerId: Uuid }

/**
 * `{"60000.00":1.5,"60001.00":2}`: keys with exactly `quoteFraction` decimals, in the given order; quantities
 * as numbers.
 */
export function levelsJson(levels: readonly PriceLevel[], decimals: MarketDecimals): string {
  return `{${levelMembersJson(levels, decimals)}}`
}

/** The text between the braces of `levelsJson`: pieces of one side may be joined by commas. */
export function levelMembersJson(levels: readonly PriceLevel[], decimals: MarketDecimals): string {
  const members = levels.map(
    ({ price, quantity }) =>
      `"${fixedDecimal(price, decimals.quoteFraction)}":${plainDecimal(quantity, decimals.baseFraction)}`,
  )
  // `join` creates one flat text; a text built with + would be flattened again for every text that contains
  // it.
  return members.join(',')
}

/**
 * docs/reference/http.md#order-book: `{"sell":{...},"buy":{...}}`, sell ascending and buy descending if
 * `book` is best first.
 */
export function orderBookJson(book: BookLevels, decimals: MarketDecimals): string {
  return `{"sell":${levelsJson(book.sell, decimals)},"buy":${levelsJson(book.buy, decimals)}}`
}

/** docs/reference/http.md#recent-trades: `{"quantity":1.5,"price":60000,"timestamp":1700000000000}`. */
export function publicTradeJson(trade: TradeFigures, decimals: MarketDecimals): string {
  return `{${figuresJson(trade, decimals)}}`
}

/** An array of public trades in the given order. */
export function publicTradesJson(trades: readonly TradeFigures[], decimals: MarketDecimals): string {
  return `[${trades.map((trade) => publicTradeJson(trade, decimals)).join(',')}]`
}

/** docs/reference/stream.md#events-from-the-server: `id` is the resting order, `takerId` the arriving one. */
export function matchedOrderJson(match: MatchFigures, decimals: MarketDecimals): string {
  return `{"id":"${match.makerId}","takerId":"${match.takerId}",${figuresJson(match, decimals)}}`
}

function figuresJson(trade: TradeFigures, decimals: MarketDecimals): string {
  const quantity = plainDecimal(trade.quantity, decimals.baseFraction)
  const price = plainDecimal(trade.price, decimals.quoteFraction)
  return `"quantity":${quantity},"price":${price},"timestamp":${trade.time}`
}
