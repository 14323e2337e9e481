import { expect, test } from 'bun:test'
import { run } from './start.ts'

test('a small node and the commands of the command line start', async () => {
  expect(await run(['--rounds', '1'])).toEqual([
    'node',
    'bourse --version',
    'bourse admin --help',
    'bourse help serve',
  ])
}, 300_000)
