import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

let f: BinanceFixture
const opened: Client[] = []

beforeAll(async () => {
  f = await openBinance()
})
afterEach(() => {
  for (const client of opened.splice(0)) client.socket.close()
})
afterAll(() => f.stop())

// biome-ignore lint/suspicious/noExplicitAny: a message is looked at as it is
type Message = any

class Client {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  readonly closed: Promise<number>
  #woken = Promise.withResolvers<void>()

  constructor(path: string) {
    this.socket = new WebSocket(f.wireUrl.replace('http', 'ws') + path)
    const ended = Promise.withResolvers<number>()
    this.closed = ended.promise
    this.socket.onclose = ({ code }) => ended.resolve(code)
    this.socket.onmessage = ({ data }) => {
      this.messages.push(JSON.parse(String(data)))
      this.#woken.resolve()
      this.#woken = Promise.withResolvers()
    }
  }

  async opened(): Promise<this> {
    const open = Promise.withResolvers<void>()
    this.socket.onopen = () => open.resolve()
    await open.promise
    return this
  }

  /** The first message that matches; waits for it. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(fits)
      if (found !== undefined) return found
      await this.#woken.promise
    }
  }

  ask(method: string, params: readonly unknown[], id: unknown = 1): Promise<Message> {
    this.socket.send(JSON.stringify({ method, params, id }))
    return this.until((message) => message.id === id)
  }
}

async function connect(path: string): Promise<Client> {
  const client = await new Client(path).opened()
  opened.push(client)
  return client
}

const place = (side: 'BUY' | 'SELL', price: string, quantity: string, trader = f.alice) =>
  f.place(trader, { symbol: 'BTC/USDT', type: 'LIMIT', side, price, quantity })

describe('a stream of market data', () => {
  test('of trades has each trade in the letters of Binance', async () => {
    const client = await connect('/ws/btcusdt@trade')
    await place('SELL', '60000', '1')
    await place('BUY', '60000', '1', f.bob)
    const message = await client.until(({ e }) => e === 'trade')
    expect(message).toEqual({
      e: 'trade',
      E: f.clock.time,
      s: 'BTCUSDT',
      t: 1,
      p: '60000.00000000',
      q: '1.00000000',
      T: f.clock.time,
      m: false,
      M: true,
    })
  })

  test('of aggregate trades has one per price of an order, with numbers that continue from history', async () => {
    for (const quantity of ['1', '2']) await place('SELL', '60100', quantity)
    await place('SELL', '60101', '1')
    const before = (await f.ask('/api/v3/aggTrades?symbol=BTCUSDT')).body.at(-1)
    const client = await connect('/ws/btcusdt@aggTrade')
    await place('BUY', '60101', '4', f.bob)
    const second = await client.until(({ a }) => a === before.a + 2)
    const shared = { e: 'aggTrade', E: f.clock.time, s: 'BTCUSDT', T: f.clock.time, m: false, M: true }
    const { l } = before
    expect([client.messages[0], second]).toEqual([
      { ...shared, a: before.a + 1, p: '60100.00000000', q: '3.00000000', f: l + 1, l: l + 2 },
      { ...shared, a: before.a + 2, p: '60101.00000000', q: '1.00000000', f: l + 3, l: l + 3 },
    ])
    const { e: _, E: __, s: ___, ...row } = second
    expect((await f.ask('/api/v3/aggTrades?symbol=BTCUSDT')).body.at(-1)).toEqual(row)
  })

  test('of candles has the open candle with the numbers of its trades, and says when it has closed', async () => {
    const client = await connect('/ws/btcusdt@kline_1m')
    const { k, ...head } = await client.until(({ e }) => e === 'kline')
    expect(head).toEqual({ e: 'kline', E: f.clock.time, s: 'BTCUSDT' })
    const [row] = (await f.ask('/api/v3/klines?symbol=BTCUSDT&interval=1m')).body.slice(-1)
    const [t, o, h, l, c, v, T, q, n, V, Q] = row
    const lastId = (await f.ask('/api/v3/trades?symbol=BTCUSDT&limit=1')).body[0].id
    const ids = { f: lastId - n + 1, L: lastId }
    const figures = { o, c, h, l, v, n, x: false, q, V, Q, B: '0' }
    expect(k).toEqual({ t, T, s: 'BTCUSDT', i: '1m', ...ids, ...figures })
    f.clock.time += 60_000
    const closed = await client.until((message) => message.k?.x === true)
    expect(closed.k).toEqual({ ...k, x: true })
    const next = await client.until((message) => message.k?.t === t + 60_000)
    expect(next.k).toMatchObject({ f: -1, L: -1, n: 0, o: c, x: false })
  })

  test('of average prices has the price of the last minutes', async () => {
    const client = await connect('/ws/btcusdt@avgPrice')
    const message = await client.until(({ e }) => e === 'avgPrice')
    const { price, closeTime } = (await f.ask('/api/v3/avgPrice?symbol=BTCUSDT')).body
    expect(message).toEqual({
      ...{ e: 'avgPrice', E: message.E, s: 'BTCUSDT' },
      ...{ i: '5m', w: price, T: closeTime },
    })
  })

  test('of best prices is sent when they change, and not otherwise', async () => {
    const client = await connect('/ws/btcusdt@bookTicker')
    await place('SELL', '61000', '1')
    await client.until(({ a }) => a === '61000.00000000')
    const count = client.messages.length
    await place('SELL', '62000', '1')
    await place('SELL', '60900', '1')
    expect(await client.until(({ a }) => a === '60900.00000000')).toMatchObject({
      s: 'BTCUSDT',
      A: '1.00000000',
    })
    expect(client.messages).toHaveLength(count + 1)
  })

  test('combined names the stream of each message', async () => {
    const client = await connect('/stream?streams=btcusdt@depth5@100ms/btcusdt@miniTicker')
    const depth = await client.until(({ stream }) => stream === 'btcusdt@depth5@100ms')
    expect(Object.keys(depth.data)).toEqual(['lastUpdateId', 'bids', 'asks'])
    const mini = await client.until(({ stream }) => stream === 'btcusdt@miniTicker')
    expect(mini.data).toMatchObject({ e: '24hrMiniTicker', s: 'BTCUSDT' })
  })

  test('of a book gives, by the documented recipe, the book of the exchange', async () => {
    const client = await connect('/ws/btcusdt@depth@100ms')
    const placing = (async () => {
      for (let at = 0; at < 40; at++) {
        await place('BUY', String(50_000 + (at % 7)), '0.1')
        if (at % 3 === 0) await place('SELL', String(50_000 + (at % 5)), '0.15', f.bob)
      }
    })()
    await client.until(({ e }) => e === 'depthUpdate')
    const snapshot = (await f.ask('/api/v3/depth?symbol=BTCUSDT&limit=5000')).body
    await placing
    // The last change is in a message that ends at it or later.
    const last = f.services.market.seq
    await place('BUY', '49000', '0.1')
    await client.until(({ u }) => u > last)
    const updates = client.messages.filter(({ u }) => u > snapshot.lastUpdateId)
    expect(updates[0].U).toBeLessThanOrEqual(snapshot.lastUpdateId + 1)
    const book = { b: new Map(snapshot.bids), a: new Map(snapshot.asks) }
    let before: number | undefined
    for (const update of updates) {
      if (before !== undefined) expect(update.U).toBe(before + 1)
      before = update.u
      for (const side of ['b', 'a'] as const)
        for (const [price, quantity] of update[side])
          if (Number(quantity) === 0) book[side].delete(price)
          else book[side].set(price, quantity)
    }
    const now = (await f.ask('/api/v3/depth?symbol=BTCUSDT&limit=5000')).body
    expect([Object.fromEntries(book.b), Object.fromEntries(book.a)]).toEqual([
      Object.fromEntries(now.bids),
      Object.fromEntries(now.asks),
    ])
  })
})

describe('subscribing', () => {
  test('by messages is answered with null, listed, and undone', async () => {
    const client = await connect('/ws')
    expect(await client.ask('SUBSCRIBE', ['btcusdt@trade', 'ethbtc@depth'], 7)).toEqual({
      result: null,
      id: 7,
    })
    expect(await client.ask('LIST_SUBSCRIPTIONS', [], 'list')).toEqual({
      result: ['btcusdt@trade', 'ethbtc@depth'],
      id: 'list',
    })
    await client.ask('UNSUBSCRIBE', ['btcusdt@trade'], 8)
    expect((await client.ask('LIST_SUBSCRIPTIONS', [], 9)).result).toEqual(['ethbtc@depth'])
  })

  test('to an unknown stream is refused by name, and subscribes to none of the request', async () => {
    const client = await connect('/ws/anything')
    for (const name of ['btcusdt@nothing', 'dogeusdt@trade', 'BTCUSDT@trade']) {
      const { error } = await client.ask('SUBSCRIBE', ['btcusdt@trade', name], name)
      expect([error.code, error.msg]).toEqual([2, `Invalid request: unknown stream: ${name}`])
    }
    expect((await client.ask('LIST_SUBSCRIPTIONS', [], 1)).result).toEqual([])
  })

  test('with an invalid message is refused, and with too many the connection is closed', async () => {
    const client = await connect('/stream')
    client.socket.send('{')
    const { error } = await client.until((message) => message.error !== undefined)
    expect([error.code, error.msg]).toEqual([3, expect.stringContaining('Invalid JSON')])
    for (let at = 0; at < 30; at++)
      client.socket.send(JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: at }))
    expect(await client.closed).toBe(1008)
  })

  test('has one property, and refuses another, or an invalid value, by number', async () => {
    const client = await connect('/ws')
    expect((await client.ask('SET_PROPERTY', ['combined', true])).result).toBeNull()
    expect((await client.ask('GET_PROPERTY', ['combined'], 2)).result).toBe(true)
    const wrong = [
      [['color', true], 0, 'Unknown property'],
      [['combined', 'yes'], 1, 'Invalid value type: expected Boolean'],
      [[7, true], 2, 'Invalid request: property name must be a string'],
    ] as const
    for (const [params, code, msg] of wrong)
      expect((await client.ask('SET_PROPERTY', params, `code-${code}`)).error).toEqual({ code, msg })
  })

  test('without an upgrade is not an endpoint, and the answer says so in the form of this wire', async () => {
    const { status, body } = await f.ask('/ws/btcusdt@trade')
    expect([status, body.code]).toEqual([404, -1020])
  })
})
