/**
 * The typed client's stream against a sandbox as people start it, while the connection between them is cut
 * repeatedly: the client's state equals HTTP's, nothing is missing, and no order exists twice. `CLIENT_SEED`
 * repeats a run's draws.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type BourseClient, createBourseClient } from '../../src/client/client.ts'
import { Decimal } from '../../src/client/decimal.ts'
import { BourseError } from '../../src/client/errors.ts'
import type { Fill, Order } from '../../src/client/interface/orders.ts'
import { defaultPlatform } from '../../src/client/platform/default-platform.ts'
import type { Platform } from '../../src/client/platform/ports.ts'
import type { FeedUpdate } from '../../src/client/stream/feed-subscription.ts'
import { BourseProcess, dataDirectory, readSandbox, signed } from '../support/bourse-process.ts'
import { freePort } from '../support/free-port.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { until } from '../support/until.ts'
import { FaultyWay } from './support/faulty-way.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'BTC/USDT'
const ROUNDS = 8
const ORDERS_A_ROUND = 6

const seed = Number(process.env.CLIENT_SEED ?? Date.now() % 1_000_000)
const directory = dataDirectory()
let node: BourseProcess | undefined
let way: FaultyWay
let direct: BourseClient
let client: BourseClient

const credentials = (name: string) => {
  const found = readSandbox(directory.path).accounts.find((account) => account.name === name)
  if (found === undefined) throw new Error(`no account ${name}`)
  return found
}

/** On a port that is still free when the node is stopped and starts again. */
async function start(port: number | string): Promise<void> {
  node = new BourseProcess(['sandbox', '--port', `${port}`, '--data', directory.path])
  await node.ready
}

beforeAll(async () => {
  await start(freePort())
  const { baseUrl } = readSandbox(directory.path)
  way = await FaultyWay.to(Number(new URL(baseUrl).port))
  const { apiKey, secret } = credentials('alice')
  direct = createBourseClient({ url: baseUrl, apiKey, secret })
  client = createBourseClient({
    url: `http://127.0.0.1:${way.port}`,
    apiKey,
    secret,
    timeoutMs: 5_000,
    platform: counting,
  })
})

afterAll(async () => {
  await way?.close()
  await node?.end('SIGKILL')
  directory.remove()
})

/** Number of placements sent over the stream. */
let placements = 0
const platform = defaultPlatform()
const counting: Partial<Platform> = {
  openSocket: (url) => {
    const socket = platform.openSocket(url)
    const send = socket.send.bind(socket)
    socket.send = (text) => {
      if (text.startsWith('["order.place"')) placements++
      send(text)
    }
    return socket
  },
}

/** A program's record of its account. */
class Account {
  readonly open = new Map<string, Order>()
  readonly balances = new Map<string, string>()
  readonly fills: Fill[] = []
  states = 0

  takeOrders({ kind, rows }: FeedUpdate<'orders'>): void {
    if (kind === 'state') {
      this.states++
      this.open.clear()
    }
    for (const order of rows) {
      const isOver = order.status === 'FILLED' || order.status === 'CANCELED'
      if (isOver) this.open.delete(order.id)
      else this.open.set(order.id, order)
    }
  }

  takeFills({ kind, rows }: FeedUpdate<'fills'>): void {
    if (kind === 'state') this.states++
    this.fills.push(...rows)
  }

  takeBalances({ kind, rows }: FeedUpdate<'balances'>): void {
    if (kind === 'state') this.states++
    for (const { asset, free, locked } of rows) this.balances.set(asset, `${free} ${locked}`)
  }
}

/** Sorted, because both sides of a trade of an account with itself have the same id. */
const sorted = (rows: Iterable<object>) =>
  [...rows].map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted()

async function allFills(): Promise<Fill[]> {
  const fills: Fill[] = []
  for (let before: string | undefined; ; ) {
    const page = await direct.myTrades({ symbol: SYMBOL, limit: 500, before })
    fills.push(...page.fills)
    if (page.next === undefined) return fills
    before = page.next
  }
}

