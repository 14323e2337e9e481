import { expect, test } from 'bun:test'
import { guarded } from './guarded.ts'

test('nothing that a guarded task throws or rejects with leaves it, and each failure is told', async () => {
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

test('a log that cannot be written either ends nothing', async () => {
  const broken = (): never => {
    throw new Error('EMFILE: the log')
  }
  expect(guarded(broken, broken)).not.toThrow()
  guarded(() => Promise.reject(new Error('later')), broken)()
  await Promise.resolve()
})
