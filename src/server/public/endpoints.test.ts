/**
 * The nine endpoints over HTTP, field by field against docs/reference/http.md#answers: which answers are
 * enveloped and which bare, which figures are numbers and which strings, orders of lists, defaults and
 * bounds.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, formOf, openFixture, type Seen, see, sign } from './gateway.fixture.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
const DECIMAL = /^\d+(?:\.\d*[1-9])?$/

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  await trade()
})
afterAll(() => f.stop())

const get = (path: string, fields: Fields = {}, headers: Fields = {}) =>
  f.send('GET', `/api/v3${path}`, fields, f.alice, headers)

/** Alice sells at two prices, bob takes all of the first and some of the second, one millisecond apart. */
async function trade(): Promise<void> {
  const sell = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT' }
  await f.place(f.alice, { ...sell, quantity: '1', price: '60000' })
  f.clock.time += 1
  await f.place(f.alice, { ...sell, quantity: '2', price: '60001.5' })
  f.clock.time += 1
  await f.place(f.bob, { ...sell, side: 'BUY', quantity: '1', price: '60000' })
  f.clock.time += 1
  await f.place(f.bob, { ...sell, side: 'BUY', quantity: '0.5', price: '60001.5' })
  await f.place(f.bob, { ...sell, side: 'BUY', quantity: '3', price: '59000' })
}

const refusal = ({ status, body }: Seen) => `${status} ${body.code} ${body.reason}: ${body.msg[0]}`

describe.each(['/depth', '/trades'])('unsigned %s', (path) => {
  test('refuses every repeated parameter by name, unknown ones included', async () => {
    const fields = { symbol: 'BTC/USDT', timestamp: f.clock.time, limit: 5, recvWindow: 5_000, anything: 1 }
    const names = Object.keys(fields) as (keyof typeof fields)[]
    for (const name of names) {
      const query = `${formOf(fields)}&${formOf({ [name]: fields[name] })}`
      const answer = await see(
        await fetch(`${f.url}/api/v3${path}?${query}`, { headers: { 'X-Apikey': f.alice.apiKey } }),
      )
      expect(refusal(answer)).toStartWith(`400 4001 DUPLICATE_PARAMETER: The parameter ${name} `)
    }
  })
})

describe('exchange information', () => {
  test('needs no key and no parameters, and is bare', async () => {
    const { status, body } = await f.send('GET', '/api/v3/exchangeInfo', {})
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['symbols'])
    expect(body.symbols[2]).toEqual({
      symbol: 'ETH/BTC',
      baseAssetCode: 'ETH',
      quoteAssetCode: 'BTC',
      commission: 0.001,
      baseFraction: 6,
      quoteFraction: 6,
    })
    const bare = await fetch(`${f.url}/api/v3/exchangeInfo?anything=%zz`)
    expect(bare.status).toBe(200)
  })

  test('is also found where a base endpoint ending in /api leads', async () => {
    const { status, text } = await f.send('GET', '/api/api/v3/exchangeInfo', {})
    expect(status).toBe(200)
    expect(text).toBe((await f.send('GET', '/api/v3/exchangeInfo', {})).text)
  })
})

