/**
 * Two gateways, one of which is killed: a book kept by the documented recipe never has a gap, and a signature
 * that opened one endpoint opens no other at any gateway, including one that starts later.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { BinanceSection } from '../../src/app/sandbox/credentials.ts'
import { type BourseProcess, dataDirectory, readSandbox, sandbox } from '../support/bourse-process.ts'
import { ALONE, count, gatewaysOf } from '../support/gateway-processes.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { until } from '../support/until.ts'
import { WireBook } from './support/wire-book.ts'

setDefaultTimeout(1_200_000)

/** Seconds for which books are kept; ten minutes for a thorough test. */
const SECONDS = Number(process.env.BINANCE_BOOK_SECONDS ?? 12)
const WORKERS = 8
/** Number of changes of the book in a second, of all workers together. */
const CHANGES_PER_SECOND_MAX = 250
/** Smallest number of changes: a slow machine takes longer. */
const CHANGES_MIN = 20 * SECONDS + 1

let running: BourseProcess | undefined
const data = dataDirectory()
afterEach(async () => {
  await running?.end('SIGKILL')
  running = undefined
  data.remove()
})

async function start(): Promise<BinanceSection & { readonly url: string; readonly streamUrl: string }> {
  running = await sandbox(data.path, '--gateways', '2', '--log-level', 'info')
  const { binance } = readSandbox(data.path) as never as { readonly binance: BinanceSection }
  return { ...binance, url: String(binance.url), streamUrl: String(binance.streamUrl) }
}

/** Kills a gateway, and resolves when another process serves in its place. */
async function replace(pid: number): Promise<void> {
  const node = running as BourseProcess
  const served = count(node, 'the gateway serves clients')
  process.kill(pid, 'SIGKILL')
  await until('another one serves', () => count(node, 'the gateway serves clients') > served)
}

type Key = { readonly apiKey: string; readonly secret: string }

function signedQuery({ secret }: Key, fields: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams({
    ...fields,
    recvWindow: '60000',
    timestamp: String(Date.now()),
  }).toString()
  return `${text}&signature=${createHmac('sha256', secret).update(text).digest('hex')}`
}

test('a book kept by the documented recipe has no gap while orders change it over two gateways, one of which is killed', async () => {
  const { url, streamUrl, accounts } = await start()
  const alice = accounts[0] as Key
  const random = randomNumbers(34)
  const books = Array.from({ length: 4 }, () => new WireBook(url, streamUrl, 'BTCUSDT'))
  await Promise.all(books.map((book) => book.synced()))
  const end = performance.now() + SECONDS * 1_000
  const headers = { 'X-MBX-APIKEY': alice.apiKey }
  let changes = 0
  let sent = 0
  const began = performance.now()
  const untilDue = () =>
    Bun.sleep(Math.max(0, began + (sent++ * 1_000) / CHANGES_PER_SECOND_MAX - performance.now()))
  const change = async (method: string, fields: Readonly<Record<string, string>>) => {
    // A killed gateway does not answer: the books show the outcome of the request.
    await untilDue()
    const query = signedQuery(alice, fields)
    const answer = await fetch(`${url}/api/v3/order?${query}`, { method, headers }).catch(() => undefined)
    if (answer?.status === 200) changes++
    return answer?.status === 200 ? ((await answer.json()) as { readonly orderId: number }) : undefined
  }
  const work = async () => {
    const open: number[] = []
    while (performance.now() < end || changes < CHANGES_MIN) {
      const price = String(49_960 + Math.floor(random() * 80))
      const side = Number(price) < 50_000 ? 'BUY' : 'SELL'
      const order = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price }
      const placed = await change('POST', order)
      if (placed !== undefined) open.push(placed.orderId)
      const old = open.length > 5 ? open.shift() : undefined
      if (old !== undefined) await change('DELETE', { symbol: 'BTCUSDT', orderId: String(old) })
    }
  }
  const working = Promise.all(Array.from({ length: WORKERS }, work))
  await until('half of the time has passed', () => performance.now() > end - SECONDS * 500)
  const [first] = gatewaysOf(running as BourseProcess)
  await replace(first as number)
  await working
  expect(books.flatMap(({ faults }) => faults)).toEqual([])
  const last = (await (await fetch(`${url}/api/v3/depth?symbol=BTCUSDT&limit=5000`, ALONE)).json()) as never
  // The stream publishes nothing for commands that changed no level, so no number shows that a book is
  // complete.
  const wanted = WireBook.of(last)
  const isWanted = (book: WireBook) => Bun.deepEquals(book.shown(), wanted)
  await until('every book is the last one', () => books.every(isWanted)).catch(() => {})
  for (const book of books) expect(book.shown()).toEqual(wanted)
  expect(books.flatMap(({ faults }) => faults)).toEqual([])
  const gone = books.filter(({ connections }) => connections > 1).length
  process.stdout.write(
    `${changes} changes in ${SECONDS} s, ${books.map(({ updates }) => updates).join(', ')} updates of four books, ${gone} of them reconnected\n`,
  )
  for (const book of books) book.close()
})

test('a signature opens no other endpoint at any gateway, including the replacement of a killed one', async () => {
  const { url, accounts } = await start()
  const alice = accounts[0] as Key
  const ask = async (method: string, path: string, query: string) => {
    const init = { ...ALONE, method, headers: { ...ALONE.headers, 'X-MBX-APIKEY': alice.apiKey } }
    const answer = await fetch(`${url}/api/v3/${path}?${query}`, init)
    return {
      status: answer.status,
      body: (await answer.json()) as { readonly code?: number; readonly reason?: string },
    }
  }
  const order = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '1',
    price: '60000',
  }
  // Right after a start a gateway accepts no signature that is older than its memory.
  const first = async () => ask('POST', 'order', signedQuery(alice, order))
  let answer = await first()
  while (answer.body.reason === 'NONCES_UNKNOWN') {
    await Bun.sleep(100)
    answer = await first()
  }
  expect(answer).toMatchObject({ status: 200 })
  const read = signedQuery(alice, { symbol: 'BTCUSDT' })
  const placed = signedQuery(alice, { ...order, price: '61000', newClientOrderId: 'once' })
  expect((await ask('GET', 'openOrders', read)).status).toBe(200)
  expect((await ask('POST', 'order', placed)).status).toBe(200)
  const refused = async () => {
    for (let i = 0; i < 20; i++) {
      expect((await ask('DELETE', 'openOrders', read)).body.code).toBe(-1022)
      expect((await ask('POST', 'order/test', placed)).body.code).toBe(-1022)
      expect((await ask('POST', 'order', placed)).body.code).toBe(-2010)
    }
  }
  await refused()
  for (const pid of gatewaysOf(running as BourseProcess)) await replace(pid)
  await refused()
  const open = await ask('GET', 'openOrders', read)
  expect([open.status, (open.body as never as readonly unknown[]).length]).toEqual([200, 2])
})
