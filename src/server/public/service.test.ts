/**
 * The public server as a service: limits as clients see them, failures of the parts behind it, states, pages,
 * and raw socket data from strangers.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { EngineFault } from '../../engine/port/fault.ts'
import { changedEngine, type EngineChange } from '../../engine/writer/changed-engine.fixture.ts'
import { type LimitsConfig, SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import { type Fixture, type FixtureOptions, openFixture, sign } from './gateway.fixture.ts'
import type { PublicServices } from './gateway.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const ORDER = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '10' }

async function using(options: FixtureOptions, run: (f: Fixture) => Promise<void>): Promise<void> {
  const f = await openFixture(options)
  try {
    await run(f)
  } finally {
    await f.stop()
  }
}

const limited = (limits: Partial<LimitsConfig>): FixtureOptions => ({
  config: { ...SANDBOX_GATEWAY, limits: { ...SANDBOX_LIMITS, ...limits } },
})

const get = (f: Fixture, path: string) => f.send('GET', path, {}, f.alice)

/** The engine, with one of its calls replaced. */
const withEngine = (change: EngineChange) => (services: PublicServices) => ({
  ...services,
  engine: changedEngine(services.engine, change),
})

describe('limits', () => {
  test('every answer says how much weight was used, refusals included', async () => {
    await using({}, async (f) => {
      const weights = []
      for (const path of ['/api/v3/exchangeInfo', '/api/v3/nothing', '/api/v3/wallet/balance']) {
        weights.push(Number((await get(f, path)).headers.get('x-mbx-used-weight-1m')))
      }
      expect(weights).toEqual([20, 21, 41])
    })
  })

  test('429 and 418 come with Retry-After, and a ban outlives the minute', async () => {
    await using(limited({ weightPerMinuteMax: 20, refusalsBeforeBan: 1 }), async (f) => {
      f.clock.time = 1_790_000_040_000 // a minute begins
      expect((await get(f, '/api/v3/exchangeInfo')).status).toBe(200)
      const refused = await get(f, '/api/v3/exchangeInfo')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      const banned = await get(f, '/api/v3/exchangeInfo')
      expect([banned.status, banned.headers.get('retry-after')]).toEqual([418, '120'])
      f.clock.time += 119_999
      expect((await get(f, '/api/v3/exchangeInfo')).status).toBe(418)
      f.clock.time += 1
      expect((await get(f, '/api/v3/exchangeInfo')).status).toBe(200)
    })
  })

  test('an account has a limited number of orders in a window; cancels and refused parameters do not count', async () => {
    await using(limited({ orderWindows: [{ name: '10S', windowMs: 10_000, ordersMax: 2 }] }), async (f) => {
      expect((await f.place(f.alice, { ...ORDER, price: 'x' })).status).toBe(400)
      const first = await f.place(f.alice, ORDER)
      expect(first.headers.get('x-mbx-order-count-10s')).toBe('1')
      await f.send('DELETE', '/api/v3/order', { id: first.body.data.id }, f.alice)
      expect((await f.place(f.alice, ORDER)).headers.get('x-mbx-order-count-10s')).toBe('2')
      const third = await f.place(f.alice, ORDER)
      expect([third.status, third.body.reason]).toEqual([429, 'ORDER_RATE_LIMITED'])
      expect((await f.place(f.bob, ORDER)).status).toBe(200)
    })
  })

  test('too many malformed requests are 403, those that only the exchange refused do not count', async () => {
    await using(limited({ malformedPerMinuteMax: 2 }), async (f) => {
      const poor = { ...ORDER, quantity: '1000000000', price: '90000000' }
      for (let times = 0; times < 4; times++) {
        expect((await f.place(f.alice, poor)).body.reason).toBe('INSUFFICIENT_FUNDS')
      }
      await get(f, '/api/v3/nothing')
      await get(f, '/api/v3/depth')
      expect((await get(f, '/api/v3/exchangeInfo')).status).toBe(403)
      f.clock.time += 60_000
      expect((await get(f, '/api/v3/exchangeInfo')).status).toBe(200)
    })
  })

  test('that are switched off allow everything', async () => {
    await using(
      limited({ isEnabled: false, weightPerMinuteMax: 1, malformedPerMinuteMax: 0, orderWindows: [] }),
      async (f) => {
        for (let times = 0; times < 5; times++) expect((await f.place(f.alice, ORDER)).status).toBe(200)
      },
    )
  })
})

