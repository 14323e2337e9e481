import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { PackageTimers } from '../../../test/support/package-timers.ts'
import { BINARY, PING, PONG, RawWebSocket, TEXT } from '../../../test/support/raw-websocket.ts'
import { plainClient, socketIoClient } from '../../../test/support/stream-clients.ts'
import { streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'
import { SERVE_STREAM } from './config.ts'
import { countsOfCuts } from './intake/intake.ts'

const { cleanups, serve, cleanUp } = streamServers()

const POLLING = '/socket.io/?EIO=4&transport=polling'
const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket'
const SEPARATOR = '\u001e'
/** More than any limit of these tests; few enough for one read of the server. */
const MANY = 1_000

/** A session by long polling: its id and its address for posts. */
async function pollingSession(origin: string) {
  const opened = await (await fetch(`http://${origin}${POLLING}`)).text()
  const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
  const url = `http://${origin}${POLLING}&sid=${sid}`
  const post = (body: string) => fetch(url, { method: 'POST', body })
  const upgrade = () => RawWebSocket.open(origin, `${WEBSOCKET}&sid=${sid}`)
  return { sid, url, post, upgrade }
}

describe('client state in the engine', () => {
  let timers: PackageTimers
  beforeEach(() => {
    timers = new PackageTimers('@socket.io/bun-engine')
    cleanups.push(() => timers.restore())
  })
  afterEach(cleanUp)

  test('a second probe of an upgrade ends the session, and nothing is left of either', async () => {
    const { stream, origin } = serve()
    const session = await pollingSession(origin)
    expect(timers.pending).toBeGreaterThan(0)
    const raw = await session.upgrade()
    raw.sendFrames(TEXT, '2probe', MANY)
    await until('the session has ended', () => raw.isClosed && stream.connections === 0)
    expect(timers.pending).toBe(0)
    expect(stream.cutsByCause).toEqual({ ...countsOfCuts(), PROTOCOL: 1 })
    expect(raw.messages.length).toBeLessThanOrEqual(1)
  })

  test.each([
    ['another packet', '42["join","BTC/USDT"]'],
    ['a heartbeat', '3'],
    ['an upgrade without a probe', '5'],
  ])('%s instead of a probe ends the session, and nothing is left of it', async (_name, packet) => {
    const { stream, origin } = serve()
    const raw = await (await pollingSession(origin)).upgrade()
    raw.sendFrames(TEXT, packet, MANY)
    await until('the session has ended', () => raw.isClosed && stream.connections === 0)
    expect([timers.pending, stream.cutsByCause.PROTOCOL]).toEqual([0, 1])
  })

  test.each([
    ['before its probe', []],
    ['after its probe', ['2probe']],
  ])(
    'an upgrade that the client gives up %s leaves no timer, and the session continues',
    async (_name, packets) => {
      const { stream, origin } = serve()
      const session = await pollingSession(origin)
      const idle = timers.pending
      const raw = await session.upgrade()
      for (const packet of packets) raw.sendText(packet)
      await until('the probe is answered', () => raw.messages.length === packets.length)
      expect(timers.pending).toBe(idle + 1 + packets.length)
      raw.close()
      // Sooner than the engine gives up by itself.
      await until('the timers are gone', () => timers.pending === idle)
      expect(await (await session.post('40')).text()).toBe('ok')
      expect(stream.connections).toBe(1)
    },
  )

  test('a session that ends in the middle of its upgrade closes the WebSocket too', async () => {
    const { stream, origin } = serve()
    const session = await pollingSession(origin)
    const raw = await session.upgrade()
    raw.sendText('2probe')
    await until('the probe is answered', () => raw.messages.length === 1)
    await session.post('1')
    await until('both have ended', () => raw.isClosed && stream.connections === 0)
    expect(timers.pending).toBe(0)
  })

  test('a session has one WebSocket to upgrade to; a second is refused', async () => {
    const { origin } = serve()
    const session = await pollingSession(origin)
    const first = await session.upgrade()
    const headers = {
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const answer = await fetch(`http://${origin}${WEBSOCKET}&sid=${session.sid}`, { headers })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ reason: 'UNREADABLE_MESSAGE' }),
    ])
    first.sendText('2probe')
    await until('the first is served', () => first.messages.includes('3probe'))
    first.sendText('5')
    first.sendText('40')
    await until('it has been upgraded', () => first.messages.some((text) => text.startsWith('40{')))
    first.close()
  })

  test('unsolicited heartbeats start no timer, on a WebSocket or by polling', async () => {
    const { stream, origin } = serve()
    const raw = await RawWebSocket.open(origin, WEBSOCKET)
    const session = await pollingSession(origin)
    const idle = timers.pending
    raw.sendFrames(TEXT, '3', 100)
    raw.sendText('40/nowhere,')
    await until('the frames have been read', () => raw.messages.length === 2)
    expect((await session.post(Array(100).fill('3').join(SEPARATOR))).status).toBe(200)
    expect((await session.post(['3', '40/nowhere,', '3'].join(SEPARATOR))).status).toBe(200)
    expect([timers.pending, stream.connections]).toEqual([idle, 2])
    raw.close()
    await session.post('1')
    await until('both have left', () => stream.connections === 0)
    expect(timers.pending).toBe(0)
  })

  test.each([['polling'], ['websocket']])(
    'heartbeats keep a client by %s, and leave nothing',
    async (transport) => {
      const { stream, origin } = serve({ pingIntervalMs: 20, pingTimeoutMs: 60_000 })
      const client = await socketIoClient(`http://${origin}`, { transports: [transport] })
      let pings = 0
      client.socket.io.on('ping', () => {
        pings++
      })
      await until('ten heartbeats', () => pings >= 10)
      expect([client.socket.connected, stream.connections]).toEqual([true, 1])
      client.close()
      await until('it has left', () => stream.connections === 0)
      expect(timers.pending).toBe(0)
    },
  )

  test('sessions that are opened and never used end by themselves, and leave nothing', async () => {
    const { stream, origin } = serve({ pingIntervalMs: 20, pingTimeoutMs: 50 })
    for (let sessions = 0; sessions < 10; sessions++) await pollingSession(origin)
    const silent = await RawWebSocket.open(origin, WEBSOCKET)
    await until('all have ended', () => silent.closeCode !== undefined && stream.connections === 0)
    expect(timers.pending).toBe(0)
  })

  test('a namespace entered many times in one body ends the session', async () => {
    const { stream, origin } = serve()
    const session = await pollingSession(origin)
    await session.post(Array(100).fill('40').join(SEPARATOR))
    await until('the session has ended', () => stream.connections === 0)
    expect([timers.pending, stream.cutsByCause.PROTOCOL]).toEqual([0, 1])
  })
})

