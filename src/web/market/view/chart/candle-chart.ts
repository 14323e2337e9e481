/**
 * Candles and volume on a canvas, by `lightweight-charts`. Coordinates are floating-point numbers, only for
 * display: figures in words are written from the exact texts.
 */

import {
  ColorType,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type ISeriesPrimitive,
  LineSeries,
  type Logical,
  PriceScaleMode,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '../../../../client/interface/answers.ts'
import type { Side } from '../../../../client/interface/words.ts'
import type { Columns } from '../../indicators/columns.ts'
import type { Interval } from '../../state/candle-series.ts'
import type { ChartScale, ChartStyle } from '../../state/chart-choice.ts'
import { placeOf, timeOf } from '../../state/time-places.ts'
import { type ChartColors, onColorsChanged, readColors } from './chart-colors.ts'
import { type ChartLine, PriceLines } from './price-lines.ts'
import { PriceSeries } from './price-series.ts'
import { atReadersSize } from './text-size.ts'

/** The fraction of the visible range by which an arrow key moves the range. */
const STEP_PART = 0.1
const ZOOM = 1.25
/** Older candles are requested this many candles before the oldest one becomes visible. */
const NEAR_OLDEST = 30
const DAY_OR_LONGER = /[dwM]$/
/** The height of the candles relative to a pane below them. */
const PRICE_STRETCH = 2.5

const MODES: { readonly [S in ChartScale]: PriceScaleMode } = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
}

export type CandleChartOptions = {
  readonly place: HTMLElement
  /** All drawn candles, oldest first. */
  readonly candles: () => readonly Candle[]
  /** The opening time, in milliseconds, of the candle under the pointer; undefined if there is none. */
  readonly onPoint: (openTime: number | undefined) => void
  /** Called when the visible range changes. */
  readonly onMove: () => void
  /** Called when the colors or the style change: layers over the candles must be redrawn. */
  readonly onPaint: () => void
}

/** An arrow at a candle: upwards below it, or downwards above it. */
export type ChartMark = {
  /** Milliseconds. */
  readonly openTime: number
  readonly side: Side
  readonly text: string
}

/** The format of a series. */
export type SeriesForm = { readonly places: number; readonly interval: Interval }

export class CandleChart {
  readonly #options: CandleChartOptions
  readonly #chart: IChartApi
  readonly #series: PriceSeries
  readonly #markers: ISeriesMarkersPluginApi<Time>
  readonly #lines: PriceLines
  #marks: readonly ChartMark[] = []
  #colors = readColors()

  constructor(options: CandleChartOptions) {
    const { place, onPoint, onMove } = options
    this.#options = options
    this.#chart = createChart(place, { autoSize: true, ...optionsOf(this.#colors) })
    this.#series = new PriceSeries(this.#chart, this.#colors)
    this.#lines = new PriceLines(this.#series.base, this.#colors)
    this.#markers = createSeriesMarkers(this.#series.base, [])
    this.#paint()
    this.#chart.subscribeCrosshairMove(({ time }) =>
      onPoint(typeof time === 'number' ? time * 1_000 : undefined),
    )
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(onMove)
    onColorsChanged(() => {
      this.#paint()
      this.draw(options.candles())
      options.onPaint()
    })
    place.addEventListener('keydown', (event) => this.#press(event))
  }

