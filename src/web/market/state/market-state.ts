/**
 * The page's data about one symbol, only from the channels of the stream
 * (docs/reference/stream-extensions.md). It stays, marked as outdated, until a connection is restored; each
 * symbol has its own state.
 */
import type { StatusMessage, TickerMessage, TradesMessage } from '../../../client/interface/messages.ts'
import { LocalBook } from '../../../client/stream/local-book.ts'
import type { MarketDecimals, TradeFigures } from '../../../contract/api/market-data.ts'
import { lots, price, type TimeMs, timeMs } from '../../../units/quantities.ts'
import { TradeTape } from './trade-tape.ts'

export type MarketSymbol = MarketDecimals & { readonly name: string }

/**
 * The trading state of a symbol and of all symbols, now and as planned
 * (docs/reference/stream-extensions.md#status).
 */
export type TradingStatus = {
  /** The state of the symbol. */
  readonly state: string
  /** The phase of all symbols together. */
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

  /** `book`: an existing book of the symbol. */
  constructor(symbol: MarketSymbol, book = new LocalBook()) {
    this.symbol = symbol
    this.book = book
  }

  /** The trading state of the symbol; undefined if not known yet. */
  get status(): TradingStatus | undefined {
    return this.#status
  }

  /** The figures of the last 24 hours; undefined if not known yet. */
  get day(): TickerMessage | undefined {
    return this.#day
  }

  /** Whether a complete book of this symbol has ever arrived; it may be outdated. */
  get hasBook(): boolean {
    return this.#hasBook
  }

  /** Whether the recent trades have ever arrived, possibly none. */
  get hasTrades(): boolean {
    return this.#hasTrades
  }

  /** Called when the book changes. */
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

/** Channels write exactly the symbol's decimals, so the digits without the point are ticks or lots. */
function wholeUnits(text: string): number {
  return Number(text.replace('.', ''))
}