describe('a command that was handed over', () => {
  const place = async (submit: PublicServices['engine']['submit']) => {
    let seen = { status: 0, reason: '', logged: 0 }
    await using({ wrap: withEngine({ submit }) }, async (f) => {
      const { status, body } = await f.place(f.alice, ORDER)
      seen = { status, reason: body.reason, logged: f.logged.length }
    })
    return seen
  }

  test('and failed on its way is OUTCOME_UNKNOWN and logged, never "not done"', async () => {
    const outcome = await place(() => Promise.reject(new Error('broken')))
    expect(outcome).toEqual({ status: 503, reason: 'OUTCOME_UNKNOWN', logged: 1 })
  })

  test('and accepted, but whose answer could not be worded, is OUTCOME_UNKNOWN too', async () => {
    const outcome = await place(async () => ({ kind: 'Done', repeated: false }))
    expect(outcome).toEqual({ status: 503, reason: 'OUTCOME_UNKNOWN', logged: 1 })
  })

  test('and certainly not done says so', async () => {
    const outcome = await place(() => Promise.reject(new EngineFault('STORAGE_FULL', 'no space')))
    expect(outcome).toEqual({ status: 503, reason: 'STORAGE_FULL', logged: 0 })
  })
})

describe('requests that cannot be read', () => {
  test('because of a bug is 500 with an id that is in the log', async () => {
    const wrap = withEngine({ ask: { balances: () => Promise.reject(new TypeError('a bug')) } })
    await using({ wrap }, async (f) => {
      const { status, body } = await get(f, '/api/v3/wallet/balance')
      expect([status, body.code, body.reason]).toEqual([500, '0014', 'INTERNAL_ERROR'])
      expect(f.logged).toHaveLength(1)
      const { id, err } = { id: '', err: undefined as unknown, ...f.logged[0]?.fields }
      expect(err).toBeInstanceOf(TypeError)
      expect(body.msg[0]).toContain(id)
      expect(body.msg[0]).not.toContain('a bug')
    })
  })

  test('because the engine is down is 503, market data goes on', async () => {
    const wrap = withEngine({
      ask: { openOrders: () => Promise.reject(new EngineFault('ENGINE_DOWN', 'gone')) },
    })
    await using({ wrap }, async (f) => {
      expect((await get(f, '/api/v3/order/active')).body.reason).toBe('ENGINE_DOWN')
      const book = await f.send('GET', '/api/v3/depth', { symbol: 'ETH/USDT' }, f.alice)
      expect(book.status).toBe(200)
    })
  })
})

describe('states', () => {
  test('while starting every API answer says so, whatever the request; pages are served', async () => {
    const pages = (_: Request, path: string) => (path === '/' ? new Response('hello') : undefined)
    await using({ isStarting: true, pages }, async (f) => {
      for (const path of ['/api/v3/exchangeInfo', '/api/v3/wallet/balance', '/api/v3/nothing']) {
        expect((await get(f, path)).body).toMatchObject({ code: '0014', reason: 'STARTING' })
      }
      expect(await (await fetch(f.url)).text()).toBe('hello')
      expect((await get(f, '/nothing')).body.reason).toBe('NOT_FOUND')
    })
  })

  test('while starting a client that opens the stream gets that answer, and not the page', async () => {
    const pages = () => new Response('hello')
    await using({ isStarting: true, pages }, async (f) => {
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
      for (const path of ['/', '/ws', '/stream', '/socket.io/?EIO=4&transport=websocket']) {
        const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
        const answer = await raw(f, `GET ${path} HTTP/1.1\r\nHost: a\r\n${upgrade}${key}\r\n`)
        expect(answer).toStartWith('HTTP/1.1 503')
        expect(answer).toContain('"reason":"STARTING"')
      }
      const polled = await f.send('GET', '/socket.io/', { EIO: '4', transport: 'polling' })
      expect([polled.status, polled.body.reason]).toEqual([503, 'STARTING'])
    })
  })
})

/**
 * Writes `bytes`, and resolves with everything received once `isComplete` returns true or the connection
 * closes.
 */
