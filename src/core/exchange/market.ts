/**
 * One symbol as the exchange works with it: its terms, its book, and the scales that turn lots and ticks into
 * ledger units.
 */
import { type LotScale, lotScale, type QuoteScale, quoteScale } from '../ledger/money.ts'
import type { OrderBook } from '../market/order-book.ts'
import type { TradingSymbol } from '../registry/records.ts'

export class Market {
  /** The symbol's terms as they are now. */
  symbol: TradingSymbol
  readonly book: OrderBook
  readonly scale: QuoteScale
  readonly lotScale: LotScale

  constructor(symbol: TradingSymbol, book: OrderBook) {
    this.symbol = symbol
    this.book = book
    this.scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
    this.lotScale = lotScale(symbol.baseFraction, symbol.basePrecision)
  }
}
