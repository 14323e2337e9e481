/**
 * Floods of frames on the stream, from a process of their own: the node cuts them off, while others trade and
 * receive messages.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress } from '../../src/contract/admin/admin.ts'
import { eventually } from '../postgres/support/eventually.ts'
import { type BourseProcess, dataDirectory, readSandbox, sandbox, signed } from '../support/bourse-process.ts'
import { scrape } from '../support/prometheus.ts'
import type { StreamBook } from '../support/stream-book.ts'
import { socketIoClient } from '../support/stream-clients.ts'
import { until } from '../support/until.ts'
import { FLOOD_KINDS, type FloodKind, type FloodReport } from './support/flooder.ts'

setDefaultTimeout(300_000)

const FLOODER = path.join(import.meta.dir, 'support', 'flooder.ts')
const OPENER = path.join(import.meta.dir, 'support', 'opener.ts')
/** A flood that is not cut off ends after this time, and the test fails. */
const SECONDS_MAX = 100
/** Number of connections of each kind of flood. */
const CONNECTIONS = 3
/** More refusals than all kinds of flood cause together. */
const NO_BAN = '1000000'
/**
 * A connection that is cut off counts as ten refusals: after two such connections in one minute, an address
 * is banned.
 */
const REFUSALS_MAX = '15'
/** Two of the cuts are in one minute, unless the machine is so slow that each is in a minute of its own. */
const CUTS_MAX = 20
/** Connections of the stream that an address may open in a minute, and answers with 429 before a ban. */
const [OPENINGS, REFUSALS] = [100, 40]
const OPENING_LIMITS = [
  '--limits-openings-per-minute-max',
  String(OPENINGS),
  '--limits-refusals-before-ban',
  String(REFUSALS),
]
const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100' }

const data = dataDirectory()
let node: BourseProcess
let baseUrl: string
let monitoringUrl: string

beforeAll(async () => {
  node = await sandbox(data.path, '--limits-refusals-before-ban', NO_BAN)
  baseUrl = readSandbox(data.path).baseUrl
  const admin = readFileSync(path.join(data.path, 'admin.json'), 'utf8')
  monitoringUrl = (JSON.parse(admin) as AdminAddress).monitoringUrl as string
})
afterAll(async () => {
  await node.end('SIGKILL')
  data.remove()
})

async function flood(url: string, kind: FloodKind, connections: number): Promise<FloodReport> {
  const command = [process.execPath, FLOODER, new URL(url).host, kind, SECONDS_MAX, connections]
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

/** The number of orders like `ORDER` in a book. */
function ordersIn(book: StreamBook): number {
  const [, buy = ''] = book.text().split('buy')
  const [, quantity = '0'] = /^100\.00 (\S+)$/m.exec(buy) ?? []
  return Math.round(Number(quantity) / Number(ORDER.quantity))
}

test.each(FLOOD_KINDS.map((kind) => [kind]))(
  'a flood of %s is disconnected every time, and others trade and listen',
  async (kind) => {
    const listener = await socketIoClient(baseUrl)
    listener.send('join', 'BTC/USDT')
    await until('the listener has a book', () => listener.book.snapshots === 1)
    const before = { cuts: await cuts(), orders: ordersIn(listener.book) }
    const trader = readSandbox(data.path).accounts[0] as never
    let isOver = false
    const flooding = flood(baseUrl, kind, CONNECTIONS).finally(() => {
      isOver = true
    })
    let placed = 0
    while (!isOver) {
      const answer = await signed(baseUrl, trader, 'POST', 'order', ORDER)
      expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
      placed++
    }
    const report = await flooding
    expect(report).toMatchObject({ connections: CONNECTIONS, cuts: CONNECTIONS, refused: 0 })
    await eventually('each cut is counted', async () => (await cuts()) >= before.cuts + CONNECTIONS)
    expect(await cuts()).toBe(before.cuts + CONNECTIONS)
    expect(placed).toBeGreaterThan(0)
    const shown = before.orders + placed
    await until('the listener has seen every order', () => ordersIn(listener.book) === shown)
    expect(listener.book.snapshots).toBe(1)
    const open = async () => (await scrape(monitoringUrl)).get('bourse_stream_connections')
    await eventually('no other connection is left', async () => (await open()) === 1)
    listener.close()
  },
)

test.each([
  ['plain WebSockets', 'ws'],
  ['sessions of Socket.IO', 'eio'],
])('a flood of openings of %s is refused, then banned, and others trade', async (_name, kind) => {
  const data = dataDirectory()
  const node = await sandbox(data.path, ...OPENING_LIMITS)
  try {
    const { baseUrl, accounts } = readSandbox(data.path)
    const command = [process.execPath, OPENER, new URL(baseUrl).host, kind, String(SECONDS_MAX)]
    const flooding = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
    const trade = async () => (await signed(baseUrl, accounts[0] as never, 'POST', 'order', ORDER)).status
    const statuses: number[] = []
    while (flooding.exitCode === null) statuses.push(await trade())
    const report = JSON.parse(await new Response(flooding.stdout).text()) as Record<string, number>
    // A minute may end during the flood, and the count then starts again.
    expect(report['101']).toBeWithin(OPENINGS, 2 * OPENINGS + 1)
    expect(report['429']).toBeWithin(1, 2 * REFUSALS + 1)
    expect(report['418']).toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([200]))
  } finally {
    await node.end('SIGKILL')
    data.remove()
  }
})

test('an address whose connections are closed again and again is banned', async () => {
  const data = dataDirectory()
  const node = await sandbox(data.path, '--limits-refusals-before-ban', REFUSALS_MAX)
  try {
    const { baseUrl } = readSandbox(data.path)
    const status = async () => (await fetch(`${baseUrl}/api/v3/exchangeInfo`)).status
    expect(await status()).toBe(200)
    let cuts = 0
    let report = await flood(baseUrl, 'pings', 1)
    while (report.refused === 0 && cuts < CUTS_MAX) {
      expect(report).toMatchObject({ connections: 1, cuts: 1 })
      cuts++
      report = await flood(baseUrl, 'pings', 1)
    }
    expect(report).toMatchObject({ connections: 0, cuts: 0, refused: 1 })
    expect([await status(), cuts > 1]).toEqual([418, true])
  } finally {
    await node.end('SIGKILL')
    data.remove()
  }
})
