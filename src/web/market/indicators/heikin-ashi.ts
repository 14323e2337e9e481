/**
 * Heikin-Ashi candles: averages of ordinary candles. They are smoother, and their prices may never have been
 * traded.
 */
import type { Rule } from './indicator.ts'

type Body = { readonly open: number; readonly close: number }

/** The values are open, high, low, close. */
export const HEIKIN_ASHI: Rule<Body | undefined> = {
  initial: undefined,
  next: (before, columns, index) => {
    const [first = 0, high = 0, low = 0, last = 0] = [
      columns.open[index],
      columns.high[index],
      columns.low[index],
      columns.close[index],
    ]
    const close = (first + high + low + last) / 4
    const open = before === undefined ? (first + last) / 2 : (before.open + before.close) / 2
    return {
      state: { open, close },
      values: [open, Math.max(high, open, close), Math.min(low, open, close), close],
    }
  },
}
