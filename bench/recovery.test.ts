import { expect, test } from 'bun:test'
import { run } from './recovery.ts'

test('every replay of the same batches reaches the same state', async () => {
  const size = ['--accounts', '300', '--orders', '500', '--rounds', '1', '--core-only']
  expect(await run(size)).toEqual([
    '3 accounts, 5 orders: state fa4cd7c37a9174fd',
    '30 accounts, 50 orders: state 15004defe8845b79',
    '300 accounts, 500 orders: state 21b8b3273b5cdb2b',
  ])
})
