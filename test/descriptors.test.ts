/**
 * A node without a free file descriptor: it continues to serve connected clients, reports the problem, and
 * recovers once there are descriptors again.
 */
import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_FILE, ADMIN_PATH, type AdminAddress, type AdminAnswer } from '../src/contract/admin/admin.ts'
import { BourseProcess, dataDirectory, readSandbox, sandbox, signed } from './support/bourse-process.ts'
import { until } from './support/until.ts'

const TIMEOUT_MS = 300_000
const SNAPSHOT_COMMANDS = 20

const { path: data, remove } = dataDirectory()
const received: string[] = []
const receiver = Bun.serve({
  ...{ hostname: '127.0.0.1', port: 0 },
  fetch: async (request) => {
    received.push(await request.text())
    return new Response()
  },
})
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  await receiver.stop(true)
  remove()
})

/** Uses the open connection, if there is one. */
async function ask(operation: string, body: object): Promise<void> {
  const { url, token } = JSON.parse(readFileSync(path.join(data, ADMIN_FILE), 'utf8')) as AdminAddress
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = (await (await fetch(`${url}${ADMIN_PATH}${operation}`, request)).json()) as AdminAnswer
  if (!answer.ok) throw new Error(`${operation}: ${answer.error.message}`)
}

let orders = 0
async function placeOrders(count: number): Promise<void> {
  const { baseUrl, accounts } = readSandbox(data)
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.0001', price: '100' }
  for (let i = 0; i < count; i++) {
    const newClientOrderId = `order-${orders++}`
    const answer = await signed(baseUrl, accounts[0] as (typeof accounts)[0], 'POST', 'order', {
      ...{ ...order, newClientOrderId },
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('placed')])
  }
}

let credits = 0
const credit = () =>
  ask('money/credit', { account: 'alice', asset: 'BTC', amount: '0.001', reference: `r-${++credits}` })

/** Sets the limit of the node's file descriptors; open ones stay open. */
function limitDescriptors(pid: number, softMax: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['prlimit', '--pid', String(pid), `--nofile=${softMax}:`])
  if (exitCode !== 0) throw new Error(stderr.toString())
}

const newestSnapshot = (): number =>
  Math.max(0, ...readdirSync(path.join(data, 'snapshots')).map((name) => Number.parseInt(name, 10) || 0))

async function backup(name: string): Promise<{ readonly code: number; readonly said: string }> {
  const to = path.join(path.dirname(data), name)
  const running = new BourseProcess(['backup', '--data', data, '--to', to])
  return { code: await running.exited(), said: running.err }
}

test(
  'a node without a spare descriptor keeps running, says that snapshot, webhook and backup lack one, and makes all three once it has some',
  async () => {
    const options = [
      '--webhooks-private-addresses',
      'on',
      '--follower-snapshot-commands',
      `${SNAPSHOT_COMMANDS}`,
    ]
    node = await sandbox(data, '--limits', 'off', ...options)
    const { pid } = node.child
    const before = Bun.spawnSync(['prlimit', '--pid', String(pid), '--nofile', '-o', 'SOFT', '--noheadings'])
    const max = before.stdout.toString().trim()
    await ask('webhook/add', { name: 'books', url: `http://127.0.0.1:${receiver.port}/`, kinds: ['CREDIT'] })
    await credit()
    await until('the first came', () => received.length === 1)
    await placeOrders(1)

    // Below the number of open descriptors, so that no further one can be opened.
    limitDescriptors(pid, '3')
    const snapshot = newestSnapshot()
    await placeOrders(3 * SNAPSHOT_COMMANDS)
    await credit()
    const said = (words: RegExp) => until(`${words}`, () => words.test(node?.err ?? ''), TIMEOUT_MS)
    await said(/EMFILE.*"a snapshot is postponed and retried later"/)
    await said(/"problem":"[^"]*EMFILE[^"]*".*"a webhook could not deliver an event and retries"/)
    expect([node.child.exitCode, received.length, newestSnapshot()]).toEqual([null, 1, snapshot])
    const failed = await backup('failed')
    expect([failed.code, failed.said]).toEqual([2, expect.stringContaining('did not answer in time')])

    limitDescriptors(pid, max)
    await until('the second came', () => received.length === 2, TIMEOUT_MS)
    await placeOrders(3 * SNAPSHOT_COMMANDS)
    await until('a snapshot was made', () => newestSnapshot() > snapshot + 3 * SNAPSHOT_COMMANDS, TIMEOUT_MS)
    expect(await backup('made')).toEqual({ code: 0, said: '' })
    expect(await node.end('SIGTERM')).toBe(0)
  },
  TIMEOUT_MS,
)
