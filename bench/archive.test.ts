import { expect, test } from 'bun:test'
import { run } from './archive.ts'

test('a year that is archived ends where it ends, with the state that it has', async () => {
  expect(await run(['--orders', '2000', '--accounts', '20'])).toEqual([
    'archived: cd9ba0e76ff5ca74',
    'state: a7bed4efaa2c4172',
  ])
})
