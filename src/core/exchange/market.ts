/**
 * One symbol in the exchange: its terms, its book, the orders that wait for a price, the holders of its two
 * assets, and the scales that convert lots and ticks to ledger units.
 */

import { FEES_ACCOUNT } from '../../units/ids.ts'
import type { Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { Holdings } from '../ledger/holdings.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type LotScale, lotScale, type QuoteScale, quoteScale } from '../ledger/money.ts'
import { outcomeRecord, takerRecord } from '../market/matching.ts'
import type { OrderBook } from '../market/order-book.ts'
import { TriggerIndex } from '../market/trigger-index.ts'
import type { TradingSymbol } from '../registry/records.ts'

/** The trades of one command in a symbol. */
export type Traded = {
  readonly first: Price
  readonly last: Price
  /** All prices, each once, in the order of their trades. */
  readonly prices: readonly Price[] | undefined
  readonly since: Seq
  readonly time: TimeMs
}

export class Market {
  #symbol: TradingSymbol
  readonly book: OrderBook
  readonly triggers = new TriggerIndex()
  /** The price of the last trade; undefined if there was none. */
  lastPrice: Price | undefined
  /** Number of trades under `NUMBER_RULES`: the number of the newest in this symbol. */
  tradeCount = 0
  readonly scale: QuoteScale
  readonly lotScale: LotScale
  readonly base: Holdings
  readonly quote: Holdings
  /** Rows of the house, which takes part in every trade. */
  readonly baseFeesRow: number
  readonly quoteFeesRow: number
  readonly roundingRow: number
  /**
   * The order being matched, and its outcome; overwritten for each order, and not part of the exchange's
   * state.
   */
  readonly taker = takerRecord()
  readonly outcome = outcomeRecord()

  constructor(symbol: TradingSymbol, book: OrderBook, ledger: Ledger) {
    this.#symbol = symbol
    this.book = book
    this.scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
    this.lotScale = lotScale(symbol.baseFraction, symbol.basePrecision)
    this.base = ledger.holdings(symbol.base)
    this.quote = ledger.holdings(symbol.quote)
    this.baseFeesRow = this.base.rowOf(FEES_ACCOUNT)
    this.quoteFeesRow = this.quote.rowOf(FEES_ACCOUNT)
    this.roundingRow = this.quote.rowOf(symbol.roundingAccountId)
  }

  /** The symbol's current terms. */
  get symbol(): TradingSymbol {
    return this.#symbol
  }

  set symbol(symbol: TradingSymbol) {
    this.#symbol = symbol
  }

  /**
   * Command `since` has traded at `time`, from the price `first` to the price `last`. Orders that wait for a
   * price in this range are due, and trailing orders follow each of `prices`, which are undefined if there
   * are no trailing orders.
   */
  traded({ first, last, prices, since, time }: Traded): void {
    const from = this.lastPrice ?? first
    this.lastPrice = last
    if (this.triggers.count === 0) return
    const [low, high] = first < last ? [first, last] : [last, first]
    const trailed = prices === undefined ? [] : this.triggers.trail(prices, time)
    this.triggers.reach(from, low, high, since, trailed)
  }
}
