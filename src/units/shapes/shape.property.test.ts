/** The output for a shape is the JSON of the value with its fields in the shape's order, for any value. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  component,
  constant,
  listOf,
  object,
  optional,
  type Shape,
  symbolName,
  text,
  timeMs,
  whole,
  word,
} from './shape.ts'
import { jsonOf } from './shape-json.ts'

const WORDS = ['NEW', 'FILLED'] as const

/** A shape, and values of it. */
type Described = { readonly shape: Shape; readonly values: fc.Arbitrary<unknown> }

const leaves: fc.Arbitrary<Described> = fc.constantFrom<Described>(
  { shape: text(), values: fc.string({ unit: 'binary' }) },
  { shape: symbolName('a market'), values: fc.string({ unit: 'grapheme' }) },
  { shape: whole(), values: fc.maxSafeNat() },
  { shape: timeMs(), values: fc.maxSafeNat() },
  { shape: word(WORDS), values: fc.constantFrom(...WORDS) },
  { shape: constant(true), values: fc.constant(true) },
  { shape: constant('SPOT'), values: fc.constant('SPOT') },
)

const { described } = fc.letrec<{ described: Described }>((tie) => ({
  described: fc.oneof({ depthSize: 'small' }, leaves, listsOf(tie('described')), objectsOf(tie('described'))),
}))

function listsOf(items: fc.Arbitrary<Described>): fc.Arbitrary<Described> {
  return items.map(({ shape, values }) => ({
    shape: listOf(shape),
    values: fc.array(values, { maxLength: 3 }),
  }))
}

function objectsOf(members: fc.Arbitrary<Described>): fc.Arbitrary<Described> {
  const named = fc.tuple(fc.stringMatching(/^[a-z]\w{0,5}$/), members, fc.boolean())
  return fc.uniqueArray(named, { selector: ([name]) => name, maxLength: 4 }).map((fields) => {
    const shapes = fields.map(([name, { shape }, isOptional]) => [name, isOptional ? optional(shape) : shape])
    const values = fields.map(([name, member, isOptional]) => [
      name,
      isOptional ? fc.option(member.values, { nil: undefined }) : member.values,
    ])
    return { shape: object(Object.fromEntries(shapes)), values: fc.record(Object.fromEntries(values)) }
  })
}

test('the JSON of a shape is what JSON.stringify makes of the value with its fields in the order of the shape', () => {
  fc.assert(
    fc.property(
      described.chain(({ shape, values }) => values.map((value) => ({ shape, value }))),
      ({ shape, value }) => {
        expect(jsonOf(shape, value)).toBe(JSON.stringify(value))
      },
    ),
    { numRuns: 500 },
  )
})

test('fields stand in the order of the shape, whatever the order of the value is', () => {
  const shape = component('Pair', 'Two things.', { first: whole(), second: optional(text()) })
  expect(jsonOf(shape, { second: 'b"', first: 1 })).toBe('{"first":1,"second":"b\\""}')
})

test('a field that the shape does not have is left out, wherever it stands', () => {
  const shape = object({ list: listOf(object({ first: whole() })), pair: object({ second: text() }) })
  const value = { list: [{ secret: 'x', first: 1 }], pair: { second: 'b', secret: 'x' }, secret: 'x' }
  expect(jsonOf(shape, value)).toBe('{"list":[{"first":1}],"pair":{"second":"b"}}')
})

test('fields of an object inside of an object stand in the order of its shape', () => {
  const shape = object({ list: listOf(object({ first: whole(), second: whole() })) })
  expect(jsonOf(shape, { list: [{ second: 2, first: 1 }] })).toBe('{"list":[{"first":1,"second":2}]}')
})