  /** Begins another series without candles. */
  begin({ places, interval }: SeriesForm): void {
    this.#lines.places = places
    this.#series.setPlaces(places)
    this.#chart.timeScale().applyOptions({
      timeVisible: !DAY_OR_LONGER.test(interval),
      secondsVisible: interval === '1s',
    })
    this.draw([])
  }

  setStyle(style: ChartStyle): void {
    this.#series.setStyle(style)
    this.draw(this.#options.candles())
    this.#options.onPaint()
  }

  setScale(scale: ChartScale): void {
    this.#series.base.priceScale().applyOptions({ mode: MODES[scale] })
  }

  /** Draws all candles, oldest first. The visible range is kept relative to the newest one. */
  draw(candles: readonly Candle[]): void {
    this.#series.draw(candles)
  }

  /** New or changed candles, oldest first; none is older than the newest existing one. */
  update(candles: readonly Candle[]): void {
    this.#series.update(candles)
  }

  /** The drawn values, as numbers. */
  get columns(): Columns {
    return this.#series.columns.columns
  }

  get colors(): ChartColors {
    return this.#colors
  }

  /** Whether the newest candle is outside the visible range, to the right. */
  get isAway(): boolean {
    const range = this.#chart.timeScale().getVisibleLogicalRange()
    return range !== null && this.#size > 0 && range.to < this.#size - 1.5
  }

  get isNearOldest(): boolean {
    const range = this.#chart.timeScale().getVisibleLogicalRange()
    return range !== null && this.#size > 0 && range.from < NEAR_OLDEST
  }

  showNewest(): void {
    this.#chart.timeScale().resetTimeScale()
  }

  /** Sets the language of the names of months. */
  setLanguage(locale: string): void {
    this.#chart.applyOptions({ localization: { locale } })
  }

  /** The times of the first and the last visible candle, in milliseconds. */
  get timesInSight(): { readonly from: number; readonly to: number } | undefined {
    const range = this.#chart.timeScale().getVisibleRange()
    if (range === null) return undefined
    return { from: Number(range.from) * 1_000, to: Number(range.to) * 1_000 }
  }

  /** The right end of the candles; the prices are beyond it. */
  get width(): number {
    return this.#chart.timeScale().width()
  }

  /** The lower end of the candles; the panes of indicators, or the times, are below it. */
  get height(): number {
    return this.#chart.panes()[0]?.getHeight() ?? 0
  }

  priceAt(y: number): number | undefined {
    return this.#series.base.coordinateToPrice(y) ?? undefined
  }

  heightOf(price: number): number | undefined {
    return this.#series.base.priceToCoordinate(price) ?? undefined
  }

  /** The horizontal position of a time in milliseconds, also between two candles and beyond them. */
  xOf(time: number): number | undefined {
    const place = placeOf(this.columns.time, time)
    if (place === undefined) return undefined
    const [scale, whole] = [this.#chart.timeScale(), Math.floor(place)]
    const x = scale.logicalToCoordinate(whole as Logical)
    return x === null ? undefined : x + (place - whole) * scale.options().barSpacing
  }

  timeAt(x: number): number | undefined {
    const { times, scale } = { times: this.columns.time, scale: this.#chart.timeScale() }
    const nearest = scale.coordinateToLogical(x)
    const at = nearest === null ? null : scale.logicalToCoordinate(nearest)
    if (nearest === null || at === null) return undefined
    return timeOf(times, nearest + (x - at) / scale.options().barSpacing)
  }

  /** Replaces all lines. */
  setLines(lines: readonly ChartLine[]): void {
    this.#lines.set(lines)
  }

  /** Sets the marks, in the order of their candles. */
  setMarks(marks: readonly ChartMark[]): void {
    this.#marks = marks
    this.#markers.setMarkers(
      marks.map(({ openTime, side, text }) => ({
        time: (openTime / 1_000) as UTCTimestamp,
        position: side === 'BUY' ? 'belowBar' : 'aboveBar',
        shape: side === 'BUY' ? 'arrowUp' : 'arrowDown',
        color: side === 'BUY' ? this.#colors.up : this.#colors.down,
        text,
      })),
    )
  }

  /** Adds a layer that is drawn over the candles. */
  attach(primitive: ISeriesPrimitive<Time>): void {
    this.#series.base.attachPrimitive(primitive)
  }

  /** A line in a pane below the candles; the first of these panes is 1. */
  addLine(pane: number): ISeriesApi<'Line'> {
    const common = { priceLineVisible: false, crosshairMarkerVisible: false } as const
    const line = this.#chart.addSeries(LineSeries, { ...common, lineWidth: 1 }, pane)
    this.#chart.panes()[0]?.setStretchFactor(PRICE_STRETCH)
    return line
  }

  addBars(pane: number): ISeriesApi<'Histogram'> {
    const bars = { priceLineVisible: false, lastValueVisible: false } as const
    return this.#chart.addSeries(HistogramSeries, bars, pane)
  }

  /** A pane disappears with the last of its series. */
  remove(series: ISeriesApi<'Line'> | ISeriesApi<'Histogram'>): void {
    this.#chart.removeSeries(series)
  }

  get #size(): number {
    return this.#series.columns.size
  }

  #paint(): void {
    this.#colors = readColors()
    this.#chart.applyOptions(optionsOf(this.#colors))
    this.#series.setColors(this.#colors)
    this.#lines.setColors(this.#colors)
    this.setMarks(this.#marks)
  }

  #press(event: KeyboardEvent): void {
    const scale = this.#chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    if (range === null || event.defaultPrevented) return
    const width = range.to - range.from
    const by = { ArrowLeft: -width * STEP_PART, ArrowRight: width * STEP_PART }[event.key]
    const wider = { '+': width / ZOOM, '-': width * ZOOM }[event.key]
    const show = (from: number, to: number) => scale.setVisibleLogicalRange({ from, to })
    if (by !== undefined) show(range.from + by, range.to + by)
    else if (wider !== undefined) show(range.to - wider, range.to)
    else if (event.key === 'Home') show(0, width)
    else if (event.key === 'End') this.showNewest()
    else return
    event.preventDefault()
  }
}

function optionsOf({ soft, line, panel, faint }: ChartColors) {
  return {
    layout: {
      // The logo is markup, which the page's policy forbids: the notice beside the chart replaces it.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: panel },
      textColor: soft,
      fontSize: atReadersSize(11),
      panes: { separatorColor: line, separatorHoverColor: faint },
    },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line },
    localization: { dateFormat: 'yyyy-MM-dd' },
  }
}
