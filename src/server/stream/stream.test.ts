import { afterEach, describe, expect, test } from 'bun:test'
import { depthText } from '../../../test/support/stream-book.ts'
import { plainClient, type StreamClient, socketIoClient } from '../../../test/support/stream-clients.ts'
import { BTC, ETH, streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'
import { publicTradesJson } from '../../contract/api/market-data.ts'
import type { MarketData } from '../../views/market-data.ts'

const { cleanups, serve, cleanUp } = streamServers()
afterEach(cleanUp)

type Transport = readonly [name: string, connect: (origin: string) => Promise<StreamClient>]

const TRANSPORTS: readonly Transport[] = [
  ['socket.io-client with only the URL', (origin) => socketIoClient(`http://${origin}`)],
  [
    'socket.io-client, WebSocket only',
    (origin) => socketIoClient(`ws://${origin}`, { transports: ['websocket'] }),
  ],
  [
    'socket.io-client, polling only',
    (origin) => socketIoClient(`http://${origin}`, { transports: ['polling'] }),
  ],
  ['socket.io-client, namespace /stream', (origin) => socketIoClient(`http://${origin}/stream`)],
  ['socket.io-client, namespace /ws', (origin) => socketIoClient(`http://${origin}/ws`)],
  ['plain WebSocket at /', (origin) => plainClient(`ws://${origin}`)],
  ['plain WebSocket at /stream', (origin) => plainClient(`ws://${origin}/stream`)],
  ['plain WebSocket at /ws', (origin) => plainClient(`ws://${origin}/ws`)],
]

async function connect(transport: Transport, origin: string): Promise<StreamClient> {
  const client = await transport[1](origin)
  cleanups.push(() => client.close())
  return client
}

function hasBook(client: StreamClient, market: MarketData, symbol = BTC): Promise<void> {
  const expected = depthText(market.depth(symbol.id))
  return until('the client’s book is the market’s', () => client.book.text() === expected)
}

describe.each(TRANSPORTS)('%s', (...transport: Transport) => {
  test('a book kept from the stream alone is the market’s, joined in the middle', async () => {
    const { market, trade, origin } = serve()
    for (let i = 0; i < 20; i++) trade(BTC.id, 10)
    const client = await connect(transport, origin)
    client.send('join', 'BTC/USDT')
    for (let i = 0; i < 300; i++) {
      trade(BTC.id, 1 + (i % 20))
      trade(ETH.id, 3)
      if (i % 10 === 0) await new Promise(setImmediate)
    }
    await until('the book has come', () => client.book.snapshots === 1)
    await hasBook(client, market)
    expect(client.book.seen.slice(0, 2)).toEqual(['orders', 'trades'])
    expect(client.errors).toEqual([])
  })

  test('every trade comes once: before the join in the first list, after it as it happens', async () => {
    const { market, trade, origin } = serve({ tradesOnJoin: 1_000 })
    for (let i = 0; i < 10; i++) trade(BTC.id, 10)
    const client = await connect(transport, origin)
    client.send('join', 'BTC/USDT')
    for (let i = 0; i < 60; i++) {
      trade(BTC.id, 5)
      await new Promise(setImmediate)
    }
    const expected = JSON.parse(publicTradesJson(market.recentTrades(BTC.id, 1_000), BTC))
    const received = () => client.trades.toReversed().flat()
    await until('all trades have come', () => received().length >= expected.length)
    expect(received()).toEqual(expected)
    const [first] = client.trades as unknown[][]
    const matches = client.book.seen.filter((event) => event === 'matched_order')
    expect(matches.length).toBe(expected.length - (first?.length ?? 0))
  })

  test('change_room leaves the one symbol and joins the other', async () => {
    const { market, trade, origin } = serve()
    trade(BTC.id, 50)
    trade(ETH.id, 50)
    const client = await connect(transport, origin)
    client.send('join', 'BTC/USDT')
    await until('the first book has come', () => client.book.snapshots === 1)
    client.send('change_room', 'BTC/USDT', 'ETH/USDT')
    await until('the second book has come', () => client.book.snapshots === 2)
    for (let i = 0; i < 50; i++) {
      trade(BTC.id, 5)
      trade(ETH.id, 5)
    }
    await hasBook(client, market, ETH)
  })

  test('with an address that an operator bans is disconnected in the same batch, and no other client is', async () => {
    const banned = new Set<string>()
    const { stream, ban, origin } = serve({}, undefined, (address) => !banned.has(address))
    const client = await connect(transport, origin)
    await until('it is there', () => stream.connections === 1)
    client.send('join', 'BTC/USDT')
    await until('the book has come', () => client.book.snapshots === 1)
    ban('10.0.0.1')
    expect(stream.connections).toBe(1)
    banned.add('127.0.0.1')
    ban('127.0.0.1')
    await until('nothing is left of it', () => stream.rooms === 0 && stream.connections === 0)
  })

  test('an unknown symbol or an invalid message gets an error and the connection stays', async () => {
    const { market, trade, origin } = serve()
    trade(BTC.id, 50)
    const client = await connect(transport, origin)
    client.send('join', 'BTC/XYZ')
    client.send('join')
    client.send('join', 5)
    client.send('join', { __proto__: null, symbol: 'BTC/USDT' })
    client.send('__proto__', 'BTC/USDT')
    client.send('error', 'x')
    client.send('change_room', 'BTC/USDT')
    client.send('change_room', 'BTC/USDT', 'nothing')
    await until('every message is answered', () => client.errors.length === 8)
    expect(client.errors.map((error) => error.reason)).toEqual([
      'UNKNOWN_SYMBOL',
      ...Array<string>(6).fill('UNKNOWN_MESSAGE'),
      'UNKNOWN_SYMBOL',
    ])
    expect(client.errors[0]).toMatchObject({ status: false, code: '4001' })
    client.send('join', 'BTC/USDT')
    await hasBook(client, market)
  })

  test('a client that leaves is no longer in any room', async () => {
    const { stream, origin } = serve()
    const client = await connect(transport, origin)
    client.send('join', 'BTC/USDT')
    client.send('join', 'ETH/USDT')
    await until('it is in both rooms', () => stream.rooms === 2)
    client.close()
    await until('nothing is left of it', () => stream.rooms === 0 && stream.connections === 0)
  })

  test('joining again is a fresh snapshot', async () => {
    const { trade, origin } = serve()
    trade(BTC.id, 20)
    const client = await connect(transport, origin)
    client.send('join', 'BTC/USDT')
    client.send('join', 'BTC/USDT')
    await until('two books have come', () => client.book.snapshots === 2)
    expect(client.book.seen).toEqual(['orders', 'trades', 'orders', 'trades'])
  })
})

test('a Socket.IO client that leaves one namespace stays in the other', async () => {
  const { stream, trade, origin } = serve()
  const first = await socketIoClient(`http://${origin}`)
  cleanups.push(() => first.close())
  const second = first.socket.io.socket('/ws')
  second.emit('join', 'ETH/USDT')
  first.send('join', 'BTC/USDT')
  await until('both namespaces are in a room', () => stream.rooms === 2)
  expect(stream.connections).toBe(1)
  second.disconnect()
  await until('one room is left', () => stream.rooms === 1)
  trade(BTC.id, 20)
  await until('the other namespace still hears', () => first.book.seen.length > 2)
})
