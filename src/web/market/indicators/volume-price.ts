/**
 * The volume-weighted average price since the beginning of the day, in UTC: the traded value divided by the
 * traded quantity, both exactly as in the candles.
 */
import type { Rule } from './indicator.ts'

const DAY_MS = 86_400_000

type Traded = { readonly day: number; readonly base: number; readonly quote: number }

/** NaN if nothing has been traded on that day yet. */
export function vwap(): Rule<Traded> {
  return {
    initial: { day: Number.NaN, base: 0, quote: 0 },
    next: (before, { time, volume, quoteVolume }, index) => {
      const day = Math.floor((time[index] ?? 0) / DAY_MS)
      const { base, quote } = day === before.day ? before : { base: 0, quote: 0 }
      const state = { day, base: base + (volume[index] ?? 0), quote: quote + (quoteVolume[index] ?? 0) }
      return { state, values: [state.base > 0 ? state.quote / state.base : Number.NaN] }
    },
  }
}
