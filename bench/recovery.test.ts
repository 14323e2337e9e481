import { expect, test } from 'bun:test'
import { run } from './recovery.ts'

test('every replay of the same batches reaches the same state', async () => {
  const size = ['--accounts', '300', '--orders', '500', '--rounds', '1', '--core-only']
  expect(await run(size)).toEqual([
    '3 accounts, 5 orders: state 71222581d6449f14',
    '30 accounts, 50 orders: state 1c30ade3a1cb56f8',
    '300 accounts, 500 orders: state c6bd791479cbdde4',
  ])
})
