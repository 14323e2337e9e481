import { expect, test } from 'bun:test'
import { run } from './stream.ts'

test('the stream sends over both transports what a bare server sends of the same market', async () => {
  const fanOut = ['--subscribers', '3', '--rounds', '1', '--batches', '5']
  const news = ['--readers', '2', '--rate', '20', '--seconds', '1']
  const sweep = ['--fills', '20', '--watchers', '4']
  expect(await run([...fanOut, ...news, ...sweep, '--levels', '100,1000'])).toEqual([
    'published: 21a2dc21',
    'book of 100 levels: 2fb172f2',
    'book of 1000 levels: 18def35c',
  ])
}, 120_000)
