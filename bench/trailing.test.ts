import { expect, test } from 'bun:test'
import { run } from './trailing.ts'

test('no measured trade triggers a trailing order', async () => {
  expect(await run(['--orders', '2000', '--trades', '20'])).toEqual([
    '0 of 0 wait',
    '20 of 20 wait',
    '200 of 200 wait',
    '2000 of 2000 wait',
  ])
})
