import { expect, test } from 'bun:test'
import { guarded } from './guarded.ts'

test('nothing that a guarded task throws or rejects with escapes, and each failure is logged', async () => {
  const told: unknown[] = []
  const tell = (cause: unknown): void => void told.push(cause)
  guarded(() => {
    throw new Error('EMFILE: too many open files')
  }, tell)()
  guarded(() => Promise.reject(new Error('later')), tell)()
  guarded(() => 'done', tell)()
  await Promise.resolve()
  await Promise.resolve()
  expect(told).toEqual([new Error('EMFILE: too many open files'), new Error('later')])
})

test('a failing log ends nothing either', async () => {
  const broken = (): never => {
    throw new Error('EMFILE: the log')
  }
  expect(guarded(broken, broken)).not.toThrow()
  guarded(() => Promise.reject(new Error('later')), broken)()
  await Promise.resolve()
})
