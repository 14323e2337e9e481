/** The panel of the chart: interval, what the newest or the pointed candle says in words, whether it is live, and the notice of who made the chart. */
import type { Candle } from '../../client/interface/answers.ts'
import type { MarketStream } from '../../client/stream/market-stream.ts'
import { CandleWatch } from '../connection/candle-watch.ts'
import type { ListedSymbol } from '../connection/symbols.ts'
import { type CandleChange, INTERVALS, type Interval } from '../state/candle-series.ts'
import { groupedDecimal } from '../state/number-text.ts'
import type { CandleChart } from './candle-chart.ts'
import { byId, setData, setText } from './dom.ts'

const MAKER = 'https://www.tradingview.com/'

export class ChartPanel {
  readonly #panel = byId('chart', HTMLElement)
  readonly #body = byId('chart-body', HTMLElement)
  readonly #figures = byId('chart-figures', HTMLElement)
  readonly #state = byId('chart-state', HTMLElement)
  readonly #buttons: ReadonlyMap<Interval, HTMLButtonElement>
  readonly #stream: Pick<MarketStream, 'subscribe'>
  #interval: Interval = '1m'
  #symbol: ListedSymbol | undefined
  #chart: CandleChart | undefined
  #watch: CandleWatch | undefined
  #pointedAt: number | undefined

  constructor(stream: Pick<MarketStream, 'subscribe'>) {
    this.#stream = stream
    this.#buttons = new Map(INTERVALS.map((interval) => [interval, this.#makeButton(interval)]))
    byId('intervals', HTMLElement).append(...this.#buttons.values())
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      sight.disconnect()
      void this.#load()
    })
    sight.observe(this.#body)
  }

  choose(symbol: ListedSymbol): void {
    this.#symbol = symbol
    this.#follow()
  }

  #makeButton(interval: Interval): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.ariaPressed = String(interval === this.#interval)
    setText(button, interval)
    button.addEventListener('click', () => {
      this.#interval = interval
      for (const [each, other] of this.#buttons) other.ariaPressed = String(each === interval)
      this.#follow()
    })
    return button
  }

  async #load(): Promise<void> {
    try {
      const { CandleChart } = await import('./candle-chart.ts')
      this.#chart = new CandleChart(this.#body, (openTime) => {
        this.#pointedAt = openTime
        this.#write()
      })
    } catch {
      setText(this.#state, 'The chart cannot be loaded. Load the page again.')
      return
    }
    this.#body.tabIndex = 0
    this.#body.role = 'group'
    byId('chart-notice', HTMLElement).append(notice())
    this.#follow()
  }

  /** Follows what is chosen, where there is a chart to draw it. */
  #follow(): void {
    const symbol = this.#symbol
    if (symbol === undefined || this.#chart === undefined) return
    this.#watch?.close()
    this.#pointedAt = undefined
    this.#chart.replace([], symbol.quoteFraction)
    setText(this.#figures, '')
    this.#body.ariaLabel = `Candles of ${symbol.name}, ${this.#interval}: arrow keys move, + and - zoom, End shows the newest`
    this.#show('stale', 'Waiting for the candles')
    this.#watch = new CandleWatch({
      stream: this.#stream,
      symbol: symbol.name,
      interval: this.#interval,
      onChange: (change) => this.#draw(change, symbol),
      onState: (state) => {
        if (state === 'live') this.#show('live', `Live, ${this.#interval}, times in UTC`)
        else if (state === 'stale') this.#show('stale', 'Connection lost: these candles may be out of date')
        else this.#show('stale', 'The exchange has no candles of this market')
      },
    })
  }

  #draw(change: CandleChange, symbol: ListedSymbol): void {
    if (change.kind === 'newest') this.#chart?.update(change.candles)
    else this.#chart?.replace(this.#watch?.series.candles ?? [], symbol.quoteFraction)
    this.#write()
  }

  #write(): void {
    const { series } = this.#watch ?? {}
    const pointed = series?.candles.find(([openTime]) => openTime === this.#pointedAt)
    const candle = pointed ?? series?.newest
    const text = candle === undefined || this.#symbol === undefined ? '' : figuresText(candle, this.#symbol)
    setText(this.#figures, text)
  }

  #show(state: 'live' | 'stale', text: string): void {
    setData(this.#panel, 'state', state)
    setText(this.#state, text)
  }
}

function figuresText([, open, high, low, close, volume]: Candle, symbol: ListedSymbol): string {
  const [o, h, l, c] = [open, high, low, close].map((text) => groupedDecimal(text, symbol.quoteFraction))
  return `O ${o}  H ${h}  L ${l}  C ${c}  Vol ${volume} ${symbol.baseCode}`
}

function notice(): HTMLElement {
  const link = document.createElement('a')
  link.href = MAKER
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  setText(link, 'TradingView Lightweight Charts™')
  const element = document.createElement('span')
  element.append(link, ' Copyright © 2026 TradingView, Inc.')
  return element
}
