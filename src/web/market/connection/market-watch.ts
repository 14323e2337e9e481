/**
 * Follows one symbol: its book, its trades, its figures of the last 24 hours and its status, until the page
 * shows another one.
 */
import type { MarketStream } from '../../../client/stream/market-stream.ts'
import { MarketState, type MarketSymbol } from '../state/market-state.ts'

/**
 * Shortest time between two messages of the 24-hour figures. It differs from that of the list of markets, so
 * that the two are separate subscriptions.
 */
const DAY_INTERVAL_MS = 500

export type MarketWatchOptions = {
  readonly stream: MarketStream
  readonly symbol: MarketSymbol
  /** Called when the state changes. */
  readonly onChange: () => void
  /** Whether the displayed data is live. */
  readonly onLive: (isLive: boolean) => void
  /** Called when the node refuses the subscription: the symbol may no longer be listed. */
  readonly onRefused: () => void
}

export class MarketWatch {
  readonly market: MarketState
  readonly #subscriptions: readonly { close(): void }[]
  #isClosed = false

  constructor({ stream, symbol, onChange, onLive, onRefused }: MarketWatchOptions) {
    const book = stream.book(symbol.name, {
      onChange: () => {
        this.market.bookChanged()
        onChange()
      },
      onState: (state) => {
        if (this.#isClosed) return
        if (state === 'closed') onRefused()
        else onLive(state === 'live')
      },
    })
    this.market = new MarketState(symbol, book.book)
    const trades = stream.subscribe(
      { channel: 'trades', symbol: symbol.name },
      {
        onMessage: (message) => {
          this.market.takeTrades(message)
          onChange()
        },
      },
    )
    const status = stream.subscribe(
      { channel: 'status', symbol: symbol.name },
      {
        onMessage: (message) => {
          this.market.takeStatus(message)
          onChange()
        },
      },
    )
    const day = stream.subscribe(
      { channel: 'ticker', symbol: symbol.name, intervalMs: DAY_INTERVAL_MS },
      {
        onMessage: (message) => {
          this.market.takeDay(message)
          onChange()
        },
      },
    )
    this.#subscriptions = [book, trades, status, day]
  }

  close(): void {
    this.#isClosed = true
    for (const subscription of this.#subscriptions) subscription.close()
  }
}
