import { expect, test } from 'bun:test'
import { run } from './stream.ts'

test('the stream sends the same market over both transports as a bare server does, and its channels', async () => {
  const fanOut = ['--subscribers', '2', '--channel-subscribers', '2', '--rounds', '1', '--batches', '5']
  const news = ['--readers', '2', '--rate', '20', '--seconds', '1']
  const candles = ['--candles', '4']
  const sweep = ['--fills', '20', '--watchers', '4', '--calm-ms', '200']
  expect(await run([...fanOut, ...news, ...candles, ...sweep, '--levels', '100,1000'])).toEqual([
    'published: 21a2dc21',
    'join: 21a2dc21',
    'book: 47f76d7f',
    'book of 10 levels: 759ca52f',
    'trades: a0ec3fe8',
    'bookTicker: c445bb00',
    'ticker: 113c1700',
    'kline_1m: 4386b79a',
    'book of 100 levels: 2fb172f2',
    'book of 1000 levels: 18def35c',
  ])
}, 300_000)
