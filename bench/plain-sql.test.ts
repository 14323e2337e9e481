import { expect, test } from 'bun:test'
import { run } from './plain-sql.ts'

test('the exchange in SQL tables stores every order, keeps its balances consistent and leaves no market crossed', async () => {
  const size = [
    '--orders',
    '60',
    '--bourse-orders',
    '60',
    '--connections',
    '4',
    '--rounds',
    '1',
    '--markets',
    '1,3',
  ]
  expect(await run(size)).toEqual(['tables: 240 orders, balances whole, no market crossed'])
}, 300_000)
