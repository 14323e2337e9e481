import { expect, test } from 'bun:test'
import { run } from './archive.ts'

test('a year that is archived ends where it ends, with the state that it has', async () => {
  expect(await run(['--orders', '2000', '--accounts', '20'])).toEqual([
    'archived: 93e0ff812ba30f88',
    'state: 93643447eddea8d9',
  ])
})
