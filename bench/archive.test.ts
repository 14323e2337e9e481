import { expect, test } from 'bun:test'
import { run } from './archive.ts'

test('a year in an archive ends at the right command, with the state of that command', async () => {
  expect(await run(['--orders', '2000', '--accounts', '20'])).toEqual([
    'archived: 0f809efe45ad866e',
    'state: 71aabefa7287a19b',
  ])
})
