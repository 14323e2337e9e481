import { expect, test } from 'bun:test'
import { type Price, price } from '../../units/quantities.ts'
import { LevelLadder } from './level-ladder.ts'
import { type LevelId, LevelPool, NO_LEVEL } from './level-pool.ts'

/** Pages so far apart that each takes the place of the one before among those found at once. */
const APART = 64 * 256
const PAGES = 1_000

/** A price in a page of its own, somewhere in it. */
function priceOf(page: number): Price {
  return price((page + 1) * APART + ((page * 7) % 64))
}

test('levels are found whichever pages were asked for before, while pages come, go and are used again', () => {
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

test('a page that goes and comes again at once is in its place, beside the one that stood in its memory', () => {
  const ladder = new LevelLadder('BUY', new LevelPool(1))
  const [low, high] = [priceOf(0), priceOf(1)]
  ladder.release(ladder.take(low))
  const [lowLevel, highLevel] = [ladder.take(low), ladder.take(high)]
  expect([...ladder.fromBest()]).toEqual([highLevel, lowLevel])
  expect(ladder.best).toBe(highLevel)
})
