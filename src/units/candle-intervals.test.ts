import { describe, expect, test } from 'bun:test'
import { CANDLE_INTERVALS, startOfWindow, windowOf, windowStart } from './candle-intervals.ts'
import { timeMs } from './quantities.ts'

const at = (text: string) => timeMs(Date.parse(text))
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z')

describe('windows', () => {
  test('a leap day belongs to February, and the month after it begins on the 1st of March', () => {
    expect(iso(windowStart('1M', at('2024-02-29T23:59:59.999Z')))).toBe('2024-02-01T00:00:00Z')
    expect(iso(windowStart('1M', at('2024-03-01T00:00:00Z')))).toBe('2024-03-01T00:00:00Z')
    expect(iso(windowStart('1M', at('2100-02-28T23:59:59.999Z')))).toBe('2100-02-01T00:00:00Z')
    expect(iso(windowStart('1M', at('2100-03-01T00:00:00Z')))).toBe('2100-03-01T00:00:00Z')
  })

  test('weeks begin on Mondays at midnight UTC', () => {
    expect(iso(windowStart('1w', at('2026-01-04T23:59:59.999Z')))).toBe('2025-12-29T00:00:00Z')
    expect(iso(windowStart('1w', at('2026-01-05T00:00:00Z')))).toBe('2026-01-05T00:00:00Z')
  })

  test('windows of 3 days are counted from 1970-01-01', () => {
    expect(iso(windowStart('3d', at('1970-01-03T12:00:00Z')))).toBe('1970-01-01T00:00:00Z')
    expect(iso(windowStart('3d', at('2025-12-31T23:59:59.999Z')))).toBe('2025-12-29T00:00:00Z')
    expect(iso(windowStart('3d', at('2026-01-01T00:00:00Z')))).toBe('2026-01-01T00:00:00Z')
  })

  test.each(CANDLE_INTERVALS)('those of %s follow one another without a gap', (interval) => {
    const window = windowOf(interval, at('2024-02-27T11:22:33.456Z'))
    for (let n = window; n < window + 40; n++) {
      const [start, next] = [startOfWindow(interval, n), startOfWindow(interval, n + 1)]
      expect(windowOf(interval, start)).toBe(n)
      expect(windowOf(interval, timeMs(next - 1))).toBe(n)
    }
  })
})
