import { expect, test } from 'bun:test'
import { groupedText } from './grouped-text.ts'

test.each([
  ['0', '0'],
  ['999.123456', '999.123456'],
  ['1000', '1_000'],
  ['-1234567.8', '-1_234_567.8'],
  ['5000000.00000001', '5_000_000.00000001'],
])(
  'the exact decimal %s is shown as %s, where _ is a narrow space, with all of its decimals',
  (decimal, shown) => {
    expect(groupedText(decimal)).toBe(shown.replaceAll('_', '\u202f'))
  },
)
