/** The candles of the chosen market: interval, what the newest or the pointed candle says in words, whether they are live, and older ones as they are looked for. */
import type { Candle } from '../../../client/interface/answers.ts'
import type { MarketStream } from '../../../client/stream/market-stream.ts'
import { CandleWatch } from '../../connection/candle-watch.ts'
import type { ListedSymbol } from '../../connection/symbols.ts'
import type { CandleChange, Interval } from '../../state/candle-series.ts'
import { groupedDecimal } from '../../state/number-text.ts'
import { onLanguage, shownLanguage, TEXTS } from '../../texts/texts.ts'
import type { ChartAccount } from '../../trade/chart/chart-account.ts'
import { setText } from '../dom.ts'
import { CandleChart } from './candle-chart.ts'
import type { ChartView, Condition } from './chart-view.ts'
import { button, element } from './elements.ts'
import { IntervalChoice } from './interval-choice.ts'

export type CandleViewOptions = {
  readonly panel: HTMLElement
  readonly stream: Pick<MarketStream, 'subscribe'>
  readonly interval: Interval
  readonly onInterval: (interval: Interval) => void
  readonly onCondition: (condition: Condition) => void
  readonly account: ChartAccount
}

export class CandleView implements ChartView {
  readonly controls: HTMLElement
  readonly #options: CandleViewOptions
  readonly #figures = element('p', { className: 'chart-figures', id: 'chart-figures' })
  readonly #body = element('div', { className: 'chart-body', id: 'chart-body' })
  readonly #older = element('p', { className: 'chart-older', id: 'chart-older' })
  readonly #newest = button(
    () => TEXTS.chart.newest,
    () => this.#showNewest(),
    'chart-newest',
  )
  readonly #chart: CandleChart
  #interval: Interval
  #symbol: ListedSymbol | undefined
  #watch: CandleWatch | undefined
  #pointedAt: number | undefined

  constructor(options: CandleViewOptions) {
    this.#options = options
    this.#interval = options.interval
    this.controls = new IntervalChoice(options.interval, (interval) => {
      this.#interval = interval
      options.onInterval(interval)
      this.#follow()
    }).element
    this.#body.tabIndex = 0
    this.#body.role = 'group'
    this.#older.role = 'status'
    this.#newest.hidden = true
    const room = element('div', { className: 'chart-room' })
    room.append(this.#body, this.#older, this.#newest)
    options.panel.append(this.#figures, room)
    this.#chart = new CandleChart({
      place: this.#body,
      onPoint: (openTime) => {
        this.#pointedAt = openTime
        this.#write()
      },
      onMove: () => this.#moved(),
    })
    onLanguage(() => {
      this.#chart.setLanguage(shownLanguage())
      this.#writeLabel()
      this.#showOlder()
      this.#write()
    })
  }

  choose(symbol: ListedSymbol): void {
    this.#symbol = symbol
    this.#follow()
  }

  render(): void {}

  accountChanged(): void {
    this.#moved()
  }

  #follow(): void {
    const symbol = this.#symbol
    if (symbol === undefined) return
    const { stream, account, onCondition } = this.#options
    const interval = this.#interval
    this.#watch?.close()
    this.#pointedAt = undefined
    this.#chart.begin({ places: symbol.quoteFraction, interval })
    setText(this.#figures, '')
    setText(this.#older, '')
    this.#writeLabel()
    onCondition({ isLive: false, text: () => TEXTS.chart.waiting })
    this.#watch = new CandleWatch({
      stream,
      symbol: symbol.name,
      interval,
      source: () => account.candles,
      onChange: (change) => this.#draw(change),
      onState: (state) => {
        if (state === 'live') onCondition({ isLive: true, text: () => TEXTS.chart.live(interval) })
        else if (state === 'stale') onCondition({ isLive: false, text: () => TEXTS.chart.stale })
        else onCondition({ isLive: false, text: () => TEXTS.chart.none })
      },
      onOlder: () => this.#moved(),
    })
  }

  #draw(change: CandleChange): void {
    const { series } = this.#watch ?? {}
    if (series === undefined) return
    if (change.kind === 'newest') this.#chart.update(change.candles, series.size)
    else this.#chart.draw(series.candles)
    if (change.kind === 'whole') this.#chart.showNewest()
    this.#moved()
    this.#write()
  }

  /** What is in sight is another part of the series, or its ends are others. */
  #moved(): void {
    const { isAway } = this.#chart
    if (!isAway && document.activeElement === this.#newest) this.#body.focus()
    this.#newest.hidden = !isAway
    this.#showOlder()
    if (this.#chart.isNearOldest) this.#watch?.older.want()
  }

  #showNewest(): void {
    this.#chart.showNewest()
  }

  /** Why nothing older is to be seen, where it is looked for. */
  #showOlder(): void {
    const state = this.#watch?.older.state ?? 'idle'
    const isSaid = state !== 'idle' && this.#chart.isNearOldest
    setText(this.#older, isSaid ? TEXTS.chart.older[state] : '')
  }

  #writeLabel(): void {
    if (this.#symbol !== undefined)
      this.#body.ariaLabel = TEXTS.chart.candles(this.#symbol.name, this.#interval)
  }

  #write(): void {
    const { series } = this.#watch ?? {}
    const pointed = this.#pointedAt === undefined ? undefined : series?.at(this.#pointedAt)
    const candle = pointed ?? series?.newest
    const text = candle === undefined || this.#symbol === undefined ? '' : figuresText(candle, this.#symbol)
    setText(this.#figures, text)
  }
}

function figuresText([, open, high, low, close, volume]: Candle, symbol: ListedSymbol): string {
  const [o, h, l, c] = [open, high, low, close].map((text) => groupedDecimal(text, symbol.quoteFraction))
  return TEXTS.chart.figures(o ?? '', h ?? '', l ?? '', c ?? '', `${volume} ${symbol.baseCode}`)
}
