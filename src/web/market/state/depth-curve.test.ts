import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { depthAt, depthCurve, fittingZoom } from './depth-curve.ts'

const level = (ticks: number, lots: bigint) => ({ ticks, lots })
const ANY_LEVELS = fc
  .uniqueArray(
    fc.record({ ticks: fc.integer({ min: 1, max: 2 ** 53 - 1 }), lots: fc.bigInt(1n, 2n ** 80n) }),
    {
      selector: ({ ticks }) => ticks,
      maxLength: 40,
    },
  )
  .map((levels) => levels.toSorted((one, other) => one.ticks - other.ticks))

describe('the depth of a book', () => {
  test('sums the quantity at a price and every better one, and its cost', () => {
    const bids = depthCurve([level(100, 2n), level(99, 3n), level(95, 5n)], 'bids', 95)
    expect(bids).toEqual([
      { ticks: 100, lots: 2n, cost: 200n },
      { ticks: 99, lots: 5n, cost: 497n },
      { ticks: 95, lots: 10n, cost: 972n },
    ])
    expect(depthAt(bids, 'bids', 98)).toEqual({ ticks: 99, lots: 5n, cost: 497n })
    expect(depthAt(bids, 'bids', 99)?.lots).toBe(5n)
    expect(depthAt(bids, 'bids', 101)).toBeUndefined()
    const asks = depthCurve([level(101, 1n), level(103, 1n), level(110, 9n)], 'asks', 105)
    expect(asks.map(({ ticks }) => ticks)).toEqual([101, 103])
    expect([depthAt(asks, 'asks', 100), depthAt(asks, 'asks', 200)?.lots]).toEqual([undefined, 2n])
  })

  test('is exact at every price, however large prices and quantities are', () => {
    fc.assert(
      fc.property(ANY_LEVELS, fc.constantFrom('bids', 'asks'), fc.nat(50), (levels, side, pick) => {
        const best = side === 'asks' ? levels : levels.toReversed()
        const curve = depthCurve(best, side, side === 'asks' ? Number.POSITIVE_INFINITY : 0)
        const price = best[pick % Math.max(best.length, 1)]?.ticks ?? 1
        const better = levels.filter(({ ticks }) => (side === 'asks' ? ticks <= price : ticks >= price))
        const lots = better.reduce((sum, one) => sum + one.lots, 0n)
        const cost = better.reduce((sum, one) => sum + BigInt(one.ticks) * one.lots, 0n)
        const at = depthAt(curve, side, price)
        expect([at?.lots ?? 0n, at?.cost ?? 0n]).toEqual([lots, cost])
      }),
    )
  })

  test('is first shown so that both sides are in view, or the best levels of a long one', () => {
    expect(fittingZoom([level(1000, 1n)], [level(2000, 1n)])).toBe(0.5)
    expect(fittingZoom([level(99_990, 1n)], [level(100_010, 1n)])).toBe(0.0005)
    const long = Array.from({ length: 500 }, (_, index) => level(100_000 + index * 10, 1n))
    expect(fittingZoom([level(99_990, 1n)], long)).toBe(0.01)
    expect(fittingZoom([], [])).toBeUndefined()
    expect(fittingZoom([level(7, 1n)], [])).toBe(0.0005)
  })
})
