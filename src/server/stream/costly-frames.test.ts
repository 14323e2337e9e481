/**
 * Frames that would cost far more than others of their length: their elements are counted first, and nothing
 * in them is parsed.
 */
import { afterEach, describe, expect, type Mock, spyOn, test } from 'bun:test'
import { RawWebSocket } from '../../../test/support/raw-websocket.ts'
import { socketIoClient } from '../../../test/support/stream-clients.ts'
import { streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'
import { FRAME_JSON, MOST_MESSAGES } from '../../contract/stream/stream.ts'
import { SERVE_STREAM, STREAM_DEFAULTS } from './config.ts'
import { countsOfCuts } from './intake/intake.ts'

const { cleanups, serve, cleanUp } = streamServers()
afterEach(cleanUp)

const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket'
const POLLING = '/socket.io/?EIO=4&transport=polling'
const SEPARATOR = '\u001e'
const LENGTH_MAX = STREAM_DEFAULTS.frameBytesBeforeLoginMax
const { elementsMax, membersMax, depthMax } = FRAME_JSON

/** Many copies of one message, as the JSON of one frame. */
const several = (message: string, count: number) => `[${Array(count).fill(message).join(',')}]`
const named = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** A frame, and the element that its refusal names as too many. */
const COSTLY = [
  ['empty lists', several('[]', elementsMax + 1), `${elementsMax} messages in a frame`],
  ['messages', several('["join","A"]', elementsMax + 1), `${elementsMax} messages in a frame`],
  ['members', `["login",${named(membersMax + 1)}]`, `${membersMax} members in an object`],
  ['lists inside one another', nested(depthMax + 1), `${depthMax} lists and objects inside one another`],
  [
    'elements',
    `["join",${several('1', elementsMax + 1)}]`,
    `${elementsMax} messages in a frame, or elements`,
  ],
  ['bytes', `["join","${'x'.repeat(LENGTH_MAX)}"]`, `${LENGTH_MAX} bytes before a login`],
] as const

/** The texts of the size of an attack's frame that were parsed during `work`. */
async function parsedWhile(work: () => Promise<void>): Promise<string[]> {
  const parse: Mock<typeof JSON.parse> = spyOn(JSON, 'parse')
  try {
    await work()
    return parse.mock.calls.map(([text]) => text).filter((text) => /^\[(?!"error")/.test(text))
  } finally {
    parse.mockRestore()
  }
}

describe('a frame that would cost more than its length', () => {
  test.each(COSTLY)(
    'of %s is refused on a plain WebSocket, unparsed, and the connection stays',
    async (_, frame, limit) => {
      const { stream, origin } = serve()
      const raw = await RawWebSocket.open(origin)
      const parsed = await parsedWhile(async () => {
        raw.sendText(frame)
        await until('it is answered', () => raw.messages.length === 1)
      })
      expect(parsed).toEqual([])
      expect(raw.messages[0]).toContain('"reason":"MESSAGE_TOO_LARGE"')
      expect(raw.messages[0]).toContain(`A message can have at most ${limit}`)
      raw.sendText('["join","BTC/USDT"]')
      await until('it is served', () => raw.messages.some((text) => text.startsWith('["orders"')))
      expect(stream.cutsByCause).toEqual(countsOfCuts())
    },
  )

  test.each(COSTLY.filter(([name]) => name !== 'messages'))(
    'of %s is refused over Socket.IO, unparsed, in the namespace that it names',
    async (_, frame, limit) => {
      const { origin } = serve()
      const raw = await RawWebSocket.open(origin, WEBSOCKET)
      raw.sendText('40/stream,')
      await until('it is in', () => raw.messages.some((text) => text.startsWith('40/stream,{')))
      const before = raw.messages.length
      const parsed = await parsedWhile(async () => {
        raw.sendText(`42/stream,7${frame}`)
        await until('it is answered', () => raw.messages.length > before)
      })
      expect(parsed).toEqual([])
      expect(raw.messages[before]).toStartWith('42/stream,["error",')
      expect(raw.messages[before]).toContain(limit)
      raw.sendText('42/stream,["join","BTC/USDT"]')
      await until('it is served', () => raw.messages.some((text) => text.startsWith('42/stream,["orders"')))
    },
  )

  test('is refused by polling too, and what follows it in the body is not read', async () => {
    const { origin, stream } = serve()
    const { post, url } = await pollingSession(origin)
    await post('40')
    await fetch(url)
    const poll = fetch(url).then((answer) => answer.text())
    await post([`42${nested(depthMax + 1)}`, '42["join","BTC/USDT"]'].join(SEPARATOR))
    expect(await poll).toContain('MESSAGE_TOO_LARGE')
    expect(stream.rooms).toBe(0)
    await post('42["join","BTC/USDT"]')
    await until('it has joined', () => stream.rooms === 1)
  })

  test('in a namespace that the client has not entered closes the connection', async () => {
    const { stream, origin } = serve()
    const raw = await RawWebSocket.open(origin, WEBSOCKET)
    raw.sendText(`40{"token":${nested(depthMax + 1)}}`)
    await until('it is cut off', () => raw.isClosed && stream.connections === 0)
    expect(stream.cutsByCause).toEqual({ ...countsOfCuts(), PROTOCOL: 1 })
  })

  test('hides behind no text that the decoder takes for a namespace', async () => {
    const { origin } = serve()
    for (const head of ['42/a"', '42/["', '42/{', '421 1', '4299-', '42/a,"']) {
      const raw = await RawWebSocket.open(origin, WEBSOCKET)
      raw.sendText('40')
      await until('it is in', () => raw.messages.some((text) => text.startsWith('40{')))
      const parsed = await parsedWhile(async () => {
        raw.sendText(`${head},["join",${nested(1_000)}]`)
        await until(
          'it is refused',
          () => raw.isClosed || raw.messages.some((text) => text.includes('"error"')),
        )
      })
      expect(parsed).toEqual([])
      raw.close()
    }
  })
})

/** A session by long polling: its address for posts, and the content of its handshake. */
async function pollingSession(origin: string) {
  const opened = await (await fetch(`http://${origin}${POLLING}`)).text()
  const { sid, maxPayload } = JSON.parse(opened.slice(1)) as { sid: string; maxPayload: number }
  const url = `http://${origin}${POLLING}&sid=${sid}`
  const post = (body: string) => fetch(url, { method: 'POST', body })
  return { url, post, maxPayload }
}

describe('a body of long polling', () => {
  test('that is longer than before a login, or has too many packets, is refused and ends the session', async () => {
    const { stream, origin } = serve()
    for (const [body, reason] of [
      [`42["join","${'x'.repeat(LENGTH_MAX)}"]`, 'BODY_TOO_LARGE'],
      [
        Array(elementsMax + 1)
          .fill('2')
          .join(SEPARATOR),
        'MESSAGE_TOO_LARGE',
      ],
    ] as const) {
      const { post } = await pollingSession(origin)
      await post('40')
      const answer = await post(body)
      expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining({ reason })])
      await until('the session has ended', () => stream.connections === 0)
    }
    expect(MOST_MESSAGES.en).toContain(String(elementsMax))
  })

  test('is as long as the handshake allows, so that a client subscribes to three hundred symbols by polling alone', async () => {
    const { origin } = serve()
    expect((await pollingSession(origin)).maxPayload).toBe(LENGTH_MAX)
    const client = await socketIoClient(`http://${origin}`, { transports: ['polling'] })
    cleanups.push(() => client.close())
    for (let i = 0; i < 300; i++) {
      client.send('subscribe', { channel: 'trades', symbol: 'BTC/USDT', client: `number ${i}` })
      client.send('subscribe', { channel: 'ticker', symbol: 'ETH/USDT' })
    }
    await until('all are answered', () => client.heard.length >= 600)
  })
})

