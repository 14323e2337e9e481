import { afterEach, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { RawWebSocket } from '../../../test/support/raw-websocket.ts'
import { depthText, StreamBook } from '../../../test/support/stream-book.ts'
import { plainClient } from '../../../test/support/stream-clients.ts'
import { BTC, streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'
import { PACKET_BYTES } from './transport/engine-link.ts'

const { cleanups, serve, cleanUp } = streamServers()
afterEach(cleanUp)

const KIB = 1024
const LIMIT = 256 * KIB
const LIMITS = { sendBufferBytesMax: LIMIT, drainedBytesMax: 16 * KIB }

/** More messages than a client of these tests sends. */
const MANY = 1_000_000
const MANY_MESSAGES = { messagesPerSecondMax: MANY, messagesPerAddressPerSecondMax: MANY }

/** More than any socket buffer of the kernel can hold. */
const FLOOD_BYTES = 24 * KIB * KIB

/**
 * A client on bare TCP, of either transport: its address, its message to join, the beginning of its events.
 */
type SlowTransport = readonly [
  name: string,
  path: (origin: string) => Promise<string>,
  join: readonly string[],
  prefix: string,
]

const ENGINE_PATH = '/socket.io/?EIO=4&transport='
const JOIN = '["join","BTC/USDT"]'

const SLOW_TRANSPORTS: readonly SlowTransport[] = [
  ['plain WebSocket', async () => '/ws', [JOIN], ''],
  ['Socket.IO over WebSocket', async () => `${ENGINE_PATH}websocket`, ['40', `42${JOIN}`], '42'],
  [
    'Socket.IO upgraded from polling',
    async (origin) => `${ENGINE_PATH}websocket&sid=${await openSession(origin)}`,
    ['2probe', '5', '40', `42${JOIN}`],
    '42',
  ],
]

/** Opens a polling session by hand; returns its id. */
async function openSession(origin: string): Promise<string> {
  const opened = await (await fetch(`http://${origin}${ENGINE_PATH}polling`)).text()
  return (JSON.parse(opened.slice(1)) as { sid: string }).sid
}

async function slowClient([, path, join, prefix]: SlowTransport, origin: string) {
  const raw = await RawWebSocket.open(origin, await path(origin))
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

describe.each(SLOW_TRANSPORTS)('a client that does not read: %s', (...transport: SlowTransport) => {
  test('costs bounded memory, delays no other client, and gets a fresh book when it reads again', async () => {
    // No sweep runs here: the drain itself causes the new book to be sent.
    const { market, stream, trade, origin } = serve({ ...LIMITS, sweepMs: 600_000 })
    trade(BTC.id, 500, 2_000)
    const { raw, book } = await slowClient(transport, origin)
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
    // The fast client may have as much waiting as the slow one, between two turns of the loop.
    expect(pendingMax).toBeLessThanOrEqual(2 * LIMIT)
    await until('the quick client is up to date', () => quick.book.text() === depthText(market.depth(BTC.id)))
    raw.resume()
    await until('the slow client is up to date', () => book.text() === depthText(market.depth(BTC.id)))
    expect(book.snapshots).toBeGreaterThan(1)
    trade(BTC.id, 10)
    await until('it follows again', () => book.text() === depthText(market.depth(BTC.id)))
    await until('nothing is pending', () => stream.pendingBytes() === 0)
    expect([stream.fallenBehind > 0, stream.closedBehind]).toEqual([true, 0])
  })

  test('is disconnected when it stays stuck, and its memory is free', async () => {
    const { stream, trade, origin } = serve({ ...LIMITS, stuckMsMax: 100, sweepMs: 20 })
    const { raw } = await slowClient(transport, origin)
    raw.pause()
    await until('it is disconnected', () => {
      for (let i = 0; i < 50; i++) trade(BTC.id, 300, 2_000)
      return stream.connections === 0
    })
    expect(stream.closedBehind).toBe(1)
    expect(stream.pendingBytes()).toBe(0)
  })
})

/** A long-polling client by hand: it polls on demand. */
async function pollingClient(origin: string) {
  const url = `http://${origin}${ENGINE_PATH}polling&sid=${await openSession(origin)}`
  const book = new StreamBook()
  /** Polls on a connection of its own and reads nothing of the answer. */
  const pollUnread = () => {
    const [host, port] = origin.split(':')
    const socket = connect(Number(port), host)
    cleanups.push(() => socket.destroy())
    const answer = { bytes: 0, isClosed: false, resume: () => void socket.resume() }
    socket.on('error', () => {})
    socket.on('data', (data) => {
      answer.bytes += data.length
    })
    socket.on('close', () => {
      answer.isClosed = true
    })
    socket.pause()
    socket.write(`GET ${url.slice(`http://${origin}`.length)} HTTP/1.1\r\nHost: ${origin}\r\n\r\n`)
    return answer
  }
  const packets = async () => (await (await fetch(url)).text()).split('\u001e')
  return {
    book,
    packets,
    pollUnread,
    send: async (packet: string) => void (await fetch(url, { method: 'POST', body: packet })),
    /** Polls once; returns the length of the answer. */
    poll: async (): Promise<number> => {
      const answer = await packets()
      for (const packet of answer) {
        if (!packet.startsWith('42')) continue
        const [event, payload] = JSON.parse(packet.slice(2))
        book.take(event, payload)
      }
      return answer.join('\u001e').length
    },
  }
}

describe('a long-polling client that does not poll', () => {
  test('costs bounded memory and gets a fresh book when it polls again', async () => {
    const { market, stream, trade, origin } = serve(LIMITS)
    trade(BTC.id, 500, 2_000)
    const client = await pollingClient(origin)
    await client.send('40')
    await client.poll()
    await client.send('42["join","BTC/USDT"]')
    await until('the book waits for it', () => stream.pendingBytes() > 0)
    for (let i = 0; i < 2_000; i++) trade(BTC.id, 50, 2_000)
    expect(stream.pendingBytes()).toBeGreaterThan(LIMIT / 2)
    expect(stream.pendingBytes()).toBeLessThanOrEqual(LIMIT)
    expect(await client.poll()).toBeLessThanOrEqual(LIMIT + 1_000)
    expect(client.book.text()).not.toBe(depthText(market.depth(BTC.id)))
    await client.poll()
    expect(client.book.snapshots).toBe(2)
    expect(client.book.text()).toBe(depthText(market.depth(BTC.id)))
  })

  test('is disconnected when it stays stuck, and its memory is free', async () => {
    const { stream, trade, origin } = serve({ ...LIMITS, stuckMsMax: 50, sweepMs: 20 })
    trade(BTC.id, 500, 2_000)
    const client = await pollingClient(origin)
    await client.send('40')
    await client.poll()
    await client.send('42["join","BTC/USDT"]')
    await until('it is disconnected', () => {
      for (let i = 0; i < 50; i++) trade(BTC.id, 50, 2_000)
      return stream.connections === 0
    })
    expect(stream.pendingBytes()).toBe(0)
  })

  test('cannot accumulate answers to protocol packets either', async () => {
    const { stream, origin } = serve({ sendBufferBytesMax: 16 * KIB, drainedBytesMax: KIB })
    const client = await pollingClient(origin)
    await client.send('40')
    let pendingMax = 0
    while (stream.connections > 0) {
      await client.send(Array<string>(250).fill('40/nowhere,').join('\u001e'))
      pendingMax = Math.max(pendingMax, stream.pendingBytes())
    }
    expect(pendingMax).toBeGreaterThan(16 * KIB)
    // The thousand packets that the client may send without reading, and those of one body.
    expect(pendingMax).toBeLessThan(16 * KIB + 1_500 * (PACKET_BYTES + 64))
  })

  test('cannot accumulate acknowledgements and errors: each is counted with everything that it holds, up to the limit', async () => {
    const { stream, origin } = serve({
      sendBufferBytesMax: 64 * KIB,
      drainedBytesMax: KIB,
      ...MANY_MESSAGES,
    })
    const client = await pollingClient(origin)
    await client.send('40')
    await client.send(`421["x"]`)
    expect(stream.pendingBytes()).toBeGreaterThan(3 * PACKET_BYTES)
    let pendingMax = 0
    while (stream.connections > 0) {
      await client.send(Array<string>(100).fill('421["x"]').join('\u001e'))
      pendingMax = Math.max(pendingMax, stream.pendingBytes())
    }
    expect(pendingMax).toBeGreaterThan(64 * KIB)
    expect(pendingMax).toBeLessThan(64 * KIB + 2 * PACKET_BYTES)
  })

  test('gets no acknowledgement for messages beyond its limit', async () => {
    const { origin } = serve({ messagesPerSecondMax: 10 }, () => 0)
    const client = await pollingClient(origin)
    await client.send('40')
    await client.poll()
    await client.send(Array.from({ length: 50 }, (_, index) => `42${index}["x"]`).join('\u001e'))
    const packets = await client.packets()
    const acknowledged = packets.filter((packet) => packet.startsWith('43'))
    expect(acknowledged).toEqual(Array.from({ length: 10 }, (_, index) => `43${index}[]`))
    expect(packets.filter((packet) => packet.includes('RATE_LIMITED'))).toHaveLength(1)
  })

  test('shares the memory of all connections with others like it', async () => {
    const limits = { sendBufferBytesMax: 32 * KIB, drainedBytesMax: KIB, sendBuffersBytesMax: 64 * KIB }
    const { stream, origin } = serve({ ...limits, ...MANY_MESSAGES, sweepMs: 600_000 })
    const clients = await Promise.all(Array.from({ length: 10 }, () => pollingClient(origin)))
    for (const client of clients) {
      await client.send('40')
      await client.send(Array<string>(100).fill('421["x"]').join('\u001e'))
    }
    expect(stream.connections).toBe(10)
    expect(stream.pendingBytes()).toBeGreaterThan(48 * KIB)
    // The protocol's own answers are counted, and not refused.
    expect(stream.pendingBytes()).toBeLessThan(64 * KIB + 10 * (PACKET_BYTES + 256))
  })

  test('is not kept alive by heartbeats that it has not fetched', async () => {
    const unlimited = {
      ...{ framesPerSecondMax: MANY, framesPerAddressPerSecondMax: MANY },
      ...{ framesBurstMax: MANY, framesPerAddressBurstMax: MANY },
    }
    const { stream, origin } = serve({ ...unlimited, pingIntervalMs: 20, pingTimeoutMs: 50 })
    const client = await pollingClient(origin)
    await client.send('40')
    while (stream.connections > 0) await client.send('3')
    expect([stream.connections, stream.cutsByCause.FRAMES]).toEqual([0, 0])
  })

  test('that disconnects in the middle of a body ends its session and nothing else', async () => {
    const { stream, origin } = serve()
    await pollingClient(origin)
    const path = `${ENGINE_PATH}polling&sid=${await openSession(origin)}`
    const [host, port] = origin.split(':')
    const socket = connect(Number(port), host)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${origin}\r\nContent-Length: 100\r\n\r\n40`, () =>
      socket.destroy(),
    )
    await until('only the other session is left', () => stream.connections === 1)
  })
})

/**
 * With this much waiting for one connection, an answer is longer than the kernel accepts: most of it is text.
 */
const LONG = { ...LIMITS, sendBufferBytesMax: 4 * FLOOD_BYTES }

describe('a long-polling client that does not read an answer', () => {
  async function unread(limits: Parameters<typeof serve>[0] = {}) {
    const { stream, trade, origin } = serve({ ...LONG, ...limits })
    const client = await pollingClient(origin)
    await client.send('40')
    await client.poll()
    await client.send('42["join","BTC/USDT"]')
    while (stream.pendingBytes() < 3 * FLOOD_BYTES) trade(BTC.id, 300, 2_000)
    const waiting = stream.pendingBytes()
    const answer = client.pollUnread()
    await until('the answer is under way', () => stream.pendingBytes() < waiting)
    return { stream, client, answer }
  }

  /** The kernel accepts some of an unread answer, at its own pace; never this much. */
  const HELD_BYTES = FLOOD_BYTES / 2

  test('has it counted against the limits when it polls again elsewhere, and until it has read it', async () => {
    const { stream, client, answer } = await unread()
    expect(stream.pendingBytes()).toBeGreaterThan(HELD_BYTES)
    const again = client.pollUnread()
    await client.send('40/nowhere,')
    expect(stream.pendingBytes()).toBeGreaterThan(HELD_BYTES)
    again.resume()
    await until('the second poll is answered', () => again.bytes > 0)
    expect(stream.pendingBytes()).toBeGreaterThan(HELD_BYTES)
    answer.resume()
    await until('the answer has been read', () => stream.pendingBytes() < 1_000)
    expect(answer.bytes).toBeGreaterThan(HELD_BYTES)
  })

  test('leaves nothing of it behind when it ends its session', async () => {
    const { stream, client, answer } = await unread()
    await client.send('1')
    await until('the session has ended', () => stream.connections === 0)
    expect(stream.pendingBytes()).toBe(0)
    answer.resume()
    await until('the connection of the answer is closed', () => answer.isClosed)
    expect(answer.bytes).toBeLessThan(HELD_BYTES)
  })

  test('is disconnected when it reads nothing of it for too long', async () => {
    const { stream, answer } = await unread({ stuckMsMax: 50, sweepMs: 20 })
    await until('the session has ended', () => stream.connections === 0)
    expect(stream.pendingBytes()).toBe(0)
    answer.resume()
    await until('the connection of the answer is closed', () => answer.isClosed)
    expect(answer.bytes).toBeLessThan(HELD_BYTES)
  })
})
