import { expect, test } from 'bun:test'
import { causeOfDeath, isExplainedDeath, messageOf } from './death.ts'

/**
 * The cause of death of a node whose follower first reports that its engine ended; the engine's own cause
 * comes later, if there is one.
 */
function causeBehind(engineEnd: (end: PromiseWithResolvers<never>) => void): Promise<unknown> {
  const end = Promise.withResolvers<never>()
  const failed = Promise.reject(new Error('EngineFault: the engine sends no more batches'))
  const cause = causeOfDeath({ failed, engineEnded: end.promise })
  engineEnd(end)
  return cause
}

test('a follower whose engine is dead does not explain the death: the cause is that of the engine', async () => {
  const bug = await causeBehind(({ reject }) => reject(new Error('a bug')))
  expect([messageOf(bug), isExplainedDeath(bug)]).toEqual(['a bug', false])
  const fault = await causeBehind(({ reject }) => reject(new Error('append: input/output error')))
  expect([messageOf(fault), isExplainedDeath(fault)]).toEqual(['append: input/output error', true])
})

test('an engine that stopped cleanly does not explain a follower that lacks its batches', async () => {
  expect(isExplainedDeath(await causeBehind(({ resolve }) => resolve(undefined as never)))).toBe(false)
})