describe('messages of one frame before a login', () => {
  test('are read until the first that is refused', async () => {
    const { stream, origin } = serve()
    for (const refused of ['[]', '["nonsense"]', '["join","A/B"]', '["order.place",1,{}]', '["login",{}]']) {
      const raw = await RawWebSocket.open(origin)
      raw.sendText(`[["subscribe",{"channel":"ticker","symbol":"BTC/USDT"}],${refused},["join","BTC/USDT"]]`)
      raw.sendText('["unsubscribe",{"channel":"ticker","symbol":"BTC/USDT"}]')
      await until('the next frame is answered', () =>
        raw.messages.some((text) => text.startsWith('["unsubscribed"')),
      )
      const names = raw.messages.map((text) => text.slice(2, text.indexOf('"', 2)))
      expect([refused, names.filter((name) => name !== 'ticker')]).toEqual([
        refused,
        ['subscribed', 'error', 'unsubscribed'],
      ])
      raw.close()
      await until('it has left', () => stream.connections === 0)
    }
  })
})

describe('all connections of an address', () => {
  // All at once, since no clock of these tests advances. A single connection may send as much as all of an
  // address together.
  const config = {
    framesBurstMax: 40,
    framesPerAddressBurstMax: 40,
    messagesPerAddressBurstMax: 30,
    receivedBytesBurstMax: 100_000,
    receivedBytesPerAddressBurstMax: 100_000,
  }

  test.each([
    ['frames', '["nonsense"]', { ...config, messagesPerAddressBurstMax: 1_000 }],
    [
      'bytes',
      `["${'x'.repeat(3_000)}"]`,
      { ...config, framesPerAddressBurstMax: 1_000, messagesPerAddressBurstMax: 1_000 },
    ],
  ])(
    'send a limited number of %s together; the one that sends more is disconnected, whichever it is',
    async (_, text, limits) => {
      const { stream, origin, cutAddresses } = serve({ ...limits, frameBytesMax: 4_096 }, () => 0)
      const raws = [await RawWebSocket.open(origin), await RawWebSocket.open(origin)]
      let sent = 0
      // The counters of the stream decide: a client is notified of the end of its connection only later.
      const isCut = (): boolean => stream.cutsByCause.ADDRESS > 0
      while (!isCut()) {
        const raw = raws[sent++ % 2] as RawWebSocket
        const before = raw.messages.length
        raw.sendText(text)
        await until('it is answered or cut off', () => raw.messages.length > before || isCut())
      }
      await until('it has left', () => stream.connections === 1)
      const expected = Math.min(40, Math.floor(100_000 / text.length)) + 1
      expect([sent, stream.cutsByCause]).toEqual([
        text.length > 100 ? 34 : expected,
        { ...countsOfCuts(), ADDRESS: 1 },
      ])
      expect([stream.connections, cutAddresses]).toEqual([1, ['127.0.0.1']])
    },
  )

  test('have a limited number of messages read together; those beyond are refused unread, and no connection is closed', async () => {
    const { stream, origin } = serve({ ...config, framesPerAddressBurstMax: 1_000 }, () => 0)
    const [plain, engine] = [await RawWebSocket.open(origin), await RawWebSocket.open(origin, WEBSOCKET)]
    engine.sendText('40')
    await until('it is in', () => engine.messages.some((text) => text.startsWith('40{')))
    const ofEngine = engine.messages.length
    // Together with the packet before, 30 messages.
    plain.sendText(several('["join","BTC/USDT"]', 29))
    await until('they are read', () => stream.rooms === 1)
    plain.sendText('["join","ETH/USDT"]')
    engine.sendText('42["join","ETH/USDT"]')
    await until(
      'both are refused',
      () => engine.messages.length > ofEngine && plain.messages.some((text) => text.includes('RATE_LIMITED')),
    )
    expect(engine.messages[ofEngine]).toContain('RATE_LIMITED')
    expect([stream.rooms, stream.connections, stream.cutsByCause]).toEqual([1, 2, countsOfCuts()])
  })

  test('keep their count when one closes and another opens', async () => {
    const { stream, origin } = serve({ ...config, framesBurstMax: 3, framesPerAddressBurstMax: 3 }, () => 0)
    for (let connections = 0; connections < 3; connections++) {
      const raw = await RawWebSocket.open(origin)
      raw.sendText('["nonsense"]')
      await until('it is answered', () => raw.messages.length === 1)
      raw.close()
      await until('it has left', () => stream.connections === 0)
    }
    const raw = await RawWebSocket.open(origin)
    raw.sendText('["nonsense"]')
    await until('it is cut off', () => raw.isClosed)
  })

  test('may join and subscribe within the limits for unauthenticated clients as an office of fifty people does at once', async () => {
    const { stream, origin } = serve(SERVE_STREAM, () => 0)
    for (let people = 0; people < 50; people++) {
      const raw = await RawWebSocket.open(origin)
      const subscriptions = Array(40).fill('["subscribe",{"channel":"ticker","symbol":"BTC/USDT"}]')
      raw.sendText(`[${subscriptions.join(',')}]`)
      cleanups.push(() => raw.close())
      await until('it is answered', () => raw.messages.length >= 40)
      expect(raw.messages.filter((text) => text.includes('error'))).toEqual([])
    }
    expect(stream.cutsByCause).toEqual(countsOfCuts())
  })
})

