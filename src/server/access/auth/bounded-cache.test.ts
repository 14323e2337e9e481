import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { BoundedCache } from './bounded-cache.ts'

/** Number of `asked` entries that had to be created in a cache of `size`. */
function misses(size: number, asked: Iterable<number>): number {
  const cache = new BoundedCache<number>(size)
  let missed = 0
  for (const name of asked) {
    if (cache.get(`${name}`) !== undefined) continue
    missed++
    cache.set(`${name}`, name)
  }
  return missed
}

function* inTurn(names: number, rounds: number): Generator<number> {
  for (let round = 0; round < rounds; round++) for (let name = 0; name < names; name++) yield name
}

test('a cache that is asked for one name more than it holds, in turn, misses seldom and not always', () => {
  const rounds = 50
  const afterTheFirst = misses(1_000, inTurn(1_001, rounds)) - 1_001
  expect(afterTheFirst).toBeLessThan(rounds * 20)
})

test('a cache asked for twice as many names as it holds, in turn, still finds some of them', () => {
  const rounds = 50
  const asked = 2_000 * rounds
  expect(misses(1_000, inTurn(2_000, rounds))).toBeLessThan(asked * 0.85)
})

test('names that are requested once do not displace those in use', () => {
  const cache = new BoundedCache<true>(1_000)
  for (let name = 0; name < 500; name++) cache.set(`used ${name}`, true)
  let missed = 0
  for (let once = 0; once < 20_000; once++) {
    cache.set(`once ${once}`, true)
    // Each entry in use is requested ten times as often as an entry is replaced.
    for (let use = 0; use < 10; use++) {
      const name = `used ${(once * 10 + use) % 500}`
      if (cache.get(name) === undefined) {
        missed++
        cache.set(name, true)
      }
    }
  }
  // A slot chosen at random would be in use half of the time: 10,000 misses.
  expect(missed).toBeLessThan(4_000)
})

test('a cache has the last value under each name, never more than its size, and nothing that was deleted', () => {
  const step = fc.record({ name: fc.integer({ min: 0, max: 8 }), isDeleted: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
      const cache = new BoundedCache<number>(size)
      const put = new Map<string, number>()
      for (const [at, { name, isDeleted }] of steps.entries()) {
        if (isDeleted) {
          cache.delete(`${name}`)
          put.delete(`${name}`)
        } else {
          cache.set(`${name}`, at)
          put.set(`${name}`, at)
          expect(cache.get(`${name}`)).toBe(at)
        }
        expect(cache.size).toBeLessThanOrEqual(size)
        const held = Array.from({ length: 9 }, (_, other) => `${other}`).filter((other) => {
          const value = cache.get(other)
          if (value !== undefined) expect(value).toBe(put.get(other) as number)
          return value !== undefined
        })
        expect(held.length).toBe(cache.size)
      }
    }),
  )
})
