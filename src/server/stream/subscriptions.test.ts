/**
 * Channels over both transports: many on one connection, beside joined rooms; the refused requests, and their
 * answers.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { type BookMessage, ChannelBook, levelsText } from '../../../test/support/channel-book.ts'
import { depthText } from '../../../test/support/stream-book.ts'
import { plainClient, type StreamClient, socketIoClient } from '../../../test/support/stream-clients.ts'
import { BTC, ETH, streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'

const { cleanups, serve, cleanUp } = streamServers()
afterEach(cleanUp)

const TRANSPORTS = [
  ['plain WebSocket', (origin: string) => plainClient(`ws://${origin}`)],
  ['Socket.IO', (origin: string) => socketIoClient(`http://${origin}`)],
  [
    'Socket.IO, polling only',
    (origin: string) => socketIoClient(`http://${origin}`, { transports: ['polling'] }),
  ],
  ['Socket.IO, namespace /stream', (origin: string) => socketIoClient(`http://${origin}/stream`)],
] as const

const BOOK = { channel: 'book', symbol: 'BTC/USDT' } as const

/** Books kept from everything that a client has received, by symbol. */
function booksOf(client: StreamClient): Map<string, ChannelBook> {
  const books = new Map<string, ChannelBook>()
  for (const [event, payload] of client.heard) {
    if (event !== 'book') continue
    const message = payload as BookMessage
    const book = books.get(message.symbol) ?? new ChannelBook()
    books.set(message.symbol, book)
    book.take(message)
  }
  return books
}

