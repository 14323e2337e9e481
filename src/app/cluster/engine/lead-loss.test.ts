import { expect, test } from 'bun:test'
import { isLost } from './lead-loss.ts'

test('an engine that has ended has lost the lead, whether it already said so or says so later', async () => {
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  const next = isLost({ ended: ended.promise })
  ended.reject(new Error('deposed'))
  expect(await next).toBe(true)
  expect(await isLost({ ended: ended.promise })).toBe(true)
  expect(await isLost({ ended: Promise.resolve({ snapshotProblem: undefined }) })).toBe(true)
})

test('an engine that says nothing still leads', async () => {
  expect(await isLost({ ended: new Promise(() => {}) })).toBe(false)
})
