import { expect, test } from 'bun:test'
import { run } from './recovery.ts'

test('every replay of the same batches reaches the same state', async () => {
  const size = ['--accounts', '300', '--orders', '500', '--rounds', '1', '--core-only']
  expect(await run(size)).toEqual([
    '3 accounts, 5 orders: state 73bcd3457aec53fd',
    '30 accounts, 50 orders: state 49780513d3020c2b',
    '300 accounts, 500 orders: state 18fa98f827bc139f',
  ])
})
