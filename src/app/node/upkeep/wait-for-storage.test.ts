import { expect, test } from 'bun:test'
import { EngineFault } from '../../../engine/port/fault.ts'
import { onceThereIsRoom, waitForStorage } from './wait-for-storage.ts'

function failing(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says it`), { code })
}

test('a write is retried until there is space, and the log says once that the storage is full', async () => {
  const logged: object[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void logged.push(fields) }
  let tries = 0
  await waitForStorage(
    'note.json',
    () => {
      if (++tries < 4) throw failing('ENOSPC')
    },
    { log, untilRetry: () => Promise.resolve() },
  )
  expect(tries).toBe(4)
  expect(logged).toEqual([
    { what: 'note.json', problem: 'cannot write note.json: ENOSPC: as the system says it' },
  ])
})

test('a write that fails for another reason is not retried', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  let tries = 0
  const write = (): never => {
    tries++
    throw failing('EIO')
  }
  const writing = waitForStorage('note.json', write, { log, untilRetry: () => Promise.resolve() })
  expect(await writing.catch((fault) => fault.message)).toBe(
    'cannot write note.json: EIO: as the system says it',
  )
  expect(tries).toBe(1)
})

test('work that the engine has no room for is repeated until it has, and any other fault of it is the result', async () => {
  const logged: object[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void logged.push(fields) }
  const options = { log, untilRetry: () => Promise.resolve() }
  let tries = 0
  const done = await onceThereIsRoom(
    'a set-up',
    async () => {
      if (++tries < 4) throw new EngineFault('STORAGE_FULL', 'no room')
      return 'done'
    },
    options,
  )
  expect([done, tries, logged]).toEqual(['done', 4, [{ what: 'a set-up', problem: 'no room' }]])
  const down = new EngineFault('ENGINE_DOWN', 'as the test wants it')
  expect(await onceThereIsRoom('a set-up', () => Promise.reject(down), options).catch((fault) => fault)).toBe(
    down,
  )
})
