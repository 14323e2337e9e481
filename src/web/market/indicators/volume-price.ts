/** The average price of what was traded since the day began, in UTC: what it cost over how much it was, exactly as the candles have both. */
import type { Rule } from './indicator.ts'

const DAY_MS = 86_400_000

type Traded = { readonly day: number; readonly base: number; readonly quote: number }

/** NaN: nothing was traded yet that day. */
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
