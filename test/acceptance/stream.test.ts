/**
 * While two traders trade at random, every kind of client keeps its book from the stream alone: when nothing
 * is in progress, it equals the book over HTTP; it is never crossed, and every trade is published exactly
 * once.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '../support/until.ts'
import { type Exact, numberText } from './support/exact-json.ts'
import { depthText, tradeText } from './support/kept-book.ts'
import {
  type Listener,
  type PollingListener,
  plainListener,
  pollingListener,
  type SlowListener,
  slowListener,
  socketIoListener,
} from './support/listeners.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import { type Market, markets, RandomTraffic, runSeed } from './support/random-traffic.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const REQUESTS = Number(process.env.ACCEPTANCE_ORDERS ?? 3_000)
const WATCHED = 'BTC/USDT'
const OTHER = 'ETH/USDT'
/** The symbol with a deep book, for clients that do not read. */
const DEEP = 'USDT/TRY'
const DEEP_LEVELS = 700
/**
 * Number of complete books requested without reading: 50 MB, more than the sockets of both ends buffer (Linux
 * lets one grow to 33 MB).
 */
const UNREAD_JOINS = 3_000

let node: NodeProcess
let all: Market[]
let seed: number
const listeners: Listener[] = []
/** The listeners that stay in the watched symbol throughout. */
const steady: Listener[] = []
/** One listener for each symbol, connected before the first order. */
const recorders = new Map<string, Listener>()

beforeAll(() => begin())
afterAll(end)

async function begin(buffers: object = {}): Promise<void> {
  const often = { joinsPerSecondMax: 10_000, messagesPerSecondMax: 10_000 }
  node = await startSandbox({ limits: { isEnabled: false }, stream: { ...buffers, ...often } })
  all = await markets(node.alice)
  seed = runSeed()
  for (const { symbol } of all) {
    const recorder = await joined(symbol, await plainListener(`recorder of ${symbol}`, node.streamUrl))
    recorders.set(symbol, recorder)
  }
}

async function end(): Promise<void> {
  for (const listener of listeners.splice(0)) await listener.close()
  await node.stop()
}

/** Joins and waits for the first book. */
async function joined<L extends Listener>(symbol: string, listener: L): Promise<L> {
  listeners.push(listener)
  listener.send('join', symbol)
  await until(`${listener.name} has a book`, () => listener.book.snapshots === 1)
  return listener
}

let runs = 0
function trade(symbols = all, requests = REQUESTS): Promise<void> {
  const traders = { alice: node.alice, bob: node.bob }
  runs += 1_000_003
  return new RandomTraffic({ traders, markets: symbols, seed: seed + runs, requests, concurrency: 12 }).run()
}

/**
 * Checks, while nothing is in progress, that the listener's book becomes the book over HTTP, which does not
 * change.
 */
async function agrees(listener: Listener, symbol: string): Promise<void> {
  const expected = depthText(await node.alice.depth(symbol))
  await until(`${listener.name} agrees`, () => listener.book.text() === expected).catch(() => {})
  expect(`${listener.name}\n${listener.book.text()}`).toBe(`${listener.name}\n${expected}`)
  expect([listener.name, listener.book.faults]).toEqual([listener.name, []])
}

describe('a client that stays', () => {
  test('of every kind has the book over HTTP at every quiet moment, and never a crossed one', async () => {
    const { url, streamUrl } = node
    const opening = [
      socketIoListener('socket.io-client with the URL alone', url),
      socketIoListener('socket.io-client with the stream address', streamUrl, {}),
      socketIoListener('socket.io-client, WebSocket only', url, { transports: ['websocket'] }),
      socketIoListener('socket.io-client, polling only', url, { transports: ['polling'] }),
      socketIoListener('socket.io-client in /stream', `${url}/stream`, {}),
      socketIoListener('socket.io-client in /ws', `${url}/ws`, { transports: ['websocket'] }),
      plainListener('plain WebSocket', streamUrl),
      plainListener('plain WebSocket at /stream', `${streamUrl}/stream`),
      plainListener('plain WebSocket at /ws', `${streamUrl}/ws`),
    ]
    for (const listener of await Promise.all(opening)) steady.push(await joined(WATCHED, listener))
    await trade()
    for (const listener of steady) await agrees(listener, WATCHED)
  })

  test('joining in the middle of the trading has the book and every trade once, too', async () => {
    const trading = trade()
    const recorder = recorders.get(WATCHED)!
    const start = recorder.book.trades.length
    await until('trades happen', () => recorder.book.trades.length > start + 20)
    const { url, streamUrl } = node
    for (const listener of [
      await socketIoListener('joined in the middle, socket.io-client', url, {}),
      await plainListener('joined in the middle, plain', streamUrl),
      await socketIoListener('joined in the middle, polling', url, { transports: ['polling'] }),
    ]) {
      steady.push(await joined(WATCHED, listener))
    }
    await trading
    for (const listener of steady) await agrees(listener, WATCHED)
    for (const [symbol, each] of recorders) await agrees(each, symbol)
    const reported = recorder.book.trades.map(tradeText)
    for (const { name, book } of steady) {
      const own = book.trades.map(tradeText)
      expect(own.length).toBeGreaterThan(20)
      expect([name, own]).toEqual([name, reported.slice(-own.length)])
    }
  })
})

