/**
 * `--gateways N` as clients, operators and an operating system use it: real processes, real HTTP, the
 * unmodified socket.io-client.
 */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { eventually } from './postgres/support/eventually.ts'
import { BourseProcess, dataDirectory, readSandbox, sandbox, signed } from './support/bourse-process.ts'
import { ALONE, argumentsOf, count, gatewaysOf } from './support/gateway-processes.ts'
import { scrape } from './support/prometheus.ts'
import { plainClient, type StreamClient, socketIoClient } from './support/stream-clients.ts'
import { inOneWindow, until } from './support/until.ts'

/** Processes take their time to start on a busy machine. */
setDefaultTimeout(300_000)
const START_MS = 300_000

const SELL = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', quantity: '0.01', price: '60000' }

const clients: StreamClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function joined(
  url: string,
  options: Record<string, unknown> = {},
): Promise<Awaited<ReturnType<typeof socketIoClient>>> {
  const client = await socketIoClient(url, options)
  clients.push(client)
  client.send('join', 'BTC/USDT')
  return client
}

describe('an exchange with two gateways', () => {
  const data = dataDirectory()
  let node: BourseProcess
  let url: string
  let monitoring: string
  let alice: Parameters<typeof signed>[1]
  let bob: Parameters<typeof signed>[1]

  beforeAll(async () => {
    node = await sandbox(data.path, '--gateways', '2', '--log-level', 'info')
    url = await node.ready
    const { accounts } = readSandbox(data.path)
    ;[alice, bob] = accounts as unknown as [typeof alice, typeof bob]
    const { monitoringUrl } = JSON.parse(readFileSync(path.join(data.path, 'admin.json'), 'utf8'))
    monitoring = monitoringUrl
  }, START_MS)
  afterAll(async () => {
    await node.end('SIGTERM')
    data.remove()
  })

  test('says how many gateways serve clients, and none of them has a secret in its arguments or its environment', () => {
    expect(node.out).toContain('2 gateways serve clients')
    const gateways = gatewaysOf(node)
    expect(gateways).toHaveLength(2)
    const masterKey = readFileSync(path.join(data.path, 'master.key'), 'utf8').trim()
    for (const pid of gateways) {
      expect(argumentsOf(pid)).not.toContain(masterKey)
      expect(argumentsOf(pid)).toEndWith('gateway-process\0')
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('BOURSE_')
    }
  })

  test('keeps its sockets accessible to their owner alone', () => {
    const directory = path.join(data.path, 'gateways')
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    const names = readdirSync(directory).toSorted()
    expect(names).toEqual(['engine.sock', 'gateway-1.sock', 'gateway-2.sock'])
    for (const name of names) expect(statSync(path.join(directory, name)).mode & 0o777).toBe(0o600)
  })

  test('shows each reader everything answered before, whichever gateway accepted the order and whichever is asked', async () => {
    let placedBefore = 0
    // Orders are counted by the minute.
    await inOneWindow(60_000, async () => {
      let countBefore: number | undefined
      for (let i = 0; i < 20; i++) {
        const price = String(61_000 + placedBefore++)
        const placed = await signed(url, alice, 'POST', 'order', { ...SELL, price }, ALONE)
        const count = Number(placed.headers.get('x-mbx-order-count-1m'))
        countBefore ??= count - 1
        expect([placed.status, count]).toEqual([200, countBefore + i + 1])
        const asked = await signed(url, alice, 'GET', 'depth', { symbol: 'BTC/USDT' }, ALONE)
        expect(await asked.text()).toContain(`"${price}.00"`)
      }
    })
  })

  test('keeps the polls of a Socket.IO session together: twenty clients with default transports get a book, and a trade', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => joined(url)))
    await until('all have a book', () => all.every(({ book }) => book.snapshots > 0))
    expect((await signed(url, alice, 'POST', 'order', { ...SELL, price: '50000' })).status).toBe(200)
    expect((await signed(url, bob, 'POST', 'order', { ...SELL, side: 'BUY', price: '50000' })).status).toBe(
      200,
    )
    await until('all have the trade', () =>
      all.every(({ trades }) => JSON.stringify(trades).includes('50000')),
    )
    expect(all.flatMap(({ errors }) => errors)).toEqual([])
  })

  test('serves twenty clients that poll, each poll over a connection of its own', async () => {
    const proxy = Bun.serve({
      port: 0,
      idleTimeout: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        const body = request.method === 'POST' ? await request.arrayBuffer() : undefined
        const answer = await fetch(`${url}${pathname}${search}`, {
          ...ALONE,
          method: request.method,
          ...(body === undefined ? {} : { body }),
          signal: request.signal,
        })
        return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers })
      },
    })
    try {
      const through = `http://127.0.0.1:${proxy.port}`
      const all = await Promise.all(
        Array.from({ length: 20 }, () => joined(through, { transports: ['polling'] })),
      )
      await until('all have a book', () => all.every(({ book }) => book.snapshots > 0))
      expect((await signed(url, alice, 'POST', 'order', { ...SELL, price: '70123' })).status).toBe(200)
      await until('all have the order', () =>
        all.every(({ heard }) => JSON.stringify(heard).includes('70123')),
      )
      expect(all.flatMap(({ errors }) => errors)).toEqual([])
    } finally {
      for (const client of clients.splice(0)) client.close()
      await proxy.stop(true)
    }
  })

  test('adds up the counts of its gateways, with labels for values of a single one', async () => {
    const before = await scrape(monitoring)
    for (let i = 0; i < 30; i++) await fetch(`${url}/api/v3/exchangeInfo`, ALONE)
    const name = 'bourse_http_request_seconds_count{endpoint="GET /api/v3/exchangeInfo"}'
    let after = before
    const grown = () => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    await eventually('the sum has all of them', async () => {
      after = await scrape(monitoring)
      return grown() >= 30
    })
    expect(grown()).toBe(30)
    expect(after.get('bourse_gateways')).toBe(2)
    for (const gateway of ['gateway-1', 'gateway-2']) {
      expect(after.get(`bourse_gateway_resident_memory_bytes{gateway="${gateway}"}`)).toBeGreaterThan(0)
      expect(after.get(`bourse_event_loop_lag_seconds_count{thread="${gateway}"}`)).toBeGreaterThan(0)
    }
  })

  test('continues while a gateway is killed under load, and another one takes its place', async () => {
    const watchers = await Promise.all(
      Array.from({ length: 24 }, () => plainClient(`${url.replace('http', 'ws')}/ws`)),
    )
    clients.push(...watchers)
    for (const watcher of watchers) watcher.send('join', 'BTC/USDT')
    await until('all have a book', () => watchers.every(({ book }) => book.snapshots === 1))
    const [victim] = gatewaysOf(node)
    const outcomes: number[] = []
    let isOver = false
    const load = (async () => {
      for (let i = 0; !isOver; i++) {
        const fields = { ...SELL, price: String(80_000 + i), newClientOrderId: `load-${i}` }
        const answer = await signed(url, alice, 'POST', 'order', fields).catch(() => undefined)
        outcomes.push(answer?.status ?? 0)
      }
    })()
    await until('orders flow', () => outcomes.length > 20)
    process.kill(victim as number, 'SIGKILL')
    await until(
      'another one serves',
      () => gatewaysOf(node).length === 2 && count(node, 'serves clients') >= 3,
    )
    const before = outcomes.length
    await until('orders still flow', () => outcomes.length > before + 20)
    isOver = true
    await load
    // Requests in flight at the killed gateway got no answer; all others got one.
    expect(outcomes.filter((status) => status !== 200).length).toBeLessThanOrEqual(2)
    const open = watchers.filter(({ socket }) => socket.readyState === WebSocket.OPEN)
    expect(open.length).toBeGreaterThan(0)
    // Each has received one complete book, and every later update.
    await until('all have the last order', () =>
      open.every(({ heard }) => JSON.stringify(heard.at(-1)).includes(String(80_000 + outcomes.length - 1))),
    )
    expect(open.map(({ book, errors }) => [book.snapshots, errors])).toEqual(open.map(() => [1, []]))
    await until('the log says so', () =>
      node.err.includes('"msg":"a gateway process exited and is replaced"'),
    )
  })

  test('ends a gateway that hangs, which would otherwise still get connections, and continues its counts where it had stopped', async () => {
    const name = 'bourse_http_requests_total'
    const before = (await scrape(monitoring)).get(name) ?? 0
    const served = count(node, 'serves clients')
    const [hung] = gatewaysOf(node)
    process.kill(hung as number, 'SIGSTOP')
    await until('another one serves', () => count(node, 'serves clients') > served)
    expect(argumentsOf(hung as number)).toBe('')
    expect((await scrape(monitoring)).get(name)).toBeGreaterThanOrEqual(before)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${url}/api/v3/exchangeInfo`, ALONE)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('lets clients of a killed gateway reconnect to another, with a fresh book', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => joined(url)))
    await until('all have a book', () => all.every(({ book }) => book.snapshots > 0))
    const booksBefore = new Map<StreamClient, number>()
    for (const client of all) {
      client.socket.on('disconnect', () => booksBefore.set(client, client.book.snapshots))
      client.socket.on('connect', () => client.send('join', 'BTC/USDT'))
    }
    const served = count(node, 'serves clients')
    process.kill(gatewaysOf(node)[0] as number, 'SIGKILL')
    await until('another one serves', () => count(node, 'serves clients') > served)
    await until('some have lost their connection', () => booksBefore.size > 0)
    await until('all are connected', () => all.every(({ socket }) => socket.connected))
    const isFresh = (client: StreamClient): boolean =>
      client.book.snapshots > (booksBefore.get(client) ?? Number.NEGATIVE_INFINITY)
    await until('who came back has a fresh book', () => all.every(isFresh))
  })

  test('drains every gateway at a stop, ends all of them, and leaves no socket behind', async () => {
    const pids = gatewaysOf(node)
    const slow = connect(Number(new URL(url).port), '127.0.0.1')
    slow.on('error', () => {})
    expect(await node.end('SIGTERM')).toBe(0)
    slow.destroy()
    expect(pids.map(argumentsOf)).toEqual(['', ''])
    expect(readdirSync(data.path)).not.toContain('gateways')
  })
})

test('gateways end with a main process that is killed, and the next one has the port at once', async () => {
  const data = dataDirectory()
  try {
    const node = await sandbox(data.path, '--gateways', '2')
    const { port } = new URL(await node.ready)
    const pids = gatewaysOf(node)
    await node.end('SIGKILL')
    await until('the gateways have ended', () => pids.every((pid) => argumentsOf(pid) === ''))
    const next = new BourseProcess(['sandbox', '--data', data.path, '--port', port, '--gateways', '2'])
    expect((await fetch(`${await next.ready}/api/v3/exchangeInfo`)).status).toBe(200)
    expect(await next.end('SIGTERM')).toBe(0)
  } finally {
    data.remove()
  }
})
