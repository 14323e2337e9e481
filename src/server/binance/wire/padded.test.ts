import { expect, test } from 'bun:test'
import { padded, paddedText } from './padded.ts'

test.each([
  ['0', '0.00000000'],
  ['1.5', '1.50000000'],
  ['0.00000001', '0.00000001'],
  ['200.0000000000', '200.00000000'],
  ['0.123456789', '0.123456789'],
  ['0.1234567890', '0.123456789'],
  ['7.100000000000000000', '7.10000000'],
])('%s is written as %s: eight places, or as many as the value has', (text, written) => {
  expect(paddedText(text)).toBe(written)
})

test('units of ten places end with the eighth unless more of them count', () => {
  expect(padded(2_000_000_000_000, 10 as never)).toBe('200.00000000')
  expect(padded(2_000_000_000_010, 10 as never)).toBe('200.000000001')
})