describe('the order book', () => {
  test('maps prices with all their decimals to quantities as numbers, best first', async () => {
    const { status, text } = await get('/depth', { symbol: 'BTC/USDT' })
    expect(status).toBe(200)
    expect(text).toBe('{"sell":{"60001.50":1.5},"buy":{"59000.00":3}}')
  })

  test('of a symbol without orders is empty', async () => {
    expect((await get('/depth', { symbol: 'ETH/USDT' })).text).toBe('{"sell":{},"buy":{}}')
  })

  test('shows as many levels as asked for, the best ones, sell ascending and buy descending', async () => {
    for (const price of ['100', '99', '101']) {
      await f.place(f.alice, { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price })
    }
    for (const price of ['200', '199', '201']) {
      await f.place(f.alice, { symbol: 'ETH/USDT', side: 'SELL', type: 'LIMIT', quantity: '1', price })
    }
    expect((await get('/depth', { symbol: 'ETH/USDT', limit: 2 })).text).toBe(
      '{"sell":{"199.00":1,"200.00":1},"buy":{"101.00":1,"100.00":1}}',
    )
  })

  test.each(['0', '5001', '-1', '1.0', 'x', ''])('does not accept limit=%p', async (limit) => {
    expect(refusal(await get('/depth', { symbol: 'BTC/USDT', limit }))).toBe(
      '400 4001 INVALID_PARAMETER: The parameter limit must be a whole number from 1 to 5000.',
    )
  })

  test('costs more weight the deeper it is', async () => {
    const cost = async (limit: number) => {
      const before = Number(
        (await get('/depth', { symbol: 'BTC/USDT', limit: 1 })).headers.get('x-mbx-used-weight-1m'),
      )
      const after = (await get('/depth', { symbol: 'BTC/USDT', limit })).headers.get('x-mbx-used-weight-1m')
      return Number(after) - before
    }
    expect([await cost(100), await cost(101), await cost(1_000), await cost(5_000)]).toEqual([5, 25, 50, 250])
  })
})

describe('recent trades', () => {
  test('are a bare array of numbers, newest first', async () => {
    const { text } = await get('/trades', { symbol: 'BTC/USDT' })
    const time = f.clock.time
    expect(text).toBe(
      `[{"quantity":0.5,"price":60001.5,"timestamp":${time}},{"quantity":1,"price":60000,"timestamp":${time - 1}}]`,
    )
  })

  test('are at most as many as asked for, up to 1000', async () => {
    expect((await get('/trades', { symbol: 'BTC/USDT', limit: 1 })).body).toHaveLength(1)
    expect(refusal(await get('/trades', { symbol: 'BTC/USDT', limit: 1001 }))).toContain('from 1 to 1000')
  })
})

describe('placing and canceling', () => {
  test('answer in the envelope, placing with data and canceling without', async () => {
    const order = { symbol: 'USDT/TRY', side: 'BUY', type: 'LIMIT', quantity: '10', price: '40.5' }
    const placed = await f.place(f.alice, order)
    expect(placed.status).toBe(200)
    expect(placed.headers.get('x-mbx-order-count-1m')).toMatch(/^\d+$/)
    expect(placed.body).toEqual({
      status: true,
      code: '0000',
      msg: ['The order has been placed.'],
      data: {
        id: expect.stringMatching(UUID),
        symbol: 'USDT/TRY',
        side: 'BUY',
        price: 40.5,
        qty: 10,
        total: 405,
        created_at: expect.stringMatching(ISO),
        side_name: 'Buy',
      },
    })
    const id = placed.body.data.id.toUpperCase()
    const canceled = await f.send('DELETE', '/api/v3/order', { id }, f.alice, { 'Accept-Language': 'tr' })
    expect(canceled.status).toBe(200)
    expect(canceled.body).toEqual({ status: true, code: '0000', msg: ['Emir iptal edildi.'] })
  })

  test('have one answer for an order that is unknown, not yours or done', async () => {
    const order = { symbol: 'USDT/TRY', side: 'BUY', type: 'LIMIT', quantity: '10', price: '40' }
    const { id } = (await f.place(f.alice, order)).body.data
    const cancel = (text: string, trader = f.alice) =>
      f.send('DELETE', '/api/v3/order', { id: text }, trader).then(refusal)
    const expected =
      '400 4001 UNKNOWN_ORDER: You have no such order, or it is no longer open and cannot be canceled or changed.'
    expect(await cancel(id, f.bob)).toBe(expected)
    expect(await cancel(crypto.randomUUID())).toBe(expected)
    expect(await cancel(id.replace(/^\w{8}/, '01a0c451'))).toBe(expected)
    await f.send('DELETE', '/api/v3/order', { id }, f.alice)
    expect(await cancel(id)).toBe(expected)
    expect(await cancel('1')).toContain('INVALID_PARAMETER: The parameter id must be the id of an order')
  })

  test('take their parameters from the query string as well, but none from both', async () => {
    const order = { symbol: 'USDT/TRY', side: 'BUY', type: 'LIMIT', quantity: '10', price: '40' }
    const query = `?${new URLSearchParams(order)}`
    const { body, status } = await signedPost(query, `&timestamp=${f.clock.time}`)
    expect(status).toBe(200)
    await f.send('DELETE', '/api/v3/order', { id: body.data.id }, f.alice)
    expect(refusal(await signedPost(query, `&timestamp=${f.clock.time}&price=40`))).toContain(
      'DUPLICATE_PARAMETER: The parameter price',
    )
    const alone = await signedPost(`${query}&timestamp=${f.clock.time}`, '')
    expect(alone.status).toBe(200)
    await f.send('DELETE', '/api/v3/order', { id: alone.body.data.id }, f.alice)
  })
})