test('a client that changes rooms back and forth never gets messages of the room that it left', async () => {
  const { url, streamUrl } = node
  const wanderers = [
    await joined(WATCHED, await plainListener('wanderer, plain', streamUrl)),
    await joined(WATCHED, await socketIoListener('wanderer, socket.io-client', url, {})),
    await joined(WATCHED, await socketIoListener('wanderer, polling', url, { transports: ['polling'] })),
  ]
  const wandering = wanderers.map((wanderer) => wander(wanderer))
  const symbols = all.filter(({ symbol }) => [WATCHED, OTHER].includes(symbol))
  await trade(symbols)
  for (const stop of wandering) stop()
  for (const wanderer of wanderers) {
    wanderer.send('change_room', OTHER, WATCHED)
    wanderer.send('change_room', WATCHED, OTHER)
    await agrees(wanderer, OTHER)
    expect(wanderer.book.snapshots).toBeGreaterThan(5)
  }
})

/**
 * Moves a listener from room to room after a few messages each; prices identify the symbol of a message.
 * Returns a function that stops it.
 */
function wander(wanderer: Listener): () => void {
  let isStopped = false
  let room = WATCHED
  let next = WATCHED
  let heard = 0
  const isOf = (symbol: string, price: number) => (symbol === WATCHED ? price > 10_000 : price < 10_000)
  const prices = (event: string, payload: Exact): number[] => {
    if (event === 'orders') return Object.keys({ ...payload.sell, ...payload.buy }).map(Number)
    if (event.endsWith('_update')) return Object.keys(payload).map(Number)
    return [payload].flat().map((each: Exact) => each.price)
  }
  wanderer.onMessage = (event, payload) => {
    if (event === 'orders') room = next
    const strange = prices(event, payload).filter((price) => !isOf(room, price))
    if (strange.length > 0) wanderer.book.faults.push(`${event} of ${strange} in the room of ${room}`)
    if (isStopped || room !== next || ++heard % 5 !== 0) return
    next = room === WATCHED ? OTHER : WATCHED
    wanderer.send('change_room', room, next)
  }
  return () => {
    isStopped = true
    wanderer.onMessage = () => {}
  }
}

describe('what has been published', () => {
  test('is every trade of both histories, once, in order, with the resting and the arriving order', async () => {
    const histories = await Promise.all([node.alice.wholeHistory(), node.bob.wholeHistory()])
    const items = histories.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
    for (const [symbol, { book }] of recorders) {
      const byTrade = Map.groupBy(
        items.filter((item) => item.symbol === symbol),
        (item) => item.id as string,
      )
      const expected = [...byTrade.values()].map((sides) => {
        const [id, takerId] = sides.map((side) => side.orderId as string).sort()
        const [{ price, quantity, tradeAt }] = sides as [Exact]
        const timestamp = Date.parse(tradeAt)
        return { id, takerId, quantity: Number(quantity), price: Number(price), timestamp }
      })
      expect(expected.length).toBeGreaterThan(100)
      const byFields = (a: object) => JSON.stringify(Object.entries(a).sort())
      expect(book.matches.map(byFields)).toEqual(expected.map(byFields))
      expect(book.trades.map(tradeText)).toEqual(expected.map(tradeText))
    }
  })

  test('is what the recent trades over HTTP say', async () => {
    for (const [symbol, { book }] of recorders) {
      const recent = (await node.bob.trades(symbol)).map((each: Exact) =>
        tradeText({
          price: Number(numberText(each.price)),
          quantity: Number(numberText(each.quantity)),
          timestamp: Number(numberText(each.timestamp)),
        }),
      )
      expect(recent).toEqual(book.trades.map(tradeText).reverse().slice(0, 1000))
    }
  })

  test('reached every client that stayed without a second whole book', () => {
    for (const { name, book } of [...steady, ...recorders.values()]) {
      expect([name, book.snapshots]).toEqual([name, 1])
    }
  })
})

describe('a client that does not read', () => {
  const deep = () => all.filter(({ symbol }) => symbol === DEEP)

  // The limit is so small that a slow reader gets a fresh book: a paused machine turns any client into a slow
  // one.
  beforeAll(async () => {
    await end()
    await begin({ sendBufferBytesMax: 96 * 1024, drainedBytesMax: 8 * 1024 })
    const order = { symbol: DEEP, side: 'BUY', type: 'LIMIT', quantity: '1' }
    const placing = Array.from({ length: DEEP_LEVELS }, (_, at) => {
      return node.alice.place({ ...order, price: (10 + at / 100).toFixed(2) })
    })
    await Promise.all(placing)
  })

  test('for a while gets a fresh book when it reads again, and delays no other', async () => {
    const slow: SlowListener = await joined(
      DEEP,
      await slowListener('slow WebSocket', new URL(node.url).host),
    )
    const recorder = recorders.get(DEEP)!
    slow.pause()
    for (let times = 0; times < UNREAD_JOINS; times++) slow.send('join', DEEP)
    await trade(deep(), REQUESTS / 3)
    await agrees(recorder, DEEP)
    slow.resume()
    await agrees(slow, DEEP)
    // A client that reads would have received every requested book.
    expect(slow.book.snapshots).toBeLessThan(UNREAD_JOINS)
    await trade(deep(), 100)
    await agrees(slow, DEEP)
  })

  test('polls only now and then, and has the book each time that nothing waits any more', async () => {
    const lazy: PollingListener = await pollingListener('lazy polling', node.url)
    listeners.push(lazy)
    lazy.send('join', DEEP)
    for (let times = 0; times < 3; times++) {
      await trade(deep(), REQUESTS / 6)
      const expected = depthText(await node.alice.depth(DEEP))
      // Ends with the test's timeout if the book never arrives.
      while (lazy.book.text() !== expected) await lazy.poll()
      expect(lazy.book.faults).toEqual([])
    }
    // More than once, more bytes waited than the limit allows.
    expect(lazy.book.snapshots).toBeGreaterThan(1)
  })
})
