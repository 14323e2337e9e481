import { describe, expect, test } from 'bun:test'
import { typedNumber } from './number-field.ts'

function read(text: string): string | readonly string[] {
  const typed = typedNumber(text)
  if (typed.kind === 'number') return typed.value.toString()
  return typed.kind === 'refused' ? typed.readings : 'empty'
}

describe('a typed number', () => {
  test('has digits and at most one point, and stays exact', () => {
    for (const [text, value] of [
      ['1', '1'],
      ['1.000', '1'],
      ['.5', '0.5'],
      ['5.', '5'],
      [' 0.10000000000000000001 ', '0.10000000000000000001'],
    ] as const)
      expect([text, read(text)]).toEqual([text, value])
    expect(read(' ')).toBe('empty')
  })

  test('with comma or grouping is refused, with every reading of it', () => {
    for (const [text, readings] of [
      ['1,000', ['1000', '1']],
      ['1,5', ['15', '1.5']],
      ['1,000.5', ['1000.5', '1.0005']],
      ['1.000,5', ['1.0005', '1000.5']],
      ['1.000.000', ['1000000']],
      ['1 000', ['1000']],
      ['1,000,000', ['1000000']],
    ] as const)
      expect([text, read(text)]).toEqual([text, readings])
  })

  test('that is invalid is refused without a reading', () => {
    for (const text of ['-1', '1e3', '0x10', 'abc', '.', '+1', '١', '9'.repeat(41)])
      expect([text, read(text)]).toEqual([text, []])
  })
})
