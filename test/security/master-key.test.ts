/** The master key of a running node is rotated without an effect on traders. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
  signed,
} from '../support/bourse-process.ts'

setDefaultTimeout(300_000)

const data = dataDirectory()
let node: BourseProcess
beforeAll(async () => {
  node = await sandbox(data.path)
})
afterAll(async () => {
  await node.end('SIGKILL')
  data.remove()
})

const masterKey = (): string => readFileSync(path.join(data.path, 'master.key'), 'utf8').trim()

async function operate(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const command = new BourseProcess(['admin', ...words, '--data', data.path, '--yes'])
  command.ready.catch(() => {})
  return { code: await command.exited(), out: command.out, err: command.err }
}

/** Statuses of signed requests, sent one after the other until `stop`. */
function trader(credentials: Credentials): { stop: () => Promise<readonly number[]> } {
  let isStopping = false
  const statuses: number[] = []
  const running = (async () => {
    while (!isStopping) {
      const answer = await signed(readSandbox(data.path).baseUrl, credentials, 'GET', 'wallet/balance')
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
  })()
  return {
    stop: async () => {
      isStopping = true
      await running
      return statuses
    },
  }
}

test('the master key is rotated under traders, killed, started and audited: every secret signs as before', async () => {
  const [alice] = readSandbox(data.path).accounts
  if (alice === undefined) throw new Error('the sandbox has accounts')
  const old = masterKey()
  const trading = trader(alice)
  const rotated = await operate('master-key', 'rotate', '--note', 'yearly')
  const statuses = await trading.stop()
  expect([rotated.code, rotated.out]).toEqual([
    0,
    expect.stringContaining('4 secrets re-encrypted. The old key is retired'),
  ])
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(masterKey()).toMatch(/^[0-9a-f]{64}$/)
  expect(masterKey()).not.toBe(old)
  const audit = JSON.parse((await operate('audit', '--kind', 'ResealSecret', '--json')).out)
  expect(JSON.stringify(audit)).toContain(alice.apiKey)
  // Two accounts with a key of each wire.
  const resealed = { kind: 'ResealSecret', note: 'yearly', outcome: 'done' }
  expect(audit).toMatchObject(
    Array.from({ length: 4 }, () => ({ ...resealed, fields: { apiKey: expect.any(String) } })),
  )
  expect(JSON.stringify(audit)).not.toContain(alice.secret)

  await node.end('SIGKILL')
  node = await sandbox(data.path)
  const { baseUrl } = readSandbox(data.path)
  expect((await signed(baseUrl, alice, 'GET', 'wallet/balance')).status).toBe(200)
})

test('a node does not start with a master key that others may read, and says how to restrict it', async () => {
  await node.end('SIGTERM')
  const file = path.join(data.path, 'master.key')
  chmodSync(file, 0o644)
  const refused = new BourseProcess(['sandbox', '--port', '0', '--data', data.path])
  refused.ready.catch(() => {})
  expect(await refused.exited()).toBe(1)
  expect(refused.err).toContain(`Restrict it: chmod 600 ${file}`)
  chmodSync(file, 0o600)
  node = await sandbox(data.path)
})
