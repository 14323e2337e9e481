/**
 * The strict signature: the data that it covers, that it is valid once, and the keys that require it
 * (docs/reference/authentication.md#strict-signature).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import type { NonceVerdict } from '../access/auth/nonces.ts'
import { type Fixture, openFixture, see, sign, type Trader } from './gateway.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }
const ORDER = 'symbol=ETH/USDT&side=BUY&type=LIMIT&quantity=0.5&price=90&timeInForce=IOC'
const FORM = 'application/x-www-form-urlencoded'

let f: Fixture
let nonces = 0
const newNonce = () => `nonce-of-the-test-${++nonces}`

beforeAll(async () => {
  f = await openFixture()
  f.clock.time += 5_000
})
afterAll(() => f.stop())

type Strict = {
  method: string
  path: string
  query: string
  timestamp: string
  nonce: string
  body: string
}

function newOrder(): Strict {
  const timestamp = String(f.clock.time)
  const place = { method: 'POST', path: '/api/v3/order', query: '' }
  return { ...place, timestamp, nonce: newNonce(), body: `${ORDER}&timestamp=${timestamp}` }
}

/** A strict signature, written from the reference alone. */
function strictSignature(
  { secret }: Trader,
  { method, path, query, timestamp, nonce, body }: Strict,
): string {
  const lines = [method, path, query, timestamp, nonce, body].join('\n')
  return `v2=${createHmac('sha256', secret).update(lines).digest('hex')}`
}

/** Sends a request under the signature of the same or of another one. */
async function send(sent: Strict, signed: Strict = sent, trader = f.alice, exchange = f): Promise<string> {
  return sendWith(strictSignature(trader, signed), sent, trader, exchange)
}

