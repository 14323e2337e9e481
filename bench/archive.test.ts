import { expect, test } from 'bun:test'
import { run } from './archive.ts'

test('a year that is archived ends where it ends, with the state that it has', async () => {
  expect(await run(['--orders', '2000', '--accounts', '20'])).toEqual([
    'archived: 0f809efe45ad866e',
    'state: 71aabefa7287a19b',
  ])
})
