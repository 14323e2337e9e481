import { expect, test } from 'bun:test'
import { EngineFault } from '../../engine/port/fault.ts'
import { raceFailures } from './race-failures.ts'

const alive = new Promise<never>(() => {})
const down = new EngineFault('ENGINE_DOWN', 'the history has stopped')

test('finished work gives its result', async () => {
  expect(await raceFailures(Promise.resolve(7), [alive])).toBe(7)
})

test('a death ends the wait for an answer that never comes, with its own cause', async () => {
  const cause = new Error('disk I/O error')
  expect(await raceFailures(alive, [alive, Promise.reject(cause)]).catch((error) => error)).toBe(cause)
})

test('the cause takes precedence over what others report of the death, whichever comes first', async () => {
  const death = Promise.withResolvers<never>()
  const ended = raceFailures(Promise.reject(down), [death.promise]).catch((error) => error)
  const cause = new Error('disk I/O error')
  setImmediate(() => death.reject(cause))
  expect(await ended).toBe(cause)
  const both = [Promise.reject(down), Promise.reject(cause)] as const
  expect(await raceFailures(both[0], [both[1]]).catch((error) => error)).toBe(cause)
})

test('a command with an unknown outcome is a consequence as well', async () => {
  const death = Promise.withResolvers<never>()
  const unknown = new EngineFault('OUTCOME_UNKNOWN', 'the engine has not said')
  const ended = raceFailures(Promise.reject(unknown), [death.promise]).catch((error) => error)
  const cause = new Error('disk I/O error')
  setImmediate(() => death.reject(cause))
  expect(await ended).toBe(cause)
})

test('a fault of the work itself is reported at once', async () => {
  const own = new EngineFault('STOPPING', 'the engine is stopping')
  expect(await raceFailures(Promise.reject(own), [alive]).catch((error) => error)).toBe(own)
})
