import { expect, test } from 'bun:test'
import { run } from './core.ts'

test('every load leaves the same state and publishes the same events', async () => {
  expect(await run(['--orders', '500', '--accounts', '5', '--rounds', '1'])).toEqual([
    'a taker trades once: 229 trades, 1229 events, state 28cb3472483ba62c',
    'a taker trades twice: 438 trades, 1589 events, state b2fc3a2706bc19af',
    'once, amounts above 2^53: 229 trades, 1229 events, state 02b7f28b7e26f4f3',
    'once, 10 times as many accounts: 229 trades, 1229 events, state 7ca8eb67f7a73e6b',
    'once, 100 times as many accounts: 229 trades, 1229 events, state 3c9027df2a80c774',
  ])
})
