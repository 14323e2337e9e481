/** Indicators drawn below the candles, on their own scale: RSI and MACD. */
import type { Rule } from './indicator.ts'
import { type Average, averaged, NO_AVERAGE, shareOf } from './moving-averages.ts'

type Strength = { readonly gains: Average; readonly losses: Average }

/**
 * Wilder's relative strength index, 0 to 100: the gains of closes as a share of all their moves, each
 * averaged over `length` with a share of 1/length.
 */
export function rsi(length: number): Rule<Strength> {
  return {
    initial: { gains: NO_AVERAGE, losses: NO_AVERAGE },
    next: (before, { close }, index) => {
      if (index === 0) return { state: before, values: [Number.NaN] }
      const change = (close[index] ?? Number.NaN) - (close[index - 1] ?? Number.NaN)
      const gains = averaged(before.gains, Math.max(change, 0), length, 1 / length)
      const losses = averaged(before.losses, Math.max(-change, 0), length, 1 / length)
      const moved = gains.value + losses.value
      // Without any move the strength is neutral.
      return { state: { gains, losses }, values: [moved === 0 ? 50 : (100 * gains.value) / moved] }
    },
  }
}

type Divergence = { readonly fast: Average; readonly slow: Average; readonly signal: Average }

/**
 * The difference of two exponential averages, its own exponential average, and the difference of these two.
 * Order: MACD, signal, histogram.
 */
export function macd(fast: number, slow: number, signal: number): Rule<Divergence> {
  return {
    initial: { fast: NO_AVERAGE, slow: NO_AVERAGE, signal: NO_AVERAGE },
    next: (before, { close }, index) => {
      const price = close[index] ?? Number.NaN
      const next = {
        fast: averaged(before.fast, price, fast, shareOf(fast)),
        slow: averaged(before.slow, price, slow, shareOf(slow)),
      }
      const line = next.fast.value - next.slow.value
      const average = Number.isNaN(line)
        ? before.signal
        : averaged(before.signal, line, signal, shareOf(signal))
      return { state: { ...next, signal: average }, values: [line, average.value, line - average.value] }
    },
  }
}
