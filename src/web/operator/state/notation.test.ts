import { expect, test } from 'bun:test'
import { bytesText, decimalText, rateText, sentence, spanText, timeText } from './notation.ts'

test('a decimal of any length gets commas before its point and loses no digit', () => {
  expect(decimalText('1234567890123456789.000000012345')).toBe('1,234,567,890,123,456,789.000000012345')
  expect(decimalText('-1000')).toBe('-1,000')
  expect(decimalText('999.5')).toBe('999.5')
  expect(decimalText('none')).toBe('none')
})

test('a time is UTC to the second, and a dash where there is none', () => {
  expect(timeText('2026-01-31T14:05:09.123Z')).toBe('2026-01-31 14:05:09')
  expect(timeText(null)).toBe('–')
})

test('a duration has its two largest units', () => {
  expect([0, 5, 65, 3_600, 93_784].map(spanText)).toEqual(['0 s', '5 s', '1 min 5 s', '1 h', '1 d 2 h'])
})

test('sizes and rates have the requested precision, and a dash where nothing was measured', () => {
  expect([0, 1_023, 1_536, 5 * 2 ** 30].map(bytesText)).toEqual(['0 B', '1023 B', '1.5 KiB', '5.0 GiB'])
  expect([0, 1.234, 12.34, 12_345.6].map(rateText)).toEqual(['0.00', '1.23', '12.3', '12,346'])
  expect([bytesText(undefined), rateText(undefined)]).toEqual(['–', '–'])
})

test('a message on its own becomes a sentence', () => {
  expect(sentence('the session has ended')).toBe('The session has ended.')
  expect(sentence('You have left the page.')).toBe('You have left the page.')
})
