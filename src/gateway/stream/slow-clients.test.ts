import { afterEach, describe, expect, test } from 'bun:test'
import { RawWebSocket } from '../../../test/support/raw-websocket.ts'
import { depthText, StreamBook } from '../../../test/support/stream-book.ts'
import { plainClient } from '../../../test/support/stream-clients.ts'
import { BTC, streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'

const { cleanups, serve, cleanUp } = streamServers()
afterEach(cleanUp)

const KIB = 1024
const LIMIT = 256 * KIB
const LIMITS = { sendBufferBytesMax: LIMIT, drainedBytesMax: 16 * KIB }

/** More than any socket buffer of the kernel takes. */
const FLOOD_BYTES = 24 * KIB * KIB

/** A client on bare TCP, of either door, that has joined. */
type SlowDoor = readonly [name: string, path: string, join: readonly string[], prefix: string]

const SLOW_DOORS: readonly SlowDoor[] = [
  ['plain WebSocket', '/ws', ['["join","BTC/USDT"]'], ''],
  [
    'Socket.IO over WebSocket',
    '/socket.io/?EIO=4&transport=websocket',
    ['40', '42["join","BTC/USDT"]'],
    '42',
  ],
]

async function slowClient([, path, join, prefix]: SlowDoor, origin: string) {
  const raw = await RawWebSocket.open(origin, path)
  cleanups.push(() => raw.close())
  const book = new StreamBook()
  raw.onMessage = (text) => {
    if (!text.startsWith(`${prefix}[`)) return
    const [event, payload] = JSON.parse(text.slice(prefix.length))
    book.take(event, payload)
  }
  for (const message of join) raw.sendText(message)
  await until('the client has joined', () => book.snapshots === 1)
  return { raw, book }
}

describe.each(SLOW_DOORS)('a client that does not read: %s', (...door: SlowDoor) => {
  test('costs bounded memory, delays nobody, and gets a fresh book when it reads again', async () => {
    const { market, stream, trade, origin } = serve(LIMITS)
    trade(BTC.id, 500, 2_000)
    const { raw, book } = await slowClient(door, origin)
    const quick = await plainClient(`ws://${origin}`)
    cleanups.push(() => quick.close())
    quick.send('join', 'BTC/USDT')
    let sent = 0
    quick.socket.addEventListener('message', (message) => {
      sent += String(message.data).length
    })
    raw.pause()
    let pendingMax = 0
    while (sent < FLOOD_BYTES) {
      for (let i = 0; i < 20; i++) trade(BTC.id, 300, 2_000)
      pendingMax = Math.max(pendingMax, stream.pendingBytes())
      await new Promise(setImmediate)
    }
    expect(pendingMax).toBeGreaterThan(LIMIT / 2)
    // The quick one may have as much waiting as the slow one, between two turns of the loop.
    expect(pendingMax).toBeLessThanOrEqual(2 * LIMIT)
    await until('the quick client is up to date', () => quick.book.text() === depthText(market.depth(BTC.id)))
    raw.resume()
    await until('the slow client is up to date', () => book.text() === depthText(market.depth(BTC.id)))
    expect(book.snapshots).toBeGreaterThan(1)
    trade(BTC.id, 10)
    await until('it follows again', () => book.text() === depthText(market.depth(BTC.id)))
    await until('nothing is pending', () => stream.pendingBytes() === 0)
  }, 30_000)

  test('is disconnected when it stays stuck, and its memory is free', async () => {
    const { stream, trade, origin } = serve({ ...LIMITS, stuckMsMax: 100, sweepMs: 20 })
    const { raw } = await slowClient(door, origin)
    raw.pause()
    await until('it is disconnected', () => {
      for (let i = 0; i < 50; i++) trade(BTC.id, 300, 2_000)
      return stream.connections === 0
    })
    expect(stream.pendingBytes()).toBe(0)
  }, 30_000)
})
