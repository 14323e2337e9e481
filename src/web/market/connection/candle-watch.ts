/** Follows the candles of one symbol and interval, until the page shows others. */
import type { MarketStream } from '../../../client/stream/market-stream.ts'
import type { SubscriptionState } from '../../../client/stream/topic.ts'
import { type CandleChange, CandleSeries, type Interval } from '../state/candle-series.ts'
import { type CandleSource, OlderCandles, type OlderState } from './older-candles.ts'

export type CandleWatchOptions = {
  readonly stream: Pick<MarketStream, 'subscribe'>
  readonly symbol: string
  readonly interval: Interval
  readonly source: CandleSource
  readonly onChange: (change: CandleChange) => void
  readonly onState: (state: SubscriptionState) => void
  readonly onOlder: (state: OlderState) => void
}

/** Shortest time between two messages: the running candle may change with every trade. */
const INTERVAL_MS = 250

export class CandleWatch {
  readonly series = new CandleSeries()
  readonly older: OlderCandles
  readonly #subscription: { close(): void }
  #isClosed = false

  constructor({ stream, symbol, interval, source, onChange, onState, onOlder }: CandleWatchOptions) {
    const { series } = this
    this.older = new OlderCandles({
      symbol,
      interval,
      series,
      source,
      onAdded: () => onChange({ kind: 'older' }),
      onState: onOlder,
    })
    this.#subscription = stream.subscribe(
      { channel: `kline_${interval}`, symbol, intervalMs: INTERVAL_MS },
      {
        onMessage: (message) => onChange(series.take(message)),
        onState: (state) => {
          if (!this.#isClosed) onState(state)
        },
      },
    )
  }

  close(): void {
    this.#isClosed = true
    this.older.close()
    this.#subscription.close()
  }
}
