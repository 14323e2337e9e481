import { afterEach, expect, test } from 'bun:test'
import { timeMs } from '../../../units/quantities.ts'
import { clockTime } from './clock-time.ts'

const zone = process.env.TZ
afterEach(() => {
  process.env.TZ = zone ?? 'UTC'
})

test('a time is shown in UTC, whatever the time zone of the reader', () => {
  const time = timeMs(Date.UTC(2026, 10, 22, 23, 5, 9, 999))
  for (const place of ['UTC', 'Europe/Istanbul', 'Asia/Kolkata', 'America/New_York']) {
    process.env.TZ = place
    expect(clockTime(time)).toBe('23:05:09')
  }
  // Ensures that the machine's zone differs.
  expect(new Date(time).getHours()).toBe(18)
})
