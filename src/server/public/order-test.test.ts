/**
 * A test of an order predicts the effect of placing it, and changes nothing
 * (docs/reference/extensions.md#order-test).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

const BUY = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '3', price: '2000' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  for (const price of ['1900', '1950']) await f.place(f.alice, { ...BUY, side: 'SELL', quantity: '1', price })
})
afterAll(() => f.stop())

const ask = (fields: Fields) => f.send('POST', '/api/v3/order/test', { test: 'true', ...fields }, f.bob)
const seen = async () => [
  (await f.send('GET', '/api/v3/wallet/balance', {}, f.bob)).body,
  (await f.send('GET', '/api/v3/depth', { symbol: 'ETH/USDT' }, f.bob)).body,
  (await f.send('GET', '/api/v3/order/active', {}, f.bob)).body,
]

describe('a test of an order', () => {
  test('says what would be executed, charged and held, and changes neither money, book nor open orders', async () => {
    const before = await seen()
    const { status, headers, body } = await ask(BUY)
    expect([status, body.data]).toEqual([
      200,
      {
        symbol: 'ETH/USDT',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        price: '2000',
        quantity: '3',
        selfTradePreventionMode: 'NONE',
        status: 'PARTIALLY_FILLED',
        executedQuantity: '2',
        executedTotal: '3850',
        averagePrice: '1925',
        commission: '0.002',
        commissionAsset: 'ETH',
        hold: '2000',
        holdAsset: 'USDT',
        fillCount: 2,
        fills: [
          { price: '1900', quantity: '1', total: '1900', commission: '0.001' },
          { price: '1950', quantity: '1', total: '1950', commission: '0.001' },
        ],
      },
    ])
    expect([...headers.keys()].filter((name) => name.includes('order-count'))).toEqual([])
    expect(await seen()).toEqual(before)
  })

  test('of a MARKET order has no price of its own, and says why its rest would be canceled', async () => {
    const { body } = await ask({ symbol: 'ETH/USDT', side: 'SELL', type: 'MARKET', quantity: '1' })
    expect(body.reason).toBe('NO_LIQUIDITY')
    const bought = await ask({ symbol: 'ETH/USDT', side: 'BUY', type: 'MARKET', total: '9000' })
    expect(bought.body.data).toMatchObject({
      status: 'CANCELED',
      endReason: 'MARKET_REMAINDER',
      total: '9000',
      hold: '0',
    })
    expect(bought.body.data.price).toBeUndefined()
  })

  test('is refused for every reason of a new order', async () => {
    for (const fields of [
      { ...BUY, price: '0.001' },
      { ...BUY, price: '2000', quantity: '5', timeInForce: 'FOK' },
      { ...BUY, type: 'LIMIT_MAKER' },
      { ...BUY, quantity: '900000000' },
      { ...BUY, strategyId: '5' },
      { ...BUY, icebergQty: '5' },
      { ...BUY, symbol: 'NO/SUCH' },
    ] as Fields[]) {
      const { status, body } = await ask(fields)
      const placed = await f.place(f.bob, fields)
      expect([status, typeof body.reason]).toEqual([400, 'string'])
      // An endpoint of ours reports more about a number than an endpoint of the common interface.
      const { nearest, parameter, ...bare } = body
      expect([status, { nearest, parameter, ...placed.body }]).toEqual([placed.status, body])
      expect(placed.body).toMatchObject(bare)
    }
  })

  test('and a new order are never the same request: one needs the parameter that the other refuses', async () => {
    const placed = await f.place(f.bob, { ...BUY, test: 'true' })
    expect([placed.status, placed.body.reason]).toEqual([400, 'UNSUPPORTED_PARAMETER'])
    const tested = await f.send('POST', '/api/v3/order/test', BUY, f.bob)
    expect([tested.status, tested.body.reason]).toEqual([400, 'MISSING_PARAMETER'])
    const { body } = await ask({ ...BUY, test: 'yes' })
    expect(body.msg).toEqual(['The parameter test must be one of true.'])
  })

  test('weighs 1, 20 where the whole book may have to be read, and 1 more for every 25 fills', async () => {
    for (let i = 0; i < 50; i++)
      await f.place(f.alice, { ...BUY, symbol: 'ETH/BTC', side: 'SELL', quantity: '0.01', price: '0.05' })
    const weightOf = async (quantity: string, timeInForce = 'GTC') => {
      const order = { symbol: 'ETH/BTC', side: 'BUY', type: 'LIMIT', price: '0.05', quantity, timeInForce }
      const used = async (fields: Fields) => Number((await ask(fields)).headers.get('x-mbx-used-weight-1m'))
      const before = await used({ ...order, test: 'no' })
      return (await used(order)) - before
    }
    expect([await weightOf('0.24'), await weightOf('0.25'), await weightOf('0.5')]).toEqual([1, 2, 3])
    expect([await weightOf('0.24', 'FOK'), await weightOf('9', 'FOK')]).toEqual([20, 20])
  })
})
