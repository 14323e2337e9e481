/** The texts of the chart. */
import type { OlderState } from '../../connection/older-candles.ts'

const OLDER: { readonly [State in Exclude<OlderState, 'idle'>]: string } = {
  loading: 'Loading older candles …',
  keyless: 'Older candles need a key',
  end: 'This is where the market begins',
  full: 'No more candles are kept',
  failed: 'Older candles did not come: trying again',
}

export const CHART_TEXTS = {
  views: { candles: 'Candles', depth: 'Depth' },
  viewsOf: 'Chart',
  intervals: 'Interval',
  moreIntervals: 'Other intervals',
  more: 'More',
  newest: 'Newest',
  older: OLDER,
  candles: (symbol: string, interval: string) =>
    `Candles of ${symbol}, ${interval}: arrow keys move, + and - zoom, Home shows the oldest, End the newest`,
  waiting: 'Waiting for the candles',
  live: (interval: string) => `Live, ${interval}, times in UTC`,
  stale: 'Connection lost: these candles may be out of date',
  none: 'The exchange has no candles of this market',
} as const
