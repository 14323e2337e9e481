import { expect, test } from 'bun:test'
import { run } from './recovery.ts'

test('every replay of the same batches reaches the same state', async () => {
  const size = ['--accounts', '300', '--orders', '500', '--rounds', '1', '--core-only']
  expect(await run(size)).toEqual([
    '3 accounts, 5 orders: state 2f376f69ad8b94fa',
    '30 accounts, 50 orders: state afe6834a5238300a',
    '300 accounts, 500 orders: state 14f750e9fb15290a',
  ])
})