test(`data kept through cuts equals that of HTTP, and no order appears twice (seed ${seed})`, async () => {
  const random = randomNumbers(seed)
  const stream = client.stream({ pace: { joinsPerSecond: 40 } })
  const account = new Account()
  const book = stream.book(SYMBOL)
  const feeds = [
    stream.follow('orders', { onUpdate: (update) => account.takeOrders(update) }),
    stream.follow('fills', { onUpdate: (update) => account.takeFills(update) }),
    stream.follow('balances', { onUpdate: (update) => account.takeBalances(update) }),
  ]
  const isLive = () => [book, ...feeds].every(({ state }) => state === 'live')
  await until('everything is live', isLive)

  const { baseUrl } = readSandbox(directory.path)
  const bob = credentials('bob')
  const ids: string[] = []
  const open: string[] = []
  const place = async (id: string, isOurs: boolean) => {
    const fields = {
      ...{
        symbol: SYMBOL,
        side: random() < 0.5 ? ('BUY' as const) : ('SELL' as const),
        type: 'LIMIT' as const,
      },
      ...{ quantity: `0.0${1 + Math.floor(random() * 9)}`, price: `${59_990 + Math.floor(random() * 20)}` },
    }
    if (!isOurs) {
      expect((await signed(baseUrl, bob, 'POST', 'order', fields)).status).toBe(200)
      return
    }
    ids.push(id)
    const { order, clientOrderId } = await client.newOrder({ ...fields, newClientOrderId: id })
    expect(clientOrderId).toBe(id)
    open.push(order.id)
  }
  const cancel = async (id: string) => {
    // The order may be filled, or canceled by an earlier attempt whose answer was lost.
    await client.cancelOrder({ id }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(BourseError)
      expect((error as BourseError).outcome).toBe('NOT_DONE')
    })
  }
  for (let round = 0; round < ROUNDS; round++) {
    const work: Promise<void>[] = []
    for (let i = 0; i < ORDERS_A_ROUND; i++) work.push(place(`r${round}-${i}`, true), place('', false))
    const given = open[Math.floor(random() * open.length)]
    if (given !== undefined && random() < 0.7) work.push(cancel(given))
    // Requests sent so far are carried out, and their answers are lost.
    if (random() < 0.6) way.deafen()
    for (let turns = Math.floor(random() * 30); turns > 0; turns--) await Bun.sleep(0)
    way.cut()
    await Promise.all(work)
  }
  expect(way.cuts).toBeGreaterThanOrEqual(ROUNDS / 2)

  // One more event for each of the channels, after all others.
  await place('last', true)
  const [fills, shown, wallet] = await Promise.all([
    allFills(),
    direct.openOrders({ symbol: SYMBOL }),
    direct.walletBalance(),
  ])
  await until('everything is live again', isLive)
  await until('all fills have come', () => account.fills.length >= fills.length)
  await until('all open orders are known', () => account.open.size === shown.length)
  expect(sorted(account.fills)).toEqual(sorted(fills))
  expect(sorted(account.open.values())).toEqual(sorted(shown))
  const held = wallet.acc.Spot.assetAccs.map(({ asset, free, locked }) => [asset, `${free} ${locked}`])
  await until('balances are those of the wallet', () =>
    held.every(([asset, text]) => account.balances.get(String(asset)) === text),
  )
  expect(account.states).toBe(3)
  expect(placements).toBeGreaterThanOrEqual(ORDERS_A_ROUND)

  const { orders } = await direct.allOrders({ symbol: SYMBOL, limit: 500 })
  expect(orders.map(({ clientOrderId }) => clientOrderId).toSorted()).toEqual(ids.toSorted())
  await expectSameBook(book.book)
  stream.close()
})

test('a private feed continues over a stop and another start of the node, and over a restarted program', async () => {
  const stream = client.stream({ pace: { joinsPerSecond: 40 } })
  const updates: FeedUpdate<'orders'>[] = []
  const feed = stream.follow('orders', { onUpdate: (update) => updates.push(update) })
  await until('the feed is live', () => feed.state === 'live')
  const { baseUrl } = readSandbox(directory.path)
  await node?.end('SIGTERM')
  await until('the stop shows', () => feed.state === 'stale')
  await start(new URL(baseUrl).port)
  const { order } = await direct.newOrder(REST)
  // At once, and not after the delay that the node requested.
  stream.connect()
  await until('what was missed has come', () => updates.length === 2)
  expect(updates[1]).toMatchObject({ kind: 'change', rows: [{ id: order.id, status: 'NEW' }] })
  const { place } = feed
  stream.close()

  await direct.cancelOrder({ id: order.id })
  const later = client.stream()
  const missed: FeedUpdate<'orders'>[] = []
  later.follow('orders', { onUpdate: (update) => missed.push(update) }, { from: place })
  await until('what the program before has missed has come', () => missed.length === 1)
  expect(missed[0]).toMatchObject({ kind: 'change', rows: [{ id: order.id, status: 'CANCELED' }] })
  later.close()
})

test('orders that end with their connection stay through a cut that is short enough, and end when it is over', async () => {
  const open = async () => (await direct.openOrders({ symbol: SYMBOL })).map(({ id }) => id)
  const begun = await open()
  let isLost = false
  const stream = client.stream({
    cancelOnDisconnect: { graceMs: 60_000 },
    onSessionLost: () => {
      isLost = true
    },
  })
  stream.connect()
  // Waits for the login: over HTTP the order would not end with the connection.
  const { order } = await client.newOrder(REST)
  way.cut()
  await until('the cut shows', () => stream.login?.kind === 'out')
  const { order: second } = await client.newOrder(REST)
  expect((await open()).toSorted()).toEqual([second.id, order.id, ...begun].toSorted())
  expect(isLost).toBe(false)
  expect(stream.login).toMatchObject({ kind: 'in', data: { resumed: true } })
  stream.close()

  const short = client.stream({ cancelOnDisconnect: { graceMs: 0 } })
  short.connect()
  const { order: third } = await client.newOrder(REST)
  short.close()
  while ((await open()).includes(third.id)) await Bun.sleep(10)
  expect(await direct.order({ orderId: third.id })).toMatchObject({ endReason: 'DISCONNECT' })
})

/** An order that rests. */
const REST = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '100' } as const

/** Must be called after trading has ended. */
async function expectSameBook(book: { bids(): Levels; asks(): Levels }): Promise<void> {
  const depth = await direct.depth({ symbol: SYMBOL })
  const lines = (side: Readonly<Record<string, string>>) =>
    Object.entries(side).map(([price, quantity]) => `${price} ${Decimal.from(quantity)}`)
  const kept = (levels: Levels) => levels.map(({ price, quantity }) => `${price} ${Decimal.from(quantity)}`)
  await until('the book has arrived', () => kept(book.bids()).join() === lines(depth.buy).join())
  expect(kept(book.bids())).toEqual(lines(depth.buy))
  expect(kept(book.asks())).toEqual(lines(depth.sell))
}

type Levels = readonly { readonly price: string; readonly quantity: string }[]
