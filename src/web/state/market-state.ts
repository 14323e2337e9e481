/**
 * What the page knows of one symbol, kept from the stream alone. Events do not name their symbol, so after asking
 * for a symbol everything is passed over until its whole book comes; the trades after a whole book are the recent
 * ones, all later ones are new (docs/reference/stream.md#events-from-the-server).
 */
import type { MarketDecimals } from '../../wire/market-data.ts'
import { OrderBookState } from './order-book-state.ts'
import { readServerMessage, type ServerMessage, type TradingStatus } from './server-message.ts'
import { TradeTape } from './trade-tape.ts'

/**
 * What became of a frame. `current`: the whole book has come; `refused`: the server said no; `broken`: no
 * message of docs/reference/stream.md#events-from-the-server. After the last two what is known can no longer be trusted.
 */
export type Outcome = 'current' | 'changed' | 'ignored' | 'refused' | 'broken'

export type MarketSymbol = MarketDecimals & { readonly name: string }

export class MarketState {
  #symbol: MarketSymbol | undefined
  #book = new OrderBookState()
  #tape = new TradeTape()
  #isCurrent = false
  #isTapeDue = false
  #hasBook = false
  #status: TradingStatus | undefined

  get symbol(): MarketSymbol | undefined {
    return this.#symbol
  }

  get book(): OrderBookState {
    return this.#book
  }

  get tape(): TradeTape {
    return this.#tape
  }

  /** What may be done in the symbol; undefined: not known yet. */
  get status(): TradingStatus | undefined {
    return this.#status
  }

  /** Whether a whole book of this symbol has ever come; what is shown may still be out of date. */
  get hasBook(): boolean {
    return this.#hasBook
  }

  /** The symbol has been asked for. What is known of it stays until its book comes; another one's does not. */
  expect(symbol: MarketSymbol): void {
    if (!isSame(this.#symbol, symbol)) {
      this.#book = new OrderBookState()
      this.#tape = new TradeTape()
      this.#hasBook = false
      this.#status = undefined
    }
    this.#symbol = symbol
    this.#isCurrent = false
  }

  /** Takes a frame of the stream in. */
  take(text: string): Outcome {
    if (this.#symbol === undefined) return 'ignored'
    const message = readServerMessage(text, this.#symbol)
    if (message.kind === 'error') return 'refused'
    if (message.kind === 'status') return this.#takeStatus(message)
    if (!this.#isCurrent && message.kind !== 'orders') return 'ignored'
    return this.#apply(message)
  }

  /** It names its symbol, and is none of the events of a join. */
  #takeStatus({ symbol, status }: Extract<ServerMessage, { readonly kind: 'status' }>): Outcome {
    if (symbol !== this.#symbol?.name) return 'ignored'
    this.#status = status
    return 'changed'
  }

  #apply(message: Exclude<ServerMessage, { readonly kind: 'error' | 'status' }>): Outcome {
    switch (message.kind) {
      case 'orders':
        this.#book.replace(message.book)
        this.#isCurrent = true
        this.#isTapeDue = true
        this.#hasBook = true
        return 'current'
      case 'trades':
        if (this.#isTapeDue) this.#tape.replace(message.trades)
        else this.#tape.add(message.trades)
        this.#isTapeDue = false
        return 'changed'
      case 'update':
        this.#book.update(message.side, message.levels)
        return 'changed'
      case 'other':
        return 'ignored'
      case 'fault':
        return 'broken'
    }
  }
}

function isSame(one: MarketSymbol | undefined, other: MarketSymbol): boolean {
  return (
    one?.name === other.name &&
    one.baseFraction === other.baseFraction &&
    one.quoteFraction === other.quoteFraction
  )
}
