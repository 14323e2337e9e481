/**
 * Permitted forms of requests: security types, places and orders of parameters, addresses, conditional
 * parameters.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Client, Fields } from './support/client.ts'
import { form } from './support/client.ts'
import { divideHalfUp, plain, power10, units } from './support/decimal.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import { failure, success } from './support/shapes.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

let node: NodeProcess
let alice: Client
let bob: Client

beforeAll(async () => {
  node = await startSandbox()
  alice = node.alice
  bob = node.bob
})
afterAll(() => node.stop())

const RESTING: Fields = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100.5' }
const ORDER = '/api/v3/order'
/** An order id that does not exist. */
const NO_ORDER = '01a0c450-7063-7100-8000-ffffffffffff'

const now = () => Date.now()
/** A time window that is valid however long the machine takes. */
const timely = () => ({ timestamp: now(), recvWindow: 60_000 })

describe('security', () => {
  test('NONE needs nothing', async () => {
    const { status } = await node.client().raw({ method: 'GET', path: '/api/v3/exchangeInfo' })
    expect(status).toBe(200)
  })

  test('USER_DATA needs a key, no signature, and a time of any age', async () => {
    for (const path of ['/api/v3/depth', '/api/v3/trades']) {
      for (const timestamp of [now(), 1, 9_999_999_999_999]) {
        const query = form({ symbol: 'BTC/USDT', timestamp })
        expect((await alice.raw({ method: 'GET', path, query, isSigned: false })).status).toBe(200)
        const { status, body } = await node.client().raw({ method: 'GET', path, query })
        expect([status, body.reason]).toEqual([401, 'MISSING_API_KEY'])
      }
    }
  })

  const SIGNED: readonly (readonly [string, string, Fields])[] = [
    ['POST', ORDER, RESTING],
    ['DELETE', ORDER, { id: NO_ORDER }],
    ['GET', '/api/v3/order/active', {}],
    ['GET', '/api/v3/order/trade/history', {}],
    ['GET', '/api/v3/wallet/balance', {}],
    ['GET', '/api/v3/wallet/balance', { code: 'BTC' }],
  ]
  for (const [method, path, fields] of SIGNED) {
    test(`${method} ${path} ${form(fields)} needs key, signature and a time that is now`, async () => {
      const stranger = node.client({ apiKey: alice.apiKey, secret: 'not the secret' })
      const nobody = node.client()
      const seen = [
        await alice.request(method, path, fields, { isSigned: false }),
        await stranger.request(method, path, fields),
        await nobody.request(method, path, fields),
        await alice.request(method, path, { ...fields, timestamp: now() - 6000 }),
        await alice.request(method, path, { ...fields, timestamp: now() + 20_000 }),
      ]
      expect(seen.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
      expect(seen.map(({ body }) => body.reason)).toEqual([
        'MISSING_SIGNATURE',
        'INVALID_SIGNATURE',
        'MISSING_API_KEY',
        'TIMESTAMP_EXPIRED',
        'TIMESTAMP_AHEAD',
      ])
      const old = await alice.request(method, path, {
        ...fields,
        timestamp: now() - 6000,
        recvWindow: 60_000,
      })
      expect(old.status).toBe(fields.id === NO_ORDER ? 400 : 200)
    })
  }

  test('a signature may be hexadecimal of any case, or base64', async () => {
    const query = form(timely())
    const hex = alice.signature(query)
    const base64 = Buffer.from(hex, 'hex').toString('base64')
    for (const signature of [hex, hex.toUpperCase(), base64]) {
      const headers = { 'X-Signature': signature }
      const { status } = await alice.raw({ method: 'GET', path: '/api/v3/order/active', query, headers })
      expect(status).toBe(200)
    }
  })
})

describe('parameters', () => {
  test('come in any order', async () => {
    const names = [...Object.keys(RESTING), 'timestamp', 'recvWindow']
    for (let turn = 0; turn < names.length; turn++) {
      for (const order of [names, names.toReversed()]) {
        const turned = [...order.slice(turn), ...order.slice(0, turn)]
        const all: Fields = { ...RESTING, ...timely() }
        const body = form(Object.fromEntries(turned.map((name) => [name, all[name]!])))
        const { status } = await alice.raw({ method: 'POST', path: ORDER, body })
        expect([body, status]).toEqual([body, 200])
      }
    }
  })

  test('of POST and DELETE are in the body, in the query, or in both, signed as they were sent', async () => {
    const place = async (query: Fields, body?: Fields) => {
      const answer = await alice.raw({
        method: 'POST',
        path: ORDER,
        query: form(query),
        ...(body === undefined ? {} : { body: `&${form(body)}` }),
      })
      expect([answer.status, answer.text]).toEqual([200, answer.text])
      return answer.body.data.id as string
    }
    const { symbol, side, ...rest } = RESTING as Record<string, string>
    const ids = [
      await place({}, { ...RESTING, ...timely() }),
      await place({ ...RESTING, ...timely() }),
      await place({ symbol: symbol!, side: side!, ...timely() }, rest),
      await place({ ...rest, ...timely() }, { symbol: symbol!, side: side! }),
    ]
    const cancel = async (query: Fields, body?: Fields) => {
      const answer = await alice.raw({
        method: 'DELETE',
        path: ORDER,
        query: body === undefined ? form(query) : `${form(query)}&`,
        ...(body === undefined ? {} : { body: form(body) }),
      })
      expect(answer.body).toEqual(success())
    }
    await cancel({}, { id: ids[0]!, ...timely() })
    await cancel({ id: ids[1]!, ...timely() })
    await cancel({ id: ids[2]! }, { ...timely() })
    await cancel({ ...timely() }, { id: ids[3]! })
  })

  test('in both places under one name are refused', async () => {
    const answer = await alice.raw({
      method: 'POST',
      path: ORDER,
      query: `${form({ symbol: 'ETH/USDT', ...timely() })}&`,
      body: form(RESTING),
    })
    expect([answer.status, answer.body]).toEqual([400, failure('4001', 'DUPLICATE_PARAMETER')])
  })

  test('in both places without & between the two texts are refused, whatever they say', async () => {
    const answer = await alice.raw({
      method: 'POST',
      path: ORDER,
      query: form(timely()),
      body: form(RESTING),
    })
    expect([answer.status, answer.body]).toEqual([400, failure('4001', 'SEPARATOR_REQUIRED')])
  })

  test('are read whether a slash is encoded or not, and the signature covers what was sent', async () => {
    for (const symbol of ['ETH/USDT', 'ETH%2FUSDT', 'ETH%2fUSDT', '%45TH%2FUSDT']) {
      const body = `symbol=${symbol}&side=BUY&type=LIMIT&quantity=1&price=2&timestamp=${now()}`
      const placed = await alice.raw({ method: 'POST', path: ORDER, body })
      expect([symbol, placed.body.data.symbol]).toEqual([symbol, 'ETH/USDT'])
      const query = `symbol=${symbol}&timestamp=${now()}`
      expect((await alice.raw({ method: 'GET', path: '/api/v3/order/active', query })).status).toBe(200)
    }
  })

  test('that are unknown are ignored', async () => {
    const placed = await alice.place({ ...RESTING, colour: 'green', ...timely() })
    expect(placed.symbol).toBe('ETH/USDT')
    expect(await alice.active({ page: 'x' })).toBeArray()
  })

  test('a body may name its charset', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' }
    const { status } = await alice.request('POST', ORDER, RESTING, { headers })
    expect(status).toBe(200)
  })
})

