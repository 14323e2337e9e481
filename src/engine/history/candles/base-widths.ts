/**
 * The widths of stored candles, and the widths derived from them: a stored candle exists only for a window
 * with trades. Every interval is a few windows of its base width, so both reading and storing cost little.
 */
import type { CandleInterval } from '../../../units/candle-intervals.ts'

/** Narrowest first; each window is part of one window of the next width. */
export const CANDLE_WIDTHS = ['1s', '1m', '15m', '2h', '1d'] as const satisfies readonly CandleInterval[]

export type CandleWidth = (typeof CANDLE_WIDTHS)[number]

export const NARROWEST: CandleWidth = CANDLE_WIDTHS[0]

export const NARROWEST_MS = 1_000

type Base = {
  readonly width: CandleWidth
  /** Number of windows of the base width in the interval's largest window. */
  readonly windows: number
}

export const BASE_OF: Readonly<Record<CandleInterval, Base>> = {
  '1s': { width: '1s', windows: 1 },
  '1m': { width: '1m', windows: 1 },
  '3m': { width: '1m', windows: 3 },
  '5m': { width: '1m', windows: 5 },
  '15m': { width: '15m', windows: 1 },
  '30m': { width: '15m', windows: 2 },
  '1h': { width: '15m', windows: 4 },
  '2h': { width: '2h', windows: 1 },
  '4h': { width: '2h', windows: 2 },
  '6h': { width: '2h', windows: 3 },
  '8h': { width: '2h', windows: 4 },
  '12h': { width: '2h', windows: 6 },
  '1d': { width: '1d', windows: 1 },
  '3d': { width: '1d', windows: 3 },
  '1w': { width: '1d', windows: 7 },
  '1M': { width: '1d', windows: 31 },
}
