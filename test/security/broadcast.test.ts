/** One order with thousands of fills and many stream clients, some of which read nothing. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress } from '../../src/contract/admin/admin.ts'
import { BourseProcess, dataDirectory, readSandbox, signed } from '../support/bourse-process.ts'
import { scrape } from '../support/prometheus.ts'
import { plainClient, type StreamClient, socketIoClient } from '../support/stream-clients.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(300_000)

const FILLS = 3_000
/** Few enough that the messages to all readers are within the limit for all. */
const FEW_FILLS = 300
const READERS = 40
/** Long-polling clients that do not poll again: all their messages stay in the node's memory. */
const SILENT = 60
const PRICES = 10
const MIB = 1024 * 1024
/** The backlog of one client exceeds its limit, and that of all clients far exceeds the limit for all. */
const STREAM = { sendBufferBytesMax: MIB / 2, sendBuffersBytesMax: 4 * MIB }

const data = dataDirectory()
let node: BourseProcess
let url: string
let monitoringUrl: string
/** Disconnects the silent clients. */
const leaving: (() => Promise<void>)[] = []
const readers: StreamClient[] = []

beforeAll(async () => {
  const config = `${data.path}.json`
  writeFileSync(config, JSON.stringify({ stream: STREAM }))
  node = new BourseProcess(['sandbox', '--port', '0', '--data', data.path, '--config', config])
  await node.ready
  url = readSandbox(data.path).baseUrl
  const admin = readFileSync(path.join(data.path, 'admin.json'), 'utf8')
  monitoringUrl = (JSON.parse(admin) as AdminAddress).monitoringUrl as string
})
afterAll(async () => {
  for (const reader of readers) reader.close()
  await node.end('SIGKILL')
  data.remove()
})

async function place(trader: number, side: string, quantity: string, price: string): Promise<void> {
  const account = readSandbox(data.path).accounts[trader]
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', side, quantity, price }
  const answer = await signed(url, account as never, 'POST', 'order', order)
  if (answer.status !== 200) throw new Error(await answer.text())
}

async function depth(): Promise<unknown> {
  const account = readSandbox(data.path).accounts[1]
  return (await signed(url, account as never, 'GET', 'depth', { symbol: 'BTC/USDT' })).json()
}

async function restingOrders(count: number): Promise<void> {
  let placed = 0
  const placing = async (): Promise<void> => {
    while (placed < count) await place(0, 'SELL', '0.0001', `6000${placed++ % PRICES}`)
  }
  await Promise.all(Array.from({ length: 32 }, placing))
}

/** One order that fills `count` resting ones. */
const takeAll = (count: number): Promise<void> => place(1, 'BUY', (count / 10_000).toFixed(4), '60009')

/** Connects a client that does not read; resolves with a function that disconnects it. */
async function silentClient(): Promise<() => Promise<void>> {
  const polling = `${url}/socket.io/?EIO=4&transport=polling`
  const { sid } = JSON.parse((await (await fetch(polling)).text()).slice(1)) as { sid: string }
  const post = async (body: string): Promise<void> => {
    await (await fetch(`${polling}&sid=${sid}`, { method: 'POST', body })).text()
  }
  await post('40')
  await (await fetch(`${polling}&sid=${sid}`)).text()
  await post('42["join","BTC/USDT"]')
  // Reads the book: from now on the client is up to date, and follows.
  await (await fetch(`${polling}&sid=${sid}`)).text()
  return () => post('1')
}

async function reader(number: number): Promise<StreamClient> {
  const address = url.replace('http', 'ws')
  const client =
    number % 2 === 0
      ? await plainClient(address)
      : await socketIoClient(address, { transports: ['websocket'] })
  readers.push(client)
  client.send('join', 'BTC/USDT')
  await until('the reader has joined', () => client.trades.length === 1)
  return client
}

/**
 * Checks the messages about an order with `fills`, as `events`: complete, in order, and confirmed by one list
 * of trades.
 */
function expectWhole(events: readonly string[], fills: number, { trades }: StreamClient): void {
  expect(events.filter((event) => event === 'matched_order')).toHaveLength(fills)
  expect(events.slice(fills)).toEqual(['trades', 'sell_order_update'])
  expect(trades.at(-1)).toHaveLength(fills)
}

async function metric(name: string): Promise<number> {
  return (await scrape(monitoringUrl)).get(name) ?? Number.NaN
}

test('the node’s buffers stay within their limit, it answers others meanwhile, and every reader ends with the book', async () => {
  await restingOrders(FILLS)
  for (let i = 0; i < SILENT; i++) leaving.push(await silentClient())
  for (let i = 0; i < READERS; i++) await reader(i)
  const found = { pendingBytesMax: 0, fallenBehind: 0 }
  const isUpToDate = (): boolean => readers.every(({ book }) => book.text() === 'sell\nbuy')
  const order = takeAll(FILLS)
  let isAnswered = false
  void order.then(() => {
    isAnswered = true
  })
  while (!isAnswered || !isUpToDate()) {
    const metrics = await scrape(monitoringUrl)
    found.pendingBytesMax = Math.max(
      found.pendingBytesMax,
      metrics.get('bourse_stream_pending_bytes') as number,
    )
    found.fallenBehind = metrics.get('bourse_stream_fallen_behind_total') as number
    if (!isAnswered) continue
    expect(await depth()).toEqual({ sell: {}, buy: {} })
  }
  await order
  expect(found.pendingBytesMax).toBeGreaterThan(0)
  expect(found.pendingBytesMax).toBeLessThanOrEqual(STREAM.sendBuffersBytesMax)
  expect(found.fallenBehind).toBeGreaterThan(0)
  // A client that fell behind received the complete book instead, and is up to date.
  for (const client of readers) {
    const { seen, snapshots } = client.book
    if (snapshots === 1) expectWhole(seen.slice(seen.lastIndexOf('orders') + 2), FILLS, client)
  }
})

test('where there is enough memory, every reader gets every fill of an order, in order, and one list of trades', async () => {
  for (const leave of leaving) await leave()
  while (
    (await metric('bourse_stream_connections')) > READERS ||
    (await metric('bourse_stream_pending_bytes')) > 0
  );
  await restingOrders(FEW_FILLS)
  const level = FEW_FILLS / PRICES / 10_000
  const levels = Array.from({ length: PRICES }, (_, price) => `6000${price}.00 ${level}`)
  const resting = ['sell', ...levels, 'buy'].join('\n')
  await until('the readers see the orders', () => readers.every(({ book }) => book.text() === resting))
  const known = readers.map(({ book }) => book.seen.length)
  await takeAll(FEW_FILLS)
  await until('they see none', () => readers.every(({ book }) => book.text() === 'sell\nbuy'))
  expect(readers).toHaveLength(READERS)
  for (const [i, client] of readers.entries()) {
    expectWhole(client.book.seen.slice(known[i]), FEW_FILLS, client)
  }
})