/** Twenty frames at once and no more, on a clock that does not advance. */
const FEW = { framesPerSecondMax: 10, framesBurstMax: 20 }

describe('a flood on a connection', () => {
  afterEach(cleanUp)

  test.each([
    ['messages', '/', TEXT, '["nonsense"]'],
    ['unreadable text', '/', TEXT, 'nonsense'],
    ['binary frames', '/', BINARY, 'nonsense'],
    ['pings', '/', PING, ''],
    ['pongs', '/', PONG, ''],
    ['messages', WEBSOCKET, TEXT, '42["nonsense"]'],
    ['heartbeats', WEBSOCKET, TEXT, '3'],
    ['pings', WEBSOCKET, PING, ''],
    ['pongs', WEBSOCKET, PONG, ''],
  ])(
    'of %s at %s is cut off: the reason is sent and counted, and the rest not processed',
    async (_name, path, opcode, payload) => {
      const { stream, origin, cutAddresses } = serve(FEW, () => 0)
      const raw = await RawWebSocket.open(origin, path)
      if (path === WEBSOCKET) {
        raw.sendText('40')
        await until('it is in', () => raw.messages.some((text) => text.startsWith('40{')))
      }
      const before = raw.messages.length
      raw.sendFrames(opcode, payload, MANY)
      await until('it is cut off', () => raw.isClosed && stream.connections === 0)
      const sent = raw.messages.slice(before)
      expect(sent.at(-1)).toContain('"reason":"FLOODING"')
      expect(sent.filter((text) => text.includes('FLOODING'))).toHaveLength(1)
      expect(sent.length).toBeLessThanOrEqual(21)
      expect(stream.cutsByCause).toEqual({ ...countsOfCuts(), FRAMES: 1 })
      expect(cutAddresses).toEqual(['127.0.0.1'])
    },
  )

  test('of packets by polling is cut off with an answer, and none of them is processed', async () => {
    const { stream, origin, cutAddresses } = serve(FEW, () => 0)
    const session = await pollingSession(origin)
    await session.post('40')
    await fetch(session.url)
    const poll = fetch(session.url).then((answer) => answer.text())
    await session.post('42["nonsense"]')
    expect(await poll).toContain('UNKNOWN_MESSAGE')
    const answer = await session.post(Array(100).fill('42["join","BTC/USDT"]').join(SEPARATOR))
    expect([answer.status, await answer.json()]).toEqual([
      429,
      expect.objectContaining({ reason: 'FLOODING' }),
    ])
    await until('it is cut off', () => stream.connections === 0)
    expect([stream.rooms, stream.cutsByCause.FRAMES, cutAddresses]).toEqual([0, 1, ['127.0.0.1']])
  })

  test('of polling requests is cut off', async () => {
    const { stream, origin } = serve(FEW, () => 0)
    const session = await pollingSession(origin)
    const statuses = new Set<number>()
    for (let posts = 0; posts < 30; posts++) statuses.add((await session.post('40/nowhere,')).status)
    expect([...statuses]).toEqual([200, 429, 400])
    await until('it is cut off', () => stream.connections === 0)
    expect(stream.cutsByCause.FRAMES).toBe(1)
  })

  test.each([['/'], [WEBSOCKET]])('of bytes at %s is cut off', async (path) => {
    const limits = { frameBytesMax: 1_000, receivedBytesPerSecondMax: 1_000, receivedBytesBurstMax: 5_000 }
    const { stream, origin } = serve(limits, () => 0)
    const raw = await RawWebSocket.open(origin, path)
    raw.sendFrames(TEXT, `42/nowhere,${'x'.repeat(900)}`, 3)
    raw.sendFrames(PING, 'x'.repeat(125), 100)
    await until('it is cut off', () => raw.isClosed && stream.connections === 0)
  })

  test('is not reached by a client that joins fifty symbols at once, with the limits for unauthenticated clients', async () => {
    const { stream, origin } = serve(SERVE_STREAM)
    const clients = [await socketIoClient(`http://${origin}`), await plainClient(`ws://${origin}`)]
    for (const client of clients) {
      cleanups.push(() => client.close())
      for (let joins = 0; joins < 50; joins++) client.send('join', joins % 2 === 0 ? 'BTC/USDT' : 'ETH/USDT')
      await until('every join is answered', () => client.errors.length + client.book.snapshots >= 50)
      expect(client.errors.every(({ reason }) => reason === 'RATE_LIMITED')).toBe(true)
    }
    expect([stream.connections, stream.cutsByCause]).toEqual([2, countsOfCuts()])
  })
})
