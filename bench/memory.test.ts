import { expect, test } from 'bun:test'
import { run } from './memory.ts'

test('the process that is weighed holds all that it was asked for', async () => {
  expect(await run(['--accounts', '20', '--orders', '30', '--core-only'])).toEqual([
    'accounts: 44 commands',
    'and orders: 74 commands',
  ])
})
