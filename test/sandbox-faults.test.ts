/** Faults of a sandbox, injected by its operator and observed by real clients over HTTP and the stream. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { plainEntry, socketIoEntry } from './order-entry/support/entry-clients.ts'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  killAll,
  readSandbox,
  sandbox,
  signed,
} from './support/bourse-process.ts'
import { PROGRAM } from './support/program.ts'
import { until } from './support/until.ts'

setDefaultTimeout(300_000)

const data = dataDirectory()
const nodes: BourseProcess[] = []
let url = ''
let alice: Credentials
let bob: Credentials
let ids = 0

beforeAll(async () => {
  nodes.push(await sandbox(data.path))
  const { baseUrl, accounts } = readSandbox(data.path)
  url = baseUrl
  ;[alice, bob] = accounts as [Credentials, Credentials]
})

afterEach(async () => {
  await admin('fault/clear')
})

afterAll(async () => {
  await killAll(nodes)
  data.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: what the admin server answers is looked at as it is
async function admin(operation: string, body: object = {}): Promise<any> {
  const address = JSON.parse(readFileSync(path.join(data.path, 'admin.json'), 'utf8'))
  const response = await fetch(`${address.url}/admin/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { ok: boolean; result: unknown; error: unknown }
  if (!answer.ok) throw new Error(`${operation}: ${JSON.stringify(answer.error)}`)
  return answer.result
}

const add = (kind: string, terms: object = {}) => admin('fault/add', { kind, ...terms })

function newOrder(symbol = 'BTC/USDT') {
  const newClientOrderId = `f-${++ids}`
  return { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '0.5', newClientOrderId }
}

async function isPlaced(origClientOrderId: string): Promise<boolean> {
  const answer = await signed(url, alice, 'GET', 'order', { origClientOrderId })
  return answer.status === 200
}

// biome-ignore lint/suspicious/noExplicitAny: what the exchange answers is looked at as it is
const bodyOf = async (answer: Response): Promise<any> => answer.json()

describe('over HTTP', () => {
  test('a lost answer belongs to an order that was placed, and only of the account that it names', async () => {
    await add('LOST_ANSWER', { account: 'alice', endpoint: 'POST /api/v3/order', times: 1 })
    expect((await signed(url, bob, 'POST', 'order', newOrder())).status).toBe(200)
    const order = newOrder()
    expect(await signed(url, alice, 'POST', 'order', order).catch(() => 'lost')).toBe('lost')
    expect(await isPlaced(order.newClientOrderId)).toBe(true)
    expect((await signed(url, alice, 'POST', 'order', newOrder())).status).toBe(200)
    expect(await admin('fault/list')).toEqual([])
  })

  test('a connection that ends takes along a request that was not done', async () => {
    await add('DISCONNECT', { account: 'alice', times: 1 })
    const order = newOrder()
    expect(await signed(url, alice, 'POST', 'order', order).catch(() => 'cut')).toBe('cut')
    expect(await isPlaced(order.newClientOrderId)).toBe(false)
  })

  test('a delayed answer arrives, not before its time', async () => {
    await add('LATENCY', { latencyMs: 150, spreadMs: 20 })
    const start = performance.now()
    expect((await signed(url, alice, 'POST', 'order', newOrder())).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(149)
    expect(await admin('fault/list')).toMatchObject([{ kind: 'LATENCY', struck: 1, until: null }])
  })

  test('a client that is told to wait is told so until the time is over, and nothing is done meanwhile', async () => {
    await add('RATE_LIMIT', { account: 'alice', retryAfterSeconds: 3_600, times: 1 })
    for (let i = 0; i < 2; i++) {
      const order = newOrder()
      const answer = await signed(url, alice, 'POST', 'order', order)
      expect([answer.status, (await bodyOf(answer)).reason]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000)
    }
    expect((await signed(url, bob, 'POST', 'order', newOrder())).status).toBe(200)
  })

  test.each([
    ['ahead', { aheadMs: 3_600_000 }, 3_600_000, 'TIMESTAMP_EXPIRED'],
    ['behind', { behindMs: 3_600_000 }, -3_600_000, 'TIMESTAMP_AHEAD'],
  ])(
    'a clock that is %s is shown, and signed with; orders have their true time',
    async (_, terms, offsetMs, reason) => {
      await add('CLOCK', terms)
      const before = Date.now()
      const wrong = await signed(url, bob, 'POST', 'order', newOrder())
      expect([wrong.status, (await bodyOf(wrong)).reason]).toEqual([401, reason])
      const { serverTime } = (await bodyOf(await fetch(`${url}/api/v3/time`))).data
      expect(serverTime).toBeGreaterThanOrEqual(before + offsetMs)

      const order = { ...newOrder(), newOrderRespType: 'RESULT' }
      const right = await signed(url, bob, 'POST', 'order', order, {}, serverTime)
      const { createdAt } = (await bodyOf(right)).data
      expect(right.status).toBe(200)
      expect(createdAt).toBeGreaterThanOrEqual(before)
      expect(createdAt).toBeLessThanOrEqual(Date.now())
    },
  )

  test('a halted market refuses new orders, not cancels, nor what was placed before under the same id', async () => {
    const order = newOrder()
    const first = await bodyOf(await signed(url, bob, 'POST', 'order', order))
    await add('HALT', { symbol: 'BTC/USDT' })
    const refused = await signed(url, bob, 'POST', 'order', newOrder())
    expect([refused.status, (await bodyOf(refused)).reason]).toEqual([503, 'SYMBOL_HALTED'])
    const repeated = await signed(url, bob, 'POST', 'order', order)
    expect(repeated.headers.get('x-repeated')).toBe('true')
    expect((await bodyOf(repeated)).data).toEqual(first.data)
    expect((await signed(url, bob, 'POST', 'order', newOrder('ETH/USDT'))).status).toBe(200)
    expect((await signed(url, bob, 'DELETE', 'order', { id: first.data.id })).status).toBe(200)
  })
})

describe.each([
  ['plain WebSocket', plainEntry],
  ['Socket.IO', socketIoEntry],
] as const)('over the stream (%s)', (_, connect) => {
  async function loggedIn() {
    const client = await connect(url)
    expect((await client.login(bob, Date.now(), { recvWindow: 60_000 })).status).toBe(200)
    return client
  }

  const placed = async (origClientOrderId: string) =>
    (await signed(url, bob, 'GET', 'order', { origClientOrderId })).status === 200

  test('a lost answer belongs to an order that was placed, and the connection ends', async () => {
    const client = await loggedIn()
    await add('LOST_ANSWER', { account: 'bob', endpoint: 'order.place', times: 1 })
    const order = newOrder()
    client.send('order.place', 'r', order)
    await until('the connection to end', () => client.isClosed)
    expect(client.answers.filter(({ id }) => id === 'r')).toEqual([])
    expect(await placed(order.newClientOrderId)).toBe(true)
  })

  test('a connection that ends takes along a request that was not done', async () => {
    const client = await loggedIn()
    await add('DISCONNECT', { account: 'bob', endpoint: 'order.place', times: 1 })
    const order = newOrder()
    client.send('order.place', 'r', order)
    await until('the connection to end', () => client.isClosed)
    expect(await placed(order.newClientOrderId)).toBe(false)
  })

  test('delayed requests are carried out in the order in which they were sent', async () => {
    const client = await loggedIn()
    await add('LATENCY', { account: 'bob', endpoint: 'order.place', spreadMs: 40, times: 4 })
    const orders = Array.from({ length: 6 }, () => newOrder())
    await Promise.all(orders.map((order) => client.ask('order.place', order)))
    const { data } = await bodyOf(await signed(url, bob, 'GET', 'openOrders', { symbol: 'BTC/USDT' }))
    const names = orders.map(({ newClientOrderId }) => newClientOrderId)
    const found = (data as { clientOrderId: string }[]).map(({ clientOrderId }) => clientOrderId)
    expect(found.filter((id) => names.includes(id))).toEqual(names.toReversed())
    client.close()
  })

  test('a client that is told to wait gets an answer that says so, and nothing is done', async () => {
    const client = await loggedIn()
    await add('RATE_LIMIT', { account: 'bob', endpoint: 'order.place', retryAfterSeconds: 7, times: 1 })
    const order = newOrder()
    const answer = await client.ask('order.place', order)
    expect(answer).toMatchObject({
      status: 429,
      body: { reason: 'ORDER_RATE_LIMITED' },
      mark: { retryAfter: 7 },
    })
    expect(await placed(order.newClientOrderId)).toBe(false)
    client.close()
  })

  test('a halted market refuses new orders', async () => {
    const client = await loggedIn()
    await add('HALT', { account: 'bob' })
    expect(await client.ask('order.place', newOrder())).toMatchObject({
      status: 503,
      body: { reason: 'SYMBOL_HALTED' },
    })
    client.close()
  })

  test('clients that only listen are disconnected too', async () => {
    const client = await connect(url)
    await add('DISCONNECT', { times: 1 })
    client.send('join', 'BTC/USDT')
    await until('the connection to end', () => client.isClosed)
  })
})

test('the command line adds a fault, health and log show it, and clearing ends it', async () => {
  const run = (...words: string[]) => {
    return Bun.spawnSync([...PROGRAM, 'admin', '--data', data.path, 'fault', ...words], { stdin: 'ignore' })
  }
  const added = run('add', 'lost-answer', '--percent', '10', '--seconds', '600', '--account', 'alice')
  expect(added.stderr.toString()).toBe('')
  expect(added.stdout.toString()).toMatch(/LOST_ANSWER +percent 10, account alice, seconds 600/)
  const { monitoringUrl } = JSON.parse(readFileSync(path.join(data.path, 'admin.json'), 'utf8'))
  const health = async () => (await bodyOf(await fetch(`${monitoringUrl}/health/ready`))).degraded
  expect(await health()).toEqual(['FAULTS'])
  const [node] = nodes
  await until('the log to say so', () => node?.err.includes('a fault was injected') === true)
  expect(run('clear').stdout.toString()).toContain('One fault was removed.')
  expect(run('list').stdout.toString()).toContain('No faults are active.')
  expect(await health()).toEqual([])
})
