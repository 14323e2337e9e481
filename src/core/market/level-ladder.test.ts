import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Price, price } from '../../units/quantities.ts'
import { LevelLadder } from './level-ladder.ts'
import { type LevelId, LevelPool, NO_LEVEL } from './level-pool.ts'

/** Pages so far apart that in the list of recent pages each replaces the one before. */
const APART = 1024 * 256
const PAGES = 1_000

/** A price in the given page, where no other page's price is. */
function priceOf(page: number): Price {
  return price((page + 1) * APART + ((page * 71) % 1024))
}

test('levels are found whichever pages were read before, while pages are added, removed and reused', () => {
  for (const side of ['BUY', 'SELL'] as const) {
    const ladder = new LevelLadder(side, new LevelPool(1))
    const levelByPrice = new Map<Price, LevelId>()
    const mustAgree = () => {
      for (let page = 0; page < PAGES; page++) {
        expect(ladder.find(priceOf(page))).toBe(levelByPrice.get(priceOf(page)) ?? NO_LEVEL)
      }
      const best = [...levelByPrice.keys()].sort((one, other) => (side === 'BUY' ? other - one : one - other))
      expect([...ladder.fromBest()]).toEqual(best.map((at) => levelByPrice.get(at) as LevelId))
      expect(ladder.count).toBe(best.length)
    }
    for (let round = 0; round < 3; round++) {
      for (let page = 0; page < PAGES; page++) {
        const at = priceOf(page)
        if (levelByPrice.has(at)) {
          expect(ladder.take(at)).toBe(levelByPrice.get(at) as LevelId)
          continue
        }
        levelByPrice.set(at, ladder.take(at))
      }
      mustAgree()
      for (let page = round; page < PAGES; page += 3 - round) {
        ladder.release(levelByPrice.get(priceOf(page)) as LevelId)
        levelByPrice.delete(priceOf(page))
      }
      mustAgree()
    }
  }
})

test('a page that is removed and added again at once is in its place, beside the one that took its memory', () => {
  const ladder = new LevelLadder('BUY', new LevelPool(1))
  const [low, high] = [priceOf(0), priceOf(1)]
  ladder.release(ladder.take(low))
  const [lowLevel, highLevel] = [ladder.take(low), ladder.take(high)]
  expect([...ladder.fromBest()]).toEqual([highLevel, lowLevel])
  expect(ladder.best).toBe(highLevel)
})

test('levels of neighboring prices, rows and pages are added and removed in order, and the best one is known', () => {
  // 0 to 31 are neighbors in one row, 32 to 1023 in one page.
  const arbitraryPrice = fc.oneof(
    fc.integer({ min: 990, max: 1060 }),
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  )
  const rule = fc.property(
    fc.constantFrom('BUY' as const, 'SELL' as const),
    fc.array(fc.record({ at: arbitraryPrice, pick: fc.nat(), goes: fc.boolean() }), { maxLength: 200 }),
    (side, steps) => {
      const levels = new LevelPool(1)
      const ladder = new LevelLadder(side, levels)
      const levelByPrice = new Map<Price, LevelId>()
      for (const { at, pick, goes } of steps) {
        const known = [...levelByPrice.keys()]
        const gone = known[pick % Math.max(1, known.length)]
        if (goes && gone !== undefined) {
          ladder.release(levelByPrice.get(gone) as LevelId)
          levelByPrice.delete(gone)
        } else levelByPrice.set(price(at), ladder.take(price(at)))
        const sorted = [...levelByPrice.keys()].sort((one, other) =>
          side === 'BUY' ? other - one : one - other,
        )
        const best = sorted.map((each) => levelByPrice.get(each) as LevelId)
        expect(ladder.best).toBe(best[0] ?? NO_LEVEL)
        expect([...ladder.fromBest()]).toEqual(best)
      }
    },
  )
  fc.assert(rule, { numRuns: 200 })
})

test('at most 64 empty pages stay in place, however many come and go', () => {
  const ladder = new LevelLadder('SELL', new LevelPool(1))
  const stays = ladder.take(priceOf(PAGES / 2))
  for (let page = 0; page < PAGES; page++) {
    if (page === PAGES / 2) continue
    ladder.release(ladder.take(priceOf(page)))
    // A page that is used again before it is dropped is not counted twice.
    if (page % 3 === 0) ladder.release(ladder.take(priceOf(page)))
    expect(ladder.pageCount).toBeLessThanOrEqual(1 + 64)
  }
  expect(ladder.pageCount).toBe(1 + 64)
  expect([...ladder.fromBest()]).toEqual([stays])
})