async function signedPost(query: string, body: string): Promise<Seen> {
  const headers: Record<string, string> = {
    'X-Apikey': f.alice.apiKey,
    'X-Signature': sign(f.alice.secret, query.slice(1) + body),
  }
  if (body !== '') headers['Content-Type'] = 'Application/X-WWW-Form-URLencoded; charset=UTF-8'
  return see(
    await fetch(`${f.url}/api/v3/order${query}`, {
      method: 'POST',
      headers,
      ...(body === '' ? {} : { body }),
    }),
  )
}

describe('open orders', () => {
  test('are a bare array with strings for all figures, newest first', async () => {
    const { status, body } = await get('/order/active', { symbol: 'BTC/USDT' })
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: expect.stringMatching(UUID),
        symbol: 'BTC/USDT',
        side: 'SELL',
        price: '60001.5',
        qty: '2',
        execQty: '0.5',
        total: '120003',
        createdAt: expect.stringMatching(ISO),
      },
    ])
  })

  test('without a symbol are those of all symbols, without those of another account', async () => {
    const { body } = await get('/order/active')
    expect(new Set(body.map((order: { symbol: string }) => order.symbol))).toEqual(
      new Set(['BTC/USDT', 'ETH/USDT']),
    )
    const ids = body.map((order: { id: string }) => order.id)
    expect(ids).toEqual([...ids].sort().reverse())
    const bobs = await f.send('GET', '/api/v3/order/active', {}, f.bob)
    expect(bobs.body.map((order: { price: string }) => order.price)).toEqual(['59000'])
  })
})

