import { expect, test } from 'bun:test'
import { warningOf } from './session-warning.ts'

const minutes = (count: number) => count * 60_000

test('an unused session warns two minutes before it ends, and says how long it has', () => {
  const ends = { endAt: minutes(480), unusedEndAt: minutes(15) }
  expect(warningOf(ends, minutes(13) - 1)).toBeUndefined()
  expect(warningOf(ends, minutes(13))).toEqual({ kind: 'unused', secondsLeft: 120 })
  expect(warningOf(ends, minutes(15) - 1)).toEqual({ kind: 'unused', secondsLeft: 1 })
  expect(warningOf(ends, minutes(16))).toEqual({ kind: 'unused', secondsLeft: 0 })
})

test('a session warns ten minutes before its final end, when using it no longer helps', () => {
  const ends = { endAt: minutes(480), unusedEndAt: minutes(480) }
  expect(warningOf(ends, minutes(470) - 1)).toBeUndefined()
  expect(warningOf(ends, minutes(470))).toEqual({ kind: 'end', secondsLeft: 600 })
  expect(warningOf({ ...ends, unusedEndAt: minutes(471) }, minutes(470))?.kind).toBe('end')
})
