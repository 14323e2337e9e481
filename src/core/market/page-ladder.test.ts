/**
 * Tests with more pages than one block holds, added and removed in many orders, and compared with a sorted
 * list.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { NO_PAGE, type PageId, PageLadder } from './page-ladder.ts'

/** Enough for a dozen blocks. */
const PAGES = 3_000

/**
 * A ladder and the list with which it must agree. The page of a rank is a number that no other rank's page
 * has.
 */
class Compared {
  readonly #ladder = new PageLadder()
  readonly #pageByRank = new Map<number, PageId>()
  /** By page: 0 for a page to be stepped over. */
  readonly #bits = new Int32Array(4 * PAGES).fill(-1)

  insert(rank: number): void {
    const page = ((rank + 1) * 2) as PageId
    this.#ladder.insert(rank, page)
    this.#pageByRank.set(rank, page)
  }

  delete(rank: number): void {
    this.#ladder.delete(rank)
    this.#pageByRank.delete(rank)
  }

  mustAgree(): void {
    const wanted = [...this.#pageByRank].sort(([one], [other]) => other - one).map(([, page]) => page)
    expect([...this.#ladder.fromBest()]).toEqual(wanted)
    expect(this.#ladder.bestOf(this.#bits)).toBe(wanted[0] ?? NO_PAGE)
    const passed = wanted.slice(0, 300)
    for (const page of passed) this.#bits[page] = 0
    expect(this.#ladder.bestOf(this.#bits)).toBe(wanted[300] ?? NO_PAGE)
    for (const page of passed) this.#bits[page] = -1
  }
}

/** The numbers from 0 to `count`, exclusive, in an order that depends only on the seed. */
function mixed(count: number, seed: number): number[] {
  return fc.sample(fc.shuffledSubarray([...Array(count).keys()], { minLength: count }), {
    seed,
    numRuns: 1,
  })[0]!
}

const rising = [...Array(PAGES).keys()]
const ORDERS: readonly (readonly [string, readonly number[]])[] = [
  ['rising', rising],
  ['falling', rising.toReversed()],
  ['mixed', mixed(PAGES, 7)],
  ['from the middle outwards', rising.map((i) => PAGES / 2 + (i % 2 === 0 ? i / 2 : -(i + 1) / 2))],
]

describe('pages are found best first', () => {
  for (const [name, ranks] of ORDERS) {
    test(`when they came in ${name} order, and while they go`, () => {
      const compared = new Compared()
      compared.mustAgree()
      for (const [i, rank] of ranks.entries()) {
        compared.insert(rank)
        if (i % 500 === 0) compared.mustAgree()
      }
      compared.mustAgree()
      for (const [i, rank] of mixed(PAGES, 8).entries()) {
        compared.delete(rank)
        if (i % 500 === 0) compared.mustAgree()
      }
      compared.mustAgree()
      compared.insert(5)
      compared.mustAgree()
    })
  }

  test('when a best page is added and removed in front of many', () => {
    const compared = new Compared()
    for (const rank of rising) compared.insert(rank)
    for (let i = 0; i < 600; i++) {
      compared.insert(PAGES + i)
      if (i % 2 === 0) compared.delete(PAGES + i)
    }
    compared.mustAgree()
  })

  test('when a new page splits a full block, anywhere in it', () => {
    const full = 256
    for (let between = -1; between < full; between++) {
      const compared = new Compared()
      for (let i = 0; i < full; i++) compared.insert(2 * i)
      compared.insert(2 * between + 1)
      compared.mustAgree()
    }
  })
})
