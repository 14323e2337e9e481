import { expect, test } from 'bun:test'
import { run } from './client-order-ids.ts'

test('every kind of client order id is placed, recognized and measured', async () => {
  expect(await run(['--orders', '200', '--accounts', '2'])).toEqual([
    'none',
    'random',
    'ascending',
    'descending',
    'one beginning',
    'one hash',
  ])
}, 300_000)
