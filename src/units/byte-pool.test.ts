import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { BytePool, POOLED_BYTES_MAX } from './byte-pool.ts'

test('every string is read back as it was added, whatever was added and removed beside it', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 90 })
  const change = fc.record({ bytes, leaves: fc.option(fc.nat(40), { nil: undefined }) })
  const rule = fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
    const pool = new BytePool()
    const kept: { handle: number; bytes: Uint8Array }[] = []
    for (const { bytes, leaves } of changes) {
      if (leaves !== undefined && leaves < kept.length) pool.remove(kept.splice(leaves, 1)[0]?.handle ?? -1)
      kept.push({ handle: pool.add(bytes), bytes })
      for (const one of kept) expect(pool.at(one.handle).subarray(0, one.bytes.length)).toEqual(one.bytes)
    }
    expect(new Set(kept.map(({ handle }) => handle)).size).toBe(kept.length)
  })
  fc.assert(rule, { numRuns: 100 })
})

test('the slot of a removed string is the next that is used for the same length', () => {
  const pool = new BytePool()
  const first = pool.add(new Uint8Array(20))
  const second = pool.add(new Uint8Array(24))
  pool.remove(first)
  expect(pool.add(new Uint8Array(33))).not.toBe(first)
  expect(pool.add(new Uint8Array(17))).toBe(first)
  expect(pool.add(new Uint8Array(17))).not.toBe(second)
})

test('bytes are copied, and an empty or too long string is not stored', () => {
  const pool = new BytePool()
  const bytes = new Uint8Array([1, 2, 3])
  const handle = pool.add(bytes)
  bytes.fill(0)
  expect([...pool.at(handle).subarray(0, 3)]).toEqual([1, 2, 3])
  expect(pool.add(new Uint8Array(POOLED_BYTES_MAX))).toBeGreaterThan(0)
  for (const length of [0, POOLED_BYTES_MAX + 1])
    expect(() => pool.add(new Uint8Array(length))).toThrow('does not fit in a pool')
})