test('a base endpoint that ends in /api leads to the same endpoints', async () => {
  const base = '/api/api/v3'
  const placed = await alice.ask('POST', `${base}/order`, RESTING)
  const [newest] = await alice.ask('GET', `${base}/order/active`)
  expect(newest.id).toBe(placed.data.id)
  expect(await alice.ask('DELETE', `${base}/order`, { id: placed.data.id })).toEqual(success())
  for (const path of ['depth', 'trades', 'order/trade/history', 'wallet/balance']) {
    const fields = { symbol: 'ETH/USDT' }
    const [doubled, plainly] = await Promise.all([
      alice.ask('GET', `${base}/${path}`, fields),
      alice.ask('GET', `/api/v3/${path}`, fields),
    ])
    expect(doubled).toEqual(plainly)
  }
  expect((await node.client().raw({ method: 'GET', path: `${base}/exchangeInfo` })).status).toBe(200)
})

describe('which of quantity, price and total an order needs', () => {
  const refused: readonly (readonly [string, Fields, string])[] = [
    ['LIMIT without a price', { type: 'LIMIT', side: 'BUY', quantity: '1' }, 'price'],
    ['LIMIT without a quantity', { type: 'LIMIT', side: 'SELL', price: '1' }, 'quantity'],
    [
      'LIMIT with a total instead of a quantity',
      { type: 'LIMIT', side: 'BUY', price: '1', total: '1' },
      'quantity',
    ],
    ['MARKET BUY with a quantity alone', { type: 'MARKET', side: 'BUY', quantity: '1' }, 'total'],
    ['MARKET SELL with a total alone', { type: 'MARKET', side: 'SELL', total: '1' }, 'quantity'],
    ['MARKET BUY with neither', { type: 'MARKET', side: 'BUY' }, 'total'],
    ['MARKET SELL with neither', { type: 'MARKET', side: 'SELL' }, 'quantity'],
    ['no type', { side: 'SELL', quantity: '1', price: '1' }, 'type'],
    ['no side', { type: 'LIMIT', quantity: '1', price: '1' }, 'side'],
  ]
  for (const [name, fields, missing] of refused) {
    test(`${name}: ${missing} is missing`, async () => {
      const answer = await alice.request('POST', ORDER, { symbol: 'USDT/TRY', ...fields })
      expect([answer.status, answer.body]).toEqual([400, failure('4001', 'MISSING_PARAMETER')])
      expect(answer.body.msg[0]).toContain(missing)
    })
  }

  test('sufficient figures: LIMIT with its total, MARKET with one figure or two', async () => {
    const symbol = 'USDT/TRY'
    const limit = { symbol, type: 'LIMIT', quantity: '1000', price: '34.17' }
    const ask = await alice.place({ ...limit, side: 'SELL', total: '34170' })
    expect(ask).toMatchObject({ qty: '#1000', total: '#34170' })

    const spent = await bob.place({ symbol, type: 'MARKET', side: 'BUY', total: '100' })
    // 2.92 USDT cost 99.7764 TRY, rounded up 99.78; 2.93 would cost 100.12.
    expect(spent).toMatchObject({ qty: '#2.92', total: '#99.78', price: '#34.17' })
    const bought = await bob.place({ symbol, type: 'MARKET', side: 'BUY', total: '100', quantity: '1' })
    expect(bought).toMatchObject({ qty: '#1', total: '#34.17' })

    await bob.place({ ...limit, side: 'BUY', price: '33.01' })
    const sold = await alice.place({ symbol, type: 'MARKET', side: 'SELL', quantity: '0.01' })
    expect(sold).toMatchObject({ qty: '#0.01', total: '#0.33', price: '#33.01' })
    const capped = await alice.place({ symbol, type: 'MARKET', side: 'SELL', quantity: '10', total: '100' })
    // 3.02 USDT bring 99.6902 TRY, rounded down; 3.03 would bring 100.02.
    const proceeds = divideHalfUp(units('3.02', 2) * units('33.01', 2) - 50n, power10(2))
    expect(capped).toMatchObject({ qty: '#3.02', total: `#${plain(proceeds, 2)}` })
  })

  test('IOC never rests', async () => {
    const placed = await bob.place({ ...RESTING, price: '99', timeInForce: 'IOC' })
    const open = await bob.active()
    expect(open.map(({ id }: { id: string }) => id)).not.toContain(placed.id)
  })
})
