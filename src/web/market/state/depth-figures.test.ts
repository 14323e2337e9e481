import { describe, expect, test } from 'bun:test'
import { depthCurve } from './depth-curve.ts'
import { depthFigures, neighbour, pointedDepth } from './depth-figures.ts'

const level = (ticks: number, lots: bigint) => ({ ticks, lots })
const BIDS = [level(9_999, 1n), level(9_900, 2n), level(9_899, 4n)]
const ASKS = [level(10_001, 8n), level(10_100, 16n), level(10_101, 32n)]

describe('the figures of a depth', () => {
  test('have the best prices and the exact sums within one percent of the middle', () => {
    expect(depthFigures(BIDS, ASKS)).toEqual({ bid: 9_999, ask: 10_001, near: { bids: 3n, asks: 24n } })
    // The middle is 10,000.5: one percent below it is 9,900.495.
    const odd = depthFigures([level(10_000, 1n), level(9_901, 2n), level(9_900, 4n)], ASKS)
    expect(odd.near.bids).toBe(3n)
    expect(depthFigures(BIDS, [])).toEqual({ bid: 9_999, ask: undefined, near: { bids: 0n, asks: 0n } })
  })

  test('at a price are the sums of its side, and none between the best ones', () => {
    const [bids, asks] = [depthCurve(BIDS, 'bids', 0), depthCurve(ASKS, 'asks', 20_000)]
    expect(pointedDepth(bids, asks, 9_950)).toMatchObject({
      ticks: 9_950,
      side: 'bids',
      sums: { lots: 1n, cost: 9_999n },
    })
    expect(pointedDepth(bids, asks, 10_100).sums.lots).toBe(24n)
    expect(pointedDepth(bids, asks, 10_000)).toEqual({
      ticks: 10_000,
      side: undefined,
      sums: { lots: 0n, cost: 0n },
    })
  })

  test('are stepped through price by price, from the best one on', () => {
    const [bids, asks] = [depthCurve(BIDS, 'bids', 0), depthCurve(ASKS, 'asks', 20_000)]
    expect(neighbour(bids, asks, undefined, -1)).toBe(9_999)
    expect(neighbour(bids, asks, 9_999, 1)).toBe(10_001)
    expect(neighbour(bids, asks, 10_000, -1)).toBe(9_999)
    expect(neighbour(bids, asks, 9_899, -1)).toBeUndefined()
  })
})
