import { expect, test } from 'bun:test'
import { roundTicks } from './round-ticks.ts'

test('the numbers of an axis are round, evenly apart, within it, and as many as fit', () => {
  expect(roundTicks(99_137, 100_873, 5)).toEqual([99_500, 100_000, 100_500])
  expect(roundTicks(0, 10, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(roundTicks(5_990_000, 6_010_000, 4)).toEqual([5_990_000, 5_995_000, 6_000_000, 6_005_000, 6_010_000])
  expect(roundTicks(-15, 15, 4)).toEqual([-10, 0, 10])
})

test('an axis of nothing has no numbers, and never more than its length of whole ones', () => {
  expect([roundTicks(5, 5, 3), roundTicks(5, 9, 0), roundTicks(Number.NaN, 9, 3)]).toEqual([[], [], []])
  expect(roundTicks(7, 9, 1_000)).toEqual([7, 8, 9])
})
