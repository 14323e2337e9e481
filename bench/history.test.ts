import { expect, test } from 'bun:test'
import { run } from './history.ts'

test('the follower writes the same history whatever it pulls at a time, and pages are found at any depth', async () => {
  const size = [
    '--orders',
    '400',
    '--rounds',
    '1',
    '--records',
    '100,1000',
    '--reads',
    '3',
    '--accounts',
    '2,50',
    '--trades',
    '100',
  ]
  expect(await run(size)).toEqual([
    'history: 200 records, the newest 200 b25f211',
    'page 0 of 100 records: a71e63af of 100',
    'page 9 of 1000 records: a71e63af of 1000',
  ])
}, 300_000)
