import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { NO_RECORD } from './record-index.ts'
import { INDEXED_BYTES_MAX, TextIndex } from './text-index.ts'

/** A few short texts that recur, and texts of any length and script. */
const arbitraryText = fc.oneof(
  fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', 'é') }),
  fc.string({ maxLength: 600, unit: 'binary' }),
)

test('every text is found under the number at which it was added, and no other is', () => {
  const rule = fc.property(fc.array(arbitraryText, { maxLength: 200 }), (texts) => {
    const index = new TextIndex()
    const numberByText = new Map<string, number>()
    for (const text of texts) {
      expect(index.find(text)).toBe(numberByText.get(text) ?? NO_RECORD)
      if (numberByText.has(text)) expect(index.addBytes(new TextEncoder().encode(text))).toBe(NO_RECORD)
      else numberByText.set(text, index.add(text))
    }
    expect([...numberByText.values()]).toEqual([...numberByText.keys()].map((_, number) => number))
    expect(index.count).toBe(numberByText.size)
    for (const [text, number] of numberByText) {
      expect(index.find(text)).toBe(number)
      expect(index.textAt(number)).toBe(text)
    }
  })
  fc.assert(rule, { numRuns: 300 })
})

test('a hundred thousand neighbouring texts are found again, over many pieces', () => {
  const index = new TextIndex()
  const textOf = (number: number) => `reference of transfer ${number}`
  for (let number = 0; number < 100_000; number++) expect(index.add(textOf(number))).toBe(number)
  for (let number = 0; number < 100_000; number++) {
    expect(index.find(textOf(number))).toBe(number)
    expect(index.textAt(number)).toBe(textOf(number))
  }
  expect(index.find(textOf(100_000))).toBe(NO_RECORD)
})

test('bytes are copied when they are added', () => {
  const index = new TextIndex()
  const bytes = new TextEncoder().encode('kept')
  index.addBytes(bytes)
  bytes.fill(0)
  expect(index.find('kept')).toBe(0)
})

test('a lone surrogate is never found, nor taken for the character that stands for it', () => {
  const index = new TextIndex()
  index.add('\uFFFD')
  expect(index.find('\uD800')).toBe(NO_RECORD)
  expect(() => index.add('\uD800')).toThrow('well-formed')
})

test('a text that already exists, or is too long, is a bug of the caller', () => {
  const index = new TextIndex()
  index.add('a')
  expect(() => index.add('a')).toThrow('must be new')
  expect(index.addBytes(new Uint8Array(INDEXED_BYTES_MAX))).toBe(1)
  expect(() => index.addBytes(new Uint8Array(INDEXED_BYTES_MAX + 1))).toThrow('too long')
})
