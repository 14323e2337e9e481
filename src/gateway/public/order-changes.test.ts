/** Changes of open orders over HTTP (docs/reference/order-changes.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture, type Seen, type Trader } from './gateway.fixture.ts'

const ETH = { symbol: 'ETH/USDT', type: 'LIMIT' }
const ASK = { ...ETH, side: 'SELL', quantity: '1', price: '20' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const cancel = (id: string, trader = f.alice) => f.send('DELETE', '/api/v3/order', { id }, trader)

async function free(trader: Trader, code: string): Promise<string> {
  return (await f.send('GET', '/api/v3/wallet/balance', { code }, trader)).body.data.free
}

describe('lowering the quantity of an order', () => {
  const amend = (fields: Fields, trader = f.alice): Promise<Seen> =>
    f.send('PUT', '/api/v3/order/amend/keepPriority', fields, trader)

  test('answers with the order as it is then, frees what it held, and shows it so wherever it is read', async () => {
    const before = Number(await free(f.alice, 'ETH'))
    const { id } = (await f.place(f.alice, { ...ASK, newClientOrderId: 'amended' })).body.data
    await f.place(f.bob, { ...ETH, side: 'BUY', quantity: '0.25', price: '20' })
    f.clock.time += 1_000
    const { status, body } = await amend({ orderId: id, newQty: '0.500' })
    const shown = { id, clientOrderId: 'amended', quantity: '0.5', executedQuantity: '0.25' }
    expect([status, body.data]).toEqual([200, expect.objectContaining({ ...shown, updatedAt: f.clock.time })])
    expect(Number(await free(f.alice, 'ETH'))).toBeCloseTo(before - 0.5, 8)
    expect((await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body.data).toEqual(body.data)
    expect((await f.send('GET', '/api/v3/openOrders', {}, f.alice)).body.data).toEqual([body.data])
    const depth = (await f.send('GET', '/api/v3/depth', { symbol: 'ETH/USDT' }, f.alice)).text
    expect(depth).toContain('0.25')
    await cancel(id)
    const ended = (await f.send('GET', '/api/v3/allOrders', { limit: 1 }, f.alice)).body.data.orders
    expect(ended).toEqual([expect.objectContaining({ ...shown, status: 'CANCELED', endReason: 'USER' })])
    const again = await f.place(f.alice, { ...ASK, newClientOrderId: 'amended' })
    expect([again.headers.get('x-repeated'), again.body.data.id]).toEqual(['true', id])
  })

  test('by the id that it was given, twice, is one amendment, and the order is first in turn as before', async () => {
    const first = (await f.place(f.alice, { ...ASK, newClientOrderId: 'first' })).body.data.id
    const second = (await f.place(f.alice, ASK)).body.data.id
    for (let time = 0; time < 2; time++) {
      const { body } = await amend({ origClientOrderId: 'first', newQty: '0.1' })
      expect(body.data).toMatchObject({ id: first, quantity: '0.1' })
    }
    await f.place(f.bob, { ...ETH, side: 'BUY', quantity: '0.1', price: '20' })
    const { body } = await f.send('GET', '/api/v3/order', { orderId: first }, f.alice)
    expect(body.data.status).toBe('FILLED')
    await cancel(second)
  })

  test('is refused by the name of what is wrong, and nothing is changed', async () => {
    const { id } = (await f.place(f.alice, ASK)).body.data
    const wrong: [Fields, string][] = [
      [{ orderId: id }, 'MISSING_PARAMETER'],
      [{ newQty: '0.5' }, 'MISSING_PARAMETER'],
      [{ orderId: id, origClientOrderId: 'a', newQty: '0.5' }, 'INVALID_PARAMETER'],
      [{ orderId: 'x', newQty: '0.5' }, 'INVALID_PARAMETER'],
      [{ orderId: id, newQty: '0' }, 'INVALID_PARAMETER'],
      [{ orderId: id, newQty: '1e3' }, 'INVALID_PARAMETER'],
      [{ orderId: id, newQty: '0.1234567890123456789' }, 'TOO_MANY_DECIMALS'],
      [{ orderId: crypto.randomUUID(), newQty: '0.5' }, 'UNKNOWN_ORDER'],
      [{ origClientOrderId: 'nobody', newQty: '0.5' }, 'UNKNOWN_ORDER'],
    ]
    for (const [fields, reason] of wrong) {
      const { status, body } = await amend(fields)
      expect([fields, status, body.reason]).toEqual([fields, 400, reason])
    }
    const strangers = await amend({ orderId: id, newQty: '0.5' }, f.bob)
    expect(strangers.body.reason).toBe('UNKNOWN_ORDER')
    expect((await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body.data.quantity).toBe('1')
    await cancel(id)
  })
})