describe.each(TRANSPORTS)('%s', (_name, connect) => {
  async function connected(origin: string): Promise<StreamClient> {
    const client = await connect(origin)
    cleanups.push(() => client.close())
    return client
  }

  test('books of many symbols and a joined room come on one connection, independently', async () => {
    const { market, trade, origin } = serve()
    trade(BTC.id, 50)
    const client = await connected(origin)
    client.send('subscribe', BOOK)
    client.send('join', 'BTC/USDT')
    client.send('subscribe', { channel: 'book', symbol: 'ETH/USDT' })
    await until('both books have come', () => booksOf(client).size === 2)
    for (let i = 0; i < 200; i++) {
      trade(BTC.id, 3)
      trade(ETH.id, 3)
      if (i % 10 === 0) await new Promise(setImmediate)
    }
    await until('all has come', () => {
      const books = booksOf(client)
      const areTheMarkets = [BTC, ETH].every(
        ({ id, name }) => books.get(name)?.text() === levelsText(market.depth(id)),
      )
      return areTheMarkets && client.book.text() === depthText(market.depth(BTC.id))
    })
    for (const book of booksOf(client).values()) {
      expect(book.snapshots).toBe(1)
      expect(book.checksums).toBeGreaterThan(1)
    }
    expect(client.errors).toEqual([])
  })

  test('a client that only joins gets no channel messages, and one that only subscribes none of rooms', async () => {
    const { trade, origin } = serve()
    const [joined, subscribed] = [await connected(origin), await connected(origin)]
    joined.send('join', 'BTC/USDT')
    subscribed.send('subscribe', BOOK)
    await until('both have begun', () => joined.heard.length === 2 && subscribed.heard.length === 2)
    trade(BTC.id, 200)
    await until('both have heard of it', () => joined.heard.length > 2 && subscribed.heard.length > 2)
    const contract = ['orders', 'trades', 'matched_order', 'buy_order_update', 'sell_order_update']
    for (const [event, payload] of joined.heard) {
      expect(contract).toContain(event)
      expect(payload).not.toHaveProperty('seq')
    }
    expect(new Set(subscribed.heard.map(([event]) => event))).toEqual(new Set(['subscribed', 'book']))
  })

  test('after unsubscribe nothing more of the channel comes, and subscribing again starts again', async () => {
    const { stream, trade, origin } = serve()
    const client = await connected(origin)
    client.send('subscribe', BOOK)
    client.send('unsubscribe', BOOK)
    await until('it has ended', () => client.heard.length === 3)
    expect(stream.rooms).toBe(0)
    trade(BTC.id, 20)
    client.send('subscribe', BOOK)
    client.send('subscribe', BOOK)
    await until('it has begun twice', () => client.heard.length === 7)
    const events = client.heard.map(([event]) => event)
    expect(events).toEqual(['subscribed', 'book', 'unsubscribed', 'subscribed', 'book', 'subscribed', 'book'])
    for (const [event, payload] of client.heard) {
      if (event !== 'book') expect(payload).toEqual(BOOK)
      else expect(payload).not.toHaveProperty('prevSeq')
    }
  })

  test('a wrong message is refused with what was expected, and the connection continues', async () => {
    const { origin } = serve()
    const client = await connected(origin)
    const wrong = [
      [['subscribe'], 'UNKNOWN_MESSAGE', 'subscribe'],
      [['subscribe', 'book'], 'UNKNOWN_MESSAGE', 'subscribe'],
      [['subscribe', [BOOK]], 'UNKNOWN_MESSAGE', 'subscribe'],
      [['subscribe', BOOK, BOOK], 'UNKNOWN_MESSAGE', 'subscribe'],
      [['subscribe', { symbol: 'BTC/USDT' }], 'MISSING_PARAMETER', 'channel'],
      [['subscribe', { channel: 'book' }], 'MISSING_PARAMETER', 'symbol'],
      [['subscribe', { ...BOOK, channel: 'books' }], 'INVALID_PARAMETER', 'channel must be one of book'],
      [['subscribe', { ...BOOK, channel: null }], 'INVALID_PARAMETER', 'channel must be one of book'],
      [['subscribe', { ...BOOK, symbol: 7 }], 'INVALID_PARAMETER', 'symbol must be the name of a symbol'],
      [['subscribe', { ...BOOK, depth: 5 }], 'INVALID_PARAMETER', 'depth must be left out'],
      [['subscribe', { ...BOOK, levels: 7 }], 'INVALID_PARAMETER', 'levels must be one of 5, 10, 20, 50'],
      [['subscribe', { ...BOOK, levels: [5] }], 'INVALID_PARAMETER', 'levels must be one of 5, 10, 20, 50'],
      [['subscribe', { ...BOOK, intervalMs: 0 }], 'INVALID_PARAMETER', 'intervalMs must be one of 100, 250'],
      [
        ['subscribe', { ...BOOK, channel: 'trades', levels: 5 }],
        'INVALID_PARAMETER',
        'levels must be left out',
      ],
      [['subscribe', { ...BOOK, symbol: 'BTC/XYZ' }], 'UNKNOWN_SYMBOL', ''],
      [['unsubscribe', { ...BOOK, symbol: 'BTC/XYZ' }], 'UNKNOWN_SYMBOL', ''],
      [['unsubscribe', { ...BOOK, limit: 5 }], 'INVALID_PARAMETER', 'limit must be left out'],
      [['unsubscribe', BOOK], 'NOT_SUBSCRIBED', ''],
    ] as const
    for (const [message] of wrong) client.send(...message)
    await until('every message is answered', () => client.errors.length === wrong.length)
    for (const [at, [, reason, text]] of wrong.entries()) {
      expect(client.errors[at]).toMatchObject({ status: false, code: '4001', reason })
      expect(client.errors[at]?.msg[0]).toContain(text)
    }
    client.send('subscribe', BOOK)
    await until('the book has come', () => booksOf(client).size === 1)
  })

  test('subscriptions to one symbol that differ in an option are independent', async () => {
    const { trade, origin } = serve({ joinsPerSecondMax: 1 })
    const client = await connected(origin)
    const topics = [
      BOOK,
      { ...BOOK, levels: 5 },
      { ...BOOK, levels: '5', intervalMs: '100' },
      { ...BOOK, levels: 50 },
    ]
    for (const topic of topics) client.send('subscribe', topic)
    await until('all have begun', () => client.heard.length === 2 * topics.length)
    const given = [
      BOOK,
      { ...BOOK, levels: 5 },
      { ...BOOK, levels: 5, intervalMs: 100 },
      { ...BOOK, levels: 50 },
    ]
    expect(client.heard.filter(([event]) => event === 'subscribed').map(([, payload]) => payload)).toEqual(
      given,
    )
    client.send('unsubscribe', topics[1])
    await until('one has ended', () => client.heard.at(-1)?.[0] === 'unsubscribed')
    client.heard.length = 0
    trade(BTC.id, 1)
    const optionsOf = (payload: unknown) => {
      const { levels, intervalMs } = payload as { levels?: number; intervalMs?: number }
      return `${levels} ${intervalMs}`
    }
    await until('the others go on', () => client.heard.length === 3)
    expect(client.heard.map(([, payload]) => optionsOf(payload)).toSorted()).toEqual(
      ['undefined undefined', '5 100', '50 undefined'].toSorted(),
    )
    client.send('unsubscribe', topics[1])
    await until('it is refused', () => client.errors.length === 1)
    expect(client.errors[0]?.reason).toBe('NOT_SUBSCRIBED')
  })

  test('a subscription beyond the limit is refused; ending one makes room', async () => {
    const { origin } = serve({ subscriptionsPerConnectionMax: 1, roomsPerConnectionMax: 1 })
    const client = await connected(origin)
    const other = { channel: 'book', symbol: 'ETH/USDT' }
    client.send('join', 'ETH/USDT')
    client.send('subscribe', BOOK)
    client.send('subscribe', other)
    await until('it is refused', () => client.errors.length === 1)
    expect(client.errors[0]).toMatchObject({ code: '4001', reason: 'TOO_MANY_SUBSCRIPTIONS' })
    client.send('subscribe', BOOK)
    client.send('unsubscribe', BOOK)
    client.send('subscribe', other)
    await until('the other has come', () => booksOf(client).has('ETH/USDT'))
    expect(client.errors).toHaveLength(1)
  })

  test('a whole book beyond the limit per second is refused, joined or subscribed to', async () => {
    const { origin } = serve({ joinsPerSecondMax: 3 }, () => 0)
    const client = await connected(origin)
    for (let i = 0; i < 2; i++) client.send('join', 'BTC/USDT')
    for (let i = 0; i < 2; i++) client.send('subscribe', BOOK)
    await until('it is refused', () => client.errors.length === 1)
    expect(client.errors[0]).toMatchObject({ code: '0014', reason: 'RATE_LIMITED' })
    expect(client.heard.filter(([event]) => event === 'book')).toHaveLength(1)
  })
})

test('a Socket.IO acknowledgement of subscribe and unsubscribe is their answer, right or wrong', async () => {
  const { origin } = serve()
  const client = await socketIoClient(`http://${origin}`)
  cleanups.push(() => client.close())
  const ask = (...message: [string, unknown]) => client.socket.emitWithAck(...message)
  expect(await ask('subscribe', BOOK)).toEqual(BOOK)
  expect(await ask('subscribe', { channel: 'book' })).toMatchObject({ reason: 'MISSING_PARAMETER' })
  expect(await ask('unsubscribe', BOOK)).toEqual(BOOK)
  expect(await ask('unsubscribe', BOOK)).toMatchObject({ status: false, reason: 'NOT_SUBSCRIBED' })
  expect(await ask('join', 'BTC/USDT')).toBeUndefined()
  expect(client.heard.map(([event]) => event).filter((event) => event !== 'orders')).toEqual([
    'subscribed',
    'book',
    'error',
    'unsubscribed',
    'error',
    'trades',
  ])
})
