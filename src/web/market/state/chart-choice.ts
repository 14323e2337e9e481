/** The stored settings of the chart: interval, view, style and scale. Nothing else depends on them. */
import { browserEntry, type Entry, membersOf } from '../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../shared/browser-storage.ts'
import { INTERVALS, type Interval } from './candle-series.ts'

export const CHART_VIEWS = ['candles', 'depth'] as const

export type ChartViewName = (typeof CHART_VIEWS)[number]

export const CHART_STYLES = ['candles', 'bars', 'line', 'heikin-ashi'] as const

export type ChartStyle = (typeof CHART_STYLES)[number]

/** The scale of prices: `percent` shows the distance from the first visible one. */
export const CHART_SCALES = ['linear', 'log', 'percent'] as const

export type ChartScale = (typeof CHART_SCALES)[number]

export type ChartChoice = {
  readonly interval: Interval
  readonly view: ChartViewName
  readonly style: ChartStyle
  readonly scale: ChartScale
}

export const USUAL_CHOICE: ChartChoice = {
  interval: '1m',
  view: 'candles',
  style: 'candles',
  scale: 'linear',
}

export function chartEntry(storage: BrowserStorage): Entry<ChartChoice> {
  return browserEntry(storage, 'bourse-chart', (kept) => {
    const { interval, view, style, scale } = membersOf(kept)
    return {
      interval: INTERVALS.find((known) => known === interval) ?? USUAL_CHOICE.interval,
      view: CHART_VIEWS.find((known) => known === view) ?? USUAL_CHOICE.view,
      style: CHART_STYLES.find((known) => known === style) ?? USUAL_CHOICE.style,
      scale: CHART_SCALES.find((known) => known === scale) ?? USUAL_CHOICE.scale,
    }
  })
}
