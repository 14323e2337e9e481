/**
 * The panel of the chart. Its views are loaded when it is first visible or if there is a price alert, and
 * then follow the displayed market.
 */
import type { MarketStream } from '../../../client/stream/market-stream.ts'
import { browserStorage } from '../../shared/browser-storage.ts'
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import type { ChartAccount } from '../../trade/account/chart-account.ts'
import type { CandleSource } from '../connection/older-candles.ts'
import type { ListedSymbol } from '../connection/symbols.ts'
import type { MarketState } from '../state/market-state.ts'
import { ALERTS_ENTRY, isKept } from '../state/part-entries.ts'
import type { Charts } from './chart/charts.ts'
import { byId, setText } from './dom.ts'

export type ChartPanelOptions = {
  readonly stream: Pick<MarketStream, 'subscribe'>
  readonly candles: CandleSource
  readonly account: () => Promise<ChartAccount>
  /** Requests a drawing in one of the next frames of the browser. */
  readonly onChange: () => void
}

export class ChartPanel {
  readonly #options: ChartPanelOptions
  #symbol: ListedSymbol | undefined
  #charts: Charts | undefined
  #isAskedFor = false
  #hasFailed = false

  constructor(options: ChartPanelOptions) {
    this.#options = options
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      sight.disconnect()
      void this.#load()
    })
    sight.observe(byId('chart-place', HTMLElement))
    onLanguage(() => this.#write())
  }

  choose(symbol: ListedSymbol): void {
    this.#symbol = symbol
    this.#charts?.choose(symbol)
    // A layout may hide the chart; its price alerts are watched nevertheless.
    if (isKept(browserStorage(window), ALERTS_ENTRY)) void this.#load()
  }

  /** Must be called in a frame of the browser. */
  render(market: MarketState, isLive: boolean): void {
    this.#charts?.render(market, isLive)
  }

  async #load(): Promise<void> {
    if (this.#isAskedFor) return
    this.#isAskedFor = true
    try {
      const { stream, candles, account, onChange } = this.#options
      const [{ Charts }, own] = await Promise.all([import('./chart/charts.ts'), account()])
      this.#charts = new Charts({ stream, candles, account: own, onChange })
    } catch {
      this.#hasFailed = true
      this.#write()
      return
    }
    if (this.#symbol !== undefined) this.#charts.choose(this.#symbol)
  }

  /** Shows the connection's state until the charts are loaded, which then show it themselves. */
  #write(): void {
    if (this.#charts !== undefined) return
    const { failed, loading } = TEXTS.chart
    setText(byId('chart-state', HTMLElement), this.#hasFailed ? failed : loading)
  }
}
