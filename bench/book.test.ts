import { expect, test } from 'bun:test'
import { run } from './book.ts'

test('our book, the npm book and the plain book give the same results for every load', async () => {
  const size = ['--operations', '2000', '--resting', '200', '--rounds', '1', '--peer-rounds', '1']
  expect(await run(size)).toEqual([
    'band: 1642 trades worth 442773018325, chain f51cff3c, depth 5c5454e2, 356 resting',
    'band, in small: 3240 trades worth 886624130330, chain c9e19983, depth e0c73b6, 758 resting',
    'mix: 116 trades worth 33840851428, chain b40b1279, depth d4240dcb, 1005 resting',
    'mix, in small: 231 trades worth 66942803091, chain 5acc3b5f, depth 41bea979, 1021 resting',
    'deep: 0 trades worth 0, chain 0, depth a2b3f860, 200 resting',
    'deep, in small: 0 trades worth 0, chain 0, depth 6a8a5bbd, 1000 resting',
  ])
})
