/**
 * The candles of the chart in the chosen style, and their volume. A candle series always exists: it
 * determines the scale, and lines, marks and drawings belong to it. For another style it is drawn without
 * colors, with a second series over it.
 */
import {
  type AutoscaleInfo,
  BarSeries,
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '../../../../client/interface/answers.ts'
import { groupedText } from '../../../shared/grouped-text.ts'
import { CandleColumns } from '../../indicators/columns.ts'
import { HEIKIN_ASHI } from '../../indicators/heikin-ashi.ts'
import { Run } from '../../indicators/indicator.ts'
import { isMadeUp } from '../../state/candle-series.ts'
import type { ChartStyle } from '../../state/chart-choice.ts'
import type { ChartColors } from './chart-colors.ts'

/** The part of the height that the volume takes below the candles. */
const VOLUME_PART = 0.2
/** The margin above and below candles of a single price, as a fraction of it. */
const FLAT_ROOM = 0.005
const CLEAR = 'transparent'

/**
 * The series of another style. With Heikin-Ashi candles its last price is the only traded price that is
 * drawn.
 */
type Overlay = ISeriesApi<'Line'> | ISeriesApi<'Bar'>

type Ohlc = { readonly open: number; readonly high: number; readonly low: number; readonly close: number }

export class PriceSeries {
  readonly base: ISeriesApi<'Candlestick'>
  readonly columns = new CandleColumns()
  readonly #chart: IChartApi
  readonly #volume: ISeriesApi<'Histogram'>
  readonly #averaged = new Run(HEIKIN_ASHI)
  #overlay: Overlay | undefined
  #style: ChartStyle = 'candles'
  #colors: ChartColors
  #places = 0

  constructor(chart: IChartApi, colors: ChartColors) {
    this.#chart = chart
    this.#colors = colors
    this.base = chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      autoscaleInfoProvider: (base: () => AutoscaleInfo | null) => withHeight(base()),
    })
    this.#volume = chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 1 - VOLUME_PART, bottom: 0 } })
    this.base.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: VOLUME_PART + 0.05 } })
  }

  /** The caller must then redraw the existing parts with `draw`. */
  setColors(colors: ChartColors): void {
    this.#colors = colors
    this.#paint()
  }

  /** The caller must then redraw the existing parts with `draw`. */
  setStyle(style: ChartStyle): void {
    this.#style = style
    if (this.#overlay !== undefined) this.#chart.removeSeries(this.#overlay)
    this.#overlay = style === 'candles' ? undefined : this.#makeOverlay(style)
    this.#paint()
  }

  setPlaces(places: number): void {
    this.#places = places
    for (const series of [this.base, this.#overlay]) series?.applyOptions({ priceFormat: this.#format })
  }

  /** Draws all candles, oldest first. */
  draw(candles: readonly Candle[]): void {
    this.columns.set(candles)
    if (this.#style === 'heikin-ashi') this.#averaged.set(this.columns.columns)
    this.base.setData(candles.map((candle, index) => this.#baseOf(candle, index)))
    if (this.#overlay !== undefined)
      // The type of points depends on the style's series.
      (this.#overlay as ISeriesApi<'Line'>).setData(
        candles.map((candle, index) => this.#overOf(candle, index)),
      )
    this.#volume.setData(candles.map((candle, index) => this.#volumeOf(candle, index)))
  }

  /** New or changed candles, oldest first; none is older than the newest existing one. */
  update(candles: readonly Candle[]): void {
    this.columns.update(candles)
    if (this.#style === 'heikin-ashi') this.#averaged.update(this.columns.columns)
    const begin = this.columns.size - candles.length
    for (const [place, candle] of candles.entries()) {
      this.base.update(this.#baseOf(candle, begin + place))
      if (this.#overlay !== undefined)
        (this.#overlay as ISeriesApi<'Line'>).update(this.#overOf(candle, begin + place))
      this.#volume.update(this.#volumeOf(candle, begin + place))
    }
  }

  get #format() {
    return {
      type: 'custom' as const,
      minMove: 10 ** -this.#places,
      formatter: (price: number) => groupedText(price.toFixed(this.#places)),
    }
  }

  #makeOverlay(style: Exclude<ChartStyle, 'candles'>): Overlay {
    const common = { priceFormat: this.#format, autoscaleInfoProvider: () => null }
    if (style === 'bars') return this.#chart.addSeries(BarSeries, { ...common, thinBars: false })
    const isLine = style === 'line'
    return this.#chart.addSeries(LineSeries, {
      ...common,
      lineWidth: 2,
      lineVisible: isLine,
      crosshairMarkerVisible: isLine,
    })
  }

  #paint(): void {
    const { up, down, focus, soft } = this.#colors
    const isOwn = this.#style === 'candles'
    const [rise, fall] = this.#isClear ? [CLEAR, CLEAR] : [up, down]
    this.base.applyOptions({
      ...{ upColor: rise, downColor: fall, wickUpColor: rise, wickDownColor: fall },
      ...{ lastValueVisible: isOwn, priceLineVisible: isOwn },
    })
    if (this.#overlay === undefined) return
    if (this.#overlay.seriesType() === 'Bar')
      this.#overlay.applyOptions({ upColor: up, downColor: down } as object)
    else this.#overlay.applyOptions({ color: this.#style === 'line' ? focus : soft } as object)
  }

  /** Whether the candle series is invisible and serves only the other layers. */
  get #isClear(): boolean {
    return this.#style === 'line' || this.#style === 'bars'
  }

  #baseOf(candle: Candle, index: number) {
    const bar = this.#style === 'heikin-ashi' ? this.#averagedAt(index) : this.#ohlcAt(index)
    const drawn = { time: timeOf(candle), ...bar }
    if (!isMadeUp(candle) || this.#isClear) return drawn
    const color = this.#paleOf(bar)
    return { ...drawn, color, wickColor: color }
  }

  #overOf(candle: Candle, index: number) {
    const bar = this.#ohlcAt(index)
    const color = isMadeUp(candle) ? { color: this.#paleOf(bar) } : {}
    const time = timeOf(candle)
    if (this.#style === 'bars') return { time, value: bar.close, ...bar, ...color }
    // A line has only one color, so a text beside it identifies candles that a sandbox invented.
    return { time, value: bar.close }
  }

  #volumeOf(candle: Candle, index: number) {
    const value = this.columns.columns.volume[index] ?? 0
    return { time: timeOf(candle), value, color: this.#paleOf(this.#ohlcAt(index)) }
  }

  #paleOf({ open, close }: Ohlc): string {
    return close < open ? this.#colors['down-pale'] : this.#colors['up-pale']
  }

  #ohlcAt(index: number): Ohlc {
    const { open, high, low, close } = this.columns.columns
    return {
      ...{ open: open[index] ?? 0, high: high[index] ?? 0 },
      ...{ low: low[index] ?? 0, close: close[index] ?? 0 },
    }
  }

  #averagedAt(index: number): Ohlc {
    const [open = 0, high = 0, low = 0, close = 0] = this.#averaged.values[index] ?? []
    return { open, high, low, close }
  }
}

function timeOf([openTime]: Candle): UTCTimestamp {
  return (openTime / 1_000) as UTCTimestamp
}

/** The scale covers only the candles. */
function withHeight(info: AutoscaleInfo | null): AutoscaleInfo | null {
  if (info?.priceRange == null) return info
  const { minValue, maxValue } = info.priceRange
  const room = maxValue > minValue ? 0 : maxValue * FLAT_ROOM
  return { ...info, priceRange: { minValue: minValue - room, maxValue: maxValue + room } }
}
