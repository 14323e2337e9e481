import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { ByteReader, BytesFault, ByteWriter } from '../../../units/bytes.ts'
import { expectDamageNoticed } from '../../../units/damaged-bytes.fixture.ts'
import { DEPTH_MAX, plainBytes, plainOf, readPlain, writePlain } from './plain-values.ts'

const leaf = fc.oneof(
  fc.constant(undefined),
  fc.boolean(),
  fc.maxSafeNat(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.uint8Array({ maxLength: 40 }),
)
const name = fc.string({ maxLength: 6 }).filter((text) => text !== '__proto__')
const { value: arbitraryPlain } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

test('a plain value is decoded as it was encoded, whatever follows it', () => {
  fc.assert(
    fc.property(fc.array(arbitraryPlain, { maxLength: 3 }), (values) => {
      const writer = new ByteWriter()
      for (const value of values) writePlain(writer, value)
      const reader = new ByteReader(writer.take())
      expect(values.map(() => readPlain(reader))).toStrictEqual(values)
      reader.end()
    }),
  )
})

test('damaged bytes of a plain value are noticed, or are those of another value', () => {
  const damage = { at: fc.nat(), flip: fc.integer({ min: 1, max: 255 }) }
  fc.assert(
    fc.property(arbitraryPlain, fc.record(damage), (value, { at, flip }) => {
      expectDamageNoticed(plainBytes(value), { at, flip }, (bytes) => plainBytes(plainOf(bytes)))
    }),
  )
})

test('a value that is deeper than 32 is neither written nor read', () => {
  let value: unknown = 1
  for (let depth = 0; depth < DEPTH_MAX; depth++) value = [value]
  expect(plainOf(plainBytes(value))).toEqual(value)
  expect(() => plainBytes([value])).toThrow('more than 32 levels deep')
  const deeper = new Uint8Array([8, 1, ...plainBytes(value)])
  expect(() => plainOf(deeper)).toThrow(BytesFault)
})

test('a value that is not plain is not written, and the error says what it is', () => {
  for (const value of [new Map(), null, () => 1, new Date(0)]) {
    expect(() => plainBytes({ value })).toThrow('expected a plain value, found')
  }
  expect(() => plainBytes('\ud800')).toThrow('lone surrogate')
})

test('a field that is repeated, out of order, or would be a prototype, is refused', () => {
  const field = (text: string) => [text.length, ...new TextEncoder().encode(text), 1]
  expect(plainOf(new Uint8Array([9, 1, ...field('a')]))).toEqual({ a: false })
  expect(() => plainOf(new Uint8Array([9, 2, ...field('a'), ...field('a')]))).toThrow(
    'field a is not allowed',
  )
  expect(() => plainOf(new Uint8Array([9, 2, ...field('b'), ...field('a')]))).toThrow(
    'field a is not allowed',
  )
  expect(() => plainOf(new Uint8Array([9, 1, ...field('__proto__')]))).toThrow(
    'field __proto__ is not allowed',
  )
})

test('a whole number in the form of another type is refused: every value has one form', () => {
  const asFloat = (value: number) => new Uint8Array([4, ...new Uint8Array(new Float64Array([value]).buffer)])
  expect(plainOf(asFloat(-1.5))).toBe(-1.5)
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER])
    expect(() => plainOf(asFloat(value))).toThrow('a second encoding of the number')
})

test('a list that claims more items than there are bytes is refused', () => {
  expect(() => plainOf(new Uint8Array([8, 255, 255, 255, 127, 0]))).toThrow(BytesFault)
})
