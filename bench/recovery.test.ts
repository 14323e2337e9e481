import { expect, test } from 'bun:test'
import { run } from './recovery.ts'

test('every replay of the same batches reaches the same state', async () => {
  const size = ['--accounts', '300', '--orders', '500', '--rounds', '1', '--core-only']
  expect(await run(size)).toEqual([
    '3 accounts, 5 orders: state af55682788778570',
    '30 accounts, 50 orders: state 15cac3e115ec5f4e',
    '300 accounts, 500 orders: state 26a47c55414dfaa3',
  ])
})
