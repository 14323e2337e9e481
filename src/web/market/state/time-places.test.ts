import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { placeOf, timeOf } from './time-places.ts'

const times = [1_000, 2_000, 5_000, 7_000]

test('a time is at its candle, between two of them, or as far beyond as the last two are apart', () => {
  expect([1_000, 2_000, 3_500, 7_000, 11_000, -1_000].map((time) => placeOf(times, time))).toEqual([
    0, 1, 1.5, 3, 5, -1,
  ])
  expect(placeOf([], 5)).toBeUndefined()
  expect(timeOf([], 5)).toBeUndefined()
  expect(placeOf([60_000], 0)).toBe(-1)
})

test('the position of a time converts back to that time', () => {
  const anyTimes = fc.uniqueArray(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(anyTimes, fc.integer({ min: -1_000_000, max: 2_000_000 }), (found, time) => {
      const sorted = found.toSorted((one, other) => one - other)
      const place = placeOf(sorted, time)
      expect(timeOf(sorted, place ?? Number.NaN)).toBeCloseTo(time, 3)
    }),
  )
})
