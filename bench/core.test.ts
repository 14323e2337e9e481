import { expect, test } from 'bun:test'
import { run } from './core.ts'

test('every load leaves the same state, told by the same events', async () => {
  expect(await run(['--orders', '500', '--accounts', '5', '--rounds', '1'])).toEqual([
    'a taker trades once: 229 trades, 1229 events, state 417f9013c1e5aeab',
    'a taker trades twice: 438 trades, 1589 events, state 79ac8ed2cb8e96cd',
    'once, amounts above 2^53: 229 trades, 1229 events, state 9c093c2d9bbb955f',
    'once, 10 times as many accounts: 229 trades, 1229 events, state e7bd94ca9f6cf688',
    'once, 100 times as many accounts: 229 trades, 1229 events, state 2f4204b8d03e7461',
  ])
})
