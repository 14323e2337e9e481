import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

let f: BinanceFixture
const SELL = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '60000',
}
const BUY = { ...SELL, side: 'BUY' }
const ORDER = '/api/v3/order'

beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
})
beforeEach(async () => {
  // At another time, so that no two requests have the same signed text.
  f.clock.time += 1_000
  for (const trader of [f.alice, f.bob])
    await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, trader)
})
afterAll(() => f.stop())

describe('placing an order', () => {
  test('answers FULL for LIMIT with every member of Binance, and no fills while it rests', async () => {
    const { status, body } = await f.signed('POST', ORDER, { ...SELL, newClientOrderId: 'rests-1' })
    expect(status).toBe(200)
    expect(Number.isSafeInteger(body.orderId)).toBe(true)
    expect(body).toEqual({
      symbol: 'BTCUSDT',
      orderId: body.orderId,
      orderListId: -1,
      clientOrderId: 'rests-1',
      transactTime: f.clock.time,
      price: '60000.00000000',
      origQty: '1.00000000',
      executedQty: '0.00000000',
      origQuoteOrderQty: '0.00000000',
      cummulativeQuoteQty: '0.00000000',
      status: 'NEW',
      timeInForce: 'GTC',
      type: 'LIMIT',
      side: 'SELL',
      workingTime: f.clock.time,
      selfTradePreventionMode: 'NONE',
      fills: [],
    })
  })

  test('answers ACK and RESULT on request', async () => {
    const ack = await f.signed('POST', ORDER, { ...SELL, newOrderRespType: 'ACK' })
    expect(Object.keys(ack.body)).toEqual([
      'symbol',
      'orderId',
      'orderListId',
      'clientOrderId',
      'transactTime',
    ])
    f.clock.time++
    const result = await f.signed('POST', ORDER, { ...SELL, newOrderRespType: 'RESULT' })
    expect([result.body.status, result.body.fills]).toEqual(['NEW', undefined])
  })

  test('answers a MARKET order with its fills, whose commission is in the received asset', async () => {
    await f.signed('POST', ORDER, SELL, f.bob)
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '30000' }
    const { body } = await f.signed('POST', ORDER, order)
    expect(body).toMatchObject({
      status: 'FILLED',
      executedQty: '0.50000000',
      cummulativeQuoteQty: '30000.00000000',
    })
    expect(body.fills).toEqual([
      {
        price: '60000.00000000',
        qty: '0.50000000',
        commission: body.fills[0].commission,
        commissionAsset: 'BTC',
        tradeId: body.fills[0].tradeId,
      },
    ])
    expect(body.fills[0].tradeId).toBe(1)
  })

  test('buys a quantity at any price, and refuses where that costs more than is free', async () => {
    await f.signed('POST', ORDER, SELL, f.bob)
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.25' }
    const { body } = await f.signed('POST', ORDER, order)
    expect(body).toMatchObject({ status: 'FILLED', executedQty: '0.25000000', origQty: '0.25000000' })
    expect(body.cummulativeQuoteQty).toBe('15000.00000000')
    await f.signed('POST', ORDER, { ...SELL, price: '90000000000000', quantity: '1' }, f.bob)
    const dear = await f.signed('POST', ORDER, { ...order, quantity: '1.5' })
    expect([dear.status, dear.body.code]).toEqual([400, -2010])
    // Our own interface still requires a total.
    const there = await f.place(f.alice, { ...order, symbol: 'BTC/USDT' })
    expect(there.body.reason).toBe('MISSING_PARAMETER')
  })

  test('accepts the parameters in the body too, or in both', async () => {
    const { signature, text } = signedText(`${form(SELL)}&timestamp=${f.clock.time}`)
    const inBody = await post('', `${text}&signature=${signature}`)
    expect(inBody.status).toBe(200)
    f.clock.time++
    const query = 'symbol=BTCUSDT&side=SELL&type=LIMIT&timeInForce=GTC'
    const rest = `quantity=1&price=60000&timestamp=${f.clock.time}`
    const both = signedText(query + rest)
    expect((await post(`${query}&signature=${both.signature}`, rest)).status).toBe(200)
  })

  test('removes the signature wherever it is, and once', async () => {
    const { signature, text } = signedText(`${form(SELL)}&timestamp=${f.clock.time}`)
    expect((await post(`signature=${signature}&${text}`, '')).status).toBe(200)
    const twice = await post(`signature=${signature}&${text}&signature=${signature}`, '')
    expect(twice.body).toMatchObject({ code: -1101, msg: 'Duplicate values for a parameter detected.' })
  })

  test('uses a client order id only once: the same order again is a duplicate that names the first', async () => {
    const first = await f.signed('POST', ORDER, { ...SELL, newClientOrderId: 'once-1' })
    f.clock.time++
    const again = await f.signed('POST', ORDER, { ...SELL, newClientOrderId: 'once-1' })
    const error = { code: -2010, msg: 'Duplicate order sent.', reason: 'DUPLICATE_CLIENT_ORDER_ID' }
    expect([again.status, again.body]).toEqual([
      400,
      { ...error, orderId: first.body.orderId, status: 'NEW' },
    ])
    f.clock.time++
    const other = await f.signed('POST', ORDER, { ...SELL, price: '61000', newClientOrderId: 'once-1' })
    expect(other.body).toEqual({ ...error, orderId: first.body.orderId, status: 'NEW' })
    expect((await f.signed('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body).toHaveLength(1)
  })

  test.each([
    [{ quantity: '0.000000001' }, -1111, "Parameter 'quantity' has too much precision."],
    [{ price: '60000.001' }, -1111, "Parameter 'price' has too much precision."],
    [{ side: 'BUY', quantity: '90000000' }, -2010, 'Account has insufficient balance for requested action.'],
    [{ symbol: 'DOGEUSDT' }, -1121, 'Invalid symbol.'],
    [{ side: 'HOLD' }, -1117, 'Invalid side.'],
    [{ type: 'PEGGED' }, -1116, 'Invalid orderType.'],
    [{ timeInForce: 'GTX' }, -1115, 'Invalid timeInForce.'],
    [{ quoteOrderQty: '1' }, -1128, 'Combination of optional parameters invalid.'],
    [
      { strategyId: '10' },
      -1104,
      "Not all sent parameters were read; read '7' parameter(s) but was sent '8'.",
    ],
    [{ trailingDelta: '10' }, -1106, "Parameter 'trailingDelta' sent when not required."],
    [{ type: 'STOP_LOSS_LIMIT', trailingDelta: '9' }, -1013, 'Filter failure: TRAILING_DELTA'],
    [{ type: 'STOP_LOSS_LIMIT', trailingDelta: '2001' }, -1013, 'Filter failure: TRAILING_DELTA'],
  ])('refuses %j with the number and the text of Binance', async (more, code, msg) => {
    const seen = await f.signed('POST', ORDER, { ...SELL, ...more })
    expect([seen.status, seen.body.code, seen.body.msg]).toEqual([400, code, msg])
  })

  test.each([['timeInForce'], ['quantity'], ['price']])(
    'refuses a LIMIT order without %s by name',
    async (name) => {
      const order = Object.fromEntries(Object.entries(SELL).filter(([each]) => each !== name))
      const { body } = await f.signed('POST', ORDER, order)
      expect(body.code).toBe(-1102)
      expect(body.msg).toContain(`'${name}'`)
    },
  )

  test('refuses a LIMIT_MAKER that would take, a FOK that cannot be filled, and a halted market, and places nothing', async () => {
    await f.signed('POST', ORDER, BUY, f.bob)
    const maker = { ...SELL, type: 'LIMIT_MAKER' } as Record<string, string>
    delete maker.timeInForce
    const taking = await f.signed('POST', ORDER, maker)
    expect(taking.body).toMatchObject({ code: -2010, msg: 'Order would immediately match and take.' })
    const fok = await f.signed('POST', ORDER, { ...SELL, quantity: '2', timeInForce: 'FOK' })
    expect([fok.status, fok.body.code, fok.body.reason]).toEqual([400, -2010, 'FOK_NOT_FILLABLE'])
    const operator = { actor: 'test', note: '' }
    await f.submit({ kind: 'SetSymbolState', operator, symbol: 'BTC/USDT', state: 'HALTED' })
    const halted = await f.signed('POST', ORDER, { ...SELL, price: '61000' })
    await f.submit({ kind: 'SetSymbolState', operator, symbol: 'BTC/USDT', state: 'TRADING' })
    expect([halted.status, halted.body.code, halted.body.msg]).toEqual([400, -2010, 'Market is closed.'])
    f.clock.time++
    expect((await f.signed('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body).toEqual([])
  })

  test('a test of an order answers with an empty object and places nothing', async () => {
    expect((await f.signed('POST', '/api/v3/order/test', SELL)).body).toEqual({})
    expect((await f.signed('GET', '/api/v3/openOrders')).body).toEqual([])
    const refused = await f.signed('POST', '/api/v3/order/test', { ...BUY, quantity: '90000000' })
    expect(refused.body.code).toBe(-2010)
  })
})

describe('one order', () => {
  test('is found by its number and by its id, with its present state', async () => {
    const { body: placed } = await f.signed('POST', ORDER, { ...SELL, newClientOrderId: 'find-1' })
    await f.signed('POST', ORDER, { ...BUY, quantity: '0.25' }, f.bob)
    const { orderId } = placed
    const byId = (await f.signed('GET', ORDER, { symbol: 'BTCUSDT', orderId })).body
    expect(byId).toMatchObject({
      orderId,
      status: 'PARTIALLY_FILLED',
      executedQty: '0.25000000',
      isWorking: true,
    })
    const fields = { symbol: 'BTCUSDT', origClientOrderId: 'find-1' }
    expect((await f.signed('GET', ORDER, fields)).body).toEqual(byId)
  })

  test('without an id of its account is found by the id in its answer', async () => {
    const { body } = await f.signed('POST', ORDER, SELL)
    expect(body.clientOrderId).toBe(`bourse-${body.orderId}`)
    const fields = { symbol: 'BTCUSDT', origClientOrderId: body.clientOrderId }
    expect((await f.signed('GET', ORDER, fields)).body.orderId).toBe(body.orderId)
  })

  test('that is unknown, of another account or of another symbol does not exist', async () => {
    const { orderId } = (await f.signed('POST', ORDER, SELL)).body
    for (const [fields, trader] of [
      [{ symbol: 'BTCUSDT', orderId: 99_999 }, f.alice],
      [{ symbol: 'BTCUSDT', orderId }, f.bob],
      [{ symbol: 'ETHUSDT', orderId }, f.alice],
      [{ symbol: 'BTCUSDT', origClientOrderId: 'nothing' }, f.alice],
    ] as const) {
      const { status, body } = await f.signed('GET', ORDER, fields, trader)
      expect([status, body.code, body.msg]).toEqual([400, -2013, 'Order does not exist.'])
    }
  })

  test('named by its number and an id must have both', async () => {
    const { orderId } = (await f.signed('POST', ORDER, { ...SELL, newClientOrderId: 'both-1' })).body
    await f.signed('POST', ORDER, { ...SELL, newClientOrderId: 'both-2' })
    const fields = { symbol: 'BTCUSDT', orderId }
    const both = await f.signed('GET', ORDER, { ...fields, origClientOrderId: 'both-1' })
    expect(both.body.orderId).toBe(orderId)
    for (const origClientOrderId of ['both-2', 'nothing', `bourse-${orderId}`]) {
      const { status, body } = await f.signed('DELETE', ORDER, { ...fields, origClientOrderId })
      expect([status, body.code, body.msg]).toEqual([
        400,
        -2039,
        'Client order ID is not correct for this order ID.',
      ])
    }
  })

  test('is canceled by number or id, and the second time is unknown', async () => {
    const { orderId } = (await f.signed('POST', ORDER, { ...SELL, newClientOrderId: 'gone-1' })).body
    const canceled = await f.signed('DELETE', ORDER, { symbol: 'BTCUSDT', orderId })
    expect(canceled.body).toMatchObject({ orderId, origClientOrderId: 'gone-1', status: 'CANCELED' })
    f.clock.time++
    const again = await f.signed('DELETE', ORDER, { symbol: 'BTCUSDT', orderId })
    expect([again.status, again.body.code, again.body.msg]).toEqual([400, -2011, 'Unknown order sent.'])
    const neither = await f.signed('DELETE', ORDER, { symbol: 'BTCUSDT' })
    expect(neither.body.code).toBe(-1102)
  })
})

describe('the account', () => {
  test('orders of a symbol are canceled together, listed, and unknown where there are none', async () => {
    await f.signed('POST', ORDER, SELL)
    await f.signed('POST', ORDER, { ...SELL, price: '61000' })
    f.clock.time++
    const { body } = await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    expect(body.map((each: { status: string }) => each.status)).toEqual(['CANCELED', 'CANCELED'])
    f.clock.time++
    expect((await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body.code).toBe(-2011)
  })

  test('orders and fills are listed oldest first, with whole numbers as ids', async () => {
    const ids: number[] = []
    for (const price of ['60000', '60001']) {
      f.clock.time++
      ids.push((await f.signed('POST', ORDER, { ...SELL, price, quantity: '0.1' })).body.orderId)
    }
    await f.signed('POST', ORDER, { ...BUY, price: '60001', quantity: '0.2' }, f.bob)
    const orders = (await f.signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })).body
    expect(orders.slice(-2).map((each: { orderId: number }) => each.orderId)).toEqual(ids)
    const trades = (await f.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).body
    const newest = trades.slice(-2)
    expect(newest.map((each: { orderId: number }) => each.orderId)).toEqual(ids)
    expect(newest[0]).toMatchObject({
      qty: '0.10000000',
      isBuyer: false,
      isMaker: true,
      commissionAsset: 'USDT',
    })
    const ofOne = (await f.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', orderId: ids[0] ?? 0 }))
      .body
    expect(ofOne).toHaveLength(1)
    const rows = async (path: string, fields: Record<string, string | number>) =>
      (await f.signed('GET', path, { symbol: 'BTCUSDT', ...fields })).body
    const [older] = newest
    expect(await rows('/api/v3/myTrades', { fromId: older.id, limit: 1 })).toEqual([older])
    expect(await rows('/api/v3/myTrades', { fromId: older.id })).toEqual(newest)
    expect(await rows('/api/v3/myTrades', { startTime: older.time, limit: 1 })).toEqual([older])
    expect(await rows('/api/v3/myTrades', { fromId: older.id + 2 })).toEqual([])
    const [first = 0] = ids
    expect(await rows('/api/v3/allOrders', { orderId: first, limit: 1 })).toEqual([orders.at(-2)])
    expect(await rows('/api/v3/allOrders', { orderId: first })).toEqual(orders.slice(-2))
    const [oldest] = orders
    expect(await rows('/api/v3/allOrders', { startTime: oldest.time, limit: 1 })).toEqual([oldest])
  })

  test('a list of many orders or fills comes in pieces and is one array, oldest first', async () => {
    const [step, count] = [0.01, 300]
    for (let i = 0; i < count; i++) {
      f.clock.time++
      const price = (60000 + i * step).toFixed(2)
      await f.signed('POST', ORDER, { ...SELL, price, quantity: '0.001' })
    }
    await f.signed('POST', ORDER, { ...BUY, price: '60003', quantity: String(count / 1000) }, f.bob)
    const fields = { symbol: 'BTCUSDT', limit: 1000 }
    for (const path of ['/api/v3/allOrders', '/api/v3/myTrades']) {
      const { body } = await f.signed('GET', path, fields)
      const ids = body.slice(-count).map((each: { orderId: number }) => each.orderId)
      expect([path, ids.length]).toEqual([path, count])
      expect([path, ids]).toEqual([path, ids.toSorted((one: number, other: number) => one - other)])
    }
  })

  test('balances include amounts held by orders and frozen, and can leave zeros out', async () => {
    await f.signed('POST', ORDER, { ...SELL, quantity: '2' })
    const { body } = await f.signed('GET', '/api/v3/account')
    expect(body).toMatchObject({ canTrade: true, canWithdraw: false, accountType: 'SPOT' })
    const btc = body.balances.find((each: { asset: string }) => each.asset === 'BTC')
    expect(btc.locked).toBe('2.00000000')
    expect(body.makerCommission).toBeGreaterThan(0)
    const short = (await f.signed('GET', '/api/v3/account', { omitZeroBalances: 'true' })).body
    expect(short.balances).toEqual(body.balances)
  })

  test('requests that clients make before their first order are answered correctly', async () => {
    const coins = (await f.signed('GET', '/sapi/v1/capital/config/getall')).body
    expect(coins.map((each: { coin: string }) => each.coin)).toEqual(['BTC', 'ETH', 'USDT', 'TRY'])
    expect((await f.signed('GET', '/sapi/v1/margin/allPairs')).body).toEqual([])
    expect((await f.signed('GET', '/sapi/v1/margin/isolated/allPairs')).body).toEqual([])
    const fees = (await f.signed('GET', '/sapi/v1/asset/tradeFee')).body
    expect(fees[0]).toEqual({ symbol: 'BTCUSDT', makerCommission: '0.001', takerCommission: '0.001' })
    expect((await f.ask('/sapi/v1/system/status')).body).toEqual({ status: 0, msg: 'normal' })
    const [limit] = (await f.signed('GET', '/api/v3/rateLimit/order')).body
    expect(limit).toMatchObject({
      rateLimitType: 'ORDERS',
      interval: 'MINUTE',
      intervalNum: 1,
      limit: 100_000,
    })
  })
})

function form(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString()
}

function signedText(text: string) {
  const hasher = new Bun.CryptoHasher('sha256', f.alice.secret)
  return { text, signature: hasher.update(text).digest('hex') }
}

async function post(query: string, body: string) {
  const headers = { 'X-MBX-APIKEY': f.alice.apiKey, 'Content-Type': 'application/x-www-form-urlencoded' }
  const url = `${f.wireUrl}${ORDER}${query === '' ? '' : `?${query}`}`
  const response = await fetch(url, { method: 'POST', headers, ...(body === '' ? {} : { body }) })
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked at as it is
  return { status: response.status, body: (await response.json()) as any }
}
