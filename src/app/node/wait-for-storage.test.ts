import { expect, test } from 'bun:test'
import { waitForStorage } from './wait-for-storage.ts'

function failing(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says it`), { code })
}

test('a write is tried again until there is room, and the log says once that the storage is full', async () => {
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

test('a write that fails for another reason is not tried again', async () => {
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
