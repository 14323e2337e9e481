import { expect, test } from 'bun:test'
import { isJournalStream, prefixed, priorityOf } from './journal-priority.ts'

test('each level of the log has the priority that syslog gives it', () => {
  expect([10, 20, 30, 40, 50, 60].map(priorityOf)).toEqual([7, 7, 6, 4, 3, 2])
})

test('every line of a text has the priority', () => {
  expect(prefixed(3, 'a bug\n    at main.ts')).toBe('<3>a bug\n<3>    at main.ts')
})

test('a stream other than standard error that systemd names is ignored', () => {
  for (const said of [undefined, '', '1', '0:0', 'x:y'])
    expect([said, isJournalStream(said)]).toEqual([said, false])
})
