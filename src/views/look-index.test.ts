import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ALIKE_COMPARED_MAX, LookAlikeIndex } from './look-alike-index.ts'
import { skeletonHash, skeletonOf } from './look-alikes.ts'

function indexOf(names: readonly string[]) {
  const index = new LookAlikeIndex()
  for (const name of names) index.add(name)
  const read: number[] = []
  const nameOf = (id: number): string => {
    read.push(id)
    return names[id] ?? ''
  }
  return { alike: (name: string, limit = 10) => index.alike(name, limit, nameOf), read }
}

test('every name with the same skeleton is found, except the name itself, the latest first', () => {
  const letters = fc.constantFrom('l', '1', 'I', 'o', '0', 'a', '\u0430', 'm', 'rn', 'é')
  const anyName = fc.array(letters, { minLength: 1, maxLength: 3 }).map((all) => all.join(''))
  fc.assert(
    fc.property(fc.uniqueArray(anyName, { maxLength: 100 }), anyName, (names, name) => {
      const expected = names
        .filter((one) => one !== name && skeletonOf(one) === skeletonOf(name))
        .toReversed()
      expect(indexOf(names).alike(name, 1_000)).toEqual(expected)
      expect(indexOf(names).alike(name, 2)).toEqual(expected.slice(0, 2))
    }),
  )
})

test('no name is lost when the index grows', () => {
  for (let count = 1; count <= 70; count++) {
    const names = Array.from({ length: count }, (_, i) => `customer ${i}`)
    const { alike } = indexOf(names)
    expect(names.flatMap((name) => alike(name.toUpperCase()))).toEqual(names)
  }
})

test('a question among 100,000 names reads only those that may look alike', () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `customer ${i}`)
  names[70_000] = 'ma1'
  const { alike, read } = indexOf(names)
  expect(alike('mal')).toEqual(['ma1'])
  expect(alike('nobody')).toEqual([])
  expect(alike('cust0mer 99999')).toEqual(['customer 99999'])
  expect(read.length).toBeLessThan(10)
})

test('one question compares a limited number of the names that look alike', () => {
  const bits = 14
  const names = Array.from({ length: 2 ** bits }, (_, i) =>
    Array.from({ length: bits }, (__, bit) => ((i >> bit) & 1 ? 'l' : '1')).join(''),
  )
  const { alike, read } = indexOf(names)
  expect(skeletonHash(names[0] as string)).toBe(skeletonHash(names[1] as string))
  expect(alike('I'.repeat(bits), 3)).toEqual(names.slice(-3).toReversed())
  expect(alike('I'.repeat(bits), 2 ** bits)).toHaveLength(ALIKE_COMPARED_MAX)
  expect(read.length).toBe(ALIKE_COMPARED_MAX + 3)
})
