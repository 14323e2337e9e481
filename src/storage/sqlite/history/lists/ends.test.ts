import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ByteWriter } from '../../../../units/bytes.ts'
import { endOf, ListEnds, partsOf, readEnds, writeEnds } from './ends.ts'
import type { ListKey } from './record.ts'

/** Ends with their rows in a map. */
function stage(listsMax: number) {
  const rows = new Map<number, Uint8Array>()
  const steps: number[][] = []
  const storage = {
    read: (owner: number) => rows.get(owner),
    write: (owner: number, data: Uint8Array) => void rows.set(owner, data.slice()),
    addStep: (...step: number[]) => void steps.push(step),
    step: (...key: number[]) => steps.find((step) => key.every((value, i) => step[i] === value))?.at(-1),
  }
  return { rows, steps, ends: new ListEnds(storage, 'note', listsMax) }
}

/** A list without parts, and one part in each of two others. */
const lists = (part: number, one: number, other: number): ListKey[] => [
  { owner: -1 - part, part: undefined },
  { owner: one, part },
  { owner: other, part },
]

test('no more ends are kept than the limit and those that came since they were stored', () => {
  const { rows, ends } = stage(10)
  let most = 0
  for (let number = 1; number <= 100; number++) {
    ends.link(number, lists(number % 3, 2 * number, 2 * number + 1), new ByteWriter())
    most = Math.max(most, ends.size)
    if (ends.isFull) ends.store(new ByteWriter())
  }
  expect(most).toBeLessThanOrEqual(10 + 5)
  ends.store(new ByteWriter())
  // Two owners for each record, and three owners of lists without parts.
  expect(rows.size).toBe(203)
})

test('stored ends are stored again only when they have changed', () => {
  const { rows, ends } = stage(1_000)
  ends.link(1, lists(0, 10, 11), new ByteWriter())
  ends.store(new ByteWriter())
  rows.clear()
  ends.link(2, lists(0, 12, 11), new ByteWriter())
  ends.store(new ByteWriter())
  expect([...rows.keys()].sort((a, b) => a - b)).toEqual([-1, 11, 12])
})

test('each 64th record of a list is a step, found at once and stored with the ends', () => {
  const { steps, ends } = stage(1_000)
  const found = [
    [-1, -1],
    [10, -1],
    [10, 0],
    [11, -1],
    [11, 0],
  ]
  for (let number = 1; number <= 64; number++) {
    for (const [owner, part] of found as [number, number][])
      expect(ends.step(owner, part, 64)).toBeUndefined()
    ends.link(number, lists(0, 10, 11), new ByteWriter())
  }
  for (const [owner, part] of found as [number, number][]) expect(ends.step(owner, part, 64)).toBe(64)
  expect(steps).toEqual([])
  ends.store(new ByteWriter())
  expect(steps).toEqual(found.map((list) => [...list, 64, 64]))
  ends.store(new ByteWriter())
  expect(steps.length).toBe(found.length)
  for (const [owner, part] of found as [number, number][]) expect(ends.step(owner, part, 64)).toBe(64)
})

test('steps that are not stored are found again by the records after the stored ends', () => {
  const { steps, ends } = stage(1_000)
  for (let number = 1; number <= 60; number++) ends.link(number, lists(0, 10, 11), new ByteWriter())
  ends.store(new ByteWriter())
  ends.forget()
  for (let number = 61; number <= 64; number++) {
    const link = { n: number, before: number - 1 }
    ends.restore(number, [{ owner: 10, part: 0, inAll: link, inPart: link }])
  }
  expect([ends.step(10, -1, 64), ends.step(10, 0, 64), ends.step(11, 0, 64)]).toEqual([64, 64, undefined])
  ends.store(new ByteWriter())
  expect(steps).toEqual([
    [10, -1, 64, 64],
    [10, 0, 64, 64],
  ])
})

test('ends are read back as they were written, for their owner alone', () => {
  const end = fc.tuple(fc.maxSafeNat(), fc.maxSafeNat())
  const byPart = fc.uniqueArray(fc.tuple(fc.nat(9_999), end), { selector: ([part]) => part })
  fc.assert(
    fc.property(fc.integer({ min: -10_000, max: 10_000_000 }), end, byPart, (owner, all, parts) => {
      const sorted = parts.sort(([a], [b]) => a - b)
      const ends = [0, ...all, ...sorted.flatMap(([part, [n, number]]) => [part, n, number])]
      const data = writeEnds(new ByteWriter(), owner, ends).slice()
      expect(readEnds(owner, data)).toEqual(ends)
      expect(() => readEnds(owner + 1, data)).toThrow('are stored as those of')
      expect(partsOf(ends)).toEqual(sorted.map(([part]) => part))
      for (const part of partsOf(ends)) {
        const [n, number] = sorted.find(([each]) => each === part)?.[1] ?? []
        expect(endOf(ends, part)).toEqual({ n: n as number, number: number as number })
      }
    }),
  )
})
