import { expect, test } from 'bun:test'
import { chartLines, hasGap } from './chart-lines.ts'

const BOX = { width: 100, height: 12 }
const point = (seconds: number, value: number | undefined) => ({ atMs: seconds * 1_000, value })

test('a line goes from the oldest to the newest sample by time, from zero to the greatest value', () => {
  expect(chartLines([point(0, 0), point(10, 5), point(20, 10)], 10, BOX)).toEqual([
    '0.0,11.0 50.0,6.0 100.0,1.0',
  ])
  expect(chartLines([point(0, 0), point(10, 0)], 0, BOX)).toEqual(['0.0,11.0 100.0,11.0'])
  expect(chartLines([], 0, BOX)).toEqual([])
})

test('a line has gaps where samples are missing, and where there was nothing to measure', () => {
  const missing = [point(0, 1), point(10, 1), point(50, 1), point(60, 1), point(100, 1)]
  expect(chartLines(missing, 1, BOX)).toEqual(['0.0,1.0 10.0,1.0', '60.0,1.0 60.0,1.0'])
  expect(hasGap(missing)).toBe(true)
  const unmeasured = [point(0, 1), point(10, undefined), point(20, 1)]
  expect(chartLines(unmeasured, 1, BOX)).toEqual(['0.0,1.0 0.0,1.0', '100.0,1.0 100.0,1.0'])
  expect(hasGap(unmeasured)).toBe(false)
})
