/**
 * The candles of the chosen market: the interval, the newest candle or the one under the pointer in words,
 * whether the candles are live, and older ones when the user scrolls to them.
 */
import type { Candle } from '../../../../client/interface/answers.ts'
import type { MarketStream } from '../../../../client/stream/market-stream.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'
import { groupedText } from '../../../shared/grouped-text.ts'
import { onLanguage, shownLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import type { ChartAccount } from '../../../trade/account/chart-account.ts'
import { CandleWatch } from '../../connection/candle-watch.ts'
import type { CandleSource } from '../../connection/older-candles.ts'
import { FILLS_MAX, OwnFills } from '../../connection/own-fills.ts'
import type { ListedSymbol } from '../../connection/symbols.ts'
import { type CandleChange, type Interval, isMadeUp } from '../../state/candle-series.ts'
import { type FillMark, fillMarks } from '../../state/fill-marks.ts'
import type { MarketState } from '../../state/market-state.ts'
import { groupedDecimal } from '../../state/number-text.ts'
import { setText, withFrame } from '../dom.ts'
import { CandleChart } from './candle-chart.ts'
import { ChartTools } from './chart-tools.ts'
import type { ChartView, Condition } from './chart-view.ts'
import type { AlertWatch } from './drawings/alert-watch.ts'
import { button, element } from './elements.ts'
import { IntervalChoice } from './interval-choice.ts'
import { OrderMoves } from './order-moves.ts'
import type { Look } from './style-sheet.ts'

/** Interval at which the figures of a candle are updated. */
const FIGURES_EVERY_MS = 100

export type CandleViewOptions = {
  readonly panel: HTMLElement
  readonly stream: Pick<MarketStream, 'subscribe'>
  readonly candles: CandleSource
  readonly interval: Interval
  readonly onInterval: (interval: Interval) => void
  readonly storage: BrowserStorage
  readonly alerts: () => Promise<AlertWatch>
  readonly look: Look
  readonly onLook: (look: Look) => void
  readonly onCondition: (condition: Condition) => void
  readonly account: ChartAccount
}

export class CandleView implements ChartView {
  readonly controls = element('div', { className: 'chart-controls' })
  readonly #options: CandleViewOptions
  readonly #figures = element('p', { className: 'chart-figures', id: 'chart-figures' })
  readonly #body = element('div', { className: 'chart-body', id: 'chart-body' })
  readonly #older = element('p', { className: 'chart-older', id: 'chart-older' })
  readonly #newest = button(
    () => TEXTS.chart.newest,
    () => this.#showNewest(),
    'chart-newest',
  )
  readonly #write = withFrame(() => this.#writeFigures(), FIGURES_EVERY_MS)
  readonly #chart: CandleChart
  readonly #moves: OrderMoves
  readonly #tools: ChartTools
  #look: Look
  #interval: Interval
  #symbol: ListedSymbol | undefined
  #watch: CandleWatch | undefined
  #pointedAt: number | undefined
  #fills: OwnFills | undefined
  #marks: readonly FillMark[] = []
  #hasKey = false

  constructor(options: CandleViewOptions) {
    this.#options = options
    this.#interval = options.interval
    this.#look = options.look
    this.#body.tabIndex = 0
    this.#body.role = 'group'
    this.#older.role = 'status'
    this.#newest.hidden = true
    const room = element('div', { className: 'chart-room' })
    room.append(this.#body, this.#older, this.#newest)
    options.panel.append(this.#figures, room)
    this.#chart = new CandleChart({
      place: this.#body,
      candles: () => this.#watch?.series.candles ?? [],
      onPoint: (openTime) => {
        this.#pointedAt = openTime
        this.#write()
        this.#tools.point(openTime)
      },
      onMove: () => this.#moved(),
      onPaint: () => this.#tools.paint(),
    })
    const { storage, look, account, alerts } = options
    this.#tools = new ChartTools({
      ...{ chart: this.#chart, body: this.#body, storage, look, account, alerts },
      isMoving: () => this.#moves.isTaken,
      last: () => this.#moves.lastPrice,
      say: (text) => this.#moves.bar.say(text),
      onLook: (chosen) => this.#setLook(chosen),
    })
    options.panel.insertBefore(this.#tools.legend, room)
    const intervals = new IntervalChoice(options.interval, (interval) => {
      this.#interval = interval
      options.onInterval(interval)
      this.#follow()
    })
    this.controls.append(intervals.element, this.#tools.element)
    this.#chart.setStyle(look.style)
    this.#chart.setScale(look.scale)
    this.#moves = new OrderMoves({
      ...{ chart: this.#chart, body: this.#body, account },
      isOff: () => this.#tools.isPlacing,
    })
    options.panel.insertBefore(this.#moves.bar.element, room)
    room.append(this.#moves.bar.said)
    onLanguage(() => {
      this.#chart.setLanguage(shownLanguage())
      this.#writeLabel()
      this.#showOlder()
      this.#write()
    })
  }

  choose(symbol: ListedSymbol): void {
    const { account } = this.#options
    this.#symbol = symbol
    this.#hasKey = account.hasKey
    this.#fills?.close()
    this.#fills = new OwnFills({
      symbol: symbol.name,
      source: () => account.fillsOf,
      onFills: () => {
        this.#markFills()
        this.#showOlder()
      },
    })
    this.#fills.add(account.fills(symbol.name))
    if (this.#hasKey) void account.learnTickSize(symbol.name)
    this.#moves.choose(symbol)
    this.#tools.choose(symbol)
    this.#follow()
  }

  render(market: MarketState): void {
    if (market.symbol.name === this.#symbol?.name) this.#moves.see(market)
  }

  accountChanged(): void {
    const [{ account }, symbol] = [this.#options, this.#symbol]
    if (symbol === undefined) return
    if (account.hasKey !== this.#hasKey) {
      this.#hasKey = account.hasKey
      this.#fills?.forget()
      void account.learnTickSize(symbol.name)
    }
    this.#fills?.add(account.fills(symbol.name))
    this.#moves.accountChanged()
    this.#markFills()
    this.#moved()
  }

  #follow(): void {
    const symbol = this.#symbol
    if (symbol === undefined) return
    const { stream, candles, onCondition } = this.#options
    const interval = this.#interval
    this.#watch?.close()
    this.#pointedAt = undefined
    this.#chart.begin({ places: symbol.quoteFraction, interval })
    this.#tools.draw()
    setText(this.#figures, '')
    setText(this.#older, '')
    this.#writeLabel()
    onCondition({ isLive: false, text: () => TEXTS.chart.waiting })
    this.#watch = new CandleWatch({
      stream,
      symbol: symbol.name,
      interval,
      source: candles,
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
    if (change.kind === 'newest') {
      this.#chart.update(change.candles)
      this.#tools.update()
    } else {
      this.#chart.draw(series.candles)
      this.#tools.draw()
    }
    if (change.kind === 'whole') this.#chart.showNewest()
    this.#markFills()
    this.#moved()
    this.#write()
  }

  #setLook(look: Look): void {
    if (look.style !== this.#look.style) this.#chart.setStyle(look.style)
    this.#chart.setScale(look.scale)
    this.#look = look
    this.#options.onLook(look)
    this.#showOlder()
  }

  #markFills(): void {
    const { series } = this.#watch ?? {}
    const fills = this.#fills?.fills ?? []
    if (fills.length === 0 && this.#marks.length === 0) return
    this.#marks = series === undefined ? [] : fillMarks(fills, (time) => series.at(time))
    this.#chart.setMarks(
      this.#marks.map(({ openTime, side, count }) => ({ openTime, side, text: count > 1 ? `${count}` : '' })),
    )
    this.#write()
  }

  /** Requests own fills of the visible period; up to now if the newest candle is visible. */
  #wantFills(): void {
    const times = this.#chart.timesInSight
    const { newest } = this.#watch?.series ?? {}
    if (times === undefined || newest === undefined || !this.#options.account.hasKey) return
    const last = this.#watch?.series.at(times.to)
    const isNewest = last === undefined || last[0] >= newest[0]
    this.#fills?.want({ from: times.from, to: isNewest ? undefined : last[6] })
  }

  /** Called when the visible range, or an end of the series, changes. */
  #moved(): void {
    const { isAway } = this.#chart
    if (!isAway && document.activeElement === this.#newest) this.#body.focus()
    // Even writing an unchanged value makes the browser compute styles.
    if (this.#newest.hidden === isAway) this.#newest.hidden = !isAway
    this.#showOlder()
    this.#wantFills()
    if (this.#chart.isNearOldest) this.#watch?.older.want()
  }

  #showNewest(): void {
    this.#chart.showNewest()
  }

  /**
   * Shows why no older candles are visible when the user scrolls to them, or that own fills are incomplete.
   */
  #showOlder(): void {
    const state = this.#watch?.older.state ?? 'idle'
    const isSaid = state !== 'idle' && this.#chart.isNearOldest
    const cut = this.#fills?.isCut === true ? TEXTS.moves.cut(FILLS_MAX) : ''
    const first = this.#watch?.series.at(this.#chart.timesInSight?.from ?? 0)
    const besides = first !== undefined && isMadeUp(first) ? TEXTS.chart.madeUp : cut
    const averaged = this.#look.style === 'heikin-ashi' ? [TEXTS.chartTools.averaged] : []
    setText(
      this.#older,
      [...averaged, isSaid ? TEXTS.chart.older[state] : besides].filter(Boolean).join('\n'),
    )
  }

  #writeLabel(): void {
    if (this.#symbol !== undefined)
      this.#body.ariaLabel = TEXTS.chart.candles(this.#symbol.name, this.#interval)
  }

  #writeFigures(): void {
    const { series } = this.#watch ?? {}
    const pointed = this.#pointedAt === undefined ? undefined : series?.at(this.#pointedAt)
    const candle = pointed ?? series?.newest
    if (candle === undefined || this.#symbol === undefined) setText(this.#figures, '')
    else setText(this.#figures, figuresText(candle, this.#symbol) + this.#fillsText(candle))
  }

  /** The text about own fills in a candle. */
  #fillsText([openTime]: Candle): string {
    const own = this.#marks.filter((mark) => mark.openTime === openTime)
    if (own.length === 0) return ''
    const sum = (side: FillMark['side']) => own.find((mark) => mark.side === side)?.quantity ?? '0'
    return `  ${TEXTS.moves.marks(groupedText(sum('BUY')), groupedText(sum('SELL')))}`
  }
}

function figuresText(candle: Candle, symbol: ListedSymbol): string {
  const [, open, high, low, close, volume] = candle
  const [o, h, l, c] = [open, high, low, close].map((text) => groupedDecimal(text, symbol.quoteFraction))
  const text = TEXTS.chart.figures(
    ...([o ?? '', h ?? '', l ?? '', c ?? ''] as const),
    `${groupedText(volume)} ${symbol.baseCode}`,
  )
  return isMadeUp(candle) ? `${text}  ${TEXTS.chart.madeUpCandle}` : text
}
