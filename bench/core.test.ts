import { expect, test } from 'bun:test'
import { run } from './core.ts'

test('every load leaves the same state and publishes the same events', async () => {
  expect(await run(['--orders', '500', '--accounts', '5', '--rounds', '1'])).toEqual([
    'a taker trades once: 229 trades, 1229 events, state 1fb36f06cc6df4da',
    'a taker trades twice: 438 trades, 1589 events, state cc723eee47f2c1e2',
    'once, amounts above 2^53: 229 trades, 1229 events, state 0231d11abf6cdb24',
    'once, 10 times as many accounts: 229 trades, 1229 events, state b3ab12f0e48e9537',
    'once, 100 times as many accounts: 229 trades, 1229 events, state a664a99d49e67ae6',
  ])
})
