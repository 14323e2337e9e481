/** Programs and people read the log: no outsider can write lines into it, and no secret reaches it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_PATH } from '../../src/contract/admin/admin.ts'
import { BourseProcess, dataDirectory, readSandbox, signed } from '../support/bourse-process.ts'
import { until } from '../support/until.ts'
import { request, untilClosed } from './support/attacker.ts'

setDefaultTimeout(300_000)

/** Looks like a line of the log, clears a terminal, ends a JSON string, and breaks lines in three ways. */
const FORGED = '\u001b[2J","level":60}\r\n{"level":30,"msg":"trading halted"}\u2028\u0085'

const data = dataDirectory()
let node: BourseProcess
let baseUrl: string
beforeAll(async () => {
  node = new BourseProcess(['sandbox', '--port', '0', '--data', data.path, '--log-level', 'debug'])
  baseUrl = await node.ready
})
afterAll(async () => {
  await node.end('SIGKILL')
  data.remove()
})

const admin = (): { url: string; token: string } =>
  JSON.parse(readFileSync(path.join(data.path, 'admin.json'), 'utf8'))

/** An operation of the admin server; resolves with the status of its answer. */
async function operate(operation: string, body: object, token = admin().token): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answer = await fetch(admin().url + ADMIN_PATH + operation, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  return answer.status
}

test('whatever unauthenticated clients and operators send, each line of the log is one JSON object of the node', async () => {
  const escaped = encodeURIComponent(FORGED)
  await fetch(`${baseUrl}/api/v3/depth?symbol=${escaped}`, { headers: { 'User-Agent': '\u001b[2J' } })
  await fetch(`${baseUrl}/${escaped}`, { headers: { 'X-Apikey': '","level":60}' } })
  await untilClosed(baseUrl, {
    bytes: request(`GET /${FORGED} HTTP/1.1`, ['Connection: close', `X-Apikey: ${FORGED}`]),
  })
  await operate(escaped, {})
  const printable = FORGED.replace(/[^\x20-\x7e]/g, '')
  expect(await operate('account/add', { name: 'mallory', actor: printable, note: printable })).toBe(200)
  await operate('account/add', { name: FORGED, actor: FORGED, note: FORGED })
  expect(await operate('account/add', { name: FORGED }, printable)).toBe(401)
  await until('the operation is in the log', () => node.err.includes('account/add'))
  const lines = node.err.split('\n').filter((line) => line !== '')
  for (const line of lines) {
    const entry = JSON.parse(line)
    expect(entry.msg).not.toBe('trading halted')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  }
})

test('no secret, signature, token or master key is ever in the log, in answers to unauthenticated clients or on the screen after the first start', async () => {
  const { accounts } = readSandbox(data.path)
  const [alice] = accounts
  if (alice === undefined) throw new Error('expected an account')
  const { token } = admin()
  const masterKey = readFileSync(path.join(data.path, 'master.key'), 'utf8').trim()
  const answers: string[] = []
  for (const secret of [alice.secret, 'wrong']) {
    const answer = await signed(baseUrl, { ...alice, secret }, 'GET', 'wallet/balance')
    answers.push(await answer.text())
  }
  expect(await operate('account/add', { name: 'carol' }, `${token.slice(0, -1)}!`)).toBe(401)
  expect(await operate('key/add', { account: 'alice' })).toBe(200)
  const firstScreen = node.out
  expect(await node.end('SIGTERM')).toBe(0)
  const log = node.err
  node = new BourseProcess(['sandbox', '--port', '0', '--data', data.path, '--log-level', 'debug'])
  baseUrl = await node.ready
  const seen = [log, node.err, node.out, ...answers].join('\n')
  for (const hidden of [...accounts.map(({ secret }) => secret), token, masterKey]) {
    expect(hidden.length).toBeGreaterThanOrEqual(32)
    expect(seen).not.toContain(hidden)
  }
  // The test can detect a secret: the first start printed those of the accounts, and none of the others.
  expect(firstScreen).toContain(alice.secret)
  expect(firstScreen).not.toContain(token)
  expect(firstScreen).not.toContain(masterKey)
})
