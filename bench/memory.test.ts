import { expect, test } from 'bun:test'
import { run } from './memory.ts'

test('the measured process holds everything that it was asked to hold', async () => {
  expect(await run(['--accounts', '20', '--orders', '30', '--core-only'])).toEqual([
    'accounts: 44 commands',
    'and orders: 74 commands',
  ])
})
