import { expect, test } from 'bun:test'
import { faultLog } from './fault-log.ts'

test('a failure that occurs every second is logged once a minute, with its count', () => {
  const lines: { failures: number }[] = []
  let nowMs = 0
  const tell = faultLog(
    { error: (fields) => void lines.push(fields as { failures: number }) },
    'a look',
    () => nowMs,
  )
  for (let second = 0; second <= 120; second++) {
    nowMs = second * 1_000
    tell(new Error('EMFILE'))
  }
  expect(lines.map(({ failures }) => failures)).toEqual([1, 61, 121])
})
