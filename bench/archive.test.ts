import { expect, test } from 'bun:test'
import { run } from './archive.ts'

test('a year that is archived ends where it ends, with the state that it has', async () => {
  expect(await run(['--orders', '2000', '--accounts', '20'])).toEqual([
    'archived: ffa4a672bbbc435b',
    'state: 933622ec471cbd17',
  ])
})
