/**
 * What the page knows of one symbol, kept from the channels of the stream alone (docs/reference/stream-extensions.md). What is known stays, as
 * out of date, until a connection is back; another symbol has a state of its own.
 */
import type { StatusMessage, TickerMessage, TradesMessage } from '../../../client/interface/messages.ts'
import { LocalBook } from '../../../client/stream/local-book.ts'
import { lots, price, type TimeMs, timeMs } from '../../../units/quantities.ts'
import type { MarketDecimals, TradeFigures } from '../../../wire/market-data.ts'
import { TradeTape } from './trade-tape.ts'

export type MarketSymbol = MarketDecimals & { readonly name: string }

/** What may be done in a symbol, and in all of them, now and as it is planned (docs/reference/stream-extensions.md#status). */
export type TradingStatus = {
  /** Of the symbol. */
  readonly state: string
  /** Of all symbols together. */
  readonly phase: string
  readonly planned: readonly { readonly phase: string; readonly at: TimeMs }[]
}

export class MarketState {
  readonly symbol: MarketSymbol
  readonly book: LocalBook
  readonly tape = new TradeTape()
  #hasBook = false
  #hasTrades = false
  #status: TradingStatus | undefined
  #day: TickerMessage | undefined

  /** `book`: the one that is kept of the symbol. */
  constructor(symbol: MarketSymbol, book = new LocalBook()) {
    this.symbol = symbol
    this.book = book
  }

  /** What may be done in the symbol; undefined: not known yet. */
  get status(): TradingStatus | undefined {
    return this.#status
  }

  /** The figures of the last 24 hours; undefined: not known yet. */
  get day(): TickerMessage | undefined {
    return this.#day
  }

  /** Whether a whole book of this symbol has ever come; what is shown may still be out of date. */
  get hasBook(): boolean {
    return this.#hasBook
  }

  /** Whether the recent trades have ever come, perhaps none. */
  get hasTrades(): boolean {
    return this.#hasTrades
  }

  /** The book has been changed. */
  bookChanged(): void {
    this.#hasBook = true
  }

  takeTrades({ trades, prevSeq }: TradesMessage): void {
    const figures = trades.map(
      (trade): TradeFigures => ({
        price: price(wholeUnits(trade.price)),
        quantity: lots(wholeUnits(trade.quantity)),
        time: timeMs(trade.timestamp),
      }),
    )
    if (prevSeq === undefined) this.tape.replace(figures)
    else this.tape.add(figures)
    this.#hasTrades = true
  }

  takeDay(day: TickerMessage): void {
    this.#day = day
  }

  takeStatus({ status, exchange }: StatusMessage): void {
    const planned = exchange.planned.map(({ phase, at }) => ({ phase, at: timeMs(at) }))
    this.#status = { state: status, phase: exchange.phase, planned }
  }
}

/** Channels write exactly the symbol's decimals: without the point a text is whole ticks or lots. */
function wholeUnits(text: string): number {
  return Number(text.replace('.', ''))
}