async function sendWith(signature: string, sent: Strict, trader = f.alice, exchange = f): Promise<string> {
  const { method, path, query, timestamp, nonce, body } = sent
  const response = await fetch(`${exchange.url}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: {
      'X-Apikey': trader.apiKey,
      'X-Signature': signature,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'Content-Type': FORM,
    },
    ...(body === '' ? {} : { body }),
  })
  const { status, body: answer } = await see(response)
  return status === 200 ? 'in' : `${status} ${answer.reason}`
}

describe('a strictly signed request', () => {
  test('is authorized with its parameters in the body, in the query, or in both with & between', async () => {
    const order = newOrder()
    const whole = order.body
    expect(await send(order)).toBe('in')
    expect(await send({ ...order, nonce: newNonce(), query: whole, body: '' })).toBe('in')
    const at = whole.indexOf('&price')
    const cut = { query: whole.slice(0, at), body: whole.slice(at) }
    expect(await send({ ...order, ...cut, nonce: newNonce() })).toBe('in')
    const inside = { query: whole.slice(0, at + 8), body: whole.slice(at + 8) }
    expect(await send({ ...order, ...inside, nonce: newNonce() })).toBe('400 SEPARATOR_REQUIRED')
    const query = `timestamp=${order.timestamp}`
    const wallet = { ...order, method: 'GET', path: '/api/v3/wallet/balance', query, body: '' }
    expect(await send({ ...wallet, nonce: newNonce() })).toBe('in')
  })

  test('may have its hexadecimal digits in any case, and no other encoding', async () => {
    const order = newOrder()
    const hex = strictSignature(f.alice, order).slice(3)
    const base64 = Buffer.from(hex, 'hex').toString('base64')
    expect(await sendWith(`v2=${base64}`, order)).toBe('401 INVALID_SIGNATURE')
    expect(await sendWith(`V2=${hex}`, order)).toBe('401 INVALID_SIGNATURE')
    expect(await sendWith(`v2=${hex.toUpperCase()}`, order)).toBe('in')
  })

  test('opens no other method, path, query, time, nonce or body', async () => {
    const order = newOrder()
    const query = order.body
    const others: readonly Partial<Strict>[] = [
      { method: 'DELETE' },
      { path: '/api/api/v3/order' },
      { method: 'GET', path: '/api/v3/wallet/balance', query, body: '' },
      { method: 'GET', path: '/api/v3/order/active', query, body: '' },
      { query, body: '' },
      { query: 'x=1' },
      { query: query.slice(0, 20), body: query.slice(20) },
      { timestamp: String(f.clock.time + 1) },
      { nonce: newNonce() },
      { body: `${query}&` },
      { body: query.replace('90', '91') },
    ]
    for (const other of others) {
      expect([other, await send({ ...order, ...other }, order)]).toEqual([other, '401 INVALID_SIGNATURE'])
    }
    expect(await send(order)).toBe('in')
  })

  test('with any byte changed is never authorized', async () => {
    const change = fc.record({
      part: fc.constantFrom('query', 'timestamp', 'nonce', 'body'),
      place: fc.nat(),
      character: fc.constantFrom(...'abcXYZ0189&=%+_-.'),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ part, place, character }) => {
        const order = { ...newOrder(), query: 'x=1&' }
        const before = order[part as 'query']
        const at = place % before.length
        const after = before.slice(0, at) + character + before.slice(at + 1)
        fc.pre(after !== before)
        expect(await send({ ...order, [part]: after }, order)).toMatch(
          /^(401 INVALID_SIGNATURE|400 INVALID_HEADER)$/,
        )
      }),
      { numRuns: 300 },
    )
  })

  test('is measured by the time that is signed: the parameter must be the same', async () => {
    const order = newOrder()
    const timestamp = String(f.clock.time - 1)
    expect(await send({ ...order, timestamp })).toBe('400 TIMESTAMP_MISMATCH')
    expect(await send({ ...order, timestamp: `0${order.timestamp}` })).toBe('400 TIMESTAMP_MISMATCH')
    const old = String(f.clock.time - 5_001)
    expect(await send({ ...order, timestamp: old, body: `${ORDER}&timestamp=${old}` })).toBe(
      '401 TIMESTAMP_EXPIRED',
    )
    expect(await send({ ...order, body: ORDER })).toBe('400 MISSING_PARAMETER')
  })

  test.each([
    '',
    'short',
    'a'.repeat(15),
    'a'.repeat(65),
    'with spaces in the nonce',
    'with.dots.in.the.nonce',
    'ü'.repeat(16),
  ])('needs a nonce of the right form, which %p is not', async (nonce) => {
    const sent = { ...newOrder(), nonce: Buffer.from(nonce).toString('latin1') }
    expect(await send(sent)).toBe('400 INVALID_HEADER')
  })

  test.each(['', 'x', '-1', '1.5', '12345678901234567'])(
    'needs a time of the right form, which %p is not',
    async (timestamp) => {
      expect(await send({ ...newOrder(), timestamp })).toBe('400 INVALID_HEADER')
    },
  )
})

test('an overheard strict request is not authorized as a plain one, cut between query and body however it may be', async () => {
  const order = newOrder()
  const body = `x=1&${order.body}`
  const hex = strictSignature(f.alice, { ...order, body }).slice(3)
  const text = ['POST', order.path, '', order.timestamp, order.nonce, body].join('\n')
  expect(sign(f.alice.secret, text)).toBe(hex)
  for (const at of [0, 2, 4]) {
    const query = text.slice(0, at)
    const response = await fetch(`${f.url}/api/v3/order${query === '' ? '' : `?${query}`}`, {
      method: 'POST',
      headers: { 'X-Apikey': f.alice.apiKey, 'X-Signature': hex, 'Content-Type': FORM },
      body: text.slice(at),
    })
    expect([at, (await see(response)).body.reason]).toEqual([at, 'INVALID_SIGNATURE'])
  }
})

describe('a nonce', () => {
  test('is refused a second time, whatever else the request says, and another key may use it', async () => {
    const order = newOrder()
    expect(await send(order)).toBe('in')
    expect(await send(order)).toBe('401 NONCE_REPEATED')
    expect(await send({ ...newOrder(), nonce: order.nonce })).toBe('401 NONCE_REPEATED')
    expect(await send(order, order, f.bob)).toBe('in')
  })

  test('of requests that come at the same time authorizes exactly one of them', async () => {
    const order = newOrder()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(order)))
    expect(answers.toSorted()).toEqual([...Array(19).fill('401 NONCE_REPEATED'), 'in'])
  })

  test('is not used up by a request that was refused before it was known to be signed, complete and in time', async () => {
    const order = newOrder()
    expect(await send(order, { ...order, path: '/elsewhere' })).toBe('401 INVALID_SIGNATURE')
    expect(await send({ ...order, body: `${order.body}&x=%zz` })).toBe('400 UNREADABLE_BODY')
    expect(await send({ ...order, body: `${order.body}&side=BUY` })).toBe('400 DUPLICATE_PARAMETER')
    expect(await send(order)).toBe('in')
  })

  test('from before the node started is not accepted again after it, and the answer says how long to wait', async () => {
    const exchange = await openFixture()
    try {
      const { alice, clock } = exchange
      const started = clock.time
      const at = async (timestamp: number) => {
        const query = `timestamp=${timestamp}`
        const path = '/api/v3/wallet/balance'
        const sent = { method: 'GET', path, query, timestamp: String(timestamp), nonce: newNonce(), body: '' }
        return send(sent, sent, alice, exchange)
      }
      for (const timestamp of [started - 4_000, started, started + 999]) {
        expect(await at(timestamp)).toBe('503 NONCES_UNKNOWN')
      }
      clock.time += 500
      expect(await at(started + 1_000)).toBe('503 NONCES_UNKNOWN')
      expect(await at(started + 1_001)).toBe('in')
    } finally {
      await exchange.stop()
    }
  })

  test('from before a start over which the clock was set back is not accepted again', async () => {
    const exchange = await openFixture({
      wrap: (services) => {
        // As if the journal had already reached a later time.
        Object.defineProperty(services.market, 'startedAt', { value: 1_790_000_000_123 + 60_000 })
        return services
      },
    })
    try {
      exchange.clock.time += 30_000
      const timestamp = String(exchange.clock.time)
      const sent = { ...newOrder(), timestamp, body: `${ORDER}&timestamp=${timestamp}` }
      expect(await send(sent, sent, exchange.alice, exchange)).toBe('503 NONCES_UNKNOWN')
    } finally {
      await exchange.stop()
    }
  })

  test('may be counted elsewhere, and the request waits for the answer', async () => {
    const verdicts: NonceVerdict['kind'][] = ['FRESH', 'REPEATED', 'FULL']
    const asked: string[] = []
    const nonces = {
      take: async ({ nonce }: { nonce: string }) => {
        asked.push(nonce)
        await Promise.resolve()
        return { kind: verdicts.shift() } as NonceVerdict
      },
    }
    const exchange = await openFixture({ nonces })
    try {
      const timestamp = String(exchange.clock.time)
      const sent = { ...newOrder(), timestamp, body: `${ORDER}&timestamp=${timestamp}` }
      const answers: string[] = []
      for (let time = 0; time < 3; time++) answers.push(await send(sent, sent, exchange.alice, exchange))
      expect(answers).toEqual(['in', '401 NONCE_REPEATED', '503 NONCES_FULL'])
      expect(asked).toEqual(Array(3).fill(sent.nonce))
    } finally {
      await exchange.stop()
    }
  })
})

describe('a key that demands strict signatures', () => {
  const strictKey = async (): Promise<Trader> => {
    const trader = await f.createKey(f.alice.accountId)
    await f.submit({
      kind: 'SetApiKeyStrict',
      operator: OPERATOR,
      apiKey: trader.apiKey,
      strictSignature: true,
    })
    return trader
  }
  const plain = async (trader: Trader) => {
    const { status, body } = await f.send('GET', '/api/v3/wallet/balance', {}, trader)
    return status === 200 ? 'in' : `${status} ${body.reason}`
  }

  test('refuses plain ones, and says why to those who hold its secret', async () => {
    const trader = await strictKey()
    expect(await plain(trader)).toBe('401 STRICT_SIGNATURE_REQUIRED')
    expect(await plain({ ...trader, secret: 'wrong' })).toBe('401 INVALID_SIGNATURE')
    const order = newOrder()
    expect(await send(order, order, trader)).toBe('in')
  })

  test('reads market data with or without a signature, as every key', async () => {
    const trader = await strictKey()
    const query = `symbol=ETH/USDT&timestamp=${f.clock.time}`
    const depth = await fetch(`${f.url}/api/v3/depth?${query}`, { headers: { 'X-Apikey': trader.apiKey } })
    expect(depth.status).toBe(200)
  })

  test('keeps doing so whatever else of it changes, until that is taken back', async () => {
    const trader = await strictKey()
    const { apiKey } = trader
    const common = { operator: OPERATOR, apiKey }
    const terms = { permissions: ['WALLET'] as const, addresses: [], label: 'x', expiresAt: 0 as never }
    await f.submit({ kind: 'SetApiKeyTerms', ...common, ...terms })
    await f.submit({ kind: 'SetApiKeyEnabled', ...common, enabled: false })
    await f.submit({ kind: 'SetApiKeyEnabled', ...common, enabled: true })
    const secret = 'another secret'
    const sealedSecret = f.seal(secret, apiKey)
    await f.submit({ kind: 'RotateApiKey', ...common, sealedSecret, previousUntil: 0 as never })
    expect(await plain({ ...trader, secret })).toBe('401 STRICT_SIGNATURE_REQUIRED')
    await f.submit({ kind: 'SetApiKeyStrict', ...common, strictSignature: false })
    expect(await plain({ ...trader, secret })).toBe('in')
  })
})
