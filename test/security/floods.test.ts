/** Floods of frames on the stream, from a process of their own: the node cuts them off, and others trade and listen meanwhile. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress } from '../../src/wire/admin.ts'
import { type BourseProcess, dataDirectory, readSandbox, sandbox, signed } from '../support/bourse-process.ts'
import { scrape } from '../support/prometheus.ts'
import { socketIoClient } from '../support/stream-clients.ts'
import { until } from '../support/until.ts'
import { FLOOD_KINDS, type FloodKind, type FloodReport } from './support/flooder.ts'

setDefaultTimeout(60_000)

const FLOODER = path.join(import.meta.dir, 'support', 'flooder.ts')
/** A flood that is not cut off ends after so long, and the test fails. */
const SECONDS_MAX = 20
/** Connections of each kind of flood. */
const CONNECTIONS = 3
/** Before the address is banned: as many as the kinds of flood need, ten for each connection cut off, and no more. */
const REFUSALS_MAX = FLOOD_KINDS.length * CONNECTIONS * 10
const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100' }

const data = dataDirectory()
let node: BourseProcess
let baseUrl: string
let monitoringUrl: string

beforeAll(async () => {
  node = await sandbox(data.path, '--limits-refusals-before-ban', String(REFUSALS_MAX))
  baseUrl = readSandbox(data.path).baseUrl
  const admin = readFileSync(path.join(data.path, 'admin.json'), 'utf8')
  monitoringUrl = (JSON.parse(admin) as AdminAddress).monitoringUrl as string
})
afterAll(async () => {
  await node.end('SIGKILL')
  data.remove()
})

async function flood(kind: FloodKind, connections: number): Promise<FloodReport> {
  const command = [process.execPath, FLOODER, new URL(baseUrl).host, kind, SECONDS_MAX, connections]
  const child = Bun.spawn(command.map(String), { stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text())
}

async function cuts(): Promise<number> {
  const metrics = await scrape(monitoringUrl)
  return ['FRAMES', 'BYTES', 'PROTOCOL'].reduce(
    (sum, cause) => sum + (metrics.get(`bourse_stream_cut_total{cause="${cause}"}`) ?? Number.NaN),
    0,
  )
}

test.each(FLOOD_KINDS.map((kind) => [kind]))(
  'a flood of %s is cut off every time, and others trade and listen',
  async (kind) => {
    const before = await cuts()
    const listener = await socketIoClient(baseUrl)
    listener.send('join', 'BTC/USDT')
    await until('the listener has a book', () => listener.book.snapshots === 1)
    let isOver = false
    const flooding = flood(kind, CONNECTIONS).finally(() => {
      isOver = true
    })
    let placed = 0
    while (!isOver) {
      await signed(baseUrl, readSandbox(data.path).accounts[0] as never, 'POST', 'order', ORDER)
      placed++
    }
    const report = await flooding
    expect(report).toMatchObject({ connections: CONNECTIONS, cuts: CONNECTIONS, refused: 0 })
    expect(await cuts()).toBe(before + CONNECTIONS)
    expect(placed).toBeGreaterThan(0)
    expect(listener.socket.connected).toBe(true)
    expect((await scrape(monitoringUrl)).get('bourse_stream_connections')).toBe(1)
    listener.close()
  },
)

test('an address whose connections are cut off again and again is banned', async () => {
  const report = await flood('pings', 2)
  expect(report).toMatchObject({ connections: 1, cuts: 1, refused: 1 })
  expect((await fetch(`${baseUrl}/api/v3/exchangeInfo`)).status).toBe(418)
})
