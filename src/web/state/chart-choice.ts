/** What is kept of the chart between visits: interval and view. Nothing else depends on it. */
import { browserEntry, type Entry, membersOf } from '../common/browser-entry.ts'
import type { BrowserStorage } from '../common/browser-storage.ts'
import { INTERVALS, type Interval } from './candle-series.ts'

export const CHART_VIEWS = ['candles', 'depth'] as const

export type ChartViewName = (typeof CHART_VIEWS)[number]

export type ChartChoice = { readonly interval: Interval; readonly view: ChartViewName }

export const USUAL_CHOICE: ChartChoice = { interval: '1m', view: 'candles' }

export function chartEntry(storage: BrowserStorage): Entry<ChartChoice> {
  return browserEntry(storage, 'bourse-chart', (kept) => {
    const { interval, view } = membersOf(kept)
    return {
      interval: INTERVALS.find((known) => known === interval) ?? USUAL_CHOICE.interval,
      view: CHART_VIEWS.find((known) => known === view) ?? USUAL_CHOICE.view,
    }
  })
}
