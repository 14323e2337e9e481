import { expect, test } from 'bun:test'
import { barPercent, barsOutline, largestSum } from './depth-bar.ts'
import { depthRows } from './depth-rows.ts'

test('bars of both sides are in proportion to the sum up to each level, and the largest sum fills its row', () => {
  const level = (ticks: number, lots: bigint) => ({ ticks, lots, price: `${ticks}`, quantity: `${lots}` })
  const sell = depthRows([level(101, 100n), level(102, 150n), level(103, 500n)])
  const buy = depthRows([level(100, 300n), level(99, 15n), level(98, 60n)])
  const largest = largestSum(sell, buy)
  expect(largest).toBe(750n)
  expect(sell.map(({ cumulative }) => barPercent(cumulative, largest))).toEqual([13.3, 33.3, 100])
  expect(buy.map(({ cumulative }) => barPercent(cumulative, largest))).toEqual([40, 42, 50])
  expect(largestSum(buy, sell)).toBe(750n)
})

test('an empty side leaves the other one its own largest sum, and sums beyond 2^53 are exact', () => {
  const huge = 2n ** 80n
  const side = [{ cumulative: huge }, { cumulative: 3n * huge }]
  expect(largestSum([], side)).toBe(3n * huge)
  expect(largestSum(side, [])).toBe(3n * huge)
  expect(largestSum([], [])).toBe(0n)
  expect(barPercent(huge, 3n * huge)).toBe(33.3)
})

test('the outline of bars follows each row from the right edge, as far to the left as its bar is long, and leaves a line between two', () => {
  expect(barsOutline([100, 25], 21)).toBe(
    'polygon(100% 0px,0% 0px,0% 20px,100% 20px,100% 21px,75% 21px,75% 41px,100% 41px)',
  )
})
