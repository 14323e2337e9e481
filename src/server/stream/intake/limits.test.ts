import { afterEach, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { NO_HISTORY } from '../../../../test/support/no-history.ts'
import { RawWebSocket } from '../../../../test/support/raw-websocket.ts'
import { plainClient, socketIoClient } from '../../../../test/support/stream-clients.ts'
import { BTC, streamServers } from '../../../../test/support/stream-server.ts'
import { until } from '../../../../test/support/until.ts'
import { ConnectionCounter } from '../../access/limits/connection-counter.ts'
import { STREAM_DEFAULTS } from '../config.ts'
import { createStream } from '../stream.ts'

const { cleanups, serve, cleanUp } = streamServers()
afterEach(cleanUp)

const TRANSPORTS = [
  ['plain WebSocket', (origin: string) => plainClient(`ws://${origin}`)],
  ['Socket.IO', (origin: string) => socketIoClient(`http://${origin}`)],
] as const

const UPGRADE = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** A body of unknown length, sent in pieces, until the server ends the request. */
function endlessBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(500)) })
}

/** The answer to opening a connection at a transport, without following it. */
function knock(origin: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://${origin}${path}`, { headers })
}

describe.each(TRANSPORTS)('limits of a connection: %s', (_name, connect) => {
  test('joining more symbols than allowed is refused; leaving one makes room', async () => {
    const { origin } = serve({ roomsPerConnectionMax: 1 })
    const client = await connect(origin)
    cleanups.push(() => client.close())
    client.send('join', 'BTC/USDT')
    client.send('join', 'ETH/USDT')
    await until('the second join is refused', () => client.errors.length === 1)
    expect(client.errors[0]).toMatchObject({ code: '4001', reason: 'TOO_MANY_ROOMS' })
    client.send('change_room', 'BTC/USDT', 'ETH/USDT')
    await until('the room has changed', () => client.book.snapshots === 2)
    expect(client.errors.length).toBe(1)
  })

  test('joining too often is refused, per message', async () => {
    const { origin } = serve({ joinsPerSecondMax: 3 }, () => 0)
    const client = await connect(origin)
    cleanups.push(() => client.close())
    for (let i = 0; i < 5; i++) client.send('join', 'BTC/USDT')
    await until('every join is answered', () => client.errors.length + client.book.snapshots === 5)
    expect(client.errors.map((error) => error.reason)).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
    expect(client.errors[0]?.code).toBe('0014')
  })

  test('too many messages get one error, and the connection stays', async () => {
    const { stream, origin } = serve({ messagesPerSecondMax: 5 }, () => 0)
    const client = await connect(origin)
    cleanups.push(() => client.close())
    for (let i = 0; i < 10; i++) client.send('nonsense')
    await until('the limit is answered', () => client.errors.length === 6)
    expect(client.errors.map((error) => error.reason)).toEqual([
      ...Array<string>(5).fill('UNKNOWN_MESSAGE'),
      'RATE_LIMITED',
    ])
    expect(stream.connections).toBe(1)
  })
})

describe('limits of an address and of the service', () => {
  test('a connection more than an address may have is refused with an error body on either transport', async () => {
    const { stream, origin } = serve({ connectionsPerAddressMax: 2 })
    const first = await plainClient(`ws://${origin}`)
    const second = await socketIoClient(`http://${origin}`)
    cleanups.push(() => second.close())
    for (const [path, headers] of [
      ['/', UPGRADE],
      ['/socket.io/?EIO=4&transport=polling', {}],
      ['/socket.io/?EIO=4&transport=websocket', UPGRADE],
    ] as const) {
      const answer = await knock(origin, path, { ...headers, 'Accept-Language': 'tr' })
      expect(answer.status).toBe(429)
      expect(await answer.json()).toMatchObject({
        status: false,
        code: '0014',
        reason: 'TOO_MANY_CONNECTIONS',
      })
    }
    first.close()
    await until('the first has left', () => stream.connections === 1)
    const third = await plainClient(`ws://${origin}`)
    cleanups.push(() => third.close())
    expect(stream.connections).toBe(2)
  })

  test('a connection more than the service may have is refused', async () => {
    const { origin } = serve({ connectionsMax: 1, connectionsPerAddressMax: 1 })
    const first = await plainClient(`ws://${origin}`)
    cleanups.push(() => first.close())
    expect((await knock(origin, '/ws', UPGRADE)).status).toBe(429)
  })

  test('a session that has ended is removed', async () => {
    const { stream, origin } = serve({ connectionsMax: 1, connectionsPerAddressMax: 1 })
    const gone = await socketIoClient(`http://${origin}`)
    const id = gone.socket.io.engine.id
    gone.close()
    await until('it has left', () => stream.connections === 0)
    const next = await plainClient(`ws://${origin}`)
    cleanups.push(() => next.close())
    const answer = await knock(origin, `/socket.io/?EIO=4&transport=polling&sid=${id}`)
    expect(answer.status).toBe(429)
  })

  test('a Socket.IO session counts once, before, during and after its upgrade', async () => {
    const { stream, origin } = serve()
    const client = await socketIoClient(`http://${origin}`)
    await until('it has upgraded', () => client.socket.io.engine.transport.name === 'websocket')
    expect(stream.connections).toBe(1)
    client.close()
    await until('it has left', () => stream.connections === 0)
  })
})

