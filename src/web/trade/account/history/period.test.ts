import { describe, expect, test } from 'bun:test'
import { EVER, momentText, rangeOf, shortText, utcDate } from './period.ts'

const NOW = Date.parse('2026-11-23T14:05:09.123Z')

describe('the time of a history', () => {
  test('a day is a day of UTC, and the last days include today', () => {
    expect(rangeOf(EVER, NOW)).toEqual({})
    expect(rangeOf({ ...EVER, kind: 'TODAY' }, NOW)).toEqual({ from: Date.parse('2026-11-23T00:00Z') })
    expect(rangeOf({ ...EVER, kind: 'WEEK' }, NOW)).toEqual({ from: Date.parse('2026-11-17T00:00Z') })
    expect(rangeOf({ ...EVER, kind: 'MONTH' }, NOW)).toEqual({ from: Date.parse('2026-10-25T00:00Z') })
  })

  test('chosen minutes are UTC wherever the reader is, and the last one is included', () => {
    const chosen = { kind: 'CHOSEN', from: '2026-11-01T00:00', to: '2026-11-01T00:00' } as const
    const from = Date.parse('2026-11-01T00:00:00.000Z')
    expect(rangeOf(chosen, NOW)).toEqual({ from, to: from + 59_999 })
    expect(rangeOf({ ...chosen, to: '' }, NOW)).toEqual({ from })
    expect(rangeOf({ ...chosen, from: '' }, NOW)).toEqual({ to: from + 59_999 })
  })

  test('an invalid time, or one that ends before it begins, is reported', () => {
    expect(rangeOf({ kind: 'CHOSEN', from: '2026-02-30T25:00', to: '' }, NOW)).toBe('UNREADABLE')
    expect(rangeOf({ kind: 'CHOSEN', from: '2026-11-02T00:00', to: '2026-11-01T23:59' }, NOW)).toBe(
      'BACKWARDS',
    )
  })

  test('times are written in UTC', () => {
    expect([momentText(NOW), utcDate(NOW)]).toEqual(['2026-11-23 14:05:09', '2026-11-23'])
    const before = Date.parse('2025-12-31T23:59:59.999Z')
    expect([shortText(NOW, NOW), shortText(before, NOW)]).toEqual(['11-23 14:05:09', '2025-12-31 23:59:59'])
  })
})
