import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { NO_RECORD } from './record-index.ts'
import { type Comparison, SortedRecords } from './sorted-records.ts'

/** Records and their numbers in a list: records with equal keys are compared by number. */
class Numbers {
  readonly index = new SortedRecords()
  /** Number of comparisons so far. */
  steps = 0
  readonly #keyOf: (record: number) => number

  constructor(keyOf: (record: number) => number) {
    this.#keyOf = keyOf
  }

  add(record: number): void {
    this.index.add(this.#keyOf(record), record, this.#with(record))
  }

  find(record: number): number {
    return this.index.find(this.#keyOf(record), this.#with(record))
  }

  remove(record: number): number {
    return this.index.remove(this.#keyOf(record), this.#with(record))
  }

  #with(sought: number): Comparison {
    return (record) => {
      this.steps++
      return sought - record
    }
  }
}

const KEYS: Readonly<Record<string, (record: number) => number>> = {
  'one key for all': () => 7,
  'keys of 3 records each': (record) => Math.floor(record / 3) - 1_000,
  'a key for each': (record) => Math.imul(record, 0x9e3779b1),
}

test('an added record is found and a removed one is not, whatever the keys have in common', () => {
  const change = fc.record({ record: fc.nat(400), isRemoval: fc.boolean() })
  const changes = fc.array(change, { minLength: 1, maxLength: 3_000, size: 'max' })
  const rule = fc.property(fc.constantFrom(...Object.values(KEYS)), changes, (keyOf, list) => {
    const numbers = new Numbers(keyOf)
    const known = new Set<number>()
    for (const { record, isRemoval } of list) {
      expect(numbers.find(record)).toBe(known.has(record) ? record : NO_RECORD)
      if (isRemoval) expect(numbers.remove(record)).toBe(known.delete(record) ? record : NO_RECORD)
      else if (!known.has(record)) {
        numbers.add(record)
        known.add(record)
      }
      expect(numbers.index.count).toBe(known.size)
    }
    for (let record = 0; record <= 400; record++) {
      expect(numbers.find(record)).toBe(known.has(record) ? record : NO_RECORD)
    }
  })
  fc.assert(rule, { numRuns: 40 })
})

const COUNT = 30_000
const ORDERS: Readonly<Record<string, (at: number) => number>> = {
  'in ascending order': (at) => at,
  'in descending order': (at) => COUNT - at,
  'from both ends': (at) => (at % 2 === 0 ? at : COUNT * 2 - at),
  'in no order': (at) => (at * 7_919) % 30_011,
}

for (const [keys, keyOf] of Object.entries(KEYS)) {
  for (const [order, recordAt] of Object.entries(ORDERS)) {
    test(`no search in ${COUNT} records takes more than 25 comparisons, with ${keys}, added ${order}`, () => {
      const numbers = new Numbers(keyOf)
      const stepsOf = (work: () => unknown): number => {
        numbers.steps = 0
        work()
        return numbers.steps
      }
      let worst = 0
      for (let at = 0; at < COUNT; at++) {
        worst = Math.max(
          worst,
          stepsOf(() => numbers.add(recordAt(at))),
        )
      }
      for (let at = 0; at < COUNT; at++) {
        worst = Math.max(
          worst,
          stepsOf(() => numbers.find(recordAt(at))),
        )
      }
      // All but one in a hundred are removed; the others must be found as fast as before.
      for (let at = 0; at < COUNT; at++) if (at % 100 !== 0) numbers.remove(recordAt(at))
      for (let at = 0; at < COUNT; at += 100) {
        expect(numbers.find(recordAt(at))).toBe(recordAt(at))
        worst = Math.max(
          worst,
          stepsOf(() => numbers.find(recordAt(at))),
        )
      }
      expect(worst).toBeLessThanOrEqual(25)
    })
  }
}
