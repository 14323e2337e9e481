/**
 * Rules of the wire that hold at every endpoint: unknown outcomes and overload, order counts, the log, the
 * memory of long answers, the certificate, and clients that are too slow.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { RawWebSocket } from '../../../test/support/raw-websocket.ts'
import { until } from '../../../test/support/until.ts'
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import { SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import { SERVER_DEFAULTS } from '../public/public-server.ts'
import { type BinanceFixture, type BinanceOptions, openBinance } from './binance.fixture.ts'
import { openBinanceServer } from './binance-server.ts'
import { addressOf, WIRE_ENDPOINT_IDS, WIRE_ROWS } from './endpoints/table.ts'
import { type SocketData, WireSockets } from './wire-sockets.ts'

setDefaultTimeout(300_000)

const ORDER = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '60000',
}
const TLS = path.join(import.meta.dir, '../../../test/support/tls')

async function using(options: BinanceOptions, task: (f: BinanceFixture) => Promise<void>): Promise<void> {
  const f = await openBinance({ isOfWire: () => true, ...options })
  try {
    await task(f)
  } finally {
    await f.stop()
  }
}

/** Options for an exchange whose engine fails all commands. */
const failing = (error: Error): BinanceOptions => ({
  wrap: (services) => ({
    ...services,
    engine: new Proxy(services.engine, {
      get: (engine, name) => {
        if (name === 'submit') return () => Promise.reject(error)
        const value = Reflect.get(engine, name)
        return typeof value === 'function' ? value.bind(engine) : value
      },
    }),
  }),
})

test.each([
  [
    'OUTCOME_UNKNOWN',
    503,
    -1007,
    'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
  ],
  [
    'OVERLOADED',
    503,
    -1008,
    'Server is currently overloaded with other requests. Please try again in a few minutes.',
  ],
  ['ENGINE_DOWN', 503, -1001, undefined],
] as const)('a placement whose engine answers %s is %i with number %i', async (kind, status, code, msg) => {
  await using(failing(new EngineFault(kind as EngineFaultKind, 'a fault')), async (f) => {
    const { body, ...seen } = await f.signed('POST', '/api/v3/order', ORDER)
    expect([seen.status, body.code, body.reason]).toEqual([status, code, kind])
    if (msg !== undefined) expect(body.msg).toBe(msg)
  })
})

test('a placement that breaks after it was handed over has an unknown outcome, and is never reported as not done', async () => {
  await using(failing(new Error('broken')), async (f) => {
    const { status, body } = await f.signed('POST', '/api/v3/order', ORDER)
    expect([status, body.code, body.reason]).toEqual([503, -1007, 'OUTCOME_UNKNOWN'])
  })
})

