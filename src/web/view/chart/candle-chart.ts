/**
 * Candles and volume on a canvas, by `lightweight-charts`. What is drawn are floating-point numbers, for the eye only: figures in words are written from
 * the exact texts.
 */

import {
  type AutoscaleInfo,
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '../../../client/interface/answers.ts'
import type { Side } from '../../../client/interface/words.ts'
import { groupedText } from '../../common/grouped-text.ts'
import type { Interval } from '../../state/candle-series.ts'
import { isMadeUp } from '../../state/candle-series.ts'
import { type ChartColors, onColorsChanged, readColors } from './chart-colors.ts'
import { EdgeTags } from './edge-tags.ts'
import { atReadersSize } from './text-size.ts'

/** Of the height, what the volume takes below the candles. */
const VOLUME_PART = 0.2
/** Of what is in sight, how much an arrow key moves it. */
const STEP_PART = 0.1
const ZOOM = 1.25
/** So many candles before the oldest one comes into sight, older ones are wanted. */
const NEAR_OLDEST = 30
/** Candles of a single price have this part of it above and below. */
const FLAT_ROOM = 0.005
const DAY_OR_LONGER = /[dwM]$/

export type CandleChartOptions = {
  readonly place: HTMLElement
  /** The opening time, in milliseconds, of the candle that is pointed at; undefined where none is. */
  readonly onPoint: (openTime: number | undefined) => void
  /** What is in sight has changed. */
  readonly onMove: () => void
}

/** A line across the chart. Of two with the same id the later one is drawn. */
export type ChartLine = {
  readonly id: string
  readonly price: number
  readonly title: string
  readonly color: 'up' | 'down' | 'warn'
  /** Not there yet: where an order would be. */
  readonly isGhost: boolean
}

/** An arrow at a candle: below it upwards, or above it downwards. */
export type ChartMark = {
  /** Milliseconds. */
  readonly openTime: number
  readonly side: Side
  readonly text: string
}

/** How a series is drawn. */
export type SeriesForm = { readonly places: number; readonly interval: Interval }

export class CandleChart {
  readonly #chart: IChartApi
  readonly #candles: ISeriesApi<'Candlestick'>
  readonly #volume: ISeriesApi<'Histogram'>
  readonly #markers: ISeriesMarkersPluginApi<Time>
  readonly #lines = new Map<string, { readonly line: ChartLine; readonly drawn: IPriceLine }>()
  #marks: readonly ChartMark[] = []
  readonly #tags: EdgeTags
  #colors = readColors()
  #size = 0
  #places = 0

  constructor({ place, onPoint, onMove }: CandleChartOptions) {
    this.#chart = createChart(place, { autoSize: true, ...optionsOf(this.#colors) })
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      autoscaleInfoProvider: (base: () => AutoscaleInfo | null) => withHeight(base()),
    })
    this.#tags = new EdgeTags(
      (price) => groupedText(price.toFixed(this.#places)),
      () => this.#colors.panel,
    )
    this.#candles.attachPrimitive(this.#tags)
    this.#markers = createSeriesMarkers(this.#candles, [])
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 1 - VOLUME_PART, bottom: 0 } })
    this.#candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: VOLUME_PART + 0.05 } })
    this.#paint()
    this.#chart.subscribeCrosshairMove(({ time }) =>
      onPoint(typeof time === 'number' ? time * 1_000 : undefined),
    )
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(onMove)
    onColorsChanged(() => this.#paint())
    place.addEventListener('keydown', (event) => this.#press(event))
  }

  /** Another series, of which nothing has come yet. */
  begin({ places, interval }: SeriesForm): void {
    this.#places = places
    this.#candles.applyOptions({
      priceFormat: {
        type: 'custom',
        minMove: 10 ** -places,
        formatter: (price: number) => groupedText(price.toFixed(places)),
      },
    })
    this.#chart.timeScale().applyOptions({
      timeVisible: !DAY_OR_LONGER.test(interval),
      secondsVisible: interval === '1s',
    })
    this.draw([])
  }

  /** All candles, oldest first. What is in sight is counted from the newest one on, and stays. */
  draw(candles: readonly Candle[]): void {
    this.#size = candles.length
    this.#candles.setData(candles.map((candle) => barOf(candle, this.#colors)))
    this.#volume.setData(candles.map((candle) => volumeOf(candle, this.#colors)))
  }

  /** Candles that are new or others, oldest first; none is older than the newest that was there. */
  update(candles: readonly Candle[], size: number): void {
    this.#size = size
    for (const candle of candles) {
      this.#candles.update(barOf(candle, this.#colors))
      this.#volume.update(volumeOf(candle, this.#colors))
    }
  }

  /** The newest candle is out of sight to the right. */
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

  /** Of the names of months. */
  setLanguage(locale: string): void {
    this.#chart.applyOptions({ localization: { locale } })
  }

  /** The times of the first and the last candle in sight, in milliseconds. */
  get timesInSight(): { readonly from: number; readonly to: number } | undefined {
    const range = this.#chart.timeScale().getVisibleRange()
    if (range === null) return undefined
    return { from: Number(range.from) * 1_000, to: Number(range.to) * 1_000 }
  }

  /** How far candles reach to the right; beyond stand the prices. */
  get width(): number {
    return this.#chart.timeScale().width()
  }

  priceAt(y: number): number | undefined {
    return this.#candles.coordinateToPrice(y) ?? undefined
  }

  heightOf(price: number): number | undefined {
    return this.#candles.priceToCoordinate(price) ?? undefined
  }

  /** In place of all that were there before. */
  setLines(lines: readonly ChartLine[]): void {
    const wanted = new Map(lines.map((line) => [line.id, line]))
    for (const [id, { drawn }] of this.#lines) {
      if (wanted.has(id)) continue
      this.#candles.removePriceLine(drawn)
      this.#lines.delete(id)
    }
    for (const line of wanted.values()) {
      const known = this.#lines.get(line.id)
      if (known === undefined) {
        const drawn = this.#candles.createPriceLine(this.#lineOptions(line))
        this.#lines.set(line.id, { line, drawn })
      } else if (!isSameLine(known.line, line)) {
        known.drawn.applyOptions(this.#lineOptions(line))
        this.#lines.set(line.id, { ...known, line })
      }
    }
    this.#tagLines()
  }

  /** In the order of their candles. */
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

  #tagLines(): void {
    const orders = [...this.#lines.values()].filter(({ line: { isGhost } }) => !isGhost)
    this.#tags.set(orders.map(({ line: { price, color } }) => ({ price, color: this.#colors[color] })))
  }

  #lineOptions({ price, title, color, isGhost }: ChartLine) {
    return {
      price,
      title,
      color: this.#colors[color],
      lineWidth: 1,
      lineStyle: isGhost ? LineStyle.LargeDashed : LineStyle.Solid,
      axisLabelVisible: true,
    } as const
  }

  #paint(): void {
    this.#colors = readColors()
    const { up, down, faint } = this.#colors
    this.#chart.applyOptions(optionsOf(this.#colors))
    this.#candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down })
    this.#volume.setData(this.#volume.data().map((bar) => ({ ...bar, color: faint })))
    for (const { line, drawn } of this.#lines.values()) drawn.applyOptions(this.#lineOptions(line))
    this.#tagLines()
    this.setMarks(this.#marks)
  }

  #press(event: KeyboardEvent): void {
    const scale = this.#chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    if (range === null) return
    const width = range.to - range.from
    const by = { ArrowLeft: -width * STEP_PART, ArrowRight: width * STEP_PART }[event.key]
    const wider = { '+': width / ZOOM, '-': width * ZOOM }[event.key]
    if (by !== undefined) scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by })
    else if (wider !== undefined) scale.setVisibleLogicalRange({ from: range.to - wider, to: range.to })
    else if (event.key === 'Home') scale.setVisibleLogicalRange({ from: 0, to: width })
    else if (event.key === 'End') this.showNewest()
    else return
    event.preventDefault()
  }
}

