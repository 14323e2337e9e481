import { expect, test } from 'bun:test'
import { barLength, largestSum } from './depth-bar.ts'
import { depthRows } from './depth-rows.ts'

test('bars of both sides are in proportion to the sum up to each level, and the largest sum fills its row', () => {
  const level = (ticks: number, lots: bigint) => ({ ticks, lots, price: `${ticks}`, quantity: `${lots}` })
  const sell = depthRows([level(101, 100n), level(102, 150n), level(103, 500n)])
  const buy = depthRows([level(100, 300n), level(99, 15n), level(98, 60n)])
  const largest = largestSum(sell, buy)
  expect(largest).toBe(750n)
  expect(sell.map(({ cumulative }) => barLength(cumulative, largest))).toEqual(['13.3%', '33.3%', '100%'])
  expect(buy.map(({ cumulative }) => barLength(cumulative, largest))).toEqual(['40%', '42%', '50%'])
  expect(largestSum(buy, sell)).toBe(750n)
})

test('an empty side leaves the other one its own largest sum, and sums beyond 2^53 are as exact as any', () => {
  const huge = 2n ** 80n
  const side = [{ cumulative: huge }, { cumulative: 3n * huge }]
  expect(largestSum([], side)).toBe(3n * huge)
  expect(largestSum(side, [])).toBe(3n * huge)
  expect(largestSum([], [])).toBe(0n)
  expect(barLength(huge, 3n * huge)).toBe('33.3%')
})
