/** Orders that wait for a price, over HTTP (docs/reference/waiting-orders.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const SYMBOL = { symbol: 'ETH/USDT' }
const STOP_LIMIT = {
  ...SYMBOL,
  side: 'SELL',
  type: 'STOP_LOSS_LIMIT',
  quantity: '1',
  price: '1700',
  stopPrice: '1800',
}
const STOP_BUY = { ...SYMBOL, side: 'BUY', type: 'STOP_LOSS', total: '500', stopPrice: '2500' }
const STOP_SELL = { ...SYMBOL, side: 'SELL', type: 'STOP_LOSS', quantity: '2', stopPrice: '1800' }

const active = async () => JSON.parse((await f.send('GET', '/api/v3/order/active', SYMBOL, f.alice)).text)
const cancel = (id: string) => f.send('DELETE', '/api/v3/order', { id }, f.alice)
const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

async function outcome(fields: Fields): Promise<string> {
  const { body } = await f.place(f.alice, fields)
  if (body.status !== true) return `${body.reason}: ${body.msg[0]}`
  await cancel(body.data.id)
  return 'placed'
}

describe('an order that waits', () => {
  test('is answered and listed as requested, with 0 for figures that it does not name, and is canceled by its id', async () => {
    const cases: readonly [Fields, Fields][] = [
      [STOP_LIMIT, { price: 1700, qty: 1, total: 1700 }],
      [STOP_BUY, { price: 0, qty: 0, total: 500 }],
      [STOP_SELL, { price: 0, qty: 2, total: 0 }],
    ]
    for (const [fields, figures] of cases) {
      const { body } = await f.place(f.alice, fields)
      expect(body.data).toMatchObject(figures)
      const [listed, ...more] = await active()
      const texts = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, `${value}`]))
      expect([listed, more]).toMatchObject([{ id: body.data.id, execQty: '0', ...texts }, []])
      expect((await cancel(body.data.id)).status).toBe(200)
      expect(await active()).toEqual([])
    }
  })

  test('needs a stop price, and accepts exactly the parameters of its type', async () => {
    for (const fields of [STOP_LIMIT, STOP_BUY, STOP_SELL]) {
      expect(await outcome(fields)).toBe('placed')
      expect(await outcome(without(fields, 'stopPrice'))).toStartWith(
        'MISSING_PARAMETER: The parameter stopPrice',
      )
    }
    expect(await outcome(without(STOP_LIMIT, 'price'))).toStartWith('MISSING_PARAMETER: The parameter price')
    expect(await outcome(without(STOP_BUY, 'total'))).toStartWith('MISSING_PARAMETER: The parameter total')
    expect(await outcome(without(STOP_SELL, 'quantity'))).toStartWith(
      'MISSING_PARAMETER: The parameter quantity',
    )
    const notTaken = (type: string, name: string) =>
      `PARAMETER_NOT_TAKEN: The parameter ${name} is not allowed for a ${type} order.`
    expect(await outcome({ ...STOP_BUY, price: '2500' })).toBe(notTaken('STOP_LOSS', 'price'))
    expect(await outcome({ ...STOP_SELL, total: '5' })).toBe(notTaken('STOP_LOSS SELL', 'total'))
    expect(await outcome({ ...STOP_SELL, timeInForce: 'IOC' })).toBe(notTaken('STOP_LOSS', 'timeInForce'))
    expect(await outcome({ ...STOP_LIMIT, timeInForce: 'FOK' })).toBe('placed')
    expect(await outcome({ ...STOP_LIMIT, type: 'LIMIT' })).toBe(notTaken('LIMIT', 'stopPrice'))
    expect(await outcome({ ...STOP_LIMIT, stopPrice: '1800.001' })).toStartWith('TOO_MANY_DECIMALS')
    expect(await outcome({ ...STOP_LIMIT, stopprice: '1' })).toStartWith('MISSPELLED_PARAMETER')
  })

  test('is an order object that is not working yet, as in the list of open orders', async () => {
    const { body } = await f.place(f.alice, STOP_BUY)
    const { id } = body.data
    const { data } = (await f.send('GET', '/api/v3/openOrders', SYMBOL, f.alice)).body
    const shown = { id, type: 'STOP_LOSS', stopPrice: '2500', total: '500', status: 'NEW', isWorking: false }
    expect(data).toMatchObject([shown])
    expect(data[0]).not.toHaveProperty('price')
    expect(data[0]).not.toHaveProperty('quantity')
    await cancel(id)
  })

  test('is tested without being placed: it would wait, and hold what it may need', async () => {
    const fields = { ...STOP_BUY, test: 'true' }
    const { body } = await f.send('POST', '/api/v3/order/test', fields, f.alice)
    expect(body.data).toMatchObject({ status: 'NEW', stopPrice: '2500', hold: '500', fillCount: 0 })
    expect(await active()).toEqual([])
  })

  test('is triggered by a trade at its price, and is refused by name once the last trade has reached that', async () => {
    const { body } = await f.place(f.alice, STOP_LIMIT)
    const order = { ...SYMBOL, type: 'LIMIT', price: '1800', quantity: '1' }
    await f.place(f.bob, { ...order, side: 'SELL' })
    await f.place(f.bob, { ...order, side: 'BUY' })
    expect((await active()).map(({ id }: { id: string }) => id)).toEqual([body.data.id])
    expect(await outcome(STOP_LIMIT)).toStartWith('STOP_PRICE_REACHED')
    const depth = (await f.send('GET', '/api/v3/depth', SYMBOL, f.alice)).body
    expect(depth.sell).toEqual({ '1700.00': 1 })
  })
})