describe('hostile input', () => {
  test('a frame over the limit closes its connection and no other', async () => {
    const { stream, origin } = serve({ frameBytesMax: 1_000 })
    const other = await plainClient(`ws://${origin}`)
    cleanups.push(() => other.close())
    const raw = await RawWebSocket.open(origin)
    raw.sendText(JSON.stringify(['join', 'x'.repeat(2_000)]))
    await until('it is closed', () => raw.isClosed)
    await until('only the other is left', () => stream.connections === 1)
  })

  test('a polling body over the limit, announced or not, is refused and ends the session', async () => {
    const { stream, origin } = serve({ frameBytesMax: 1_000 })
    for (const body of ['x'.repeat(5_000), endlessBody()]) {
      const opened = await (await knock(origin, '/socket.io/?EIO=4&transport=polling')).text()
      const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
      const url = `http://${origin}/socket.io/?EIO=4&transport=polling&sid=${sid}`
      const answer = await fetch(url, { method: 'POST', body })
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({ status: false, reason: 'BODY_TOO_LARGE' })
      await until('the session has ended', () => stream.connections === 0)
    }
  })

  test('a polling body that does not arrive is given up and ends the session', async () => {
    const { stream, origin } = serve({ bodyMsMax: 50 })
    const opened = await (await knock(origin, '/socket.io/?EIO=4&transport=polling')).text()
    const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
    const [host, port] = origin.split(':')
    const socket = connect(Number(port), host)
    cleanups.push(() => socket.destroy())
    const path = `/socket.io/?EIO=4&transport=polling&sid=${sid}`
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${origin}\r\nContent-Length: 100\r\n\r\n40`)
    await until('the session has ended', () => stream.connections === 0)
  })

  test('bytes that are not messages never bring the stream down', async () => {
    const { stream, trade, origin } = serve()
    trade(BTC.id, 20)
    for (const text of [
      '',
      '[]',
      '{}',
      'null',
      '[[]]',
      '["join"',
      '["join","\\ud800"]',
      '"join"',
      '\u0000',
    ]) {
      const raw = await RawWebSocket.open(origin)
      raw.sendText(text)
      raw.sendText('["join","BTC/USDT"]')
      await until(`the client is served after ${JSON.stringify(text)}`, () => raw.messages.length === 3)
      expect(raw.messages[0]).toStartWith('["error",{"status":false,')
      expect(raw.messages[1]).toStartWith('["orders",')
      raw.close()
    }
    const packets = [
      '42',
      '42{}',
      '42[]',
      '42["error"]',
      '42["connect"]',
      '451-["join",{"_placeholder":true,"num":0}]',
      '40/nowhere,',
      '43',
      '430[]',
      '44',
      '4',
      '9',
      'b',
      'bAAAA',
      '2',
      '2probe',
      '5',
      '6',
      '0',
      '1',
      '41',
      '4299999999999["join"]',
      '42/ws,["join","BTC/USDT"]',
      '40',
      '40/__proto__,',
      '\u001e\u001e',
      '42["__proto__"]',
      '42["constructor","x"]',
    ]
    for (const packet of packets) {
      const raw = await RawWebSocket.open(origin, '/socket.io/?EIO=4&transport=websocket')
      raw.sendText('40')
      raw.sendText(packet)
      raw.sendText('42["join","BTC/USDT"]')
      const isServed = () => raw.messages.some((message) => message.startsWith('42["orders",'))
      await until(
        `${packet} is served or refused`,
        () => raw.isClosed || raw.closeCode !== undefined || isServed(),
      )
      raw.close()
    }
    for (const bytes of [[0x00], [0xff, 0xff, 0xff], [0x81, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]) {
      const raw = await RawWebSocket.open(origin)
      raw.sendBytes(new Uint8Array(bytes))
      raw.close()
    }
    await until('all have left', () => stream.connections === 0)
  })

  test('an invalid upgrade is refused with an error body', async () => {
    const { origin } = serve()
    for (const path of ['/ws', '/socket.io/?EIO=4&transport=websocket']) {
      const answer = await knock(origin, path, { Connection: 'Upgrade', Upgrade: 'websocket' })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ status: false, code: '4004', reason: 'UNREADABLE_MESSAGE' })
    }
  })

  test('an upgrade by another method than GET is refused with an error body, in a session too', async () => {
    const { origin } = serve()
    const opened = await (await knock(origin, '/socket.io/?EIO=4&transport=polling')).text()
    const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
    const [host, port] = origin.split(':')
    const upgrade = Object.entries(UPGRADE).map(([header, value]) => `${header}: ${value}\r\n`)
    for (const path of ['/ws', `/socket.io/?EIO=4&transport=websocket&sid=${sid}`]) {
      const socket = connect(Number(port), host)
      cleanups.push(() => socket.destroy())
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${origin}\r\n${upgrade.join('')}Content-Length: 2\r\n\r\n40`,
      )
      await until('there is an answer', () => answer.includes('"reason"'))
      expect(answer).toStartWith('HTTP/1.1 400 ')
      expect(answer).toContain('UNREADABLE_MESSAGE')
    }
  })

  test('a request without a usable Host is refused with an error body', async () => {
    const { stream, origin } = serve()
    const [name, port] = origin.split(':')
    const upgrade = Object.entries(UPGRADE).map(([header, value]) => `${header}: ${value}\r\n`)
    for (const host of ['', '[', 'a b', 'a:99999999']) {
      for (const start of [
        '/ws',
        '/socket.io/?EIO=4&transport=polling',
        '/socket.io/?EIO=4&transport=websocket',
      ]) {
        const socket = connect(Number(port), name)
        cleanups.push(() => socket.destroy())
        let answer = ''
        socket.on('data', (chunk) => {
          answer += chunk
        })
        const headers = start.endsWith('polling') ? '' : upgrade.join('')
        socket.write(`GET ${start} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`)
        await until('there is an answer', () => answer.includes('"reason"'))
        expect(answer).toStartWith('HTTP/1.1 400 ')
        expect(answer).toContain('"code":"4004"')
      }
    }
    expect(stream.connections).toBe(0)
  })

  test('unknown sessions, transports and versions are refused', async () => {
    const { stream, origin } = serve()
    for (const query of ['', '?EIO=4', '?EIO=3&transport=polling', '?EIO=4&transport=polling&sid=nobody']) {
      expect((await knock(origin, `/socket.io/${query}`)).status).toBe(400)
    }
    expect(stream.connections).toBe(0)
  })
})

