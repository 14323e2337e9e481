/**
 * Figures and states of all markets while their list is visible: one request for all figures and one for all
 * rules, for any number of markets, repeated periodically. Visible markets also follow the stream
 * (`ticker-watch.ts`).
 */
import type { DayTicker } from '../../../client/interface/answers.ts'
import type { MarketClient } from '../../../client/market-client.ts'

const REFRESH_MS = 15_000

/** The reason why a market accepts no orders; undefined if it accepts them. */
export type Closure = 'HALTED' | 'CANCEL_ONLY' | 'CLOSED' | undefined

export type OverviewHandlers = {
  readonly onFigures: (tickers: readonly DayTicker[]) => void
  readonly onClosures: (closures: ReadonlyMap<string, Closure>) => void
  /** Whether the last request failed. */
  readonly onFailed: (isFailed: boolean) => void
}

export type OverviewOptions = OverviewHandlers & {
  readonly client: Pick<MarketClient, 'dayTickers' | 'symbolRules'>
  readonly schedule: (delayMs: number, callback: () => void) => () => void
}

export class MarketOverview {
  readonly #options: OverviewOptions
  #stop: AbortController | undefined
  #cancelNext: () => void = () => {}

  constructor(options: OverviewOptions) {
    this.#options = options
  }

  /** Requests the figures and rules periodically, until `close`. */
  open(): void {
    if (this.#stop !== undefined) return
    this.#stop = new AbortController()
    void this.#ask(this.#stop.signal)
  }

  close(): void {
    this.#stop?.abort()
    this.#stop = undefined
    this.#cancelNext()
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { client, onFigures, onClosures, onFailed, schedule } = this.#options
    let isFailed = false
    try {
      const [tickers, rules] = await Promise.all([
        client.dayTickers({ signal }),
        client.symbolRules({ signal }),
      ])
      if (signal.aborted) return
      onClosures(new Map(rules.symbols.map((symbol) => [symbol.symbol, closureOf(symbol)])))
      onFigures(tickers)
    } catch {
      // The list shows the failure; the next attempt follows.
      isFailed = true
    }
    if (signal.aborted) return
    onFailed(isFailed)
    this.#cancelNext = schedule(REFRESH_MS, () => void this.#ask(signal))
  }
}

function closureOf({
  status,
  isSpotTradingAllowed,
}: {
  readonly status: string
  readonly isSpotTradingAllowed: boolean
}): Closure {
  if (status === 'HALTED' || status === 'CANCEL_ONLY') return status
  return isSpotTradingAllowed ? undefined : 'CLOSED'
}
