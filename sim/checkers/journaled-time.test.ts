import { expect, test } from 'bun:test'
import type { ClockReading } from '../../src/engine/writer/journal-clock.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { CLOCK_LIMITS } from '../canary/canary.ts'
import { JournaledTime } from './journaled-time.ts'

const NOON = 1_700_000_000_000
const MINUTE = 60_000

/**
 * A process that starts at noon on a journal that ends at noon; `readings` are the clock readings that it
 * publishes, in ms after noon.
 */
function begun(...readings: readonly (readonly [isTrusted: boolean, timeMs: number, wallMs: number])[]) {
  const times = new JournaledTime(() => 0, CLOCK_LIMITS)
  times.started(NOON)
  for (const [isTrusted, time, wall] of readings)
    times.read({
      isTrusted,
      time: (NOON + time) as TimeMs,
      wall: (NOON + wall) as TimeMs,
    } satisfies ClockReading)
  times.recovered(NOON)
  /** Whether a command may have a time this many ms from noon. */
  return (timeMs: number): boolean => {
    try {
      times.applied({ seq: 1, time: (NOON + timeMs) as TimeMs, command: undefined })
      return true
    } catch {
      return false
    }
  }
}

test('before any reading of the clock is used, a command may be dated as far ahead as a start allows', () => {
  expect([begun()(59 * MINUTE), begun()(61 * MINUTE)]).toEqual([true, false])
})

test('after a trusted reading, further readings are held to the bound of a running clock', () => {
  const reading = [true, MINUTE, MINUTE] as const
  expect([begun(reading)(MINUTE + 9_000), begun(reading)(2 * MINUTE)]).toEqual([true, false])
})

test('a reading that is not trusted, or far behind the journal, keeps the bound of the start', () => {
  for (const reading of [
    [false, 0, 120 * MINUTE],
    [true, 0, -MINUTE],
  ] as const)
    expect([begun(reading)(59 * MINUTE), begun(reading)(61 * MINUTE)]).toEqual([true, false])
})

test('a clock that a node trusts beyond the bound of a start dates no command by that', () => {
  expect(begun([true, 120 * MINUTE, 120 * MINUTE])(120 * MINUTE)).toBe(false)
})

test('what the previous process dated but did not apply keeps the bound of the start', () => {
  const times = new JournaledTime(() => 0, CLOCK_LIMITS)
  times.started(NOON)
  const apply = (seq: number, minutes: number) =>
    times.applied({ seq, time: (NOON + minutes * MINUTE) as TimeMs, command: undefined })
  apply(1, 30)
  times.recovered(NOON + 30 * MINUTE)
  apply(2, 89)
  expect(() => apply(3, 90)).toThrow('ahead of time')
})
