import { expect, test } from 'bun:test'
import { table } from './table.ts'

test('numbers are aligned at their decimal points, text to the left', () => {
  const rows = [
    ['BTC', '1.85', '-'],
    ['USDT', '9750.5224875', '10'],
  ]
  expect(table(['ASSET', 'FREE', 'LOCKED'], rows, 'none')).toBe(
    [
      'ASSET          FREE  LOCKED', // the heading ends in the same column as the numbers
      'BTC       1.85            -',
      'USDT   9750.5224875      10',
    ].join('\n'),
  )
})

test('a cell that says that there is no number is aligned with the numbers, whatever its text', () => {
  for (const none of ['', '-', 'none']) {
    const [, whole = '', , fraction = ''] = table(['MAX'], [['12'], [none], ['1.5']], 'none').split('\n')
    expect([none, fraction.indexOf('.')]).toEqual([none, whole.length])
  }
})

test('a column with a word in it is aligned as text', () => {
  expect(table(['N'], [['1'], ['any'], ['22']], 'none')).toBe('N\n1\nany\n22')
})

test('a table without rows shows only its message', () => {
  expect(table(['N'], [], 'Nothing.')).toBe('Nothing.')
})
