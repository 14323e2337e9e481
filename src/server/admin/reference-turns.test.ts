import { expect, test } from 'bun:test'
import { ADMIN_OPERATIONS } from '../../contract/admin/admin.ts'
import { changedReference, ReferenceTurns } from './reference-turns.ts'
import { checkOf } from './requests.ts'

test('an operation under a reference begins when the one before is answered, even if refused; other references do not wait', async () => {
  const turns = new ReferenceTurns()
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  const asked = [
    turns.take('a', async () => {
      done.push('first begins')
      await first.promise
      done.push('first ends')
      throw new Error('refused')
    }),
    turns.take('a', async () => done.push('second')),
    turns.take('b', async () => done.push('other')),
    turns.take(undefined, async () => done.push('without')),
  ]
  const ends = Promise.allSettled(asked)
  await asked[2]
  expect(done).toEqual(['first begins', 'other', 'without'])
  first.resolve()
  expect((await ends).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(done).toEqual(['first begins', 'other', 'without', 'first ends', 'second'])
})

test('nothing of a reference is kept when no operation on it is in progress', async () => {
  const turns = new ReferenceTurns()
  await Promise.all(Array.from({ length: 1_000 }, (_, i) => turns.take(`r-${i % 7}`, async () => i)))
  await Promise.resolve()
  expect(turns.count).toBe(0)
})

test('an operation that changes what is under a reference waits its turn, one that reads does not', () => {
  const asked = { reference: 'r' }
  const named = ADMIN_OPERATIONS.filter((operation) => 'reference' in checkOf(operation).shape)
  expect(named.length).toBeGreaterThan(8)
  for (const operation of named)
    expect([operation, changedReference(operation, asked)]).toEqual([
      operation,
      operation === 'transfer/show' ? undefined : 'r',
    ])
  expect(changedReference('symbol/halt', { symbol: 'BTC/USDT' })).toBeUndefined()
})