test('answers to placements say how many orders the account has placed, and other answers do not', async () => {
  const limits = { ...SANDBOX_LIMITS, orderWindows: [{ name: '10S', windowMs: 10_000, ordersMax: 2 }] }
  await using({ config: { limits } }, async (f) => {
    const place = () => {
      f.clock.time += 1
      return f.signed('POST', '/api/v3/order', ORDER)
    }
    for (const count of ['1', '2']) expect((await place()).headers.get('x-mbx-order-count-10s')).toBe(count)
    const over = await place()
    expect([over.status, over.body.code, over.body.reason]).toEqual([429, -1015, 'ORDER_RATE_LIMITED'])
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    f.clock.time += 1
    const read = await f.signed('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    expect(read.headers.has('x-mbx-order-count-10s')).toBe(false)
    expect(read.body).toHaveLength(2)
  })
})

test('no line of the log has a query, a signature, a key or an id of an order, whatever fails', async () => {
  const broken = failing(new Error('broken'))
  await using(broken, async (f) => {
    for (const id of WIRE_ENDPOINT_IDS) {
      const { method, path: address } = WIRE_ROWS[id]
      f.clock.time += 1
      await f.signed(method, address, { ...ORDER, newClientOrderId: 'private-id' })
      f.clock.time += 1
      await f.signed(method, address, { symbol: 'BTCUSDT', orderId: '1', origClientOrderId: 'private-id' })
    }
    f.clock.time += 1
    await f.signed('POST', '/api/v3/order', { ...ORDER, newClientOrderId: 'private-id' })
    expect(f.logged.length).toBeGreaterThan(0)
    // An error is logged with its message and its stack.
    const member = (_: string, value: unknown) => (value instanceof Error ? `${value.stack}` : value)
    const text = JSON.stringify(f.logged, member)
    for (const secret of ['signature=', 'private-id', 'timestamp=', f.alice.apiKey, f.alice.secret])
      expect([secret, text.includes(secret)]).toEqual([secret, false])
  })
})

test('unread long answers of an address have one bound, and beyond it are refused', async () => {
  const limits = { ...SANDBOX_LIMITS, isEnabled: true, answerBytesPerAddressMax: 1 }
  await using({ config: { limits } }, async (f) => {
    for (let i = 0; i < 400; i++) {
      f.clock.time += 1
      await f.signed('POST', '/api/v3/order', { ...ORDER, price: String(60_000 + i) })
    }
    f.clock.time += 1
    const { status, body, headers } = await f.signed('GET', '/api/v3/openOrders', {})
    expect([status, body.code, body.reason]).toEqual([429, -1003, 'ANSWERS_UNDER_WAY'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test('every endpoint answers OPTIONS as unknown, and allows no other origin', async () => {
  await using({}, async (f) => {
    for (const id of WIRE_ENDPOINT_IDS) {
      const seen = await f.ask(WIRE_ROWS[id].path, 'OPTIONS', { origin: 'https://example.com' })
      const allowed = seen.headers.get('access-control-allow-origin')
      expect([addressOf(WIRE_ROWS[id]), seen.status, allowed]).toEqual([addressOf(WIRE_ROWS[id]), 404, null])
    }
  })
})

test('the port uses the certificate that it is given, and a new one for new connections', async () => {
  const material = (name: string) => ({
    cert: readFileSync(path.join(TLS, `${name}.pem`), 'utf8'),
    key: readFileSync(path.join(TLS, `${name}.key.pem`), 'utf8'),
  })
  await using({}, async (f) => {
    const server = openBinanceServer(
      { ...SERVER_DEFAULTS, port: 0 },
      f.gateway.shared,
      material('first') as never,
    )
    try {
      expect(server.url).toStartWith('https://')
      const answer = async (name: string) => {
        const { cert: ca } = material(name)
        const init = { tls: { ca, checkServerIdentity: () => undefined }, keepalive: false }
        return fetch(`${server.url}/api/v3/ping`, init as never)
          .then(({ status }) => status)
          .catch(() => 'refused')
      }
      expect([await answer('first'), await answer('second')]).toEqual([200, 'refused'])
      server.renewTls(material('second') as never)
      expect([await answer('first'), await answer('second')]).toEqual(['refused', 200])
    } finally {
      await server.stop()
    }
  })
})

test('a client for whom more than 1 MiB waits is disconnected, and gets no message after the first lost one', async () => {
  await using({}, async (f) => {
    const sockets = new WireSockets(f.gateway.shared, () => new Response())
    let waiting = 0
    const done: string[] = []
    let send = (_: string): void => {}
    const begin: SocketData['begin'] = (socket) => {
      send = (text) => socket.send(text)
      return { received() {}, stopping() {}, ended() {} }
    }
    const socket = {
      data: { limitKey: 'a', begin } as SocketData,
      getBufferedAmount: () => waiting,
      send: (text: string) => done.push(text),
      close: (code: number, reason: string) => done.push(`${code} ${reason}`),
    } as never
    sockets.handlers.open?.(socket)
    for (waiting of [0, 1024 * 1024]) send(`at ${waiting}`)
    waiting = 1024 * 1024 + 1
    send('lost')
    expect(done).toEqual(['at 0', 'at 1048576', '1008 too slow'])
    sockets.handlers.close?.(socket, 1008, 'too slow')
  })
})

test('a client of a stream that reads late gets every message in order', async () => {
  await using({ config: { limits: { ...SANDBOX_LIMITS, isEnabled: false } } }, async (f) => {
    const { host } = new URL(f.wireUrl)
    const slow = await RawWebSocket.open(host, '/ws/btcusdt@trade')
    const quick = await RawWebSocket.open(host, '/ws/btcusdt@trade')
    slow.pause()
    let trades = 0
    // One taker trades with many resting orders, and each trade causes a message.
    const sweep = async () => {
      for (let i = 0; i < 50; i++) {
        f.clock.time += 1
        await f.signed('POST', '/api/v3/order', { ...ORDER, quantity: '0.01', price: '100' }, f.bob)
        await f.place(f.bob, {
          symbol: 'BTC/USDT',
          type: 'LIMIT',
          side: 'SELL',
          quantity: '0.01',
          price: '100',
        })
      }
      f.clock.time += 1
      const buy = { ...ORDER, side: 'BUY', quantity: '1', price: '100' }
      expect((await f.signed('POST', '/api/v3/order', buy)).status).toBe(200)
      trades += 100
      await until('the client that reads has them', () => quick.messages.length >= trades)
    }
    await sweep()
    expect(slow.messages).toEqual([])
    slow.resume()
    await until('the client that was slow has them', () => slow.messages.length >= trades)
    expect(slow.messages).toEqual(quick.messages)
    for (const client of [slow, quick]) client.close()
  })
})
