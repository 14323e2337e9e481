import { expect, test } from 'bun:test'
import { timeMs } from '../../units/quantities.ts'
import { Parameters } from '../common/parameters.ts'
import { untilDeadline } from './deadline.ts'

const window = { sentAt: timeMs(1_000), until: timeMs(6_000) }
const withDeadline = (deadline: number) => new Parameters(['deadline'], [String(deadline)])

test('a request may take effect until its window or its deadline is over, whichever comes first', () => {
  for (const [deadline, until, isDeadline] of [
    [5_999, 5_999, true],
    [6_000, 6_000, undefined],
    [6_001, 6_000, undefined],
  ] as const) {
    const found = untilDeadline(window, withDeadline(deadline))
    expect([deadline, found?.until as number, found?.isDeadline, found?.sentAt as number]).toEqual([
      deadline,
      until,
      isDeadline,
      1_000,
    ])
  }
})

test('a request with a window or a deadline alone has that one, and one with neither has none', () => {
  expect(untilDeadline(undefined, withDeadline(7_000))).toEqual({
    sentAt: timeMs(7_000),
    until: timeMs(7_000),
    isDeadline: true,
  })
  expect(untilDeadline(window, new Parameters())).toBe(window)
  expect(untilDeadline(undefined, new Parameters())).toBeUndefined()
})
