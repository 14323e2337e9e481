/**
 * Candles and volume on a canvas, by `lightweight-charts`. This file is loaded when the chart is first in sight, and nothing else imports it but for its
 * types. What is drawn are floating-point numbers, for the eye only: figures in words are written from the exact texts.
 */
import {
  CandlestickSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '../../client/interface/answers.ts'

/** Of the height, what the volume takes below the candles. */
const VOLUME_PART = 0.2
/** Of what is in sight, how much an arrow key moves it. */
const STEP_PART = 0.1
const ZOOM = 1.25

export class CandleChart {
  readonly #chart: IChartApi
  readonly #candles: ISeriesApi<'Candlestick'>
  readonly #volume: ISeriesApi<'Histogram'>
  #colors: Colors

  /** `onPoint`: the opening time, in milliseconds, of the candle that is pointed at; undefined where none is. */
  constructor(place: HTMLElement, onPoint: (openTime: number | undefined) => void) {
    this.#colors = readColors()
    this.#chart = createChart(place, { autoSize: true, ...optionsOf(this.#colors) })
    this.#candles = this.#chart.addSeries(CandlestickSeries, { borderVisible: false })
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
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => this.#paint())
    place.addEventListener('keydown', (event) => this.#press(event))
  }

  /** All candles, oldest first, of prices with so many decimals. */
  replace(candles: readonly Candle[], places: number): void {
    this.#candles.applyOptions({ priceFormat: { type: 'price', precision: places, minMove: 10 ** -places } })
    this.#candles.setData(candles.map(barOf))
    this.#volume.setData(candles.map((candle) => volumeOf(candle, this.#colors)))
    this.#chart.timeScale().resetTimeScale()
  }

  /** Candles that are new or others, oldest first; none is older than the newest that was there. */
  update(candles: readonly Candle[]): void {
    for (const candle of candles) {
      this.#candles.update(barOf(candle))
      this.#volume.update(volumeOf(candle, this.#colors))
    }
  }

  #paint(): void {
    this.#colors = readColors()
    const { up, down } = this.#colors
    this.#chart.applyOptions(optionsOf(this.#colors))
    this.#candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down })
    this.#volume.setData(this.#volume.data().map((bar) => ({ ...bar, color: this.#colors.volume })))
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
    else if (event.key === 'End') scale.scrollToRealTime()
    else return
    event.preventDefault()
  }
}

type Colors = ReturnType<typeof readColors>

function readColors() {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    up: color('up'),
    down: color('down'),
    volume: color('faint'),
    text: color('soft'),
    line: color('line'),
    panel: color('panel'),
  }
}

function optionsOf({ text, line, panel }: Colors) {
  return {
    layout: {
      // The logo is markup, which the page's policy forbids: the notice beside the chart stands for it.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: panel },
      textColor: text,
      fontSize: 11,
    },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line, timeVisible: true, secondsVisible: false },
  }
}

function timeOf([openTime]: Candle): UTCTimestamp {
  return (openTime / 1_000) as UTCTimestamp
}

function barOf(candle: Candle) {
  const [, open, high, low, close] = candle
  return {
    time: timeOf(candle),
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
  }
}

function volumeOf(candle: Candle, { volume: color }: Colors) {
  return { time: timeOf(candle), value: Number(candle[5]), color }
}