function raw(f: Fixture, bytes: string | Uint8Array, isComplete = hasAnswer): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = ''
    void Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(f.url).port),
      socket: {
        open: (socket) => void socket.write(bytes),
        data: (socket, data) => {
          seen += Buffer.from(data).toString('utf8')
          if (isComplete(seen)) socket.end()
        },
        close: () => resolve(seen),
        error: (_, error) => reject(error),
      },
    })
  })
}

function hasAnswer(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  return end >= 0 && (length === undefined || Buffer.byteLength(text.slice(end + 4)) >= Number(length))
}

describe('unauthenticated clients', () => {
  const head = (f: Fixture, more: string) =>
    `POST /api/v3/order HTTP/1.1\r\nHost: a\r\nX-Apikey: ${f.alice.apiKey}\r\n${more}\r\n`

  test('with a body of a megabyte get 413 with the envelope, announced or in chunks', async () => {
    await using({}, async (f) => {
      const announced = await raw(f, `${head(f, 'Content-Length: 1000000\r\n')}${'a'.repeat(1_000_000)}`)
      expect(announced).toStartWith('HTTP/1.1 413')
      const chunk = `186a0\r\n${'a'.repeat(100_000)}\r\n`
      const chunked = await raw(f, `${head(f, 'Transfer-Encoding: chunked\r\n')}${chunk.repeat(10)}0\r\n\r\n`)
      expect(chunked).toContain('"reason":"BODY_TOO_LARGE"')
    })
  })

  test('with a body in chunks are understood', async () => {
    await using({}, async (f) => {
      const body = `timestamp=${f.clock.time}`
      const signed = `X-Signature: ${sign(f.alice.secret, body)}\r\nTransfer-Encoding: chunked\r\n`
      const type = 'Content-Type: application/x-www-form-urlencoded\r\n'
      const bytes = `${head(f, signed + type)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      expect(await raw(f, bytes)).toContain('The parameter symbol is required')
    })
  })

  test('without a Host header, as in HTTP/1.0, are served by their path', async () => {
    await using({}, async (f) => {
      expect(await raw(f, 'GET /api/v3/exchangeInfo HTTP/1.0\r\n\r\n')).toContain('{"symbols":')
    })
  })

  test('who send any path, query and header at all always get an answer, and the server stays open', async () => {
    await using({}, async (f) => {
      const text = fc.string({ unit: 'binary-ascii', maxLength: 60 })
      await fc.assert(
        fc.asyncProperty(text, text, text, async (path, query, value) => {
          const target = `/api/${path}?${query}`.replace(/[\r\n ]/g, '')
          const answer = await raw(
            f,
            `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Apikey: ${value.replace(/[\r\n]/g, '')}\r\n\r\n`,
          )
          expect(answer).toMatch(/^HTTP\/1\.1 (?:4\d\d|505)/)
        }),
        { numRuns: 300 },
      )
      expect(f.logged).toEqual([])
      expect((await get(f, '/api/v3/exchangeInfo')).status).toBe(200)
    })
  })

  test('who send any body, signed, get a refusal that is JSON', async () => {
    await using({}, async (f) => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (body) => {
          const response = await fetch(`${f.url}/api/v3/order`, {
            method: 'POST',
            body,
            headers: {
              'X-Apikey': f.alice.apiKey,
              'X-Signature': sign(f.alice.secret, body),
              'Content-Type': 'application/x-www-form-urlencoded',
            },
          })
          // A text that begins like that of a strict signature is never accepted as plain.
          const isLikeStrict = /^[A-Z]+\n/.test(Buffer.from(body).toString('latin1'))
          expect(response.status).toBe(isLikeStrict ? 401 : 400)
          expect((await response.json()).status).toBe(false)
        }),
        { numRuns: 300 },
      )
      expect(f.logged).toEqual([])
    })
  })

  test('never see a secret, in answers or in the log', async () => {
    await using(
      { wrap: withEngine({ ask: { balances: () => Promise.reject(new Error('x')) } }) },
      async (f) => {
        const { text } = await get(f, '/api/v3/wallet/balance')
        const signature = sign(f.alice.secret, `timestamp=${f.clock.time}`)
        const logged = JSON.stringify(f.logged.map(({ fields, message }) => [Bun.inspect(fields), message]))
        for (const secret of [f.alice.secret, f.alice.apiKey, signature]) {
          expect(text + logged).not.toContain(secret)
        }
      },
    )
  })
})
