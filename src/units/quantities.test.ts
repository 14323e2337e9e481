import { expect, test } from 'bun:test'
import { InvariantError } from './invariant.ts'
import { DECIMALS_MAX, decimals, lots, price, RATE_ONE, rate, seq, timeMs, UNITS_MAX } from './quantities.ts'

/** Each maker of a number with the largest it takes. */
const MAKERS = [
  [price, UNITS_MAX],
  [lots, UNITS_MAX],
  [timeMs, UNITS_MAX],
  [seq, UNITS_MAX],
  [rate, RATE_ONE - 1],
  [decimals, DECIMALS_MAX],
] as const

test('every number keeps to its bounds; anything outside is a bug', () => {
  for (const [make, max] of MAKERS) {
    for (const value of [0, 1, max]) expect(make(value) as number).toBe(value)
    for (const value of [-1, max + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => make(value), `${make.name}(${value})`).toThrow(InvariantError)
    }
  }
})
