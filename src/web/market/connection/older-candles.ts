/**
 * Loads older candles, one page at a time, while there are any and there is room for them. At most one
 * request is in progress.
 */
import type { Candle } from '../../../client/interface/answers.ts'
import type { CandleSeries, Interval } from '../state/candle-series.ts'
import { isRefusedForGood } from './refused-for-good.ts'

/** Requests candles that open at `endTime` or earlier, oldest first. */
export type CandleSource = (
  parameters: {
    readonly symbol: string
    readonly interval: Interval
    readonly endTime: number
    readonly limit: number
  },
  options: { readonly signal: AbortSignal },
) => Promise<readonly Candle[]>

/**
 * `end`: the very first candle is loaded. `full`: no more are kept. `failed`: another attempt follows.
 * `refused`: another attempt would be refused too.
 */
export type OlderState = 'idle' | 'loading' | 'end' | 'full' | 'failed' | 'refused'

export type OlderCandlesOptions = {
  readonly symbol: string
  readonly interval: Interval
  readonly series: CandleSeries
  readonly source: CandleSource
  readonly onAdded: () => void
  readonly onState: (state: OlderState) => void
}

export const PAGE_SIZE = 500
const AGAIN_AFTER_MS = 3_000

export class OlderCandles {
  readonly #options: OlderCandlesOptions
  readonly #stop = new AbortController()
  #state: OlderState = 'idle'

  constructor(options: OlderCandlesOptions) {
    this.#options = options
  }

  get state(): OlderState {
    return this.#state
  }

  /** Called when the oldest candles are visible. */
  want(): void {
    if (this.#state !== 'idle') return
    const { series } = this.#options
    const { oldest } = series
    if (oldest === undefined) return
    if (series.isFull) this.#enter('full')
    else void this.#load(oldest)
  }

  close(): void {
    this.#stop.abort()
  }

  async #load([openTime]: Candle): Promise<void> {
    const { symbol, interval, series, source, onAdded } = this.#options
    const { signal } = this.#stop
    this.#enter('loading')
    let page: readonly Candle[]
    try {
      page = await source({ symbol, interval, endTime: openTime - 1, limit: PAGE_SIZE }, { signal })
    } catch (error) {
      if (signal.aborted) return
      if (isRefusedForGood(error)) {
        this.#enter('refused')
        return
      }
      this.#enter('failed')
      setTimeout(() => {
        if (!signal.aborted) this.#enter('idle')
      }, AGAIN_AFTER_MS)
      return
    }
    if (signal.aborted) return
    const added = series.addOlder(page)
    if (added > 0) onAdded()
    // A page that does not adjoin the known candles was requested before the stream restarted: the missing
    // candles are requested next time.
    if (added === page.length && page.length < PAGE_SIZE) this.#enter('end')
    else this.#enter(series.isFull ? 'full' : 'idle')
  }

  #enter(state: OlderState): void {
    if (state === this.#state) return
    this.#state = state
    this.#options.onState(state)
  }
}