describe('the paths of the stream on the port', () => {
  test('the page at / and other paths do not belong to the stream', async () => {
    const { stream, origin } = serve()
    expect(await (await knock(origin, '/')).text()).toBe('page')
    expect(stream.handles(new Request(`http://${origin}/ws`), '/ws')).toBe(false)
    expect(
      stream.handles(new Request(`http://${origin}/api`, { headers: { Upgrade: 'websocket' } }), '/api'),
    ).toBe(false)
  })

  test('browsers of any origin may read it', async () => {
    const { origin } = serve()
    const answer = await knock(origin, '/socket.io/?EIO=4&transport=polling', {
      Origin: 'https://example.org',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('after a stop the clients have everything that happened and new connections are refused', async () => {
    const { stream, origin } = serve()
    const raw = await RawWebSocket.open(origin)
    const client = await socketIoClient(`http://${origin}`, { reconnection: false })
    await stream.stop()
    await until('both have left', () => raw.closeCode === 1001 && !client.socket.connected)
    expect((await knock(origin, '/ws', UPGRADE)).status).toBe(503)
    expect(stream.connections).toBe(0)
  })

  test('limits that contradict one another are refused at the start', () => {
    const market = {} as never
    const clock = {} as never
    const config = { ...STREAM_DEFAULTS, drainedBytesMax: STREAM_DEFAULTS.sendBufferBytesMax }
    expect(() => createStream({ market, history: NO_HISTORY, clock, config })).toThrow('drainedBytesMax')
  })
})

test('the /64s of one /56 share four times, those of one /48 sixteen times the connections of an address', () => {
  const counter = new ConnectionCounter({ connectionsMax: 1_000, connectionsPerAddressMax: 1 })
  const open = (key: string): boolean => {
    const isAdmitted = counter.admits(key)
    if (isAdmitted) counter.opened(key)
    return isAdmitted
  }
  const network = (number: number): string => `2001:db8:1:${number.toString(16)}::/64`
  expect([0, 1, 2, 3, 4].map((number) => open(network(number)))).toEqual([true, true, true, true, false])
  const rest = Array.from({ length: 13 }, (_, at) => open(network(256 * (at + 1))))
  expect(rest).toEqual([...new Array(12).fill(true), false])
  expect(open('2001:db8:2:0::/64')).toBe(true)
  counter.closed(network(0))
  expect(open(network(5))).toBe(true)
})
