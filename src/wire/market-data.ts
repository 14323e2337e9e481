/**
 * Market data as JSON text. Numbers are written from integers as plain decimals, never through a float and never
 * as an exponent, so they are exact whatever their size (docs/reference/http.md#answers).
 */
import { fixedDecimal, plainDecimal } from '../units/decimal.ts'
import type { Uuid } from '../units/ids.ts'
import type { Decimals, Lots, Price, TimeMs } from '../units/quantities.ts'

/** Decimals of a symbol's quantities (`baseFraction`) and prices (`quoteFraction`). */
export type MarketDecimals = { readonly baseFraction: Decimals; readonly quoteFraction: Decimals }

/** What rests at a price, in lots; 0n: nothing any more. */
export type PriceLevel = { readonly price: Price; readonly quantity: bigint }

/** Both sides of a book, best levels first. */
export type BookLevels = { readonly sell: readonly PriceLevel[]; readonly buy: readonly PriceLevel[] }

/** One trade as everybody sees it. */
export type TradeFigures = { readonly price: Price; readonly quantity: Lots; readonly time: TimeMs }

/** A match: the resting order and the arriving one. */
export type MatchFigures = TradeFigures & { readonly makerId: Uuid; readonly takerId: Uuid }

/**
 * `{"60000.00":1.5,"60001.00":2}`: keys with exactly `quoteFraction` decimals, in the order given; quantities
 * as numbers.
 */
export function levelsJson(levels: readonly PriceLevel[], decimals: MarketDecimals): string {
  return `{${levelMembersJson(levels, decimals)}}`
}

/** What stands between the braces of `levelsJson`: pieces of one side may be joined by commas. */
export function levelMembersJson(levels: readonly PriceLevel[], decimals: MarketDecimals): string {
  const members = levels.map(
    ({ price, quantity }) =>
      `"${fixedDecimal(price, decimals.quoteFraction)}":${plainDecimal(quantity, decimals.baseFraction)}`,
  )
  // A joined text is one string; one put together by + is put together again by every text that it becomes part of.
  return members.join(',')
}

/** docs/reference/http.md#order-book: `{"sell":{...},"buy":{...}}`, sell ascending and buy descending when `book` is best first. */
export function orderBookJson(book: BookLevels, decimals: MarketDecimals): string {
  return `{"sell":${levelsJson(book.sell, decimals)},"buy":${levelsJson(book.buy, decimals)}}`
}

/** docs/reference/http.md#recent-trades: `{"quantity":1.5,"price":60000,"timestamp":1700000000000}`. */
export function publicTradeJson(trade: TradeFigures, decimals: MarketDecimals): string {
  return `{${figuresJson(trade, decimals)}}`
}

/** An array of public trades in the order given. */
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
