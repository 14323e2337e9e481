/** Orders that show one part of themselves at a time, over HTTP (docs/reference/iceberg-orders.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TIMES_IN_FORCE } from '../../units/order-enums.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const SYMBOL = { symbol: 'ETH/USDT' }
const SELL = { ...SYMBOL, side: 'SELL', type: 'LIMIT', quantity: '10', price: '2000', icebergQty: '3' }

const depth = async () => (await f.send('GET', '/api/v3/depth', SYMBOL, f.alice)).body
const cancel = (id: string) => f.send('DELETE', '/api/v3/order', { id }, f.alice)

async function outcome(fields: Fields): Promise<string> {
  const { body } = await f.place(f.alice, fields)
  if (body.status !== true) return `${body.reason}: ${body.msg[0]}`
  await cancel(body.data.id)
  return 'placed'
}

describe('an iceberg order', () => {
  test('is seen by the public with one part alone, and by its owner as a whole', async () => {
    const { body } = await f.place(f.alice, SELL)
    const { id } = body.data
    expect(body.data).toMatchObject({ qty: 10, total: 20_000 })
    expect((await depth()).sell).toEqual({ '2000.00': 3 })
    const shown = { id, quantity: '10', visibleQuantity: '3', executedQuantity: '0', isWorking: true }
    const list = async () => (await f.send('GET', '/api/v3/openOrders', SYMBOL, f.alice)).body.data
    expect(await list()).toMatchObject([shown])
    await f.place(f.bob, { ...SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '4', price: '2000' })
    expect((await depth()).sell).toEqual({ '2000.00': 2 })
    const rest = { ...shown, executedQuantity: '4', status: 'PARTIALLY_FILLED' }
    expect(await list()).toMatchObject([rest])
    await cancel(id)
    expect((await depth()).sell).toEqual({})
    const { data } = (await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body
    expect(data).toMatchObject({ id, visibleQuantity: '3', executedQuantity: '4', status: 'CANCELED' })
  })

  test('may rest, otherwise the parameter is refused by name', async () => {
    const notTaken = (type: string) =>
      `PARAMETER_NOT_TAKEN: The parameter icebergQty is not allowed for a ${type} order.`
    expect(await outcome(SELL)).toBe('placed')
    for (const timeInForce of TIMES_IN_FORCE) {
      const expireTime = Date.now() + 3_600_000
      const fields = { ...SELL, timeInForce, ...(timeInForce === 'GTD' ? { expireTime } : {}) }
      const isShort = timeInForce === 'IOC' || timeInForce === 'FOK'
      expect(await outcome(fields)).toBe(isShort ? notTaken(`LIMIT ${timeInForce}`) : 'placed')
    }
    expect(await outcome({ ...SELL, type: 'LIMIT_MAKER' })).toBe('placed')
    expect(await outcome({ ...SELL, type: 'STOP_LOSS_LIMIT', stopPrice: '1800' })).toBe(
      notTaken('STOP_LOSS_LIMIT'),
    )
    const { price: _, ...market } = SELL
    expect(await outcome({ ...market, type: 'MARKET' })).toBe(notTaken('MARKET'))
    expect(await outcome({ ...SELL, icebergQty: '0' })).toStartWith('INVALID_PARAMETER')
    expect(await outcome({ ...SELL, icebergQty: '0.1234567891' })).toStartWith('TOO_MANY_DECIMALS')
  })

  test('is tested as it would be placed, against the shown orders', async () => {
    const test = async (fields: Fields) =>
      (await f.send('POST', '/api/v3/order/test', { ...fields, test: 'true' }, f.bob)).body
    expect((await test(SELL)).data).toMatchObject({ status: 'NEW', visibleQuantity: '3', hold: '10' })
    const { body } = await f.place(f.alice, SELL)
    const buy = { ...SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '9', price: '2000' }
    expect((await test(buy)).data).toMatchObject({ executedQuantity: '3', fillCount: 1 })
    expect(await test({ ...buy, timeInForce: 'FOK' })).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    const bought = await f.place(f.bob, { ...buy, timeInForce: 'FOK', newOrderRespType: 'RESULT' })
    expect(bought.body.data).toMatchObject({ status: 'FILLED', executedQuantity: '9' })
    await cancel(body.data.id)
  })
})
