/** Messages to clients before a planned stop (docs/reference/stream-extensions.md#shutdown). */
import { afterEach, expect, test } from 'bun:test'
import { plainClient, socketIoClient } from '../../../test/support/stream-clients.ts'
import { BTC, streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'

const { cleanUp, serve } = streamServers()
afterEach(cleanUp)

const TICKER = { channel: 'bookTicker', symbol: 'BTC/USDT' }
const SHUTDOWN = ['shutdown', { reconnectAfterMs: 5_250 }] as const

/** Each kind of connection; a client that was disconnected does not return. */
const CLIENTS = [
  ['a plain WebSocket', (origin: string) => plainClient(`ws://${origin}`)],
  ['Socket.IO', (origin: string) => socketIoClient(`http://${origin}`, { reconnection: false })],
  [
    'Socket.IO by long polling',
    (origin: string) => socketIoClient(`http://${origin}`, { reconnection: false, transports: ['polling'] }),
  ],
  [
    'another namespace of Socket.IO',
    (origin: string) => socketIoClient(`http://${origin}/stream`, { reconnection: false }),
  ],
] as const

test.each(CLIENTS)(
  'a subscriber on %s gets one notice that the node stops, and is disconnected',
  async (_name, connect) => {
    const { stream, origin, trade } = serve()
    const client = await connect(origin)
    client.send('subscribe', TICKER)
    await until('the state has come', () => client.heard.length === 2)
    trade(BTC.id, 20)
    stream.announceStop(250)
    stream.announceStop(0)
    await stream.stop()
    await until('the last has come', () => client.heard.length >= 4 && stream.connections === 0)
    const names = client.heard.map(([event]) => event)
    expect(names).toEqual(['subscribed', 'bookTicker', 'bookTicker', 'shutdown'])
    expect(client.heard.at(-1)).toEqual([...SHUTDOWN])
  },
)

test.each(CLIENTS)('a member of rooms alone on %s gets no notice', async (_name, connect) => {
  const { stream, origin, trade } = serve()
  const client = await connect(origin)
  client.send('join', 'BTC/USDT')
  await until('the book has come', () => client.heard.length === 2)
  stream.announceStop(250)
  trade(BTC.id, 20)
  await until('news has come', () => client.heard.length > 2)
  await stream.stop()
  await until('it has left', () => stream.connections === 0)
  expect(client.heard.map(([event]) => event)).not.toContain('shutdown')
})

test('a client that subscribes after the notice gets the next one, and one that has left all channels does not', async () => {
  const { stream, origin } = serve()
  const [late, gone] = [await plainClient(`ws://${origin}`), await plainClient(`ws://${origin}`)]
  gone.send('subscribe', TICKER)
  gone.send('unsubscribe', TICKER)
  await until('it has left', () => gone.heard.length === 3)
  stream.announceStop(60_000)
  late.send('subscribe', TICKER)
  await until('the state has come', () => late.heard.length === 2)
  stream.announceStop(250)
  await stream.stop()
  await until('both are disconnected', () => stream.connections === 0 && late.heard.length === 3)
  expect(late.heard.at(-1)).toEqual([...SHUTDOWN])
  expect(gone.heard.map(([event]) => event)).not.toContain('shutdown')
})
