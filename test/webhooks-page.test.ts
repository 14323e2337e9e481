/**
 * docs/webhooks.md: its receiver is run unchanged with a real node; both are killed on the way, the history
 * is deleted, and the master key is replaced.
 */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ADMIN_FILE, ADMIN_PATH, type AdminAddress, type AdminAnswer } from '../src/contract/admin/admin.ts'
import type { AdminEvent } from '../src/contract/admin/events.ts'
import type { AdminWebhook, AdminWebhookTest } from '../src/contract/admin/webhooks.ts'
import { type BourseProcess, dataDirectory, sandbox } from './support/bourse-process.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/until.ts'

const PAGE = readFileSync(path.join(import.meta.dir, '..', 'docs', 'webhooks.md'), 'utf8')
const PROGRAM = /```js\n(.*?)```/s.exec(PAGE)?.[1] ?? ''

const { path: data, remove } = dataDirectory()
const directory = mkdtempSync(path.join(tmpdir(), 'bourse-receiver-'))
const kept = path.join(directory, 'kept.jsonl')
let node: BourseProcess | undefined
let receiver: Bun.Subprocess | undefined
afterAll(async () => {
  receiver?.kill('SIGKILL')
  await node?.end('SIGKILL')
  remove()
  rmSync(directory, { recursive: true, force: true })
})

const serve = () => sandbox(data, '--webhooks-private-addresses', 'on')

async function ask(operation: string, body: object = {}): Promise<unknown> {
  const { url, token } = JSON.parse(readFileSync(path.join(data, ADMIN_FILE), 'utf8')) as AdminAddress
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = (await (await fetch(`${url}${ADMIN_PATH}${operation}`, request)).json()) as AdminAnswer
  if (!answer.ok) throw new Error(`${operation}: ${answer.error.message}`)
  return answer.result
}

const receive = (port: number, secret: string): Bun.Subprocess =>
  Bun.spawn([process.execPath, path.join(directory, 'receiver.mjs'), String(port), secret, kept], {
    stdout: 'ignore',
    stderr: 'inherit',
  })

const lines = (): string[] => (existsSync(kept) ? readFileSync(kept, 'utf8').split('\n').slice(0, -1) : [])
const events = (): AdminEvent[] => lines().map((line) => JSON.parse(line).event as AdminEvent)

let credits = 0
async function credit(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const reference = `hook-${++credits}`
    await ask('money/credit', { account: 'alice', asset: 'BTC', amount: '0.001', reference })
  }
}

test('the receiver of the page keeps each event once and in order, though it, the node and its history are killed or deleted in between', async () => {
  writeFileSync(path.join(directory, 'receiver.mjs'), PROGRAM)
  const port = freePort()
  node = await serve()
  const url = `http://127.0.0.1:${port}/`
  const { secret } = (await ask('webhook/add', { name: 'books', url, kinds: ['CREDIT'] })) as AdminWebhook & {
    readonly secret: string
  }
  receiver = receive(port, secret)
  await credit(20)
  await until('some came', () => lines().length >= 5)
  receiver.kill('SIGKILL')
  await receiver.exited
  await credit(5)
  // From now on the secret can be opened only with another key.
  expect(await ask('master-key/rotate')).toMatchObject({ left: 0 })
  await node.end('SIGKILL')
  // Rebuilt from the journal, with the same numbers.
  for (const file of ['history.sqlite', 'history.sqlite-wal', 'history.sqlite-shm'])
    rmSync(path.join(data, file), { force: true })
  receiver = receive(port, secret)
  node = await serve()
  await credit(5)
  await until('all came', () => lines().length >= credits)
  const got = events()
  expect(got.map(({ fields }) => fields.reference)).toEqual(
    Array.from({ length: credits }, (_, i) => `hook-${i + 1}`),
  )
  expect(new Set(got.map(({ number }) => number)).size).toBe(credits)
  // A stranger's request is refused, and a test delivery is accepted without being stored.
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await ask('webhook/test', { name: 'books' })) as AdminWebhookTest).toMatchObject({
    delivered: true,
  })
  expect(lines().length).toBe(credits)
  expect(await node.end('SIGTERM')).toBe(0)
  const everythingSaid = node.out + node.err
  expect(everythingSaid).not.toContain(secret)
}, 300_000)
