import { expect, test } from 'bun:test'
import { timeMs } from '../../../units/quantities.ts'
import { KeyUse, ReportedKeyUse } from './key-use.ts'

test('a full table forgets the key that is unused for the longest time, and records each new one', () => {
  const use = new KeyUse(3)
  for (const [index, key] of ['ended', 'busy', 'calm'].entries()) use.note(key, timeMs(index))
  use.note('busy', timeMs(10))
  use.note('new', timeMs(11))
  expect(['ended', 'busy', 'calm', 'new'].map((key) => use.lastUsed(key))).toEqual([
    ...[undefined, timeMs(10), timeMs(2), timeMs(11)],
  ])
  use.note('newer', timeMs(12))
  expect(['busy', 'calm', 'new', 'newer'].map((key) => use.lastUsed(key))).toEqual([
    ...[timeMs(10), undefined, timeMs(11), timeMs(12)],
  ])
})

test('session keys take no places of API keys, and their use is still reported', () => {
  const session = `s-${'a'.repeat(26)}`
  const use = new ReportedKeyUse(1)
  use.note('key', timeMs(1))
  use.note(session, timeMs(2))
  expect([use.lastUsed('key'), use.lastUsed(session)]).toEqual([timeMs(1), undefined])
  expect(use.takeUnreported()).toEqual([
    ['key', timeMs(1)],
    [session, timeMs(2)],
  ])
})