describe('trade history', () => {
  test('is a bare page of the account’s own sides, with strings for figures', async () => {
    const { status, body } = await get('/order/trade/history', {}, { 'Accept-Language': 'tr' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['items', 'page', 'size', 'total_pages', 'total'])
    expect({ ...body, items: [] }).toEqual({ items: [], page: 0, size: 100, total_pages: 1, total: 2 })
    expect(body.items[0]).toEqual({
      id: expect.stringMatching(UUID),
      orderId: expect.stringMatching(UUID),
      tradeAt: expect.stringMatching(ISO),
      symbol: 'BTC/USDT',
      side: 'SELL',
      sideName: 'Satış',
      price: '60001.5',
      quantity: '0.5',
      total: '30000.75',
      commission: '30.00075',
      commissionAssetCode: 'USDT',
    })
    expect(body.items[1].price).toBe('60000')
  })

  test('has pages from 0, and those beyond the end are empty', async () => {
    const page = async (number: number) => (await get('/order/trade/history', { page: number, size: 1 })).body
    expect((await page(1)).items[0].price).toBe('60000')
    expect(await page(2)).toEqual({ items: [], page: 2, size: 1, total_pages: 2, total: 2 })
  })

  test('can be limited to trades before a given one', async () => {
    const { body } = await get('/order/trade/history')
    const older = await get('/order/trade/history', { before: body.items[0].id })
    expect(older.body.items).toEqual(body.items.slice(1))
    expect(older.body.total).toBe(1)
    expect(refusal(await get('/order/trade/history', { before: body.items[0].orderId }))).toContain(
      'INVALID_PARAMETER: The parameter before',
    )
  })

  test('can be limited to one symbol', async () => {
    expect((await get('/order/trade/history', { symbol: 'ETH/USDT' })).body.total).toBe(0)
    expect((await get('/order/trade/history', { symbol: 'BTC/USDT' })).body.total).toBe(2)
  })

  test.each([
    ['page', '-1', 'from 0 to 2147483647'],
    ['page', '2147483648', 'from 0 to 2147483647'],
    ['page', 'x', 'from 0 to'],
    ['size', '0', 'from 1 to 1000'],
    ['size', '1001', 'from 1 to 1000'],
    ['size', '', 'from 1 to 1000'],
    ['size', '10e1', 'from 1 to 1000'],
  ])('does not accept %s=%p', async (name, value, bounds) => {
    const seen = await get('/order/trade/history', { [name]: value })
    expect(refusal(seen)).toStartWith(
      `400 4001 INVALID_PARAMETER: The parameter ${name} must be a whole number`,
    )
    expect(seen.body.msg[0]).toContain(bounds)
  })
})

describe('the wallet', () => {
  test('without code has one account, Spot, with every listed asset', async () => {
    const { status, body } = await get('/wallet/balance')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['status', 'code', 'msg', 'data'])
    expect(Object.keys(body.data)).toEqual(['acc'])
    expect(Object.keys(body.data.acc)).toEqual(['Spot'])
    const { walletCode, transfer, assetAccs } = body.data.acc.Spot
    expect([walletCode, transfer]).toEqual(['SPOT', 1])
    expect(assetAccs.map(({ asset }: { asset: string }) => asset)).toEqual(['BTC', 'ETH', 'USDT', 'TRY'])
    for (const asset of assetAccs) {
      const { name, isDeposit, isWithdraw, isTrade, isSaving, ...figures } = asset
      expect(Object.values({ isDeposit, isWithdraw, isTrade, isSaving })).toEqual([true, true, true, false])
      expect(typeof name).toBe('string')
      expect(Object.keys(figures)).toEqual([
        'asset',
        'free',
        'freeze',
        'locked',
        'savings',
        'freeTransfer',
        'freezeTransfer',
        'lockedTransfer',
        'savingsTransfer',
      ])
      const { asset: _, ...texts } = figures
      for (const text of Object.values(texts)) expect(text).toMatch(DECIMAL)
    }
    expect(assetAccs[0].locked).toBe('1.5')
  })

  test('with code has that asset’s free alone', async () => {
    const { body } = await get('/wallet/balance', { code: 'BTC' })
    expect(body).toEqual({
      status: true,
      code: '0000',
      msg: [expect.any(String)],
      data: { free: '999999999997' },
    })
    expect(refusal(await get('/wallet/balance', { code: 'XYZ' }))).toContain('400 4001 UNKNOWN_ASSET')
    expect(refusal(await get('/wallet/balance', { code: '' }))).toContain('400 4001 UNKNOWN_ASSET')
  })
})

describe('methods', () => {
  test('that do not exist on a path are 405 with Allow', async () => {
    const { status, headers, body } = await f.send('POST', '/api/v3/depth', {}, f.alice)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(body.reason).toBe('METHOD_NOT_ALLOWED')
    expect((await f.send('PATCH', '/api/v3/order', {}, f.alice)).headers.get('allow')).toBe(
      'POST, DELETE, GET, HEAD, OPTIONS',
    )
  })

  test('HEAD is GET without a body, OPTIONS says what is allowed', async () => {
    const head = await fetch(`${f.url}/api/v3/exchangeInfo`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    const options = await fetch(`${f.url}/api/v3/order`, { method: 'OPTIONS' })
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('POST, DELETE, GET, HEAD, OPTIONS')
  })
})
