import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { NO_RECORD, RecordIndex } from './record-index.ts'

/** Keys that collide in the index, and keys of every size and sign. */
const arbitraryKey = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: -40, max: 40 }).map((high) => high * 2 ** 32),
  fc.maxSafeInteger(),
)

test('after any sequence of additions and removals every record is found by its key, and no other is', () => {
  const arbitraryStep = fc.record({ key: arbitraryKey, isRemoval: fc.boolean() })
  const rule = fc.property(fc.array(arbitraryStep, { maxLength: 300 }), (steps) => {
    const keys = new Float64Array(steps.length)
    const index = new RecordIndex(1)
    const recordByKey = new Map<number, number>()
    for (const [record, { key, isRemoval }] of steps.entries()) {
      const known = recordByKey.get(key)
      expect(index.find(keys, key)).toBe(known ?? NO_RECORD)
      if (isRemoval) {
        expect(index.remove(keys, key)).toBe(known ?? NO_RECORD)
        recordByKey.delete(key)
      } else if (known === undefined) {
        keys[record] = key
        index.add(keys, record)
        recordByKey.set(key, record)
      }
    }
    expect(index.count).toBe(recordByKey.size)
    for (const [key, record] of recordByKey) expect(index.find(keys, key)).toBe(record)
  })
  fc.assert(rule, { numRuns: 500 })
})

test('a hundred thousand neighbouring keys are found again after half of them have left', () => {
  const keys = Float64Array.from({ length: 100_000 }, (_, record) => 1_000_000 + record)
  const index = new RecordIndex(4)
  for (let record = 0; record < keys.length; record++) index.add(keys, record)
  for (let record = 0; record < keys.length; record += 2) index.remove(keys, keys[record] as number)
  for (let record = 0; record < keys.length; record++) {
    expect(index.find(keys, keys[record] as number)).toBe(record % 2 === 0 ? NO_RECORD : record)
  }
})
