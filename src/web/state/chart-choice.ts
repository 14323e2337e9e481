/** What is kept of the chart between visits: interval and view. Nothing else depends on it. */
import { INTERVALS, type Interval } from './candle-series.ts'

export const CHART_VIEWS = ['candles', 'depth'] as const

export type ChartViewName = (typeof CHART_VIEWS)[number]

export type ChartChoice = { readonly interval: Interval; readonly view: ChartViewName }

export const USUAL_CHOICE: ChartChoice = { interval: '1m', view: 'candles' }

const ENTRY = 'bourse-chart'

/** `storage`: may throw, as `localStorage` does where a browser keeps nothing. */
export function readChoice(storage: () => Pick<Storage, 'getItem'>): ChartChoice {
  try {
    const kept: unknown = JSON.parse(storage().getItem(ENTRY) ?? '{}')
    const { interval, view } = (kept ?? {}) as { readonly interval?: unknown; readonly view?: unknown }
    return {
      interval: INTERVALS.find((known) => known === interval) ?? USUAL_CHOICE.interval,
      view: CHART_VIEWS.find((known) => known === view) ?? USUAL_CHOICE.view,
    }
  } catch {
    return USUAL_CHOICE
  }
}

export function writeChoice(storage: () => Pick<Storage, 'setItem'>, choice: ChartChoice): void {
  try {
    storage().setItem(ENTRY, JSON.stringify(choice))
  } catch {
    // A browser that keeps nothing: the choice holds as long as the page.
  }
}
