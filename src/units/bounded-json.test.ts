import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  DOCUMENT_JSON,
  JsonBoundsError,
  type JsonShape,
  parseJson,
  parseJsonAsWritten,
  shapeOfJson,
  WrittenNumber,
} from './bounded-json.ts'

/** The counts of a value, found by walking it. */
type Counts = { depth: number; elements: number; members: number; values: number }

function countsOf(
  value: unknown,
  level = 0,
  counts: Counts = { depth: 0, elements: 0, members: 0, values: 1 },
) {
  if (typeof value !== 'object' || value === null) return counts
  const parts = Object.values(value)
  const isList = Array.isArray(value)
  counts.depth = Math.max(counts.depth, level + 1)
  // A list counts as having at least one element.
  if (isList) counts.elements = Math.max(counts.elements, parts.length, 1)
  else counts.members = Math.max(counts.members, parts.length, 1)
  counts.values += Math.max(1, parts.length)
  for (const part of parts) countsOf(part, level + 1, counts)
  return counts
}

/** Texts that look like structure, and keys of any kind. */
const hard = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '[{,', ']}', '\\\\"', ','))
const { tree: json } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    fc.oneof(hard, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(hard, tie('tree'), { maxKeys: 5 }),
  ),
}))
const space = fc.constantFrom(undefined, 1, '\t')

function excessOf(text: string, bounds: Partial<typeof DOCUMENT_JSON>): JsonShape['excess'] {
  return shapeOfJson(text, { ...DOCUMENT_JSON, ...bounds }).excess
}

describe('JSON from outside', () => {
  test('is counted without parsing as a parsed value would be, whatever its texts look like', () => {
    fc.assert(
      fc.property(json, space, (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const { depth, elements, members, values } = countsOf(JSON.parse(text))
        fc.pre(depth <= DOCUMENT_JSON.depthMax)
        const exact = { depthMax: depth, elementsMax: elements, membersMax: members, valuesMax: values }
        expect(excessOf(text, exact)).toBeUndefined()
        expect(parseJson(text, exact)).toEqual(JSON.parse(text))
        if (depth > 0) expect(excessOf(text, { depthMax: depth - 1 })).toBe('DEPTH')
        if (elements > 1) expect(excessOf(text, { elementsMax: elements - 1 })).toBe('ELEMENTS')
        if (members > 1) expect(excessOf(text, { membersMax: members - 1 })).toBe('MEMBERS')
        expect(excessOf(text, { valuesMax: values - 1 })).toBe(values > 1 ? 'VALUES' : undefined)
      }),
    )
  })

  test('is read or refused as the runtime does, whatever the text, while it is within bounds', () => {
    const bits = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '1', 'a', ' ', '"a"', '[]', '{}')
    const texts = fc.array(bits, { maxLength: 40 }).map((parts) => parts.join(''))
    const outcome = (parse: (text: string) => unknown, text: string) => {
      try {
        return { value: parse(text) }
      } catch (error) {
        return { isSyntaxError: error instanceof SyntaxError }
      }
    }
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome((each) => parseJson(each, { ...DOCUMENT_JSON, depthMax: 30 }), text)).toEqual(
          outcome(JSON.parse, text),
        )
      }),
    )
  })

  test('has as many outermost parts as are counted, and one where it is neither list nor object', () => {
    for (const [text, outermost] of [
      ['[]', 1],
      ['[1,[2,3,{"a":1,"b":2}],"4,5"]', 3],
      ['{"a":[1,2],"b":1}', 2],
      ['"a,b"', 1],
      ['7', 1],
    ] as const) {
      expect([text, shapeOfJson(text, DOCUMENT_JSON).outermost]).toEqual([text, outermost])
    }
  })

  test('is counted from where it begins, after a prefix of another protocol', () => {
    const bounds = { ...DOCUMENT_JSON, depthMax: 1 }
    expect(shapeOfJson('42/a[["[1,2]', bounds, 7)).toEqual({ excess: undefined, outermost: 2 })
    expect(shapeOfJson('42[["a"]]', bounds, 2).excess).toBe('DEPTH')
  })

  test('with too much of something says of what, and is not JSON to a reader that expects some', () => {
    const bounds = { depthMax: 2, elementsMax: 3, membersMax: 2, valuesMax: 8 }
    for (const [text, words] of [
      ['[[[]]]', '2 nested lists and objects'],
      ['[1,2,3,4]', '3 elements in a list'],
      ['{"a":1,"b":2,"c":3}', '2 members in an object'],
      ['[[1,2,3],[1,2,3],[1,2]]', '8 values'],
    ] as const) {
      const read = () => parseJson(text, bounds)
      expect(read).toThrow(JsonBoundsError)
      expect(read).toThrow(SyntaxError)
      expect(read).toThrow(`expected JSON with at most ${words}`)
    }
  })

  test('of 16 KB is refused after a few hundred characters, where it would take the longest to parse', () => {
    const bounds = { depthMax: 8, elementsMax: 256, membersMax: 128, valuesMax: 4_096 }
    expect(excessOf('['.repeat(8_000), bounds)).toBe('DEPTH')
    expect(excessOf(`[${'[],'.repeat(5_000)}[]]`, bounds)).toBe('ELEMENTS')
    const names = Array.from({ length: 1_700 }, (_, i) => `"${i}":1`)
    expect(excessOf(`["login",{${names.join(',')}}]`, bounds)).toBe('MEMBERS')
    expect(excessOf(`[${`[${'1,'.repeat(200)}1],`.repeat(30)}1]`, bounds)).toBe('VALUES')
  })
})

test('numbers as they were written keep their digits, and the text its limits', () => {
  const bounds = { depthMax: 2, elementsMax: 3, membersMax: 3, valuesMax: 8 }
  const value = parseJsonAsWritten('{"a":1.50,"b":[90071992547409931],"c":"2"}', bounds)
  expect(value).toEqual({
    a: new WrittenNumber('1.50'),
    b: [new WrittenNumber('90071992547409931')],
    c: '2',
  })
  expect(() => parseJsonAsWritten('[1,2,3,4]', bounds)).toThrow(JsonBoundsError)
})
