import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { BookLevel } from '../../../client/stream/book-side.ts'
import { type Decimals, UNITS_MAX } from '../../../units/quantities.ts'
import { groupLevels, groupSteps, levelsForGroups, stepText } from './book-groups.ts'

const level = (ticks: number, lots: bigint): BookLevel => ({ ticks, lots, price: '', quantity: '' })

describe('levels in groups', () => {
  test('bids go to the step below them, asks to the step above them', () => {
    const bids = [level(1009, 1n), level(1005, 2n), level(1004, 4n), level(999, 8n)]
    expect(groupLevels(bids, 'bids', 5, 10)).toEqual([
      { ticks: 1005, lots: 3n },
      { ticks: 1000, lots: 4n },
      { ticks: 995, lots: 8n },
    ])
    const asks = [level(1010, 1n), level(1011, 2n), level(1015, 4n), level(1016, 8n)]
    expect(groupLevels(asks, 'asks', 5, 10)).toEqual([
      { ticks: 1010, lots: 1n },
      { ticks: 1015, lots: 6n },
      { ticks: 1020, lots: 8n },
    ])
  })

  test('a bid below one step goes to zero, an ask at the highest price to that price', () => {
    expect(groupLevels([level(3, 1n)], 'bids', 10, 5)).toEqual([{ ticks: 0, lots: 1n }])
    expect(groupLevels([level(UNITS_MAX, 7n)], 'asks', 10_000, 5)).toEqual([{ ticks: UNITS_MAX, lots: 7n }])
  })

  test('a step of one tick leaves each level as it is', () => {
    const levels = [level(7, 1n), level(6, 2n)]
    expect(groupLevels(levels, 'bids', 1, 10)).toEqual([
      { ticks: 7, lots: 1n },
      { ticks: 6, lots: 2n },
    ])
  })

  test('of any book keep every lot, cross nothing, and are the first groups of the whole book when only as many levels as they need are read', () => {
    const prices = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(
        prices,
        fc.constantFrom(1, 2, 5, 10, 20),
        fc.integer({ min: 1, max: 6 }),
        (ticks, step, count) => {
          const sorted = ticks.toSorted((a, b) => a - b)
          const middle = Math.floor(sorted.length / 2)
          const bids = sorted
            .slice(0, middle)
            .reverse()
            .map((at) => level(at, BigInt(at) + 1n))
          const asks = sorted.slice(middle).map((at) => level(at, BigInt(at) + 1n))
          const sum = (levels: readonly { readonly lots: bigint }[]) =>
            levels.reduce((total, { lots }) => total + lots, 0n)
          for (const [side, levels] of [
            ['bids', bids],
            ['asks', asks],
          ] as const) {
            const whole = groupLevels(levels, side, step, 1_000)
            expect(sum(whole)).toBe(sum(levels))
            const read = levels.slice(0, levelsForGroups(count, step))
            expect(groupLevels(read, side, step, count)).toEqual(whole.slice(0, count))
          }
          const [bid, ask] = [groupLevels(bids, 'bids', step, 1)[0], groupLevels(asks, 'asks', step, 1)[0]]
          if (bid !== undefined && ask !== undefined) expect(bid.ticks < ask.ticks).toBe(true)
        },
      ),
    )
  })
})

describe('steps', () => {
  test('are 1, 2, 5, 10 and so on, none coarser than requested, and always one tick', () => {
    expect(groupSteps(60)).toEqual([1, 2, 5, 10, 20, 50])
    expect(groupSteps(0)).toEqual([1])
    expect(groupSteps(Number.MAX_SAFE_INTEGER)).toHaveLength(22)
    expect(groupSteps(Number.MAX_SAFE_INTEGER).at(-1)).toBe(10_000_000)
  })

  test('are written as prices', () => {
    expect(stepText(5, 2 as Decimals)).toBe('0.05')
    expect(stepText(200, 2 as Decimals)).toBe('2.00')
    expect(stepText(10, 0 as Decimals)).toBe('10')
  })
})
