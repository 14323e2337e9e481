import { expect, test } from 'bun:test'
import { run } from './recovery.ts'

test('every replay of the same batches reaches the same state', async () => {
  const size = ['--accounts', '300', '--orders', '500', '--rounds', '1', '--core-only']
  expect(await run(size)).toEqual([
    '3 accounts, 5 orders: state a7de7cd8e8e76208',
    '30 accounts, 50 orders: state 17ed7f8d993cc262',
    '300 accounts, 500 orders: state e254bedad2d0c919',
  ])
})
