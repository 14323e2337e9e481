import { expect, test } from 'bun:test'
import { run } from './core.ts'

test('every load leaves the same state and publishes the same events', async () => {
  expect(await run(['--orders', '500', '--accounts', '5', '--rounds', '1'])).toEqual([
    'a taker trades once: 229 trades, 1229 events, state 90d858d5bb136f58',
    'a taker trades twice: 438 trades, 1589 events, state 276ec088f40bba90',
    'once, amounts above 2^53: 229 trades, 1229 events, state 6a4526c038e684f2',
    'once, 10 times as many accounts: 229 trades, 1229 events, state 2f3a16951382fcc8',
    'once, 100 times as many accounts: 229 trades, 1229 events, state babf8afb0339c2cf',
  ])
})
