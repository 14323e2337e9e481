/**
 * The intervals of candles and their windows: consecutive spans of time without a gap, all in UTC. Intervals
 * of up to 3d are counted from 1970-01-01, weeks begin on Mondays, months on their first day
 * (docs/reference/candles.md#intervals).
 */
import type { TimeMs } from './quantities.ts'

export const CANDLE_INTERVALS = [
  '1s',
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const

export type CandleInterval = (typeof CANDLE_INTERVALS)[number]

const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The length of an interval's windows in milliseconds, if all are equally long. */
const WIDTH_MS: Readonly<Record<Exclude<CandleInterval, '1M'>, number>> = {
  '1s': SECOND_MS,
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
  '3d': 3 * DAY_MS,
  '1w': 7 * DAY_MS,
}

/** 1970-01-01 was a Thursday: its week began three days before. */
const WEEKS_BEGAN_MS = -3 * DAY_MS

const MONTHS_A_YEAR = 12
const EPOCH_YEAR = 1970

/**
 * The number of the window that contains `time`, up to the year 275760. The window of 1970-01-01T00:00:00Z
 * has number 0.
 */
export function windowOf(interval: CandleInterval, time: TimeMs): number {
  if (interval === '1M') {
    const date = new Date(time)
    return (date.getUTCFullYear() - EPOCH_YEAR) * MONTHS_A_YEAR + date.getUTCMonth()
  }
  return Math.floor((time - originOf(interval)) / WIDTH_MS[interval])
}

/** The start of a window. */
export function startOfWindow(interval: CandleInterval, window: number): TimeMs {
  if (interval === '1M') return Date.UTC(EPOCH_YEAR, window) as TimeMs
  return (originOf(interval) + window * WIDTH_MS[interval]) as TimeMs
}

/** The start of the window that contains `time`. */
export function windowStart(interval: CandleInterval, time: TimeMs): TimeMs {
  return startOfWindow(interval, windowOf(interval, time))
}

function originOf(interval: CandleInterval): number {
  return interval === '1w' ? WEEKS_BEGAN_MS : 0
}
