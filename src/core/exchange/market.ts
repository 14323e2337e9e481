/**
 * One symbol as the exchange works with it: its terms, its book, and the scales that turn lots and ticks into
 * ledger units.
 */
import { wholeOf } from '../../units/whole.ts'
import { type LotScale, lotScale, type QuoteScale, quoteScale, type Units } from '../ledger/money.ts'
import type { OrderBook } from '../market/order-book.ts'
import type { TradingSymbol } from '../registry/records.ts'

export class Market {
  #symbol: TradingSymbol
  #minTotal: Units
  readonly book: OrderBook
  readonly scale: QuoteScale
  readonly lotScale: LotScale

  constructor(symbol: TradingSymbol, book: OrderBook) {
    this.#symbol = symbol
    this.#minTotal = wholeOf(symbol.minTotal) as Units
    this.book = book
    this.scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
    this.lotScale = lotScale(symbol.baseFraction, symbol.basePrecision)
  }

  /** The symbol's terms as they are now. */
  get symbol(): TradingSymbol {
    return this.#symbol
  }

  set symbol(symbol: TradingSymbol) {
    this.#symbol = symbol
    this.#minTotal = wholeOf(symbol.minTotal) as Units
  }

  /** The least total that the symbol asks for, to reckon with. */
  get minTotal(): Units {
    return this.#minTotal
  }
}
