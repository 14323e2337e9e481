import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { TRAILING_DELTA_MAX, TRAILING_DELTA_MIN } from './limits.ts'
import { type Price, UNITS_MAX } from './quantities.ts'
import { isTrailingDelta, type TrailingDelta, trailingTrigger } from './trailing-delta.ts'

const at = (ticks: number) => ticks as Price
const by = (delta: number) => delta as TrailingDelta

test('a SELL is triggered below the highest price and a BUY above the lowest, after no less than the distance', () => {
  expect(trailingTrigger('SELL', at(10_000), by(100))).toBe(9_900)
  expect(trailingTrigger('BUY', at(10_000), by(100))).toBe(10_100)
  expect(trailingTrigger('SELL', at(10_001), by(100))).toBe(9_900)
  expect(trailingTrigger('BUY', at(10_001), by(100))).toBe(10_102)
  expect(trailingTrigger('SELL', at(1), by(10))).toBe(0)
  expect(trailingTrigger('BUY', at(1), by(10))).toBe(2)
})

test('the trigger price is exact for every price, and above all prices where it is beyond them', () => {
  const price = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: UNITS_MAX }))
  fc.assert(
    fc.property(price, fc.integer({ min: TRAILING_DELTA_MIN, max: TRAILING_DELTA_MAX }), (best, delta) => {
      const sell = (BigInt(best) * (10_000n - BigInt(delta))) / 10_000n
      expect(BigInt(trailingTrigger('SELL', at(best), by(delta)))).toBe(sell)
      const buy = (BigInt(best) * (10_000n + BigInt(delta)) + 9_999n) / 10_000n
      const found = trailingTrigger('BUY', at(best), by(delta))
      if (buy <= UNITS_MAX) expect(BigInt(found)).toBe(buy)
      else expect(found).toBeGreaterThan(UNITS_MAX)
    }),
    { numRuns: 2_000 },
  )
})

test('a distance is a whole number of basis points from 10 to 2,000', () => {
  expect([10, 11, 2_000].every(isTrailingDelta)).toBe(true)
  expect([0, 9, 10.5, 2_001, Number.NaN, -10].some(isTrailingDelta)).toBe(false)
})
