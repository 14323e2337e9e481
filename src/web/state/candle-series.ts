/**
 * The candles of one symbol and interval, kept from the channel `kline_<interval>` (docs/reference/stream-extensions.md#kline): those that are over, and the
 * one that runs.
 */
import type { Candle } from '../../client/interface/answers.ts'
import type { KlineMessage } from '../../client/interface/messages.ts'

/** The intervals that are offered, of those that there are. */
export const INTERVALS = ['1s', '1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const

export type Interval = (typeof INTERVALS)[number]

/** Candles kept; older ones are forgotten. */
export const CANDLES_MAX = 2_000

/** What a message has made of the series: `whole`: all of it is another. Otherwise the candles that are new or changed, oldest first. */
export type CandleChange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'newest'; readonly candles: readonly Candle[] }

export class CandleSeries {
  #closed: readonly Candle[] = []
  #current: Candle | undefined

  /** Oldest first, the running one last. */
  get candles(): readonly Candle[] {
    return this.#current === undefined ? this.#closed : [...this.#closed, this.#current]
  }

  /** Undefined: the symbol was never traded. */
  get newest(): Candle | undefined {
    return this.#current ?? this.#closed.at(-1)
  }

  take({ closed = [], current, prevSeq }: KlineMessage): CandleChange {
    this.#current = current
    if (prevSeq === undefined) {
      this.#closed = closed.slice(-CANDLES_MAX)
      return { kind: 'whole' }
    }
    if (closed.length > 0) this.#closed = [...this.#closed, ...closed].slice(-CANDLES_MAX)
    return { kind: 'newest', candles: current === undefined ? closed : [...closed, current] }
  }
}
