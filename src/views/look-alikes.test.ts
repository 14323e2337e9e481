import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ALIKE, skeletonHash, skeletonOf } from './look-alikes.ts'

const sameLooks = (a: string, b: string): boolean => skeletonOf(a) === skeletonOf(b)

test.each([
  ['mal', 'ma1'],
  ['mal', 'maI'],
  ['mal', 'Mal'],
  ['mal', 'ma|'],
  ['mal', 'rnal'],
  ['modern', 'rnodem'],
  ['wave', 'vvave'],
  ['Oslo', '0slo'],
  ['oslo', '05lo'],
  ['bob', '8o8'],
  ['zoe', '2oe'],
  ['mal', 'm\u0430l'],
  ['paypal', '\u0440\u0430\u0443\u0440\u0430l'],
  ['nikos', '\u039dikos'],
  ['mal', '\uff4d\uff41\uff4c'],
  ['mal', '\u{1d426}al'],
  ['Işıl', 'IsıI'.replace('s', 'ş')],
  ["o'neil", 'o\u2019neil'],
  ['a-b', 'a\u2013b'],
])('%j looks like %j', (a, b) => {
  expect([a, sameLooks(a, b)]).toEqual([a, true])
  expect(skeletonHash(a)).toBe(skeletonHash(b))
})

test.each([
  ['mal', 'mol'],
  ['anna', 'ana'],
  ['customer 15', 'customer 51'],
  ['alice', 'alicia'],
  ['mal', 'lam'],
  ['jose', 'josé'],
  ['constructor', 'toString'],
])('%j does not look like %j', (a, b) => {
  expect(sameLooks(a, b)).toBe(false)
})

test('numbered names never look like one another: no two digits are alike', () => {
  const looks = Array.from({ length: 2_000 }, (_, number) => skeletonOf(`customer ${number}`))
  expect(new Set(looks).size).toBe(looks.length)
})

test('each character of the table is in it once, and in the form that the comparison uses', () => {
  const others = ALIKE.flatMap(([, ...rest]) => rest)
  expect(others.filter((one, at) => others.indexOf(one) !== at)).toEqual([])
  expect(others.filter((one) => [...one].length !== 1 || one.normalize('NFKD') !== one)).toEqual([])
  // No row's common form is listed in another row, so one replacement is enough.
  expect(ALIKE.map(([look]) => look).filter((look) => skeletonOf(look) !== look)).toEqual([])
})

test('a skeleton is its own skeleton, and its hash is that of the skeleton, whatever the text', () => {
  const character = fc.oneof(fc.constantFrom(...ALIKE.flat()), fc.string({ unit: 'binary', maxLength: 2 }))
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
      const name = characters.join('')
      expect(skeletonOf(skeletonOf(name))).toBe(skeletonOf(name))
      expect(skeletonHash(name)).toBe(skeletonHash(skeletonOf(name)))
    }),
  )
})
