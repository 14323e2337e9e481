import { expect, test } from 'bun:test'
import { run } from './core.ts'

test('every load leaves the same state and publishes the same events', async () => {
  expect(await run(['--orders', '500', '--accounts', '5', '--rounds', '1'])).toEqual([
    'a taker trades once: 229 trades, 1229 events, state 5474df53a035b7b8',
    'a taker trades twice: 438 trades, 1589 events, state 16b4bf9022f0929f',
    'once, amounts above 2^53: 229 trades, 1229 events, state 48aeebd9c080292d',
    'once, 10 times as many accounts: 229 trades, 1229 events, state 62a408335f78ca16',
    'once, 100 times as many accounts: 229 trades, 1229 events, state 2b81f009f6ff4e3d',
  ])
})
