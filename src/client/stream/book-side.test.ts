import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BookSide } from './book-side.ts'

const level = (ticks: number, lots: bigint) => ({ ticks, lots, price: `${ticks}`, quantity: `${lots}` })

/** More changes than are inserted one by one; none of these levels is left at the end. */
const MANY = Array.from({ length: 600 }, (_, at) => level(1 + (at % 300), at < 300 ? 1n : 0n))

/** As many changes at other prices. */
const FAR = MANY.map(({ ticks, lots }) => level(1_000 + ticks, lots))

describe('a side of a book', () => {
  test('that is received whole has its best level first, whatever the order it came in, and no empty level', () => {
    const side = new BookSide(-1)
    side.set(level(1, 1n))
    side.replace([level(103, 3n), level(101, 1n), level(102, 2n), level(104, 0n)])
    expect(side.top(25).map(({ ticks }) => ticks)).toEqual([101, 102, 103])
    expect(side.top(2).map(({ ticks }) => ticks)).toEqual([101, 102])
    expect(side.best?.ticks).toBe(101)
    expect(side.size).toBe(3)
    side.replace([])
    expect(side.best).toBeUndefined()
  })

  test('equals, after any changes, one by one or many at once, one sorted anew from the last quantity at each price', () => {
    const change = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.bigInt({ min: 0n, max: 5n }))
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 200 }),
        fc.constantFrom(1 as const, -1 as const),
        (changes, way) => {
          const side = new BookSide(way)
          for (const [ticks, lots] of changes) side.set(level(ticks, lots))
          const atOnce = new BookSide(way)
          atOnce.setAll([...MANY, ...changes.map(([ticks, lots]) => level(ticks, lots))])
          expect(atOnce.top(100)).toEqual(side.top(100))
          // Existing levels are kept if nothing changes at their prices.
          const behind = new BookSide(way)
          behind.setAll(changes.map(([ticks, lots]) => level(ticks, lots)))
          behind.setAll(FAR)
          expect(behind.top(100)).toEqual(side.top(100))
          const last = [...new Map(changes)].filter(([, lots]) => lots > 0n)
          const plain = last.sort(([a], [b]) => (b - a) * way)
          expect(side.top(100).map(({ ticks, lots }) => [ticks, lots])).toEqual(plain)
        },
      ),
    )
  })
})
