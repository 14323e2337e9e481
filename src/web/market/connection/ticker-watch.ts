/**
 * Follows the figures of the last 24 hours of the visible markets, up to a limit: a connection has a limited
 * number of subscriptions, and an exchange may list thousands of markets.
 */
import type { TickerMessage } from '../../../client/interface/messages.ts'
import type { MarketStream } from '../../../client/stream/market-stream.ts'

/** Maximum number of markets followed at once. */
export const FOLLOWED_MAX = 60
/** Shortest time between two messages of one market. */
const INTERVAL_MS = 1_000

export type TickerHandlers = {
  readonly onFigures: (symbol: string, figures: TickerMessage) => void
  /** Whether the figures of a market are current. */
  readonly onLive: (symbol: string, isLive: boolean) => void
}

export class TickerWatch {
  readonly #stream: Pick<MarketStream, 'subscribe'>
  readonly #handlers: TickerHandlers
  readonly #subscriptionBySymbol = new Map<string, { close(): void }>()

  constructor(stream: Pick<MarketStream, 'subscribe'>, handlers: TickerHandlers) {
    this.#stream = stream
    this.#handlers = handlers
  }

  /** Follows the first `FOLLOWED_MAX` of these markets, and stops following all others. */
  follow(symbols: readonly string[]): void {
    const wanted = new Set(symbols.slice(0, FOLLOWED_MAX))
    for (const [symbol, subscription] of this.#subscriptionBySymbol) {
      if (wanted.has(symbol)) continue
      this.#subscriptionBySymbol.delete(symbol)
      subscription.close()
    }
    for (const symbol of wanted) {
      if (!this.#subscriptionBySymbol.has(symbol)) this.#subscriptionBySymbol.set(symbol, this.#open(symbol))
    }
  }

  #open(symbol: string): { close(): void } {
    const { onFigures, onLive } = this.#handlers
    return this.#stream.subscribe(
      { channel: 'ticker', symbol, intervalMs: INTERVAL_MS },
      {
        onMessage: (message) => onFigures(symbol, message),
        onState: (state) => {
          onLive(symbol, state === 'live')
          // The node refused the subscription; another attempt follows when the market becomes visible again.
          if (state === 'closed') this.#subscriptionBySymbol.delete(symbol)
        },
      },
    )
  }
}