function optionsOf({ soft, line, panel }: ChartColors) {
  return {
    layout: {
      // The logo is markup, which the page's policy forbids: the notice beside the chart stands for it.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: panel },
      textColor: soft,
      fontSize: atReadersSize(11),
    },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line },
    localization: { dateFormat: 'yyyy-MM-dd' },
  }
}

/** The scale is that of the candles alone. */
function withHeight(info: AutoscaleInfo | null): AutoscaleInfo | null {
  if (info?.priceRange == null) return info
  const { minValue, maxValue } = info.priceRange
  const room = maxValue > minValue ? 0 : maxValue * FLAT_ROOM
  return { ...info, priceRange: { minValue: minValue - room, maxValue: maxValue + room } }
}

function isSameLine(one: ChartLine, other: ChartLine): boolean {
  const { price, title, color, isGhost } = one
  return price === other.price && title === other.title && color === other.color && isGhost === other.isGhost
}

function timeOf([openTime]: Candle): UTCTimestamp {
  return (openTime / 1_000) as UTCTimestamp
}

function barOf(candle: Candle, colors: ChartColors) {
  const [, open, high, low, close] = candle.map(Number) as [number, number, number, number, number]
  const bar = { time: timeOf(candle), open, high, low, close }
  if (!isMadeUp(candle)) return bar
  const color = close < open ? colors['down-fill'] : colors['up-fill']
  return { ...bar, color, wickColor: color }
}

function volumeOf(candle: Candle, { faint: color }: ChartColors) {
  return { time: timeOf(candle), value: Number(candle[5]), color }
}