describe('the number of an acknowledgement', () => {
  test('is returned unchanged, up to the largest that double precision holds, and is refused beyond', async () => {
    const { origin } = serve()
    const raw = await RawWebSocket.open(origin, WEBSOCKET)
    raw.sendText('40')
    await until('it is in', () => raw.messages.some((text) => text.startsWith('40{')))
    for (const number of ['0', '7', '9007199254740991', '00012']) {
      const before = raw.messages.length
      raw.sendText(`42${number}["join","A/B"]`)
      await until('it is acknowledged', () =>
        raw.messages.slice(before).some((text) => text.startsWith('43')),
      )
      expect(raw.messages.at(-1)).toBe(`43${BigInt(number)}[]`)
    }
    for (const number of ['9007199254740992', '9007199254740993', '1'.repeat(400)]) {
      const before = raw.messages.length
      raw.sendText(`42${number}["join","BTC/USDT"]`)
      await until('it is refused', () => raw.messages.length > before)
      expect(raw.messages[before]).toContain('"reason":"INVALID_PARAMETER"')
      expect(raw.messages[before]).toContain(
        'acknowledgement must be a whole number from 0 to 9007199254740991',
      )
    }
    expect(raw.messages.filter((text) => text.startsWith('43'))).toHaveLength(4)
  })
})
