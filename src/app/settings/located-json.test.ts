import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { JsonFault, parseLocatedJson, plainValue } from './located-json.ts'

/** The line that the error names; 0 if the text is valid. */
function lineOfFault(text: string): number {
  try {
    parseLocatedJson(text)
    return 0
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return error.line
  }
}

describe('JSON with places', () => {
  test('it reads what the runtime writes, however it is indented', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        expect(plainValue(parseLocatedJson(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('any text is read as the runtime reads it, or is an error with a line of the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-0.5e3',
      'true',
      'nul',
      '\n',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const line = lineOfFault(text)
        expect(line).toBeLessThanOrEqual(text.split('\n').length)
        if (line === 0) expect(plainValue(parseLocatedJson(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('every member has the line of its name', () => {
    const root = parseLocatedJson('// first\n{\n "a": 1,\n "b": {\n  "c": [] // last\n }\n}\n')
    if (root.kind !== 'object') throw new Error('expected an object')
    const b = root.members.get('b')
    if (b?.value.kind !== 'object') throw new Error('expected an object')
    expect([root.line, root.members.get('a')?.line, b.line, b.value.members.get('c')?.line]).toEqual([
      2, 3, 4, 5,
    ])
  })

  test.each([
    ['a name twice', '{"a":1,\n"a":2}', 2],
    ['a comma too many', '{"a":1,\n}', 2],
    ['a number with a leading zero', '[\n01]', 2],
    ['a text over two lines', '["a\n"]', 1],
    ['more than one value', '1\n2', 2],
    ['nothing', '\n', 2],
    ['depth without end', '['.repeat(100_000), 1],
  ])('%s is a fault on its line', (_, text, line) => {
    expect(lineOfFault(text)).toBe(line)
  })
})
