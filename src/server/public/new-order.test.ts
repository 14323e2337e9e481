/**
 * New orders over HTTP: every conditional rule, the refusals with their field names, and the figures in the
 * answer (docs/reference/http.md#new-order).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture, type Trader } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const LIMIT_BUY = { symbol: 'ETH/BTC', side: 'BUY', type: 'LIMIT', quantity: '1', price: '0.05' }
const MARKET = { symbol: 'ETH/BTC', type: 'MARKET' }

/** An answer, in one line. */
async function outcome(fields: Fields, trader: Trader = f.alice): Promise<string> {
  const { body } = await f.place(trader, fields)
  if (body.status === true) {
    await f.send('DELETE', '/api/v3/order', { id: body.data.id }, trader)
    return 'placed'
  }
  return `${body.code} ${body.reason}: ${body.msg[0]}`
}

const without = (fields: Fields, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

/** Runs with `quantity` resting on one side of ETH/BTC at `price`, and leaves the book empty. */
async function withResting(
  side: 'BUY' | 'SELL',
  levels: readonly (readonly [string, string])[],
  run: () => Promise<void>,
): Promise<void> {
  const ids: string[] = []
  for (const [price, quantity] of levels) {
    const { body } = await f.place(f.alice, { symbol: 'ETH/BTC', side, type: 'LIMIT', price, quantity })
    ids.push(body.data.id)
  }
  await run()
  for (const id of ids) await f.send('DELETE', '/api/v3/order', { id }, f.alice)
}

describe('a LIMIT order', () => {
  test('needs symbol, side, type, quantity and price, and each is named when it is missing', async () => {
    expect(await outcome(LIMIT_BUY)).toBe('placed')
    for (const name of Object.keys(LIMIT_BUY)) {
      expect(await outcome(without(LIMIT_BUY, name))).toBe(
        `4001 MISSING_PARAMETER: The parameter ${name} is required.`,
      )
    }
  })

  test('may have a total that is price x quantity, exactly or rounded either way', async () => {
    const odd = { ...LIMIT_BUY, quantity: '1.000001', price: '0.050001' } // 0.050001050001
    for (const total of ['0.05000105', '0.05000106', '0.050001050001', '0.05000105000100000']) {
      expect(await outcome({ ...odd, total })).toBe('placed')
    }
    for (const total of ['0.05000104', '0.05000107', '0.05']) {
      expect(await outcome({ ...odd, total })).toStartWith('4001 TOTAL_MISMATCH')
    }
    for (const total of ['0.050001050002', '0.0500010500010001']) {
      expect(await outcome({ ...odd, total })).toStartWith('4001 TOO_MANY_DECIMALS: The parameter total')
    }
  })

  test('answers what was asked for, with the total rounded up for BUY and down for SELL', async () => {
    const odd = { symbol: 'ETH/BTC', type: 'LIMIT', quantity: '1.000001', price: '0.050001' }
    const buy = await f.place(f.alice, { ...odd, side: 'BUY' })
    expect(buy.text).toContain('"price":0.050001,"qty":1.000001,"total":0.05000106,')
    await f.send('DELETE', '/api/v3/order', { id: buy.body.data.id }, f.alice)
    const sell = await f.place(f.alice, { ...odd, side: 'SELL' })
    expect(sell.text).toContain('"price":0.050001,"qty":1.000001,"total":0.05000105,')
    await f.send('DELETE', '/api/v3/order', { id: sell.body.data.id }, f.alice)
  })

  test('with IOC never rests', async () => {
    const { body } = await f.place(f.alice, { ...LIMIT_BUY, timeInForce: 'IOC' })
    expect(body.data.qty).toBe(1)
    const active = await f.send('GET', '/api/v3/order/active', { symbol: 'ETH/BTC' }, f.alice)
    expect(active.body).toEqual([])
  })
})

describe('a MARKET order', () => {
  test('to BUY needs a total, to SELL a quantity', async () => {
    expect(await outcome({ ...MARKET, side: 'BUY', quantity: '1' })).toBe(
      '4001 MISSING_PARAMETER: The parameter total is required.',
    )
    expect(await outcome({ ...MARKET, side: 'SELL', total: '1' })).toBe(
      '4001 MISSING_PARAMETER: The parameter quantity is required.',
    )
    expect(await outcome({ ...MARKET, side: 'BUY' })).toContain('MISSING_PARAMETER')
    expect(await outcome({ ...MARKET, side: 'SELL' })).toContain('MISSING_PARAMETER')
  })

  test('accepts no price, not even an empty one', async () => {
    for (const price of ['0.05', '']) {
      expect(await outcome({ ...MARKET, side: 'BUY', total: '1', price })).toStartWith(
        '4001 PRICE_NOT_ALLOWED',
      )
    }
  })

  test('answers what was executed: quantity, total, and the average price of the exact sum', async () => {
    const levels = [
      ['0.05', '1'],
      ['0.06', '2'],
    ] as const
    await withResting('SELL', levels, async () => {
      const { text, body } = await f.place(f.bob, { ...MARKET, side: 'BUY', total: '0.11' })
      expect(text).toContain('"price":0.055,"qty":2,"total":0.11,')
      expect(Object.keys(body.data)).toEqual([
        'id',
        'symbol',
        'side',
        'price',
        'qty',
        'total',
        'created_at',
        'side_name',
      ])
    })
  })

  test('to BUY with total and quantity stops at whichever binds first', async () => {
    const level = [['0.05', '10']] as const
    await withResting('SELL', level, async () => {
      const byQuantity = await f.place(f.bob, { ...MARKET, side: 'BUY', total: '1', quantity: '2' })
      expect(byQuantity.text).toContain('"qty":2,"total":0.1,')
      const byTotal = await f.place(f.bob, { ...MARKET, side: 'BUY', total: '0.1', quantity: '5' })
      expect(byTotal.text).toContain('"qty":2,"total":0.1,')
    })
  })

  test('to SELL with a total stops where its proceeds would exceed it', async () => {
    await withResting('BUY', [['0.05', '10']], async () => {
      const { text } = await f.place(f.bob, { ...MARKET, side: 'SELL', quantity: '5', total: '0.12' })
      expect(text).toContain('"qty":2.4,"total":0.12,')
    })
  })

  test('that lowered an own resting order leaves it with the remaining quantity', async () => {
    await withResting('SELL', [['0.05', '1']], async () => {
      const mode = { selfTradePreventionMode: 'DECREMENT' }
      const { text } = await f.place(f.alice, { ...MARKET, side: 'BUY', total: '0.01', ...mode })
      expect(text).toContain('"price":0,"qty":0,"total":0,')
      const { body } = await f.send('GET', '/api/v3/order/active', { symbol: 'ETH/BTC' }, f.alice)
      expect(body).toMatchObject([{ qty: '0.8', execQty: '0', total: '0.04' }])
    })
  })

  test('that only triggered self-trade prevention succeeds with zeros', async () => {
    await withResting('SELL', [['0.05', '1']], async () => {
      const mode = { selfTradePreventionMode: 'EXPIRE_MAKER' }
      const { status, text } = await f.place(f.alice, { ...MARKET, side: 'BUY', total: '1', ...mode })
      expect(status).toBe(200)
      expect(text).toContain('"price":0,"qty":0,"total":0,')
    })
  })

  test('may say IOC, which it is, and not GTC', async () => {
    await withResting('SELL', [['0.05', '2']], async () => {
      const ioc = await f.place(f.bob, { ...MARKET, side: 'BUY', total: '0.05', timeInForce: 'IOC' })
      expect(ioc.status).toBe(200)
      expect(await outcome({ ...MARKET, side: 'BUY', total: '0.05', timeInForce: 'GTC' }, f.bob)).toStartWith(
        '4001 INVALID_PARAMETER: The parameter timeInForce',
      )
    })
  })
})

describe('decimals', () => {
  test.each([
    '',
    ' ',
    '1 ',
    ' 1',
    '+1',
    '-1',
    '1e3',
    '1E3',
    '1e308',
    '1,000',
    '1_000',
    '.5',
    '5.',
    '1.2.3',
    '0x10',
    'NaN',
    'Infinity',
    '١',
    '１',
    '1\u0000',
    '0',
    '0.000000',
    '00',
  ])('%p is not a quantity, price or total', async (text) => {
    for (const name of ['quantity', 'price', 'total']) {
      expect(await outcome({ ...LIMIT_BUY, [name]: text })).toStartWith(
        `4001 INVALID_PARAMETER: The parameter ${name} must be a decimal above zero`,
      )
    }
  })

  test('have a maximum length that no amount needs, and beyond it the length is reported', async () => {
    expect(await outcome({ ...LIMIT_BUY, quantity: '1'.repeat(129) })).toBe(
      '4001 INVALID_PARAMETER: The parameter quantity must be a decimal of at most 128 characters.',
    )
  })

  test('beyond those of the symbol are refused, never rounded; zeros are accepted', async () => {
    expect(await outcome({ ...LIMIT_BUY, quantity: '1.0000001' })).toBe(
      '4001 TOO_MANY_DECIMALS: The parameter quantity can have at most 6 decimals here.',
    )
    expect(await outcome({ ...LIMIT_BUY, price: '0.0500001' })).toContain('TOO_MANY_DECIMALS')
    expect(await outcome({ ...LIMIT_BUY, quantity: '1.00000000000', price: '000.0500000' })).toBe('placed')
  })

  test('reach to 2^53-1 smallest units and end there with a clear error', async () => {
    const most = { ...LIMIT_BUY, symbol: 'USDT/TRY', price: '0.01' }
    expect(await outcome({ ...most, quantity: '90071992547409.91' })).toBe('placed')
    expect(await outcome({ ...most, quantity: '90071992547409.92' })).toBe(
      '4001 VALUE_TOO_LARGE: The parameter quantity is too large; the largest value here is 90071992547409.91.',
    )
    expect(await outcome({ ...most, quantity: '1', price: '9'.repeat(128) })).toStartWith(
      '4001 VALUE_TOO_LARGE: The parameter price',
    )
    expect(await outcome({ ...MARKET, side: 'BUY', total: '9'.repeat(128) })).toStartWith(
      '4001 VALUE_TOO_LARGE: The parameter total',
    )
  })
})

describe('enum values', () => {
  test.each([
    ['side', 'buy', 'INVALID_PARAMETER: The parameter side must be one of BUY, SELL.'],
    ['side', '', 'INVALID_PARAMETER: The parameter side must be one of BUY, SELL.'],
    [
      'type',
      'limit',
      'INVALID_PARAMETER: The parameter type must be one of LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT, TAKE_PROFIT_LIMIT.',
    ],
    ['type', 'STOP_MARKET', 'UNSUPPORTED_VALUE: The value STOP_MARKET of the parameter type'],
    ['type', 'stop_limit', 'UNSUPPORTED_VALUE: The value stop_limit of the parameter type'],
    ['type', 'TRAILING_STOP_MARKET', 'UNSUPPORTED_VALUE'],
    ['type', 'TAKE_PROFIT_MARKET', 'UNSUPPORTED_VALUE'],
    [
      'timeInForce',
      'RPI',
      'UNSUPPORTED_VALUE: The value RPI of the parameter timeInForce is not supported: it must be one of GTC, IOC, FOK, GTD.',
    ],
    ['timeInForce', 'gtx', 'UNSUPPORTED_VALUE: The value gtx of the parameter timeInForce'],
    ['timeInForce', 'gtc', 'INVALID_PARAMETER: The parameter timeInForce must be one of GTC, IOC, FOK, GTD.'],
    ['selfTradePreventionMode', 'TRANSFER', 'UNSUPPORTED_VALUE'],
    ['selfTradePreventionMode', 'none', 'INVALID_PARAMETER: The parameter selfTradePreventionMode'],
    ['symbol', 'btc/usdt', 'UNKNOWN_SYMBOL'],
    [
      'symbol',
      'BTCUSDT',
      'UNKNOWN_SYMBOL: Unknown symbol: no such symbol is listed; a symbol is written BASE/QUOTE, with the slash',
    ],
    ['symbol', '__proto__', 'UNKNOWN_SYMBOL'],
    ['symbol', '', 'UNKNOWN_SYMBOL'],
  ])('%s=%p is refused by name', async (name, value, expected) => {
    expect(await outcome({ ...LIMIT_BUY, [name]: value })).toStartWith(`4001 ${expected}`)
  })

  test.each([
    'quoteOrderQty',
    'strategyId',
    'strategyType',
    'pegPriceType',
    'pegOffsetValue',
    'STRATEGYID',
    'strategyid',
  ])('the parameter %s is refused by name, nothing is placed', async (name) => {
    expect(await outcome({ ...LIMIT_BUY, [name]: '1' })).toStartWith(
      `4001 UNSUPPORTED_PARAMETER: The parameter ${name} `,
    )
  })

  test.each([
    ['timeinforce', 'timeInForce'],
    ['TIMEINFORCE', 'timeInForce'],
    ['recvwindow', 'recvWindow'],
    ['Symbol', 'symbol'],
    ['TOTAL', 'total'],
    ['icebergqty', 'icebergQty'],
    ['selftradepreventionmode', 'selfTradePreventionMode'],
  ])('%s instead of %s is refused, not ignored', async (name, right) => {
    expect(await outcome({ ...LIMIT_BUY, [name]: '1' })).toBe(
      `4001 MISSPELLED_PARAMETER: The parameter ${name} must be written ${right}.`,
    )
  })

  test('unknown parameters are ignored', async () => {
    expect(await outcome({ ...LIMIT_BUY, foo: 'bar', __proto__x: '1', constructor: '1' })).toBe('placed')
  })
})

test('no refused request above left an order or held money', async () => {
  const active = await f.send('GET', '/api/v3/order/active', {}, f.alice)
  expect(active.body).toEqual([])
  const wallet = await f.send('GET', '/api/v3/wallet/balance', {}, f.alice)
  for (const { locked } of wallet.body.data.acc.Spot.assetAccs) expect(locked).toBe('0')
})
