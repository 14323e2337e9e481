/**
 * The chosen indicators on the chart: over the candles, or in a pane below them. They follow the drawn
 * candles.
 */
import type { ISeriesApi, UTCTimestamp } from 'lightweight-charts'
import { Run, type Values } from '../../../indicators/indicator.ts'
import { type Chosen, hasPane, type Kind, ruleOf } from '../../../indicators/kinds.ts'
import type { CandleChart } from '../candle-chart.ts'
import { shownColor } from '../chart-colors.ts'
import { OverlayLines } from './overlay-lines.ts'

/** Each contrasts with both backgrounds, and with its neighbors. */
const PALETTE = [
  'light-dark(#b35c00, #f5a742)',
  'light-dark(#1f5fd0, #6aa5ff)',
  'light-dark(#8a2fb8, #cd8bf2)',
  'light-dark(#00727d, #43c8d4)',
  'light-dark(#a3275f, #f08ab8)',
  'light-dark(#5c6a00, #c3d04a)',
  'light-dark(#54463a, #cbb6a3)',
  'light-dark(#2b4a8f, #a9bdf0)',
] as const

const DAY_SECONDS = 86_400
const RSI_LEVELS = [30, 70] as const

type PaneSeries = { readonly series: ISeriesApi<'Line'> | ISeriesApi<'Histogram'>; readonly column: number }

type Shown = {
  readonly chosen: Chosen
  readonly run: Run
  readonly color: string
  readonly panes: readonly PaneSeries[]
}

/** The displayed values of an indicator. */
export type Figures = { readonly chosen: Chosen; readonly color: string; readonly values: Values }

export class IndicatorLayer {
  readonly #chart: CandleChart
  readonly #overlay = new OverlayLines()
  #shown: readonly Shown[] = []
  #places = 0

  constructor(chart: CandleChart) {
    this.#chart = chart
    chart.attach(this.#overlay)
  }

  /** Replaces the displayed indicators. */
  set(chosen: readonly Chosen[], places: number): void {
    this.#places = places
    for (const { panes } of this.#shown) for (const { series } of panes) this.#chart.remove(series)
    let pane = 0
    this.#shown = chosen.map((one, index) => {
      const color = shownColor(PALETTE[index % PALETTE.length] ?? PALETTE[0])
      if (hasPane(one.kind)) pane++
      const panes = hasPane(one.kind) ? this.#panesOf(one.kind, color, pane) : []
      return { chosen: one, run: new Run(ruleOf(one)), color, panes }
    })
    this.draw()
  }

  /** Called when all candles have changed. */
  draw(): void {
    for (const { run, panes } of this.#shown) {
      run.set(this.#chart.columns)
      for (const pane of panes)
        pane.series.setData(run.values.map((_, index) => this.#pointOf(run, pane, index)))
    }
    this.#drawOverlay()
  }

  /** Called when the last candle has changed, or new ones have been added. */
  update(): void {
    for (const { run, panes } of this.#shown) {
      const first = Math.max(0, run.values.length - 1)
      run.update(this.#chart.columns)
      for (const pane of panes)
        for (let index = first; index < run.values.length; index++)
          pane.series.update(this.#pointOf(run, pane, index))
    }
    this.#drawOverlay()
  }

  /** `openTime`: undefined for the newest candle. */
  figuresAt(openTime: number | undefined): readonly Figures[] {
    const { time } = this.#chart.columns
    const found = openTime === undefined ? -1 : time.lastIndexOf(openTime)
    const index = found === -1 ? time.length - 1 : found
    return this.#shown.map(({ chosen, run, color }) => ({ chosen, color, values: run.values[index] ?? [] }))
  }

  #drawOverlay(): void {
    const lines = this.#shown
      .filter(({ chosen: { kind } }) => !hasPane(kind))
      .flatMap(({ chosen: { kind }, run, color }) =>
        (kind === 'BOLL' ? [0, 1, 2] : [0]).map((column) => ({
          color,
          isFaint: column > 0,
          valueAt: (index: number) => run.values[index]?.[column] ?? Number.NaN,
        })),
      )
    this.#overlay.set(lines, this.#chart.columns.time.length)
  }

  #panesOf(kind: Kind, color: string, pane: number): readonly PaneSeries[] {
    const { soft, line } = this.#chart.colors
    if (kind === 'RSI') {
      const series = this.#chart.addLine(pane)
      series.applyOptions({
        color,
        priceFormat: { type: 'price', precision: 1, minMove: 0.1 },
        autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }),
      })
      for (const price of RSI_LEVELS)
        series.createPriceLine({ price, color: line, lineWidth: 1, axisLabelVisible: false })
      return [{ series, column: 0 }]
    }
    const priceFormat = { type: 'price', precision: this.#places, minMove: 10 ** -this.#places } as const
    const bars = this.#chart.addBars(pane)
    const [distance, signal] = [this.#chart.addLine(pane), this.#chart.addLine(pane)]
    bars.applyOptions({ priceFormat })
    distance.applyOptions({ color, priceFormat })
    signal.applyOptions({ color: soft, priceFormat, lastValueVisible: false })
    return [
      { series: bars, column: 2 },
      { series: distance, column: 0 },
      { series: signal, column: 1 },
    ]
  }

  #pointOf({ values }: Run, { series, column }: PaneSeries, index: number) {
    const time = ((this.#chart.columns.time[index] ?? index * DAY_SECONDS) / 1_000) as UTCTimestamp
    const value = values[index]?.[column] ?? Number.NaN
    if (Number.isNaN(value)) return { time }
    if (series.seriesType() !== 'Histogram') return { time, value }
    const { 'up-pale': up, 'down-pale': down } = this.#chart.colors
    return { time, value, color: value < 0 ? down : up }
  }
}
