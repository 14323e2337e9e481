/** Follows one symbol: its book, its trades, its figures of the last 24 hours and what may be done in it, until the page looks at another one. */
import type { MarketStream } from '../../../client/stream/market-stream.ts'
import { MarketState, type MarketSymbol } from '../state/market-state.ts'

/** Least time between two messages of the day's figures: another one than that of the list of markets, so that the two are two subscriptions. */
const DAY_INTERVAL_MS = 500

export type MarketWatchOptions = {
  readonly stream: MarketStream
  readonly symbol: MarketSymbol
  /** What is known has changed. */
  readonly onChange: () => void
  /** Whether what is shown is live. */
  readonly onLive: (isLive: boolean) => void
  /** The node does not let the symbol be followed: it may not be listed any more. */
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
