/** Orders of an account over HTTP, open and ended (docs/reference/orders.md#order). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { EngineFault } from '../../engine/port/fault.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { type Fields, type Fixture, openFixture, type Trader } from './gateway.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }
const ETH = { symbol: 'ETH/USDT', type: 'LIMIT' }

type Shown = { readonly id: string; readonly [field: string]: unknown }

/** Names an order in the story below. */
type Name = 'partly' | 'sold' | 'given up' | 'total' | 'canceled' | 'swept' | 'prevented'

describe('the answer to a placement', () => {
  let f: Fixture
  beforeAll(async () => {
    f = await openFixture()
    for (const price of ['10', '11']) await f.place(f.alice, { ...ETH, side: 'SELL', quantity: '1', price })
  })
  afterAll(() => f.stop())
  const take = { ...ETH, side: 'BUY', quantity: '3', price: '11' }

  test('is the order as it is now with RESULT, of a repeat too', async () => {
    const fields = { ...take, newOrderRespType: 'RESULT', newClientOrderId: 'whole' }
    const { status, body } = await f.place(f.bob, fields)
    const placed = { clientOrderId: 'whole', status: 'PARTIALLY_FILLED', executedQuantity: '2' }
    expect([status, body.data]).toEqual([200, expect.objectContaining(placed)])
    await f.send('DELETE', '/api/v3/order', { id: body.data.id }, f.bob)
    const again = await f.place(f.bob, fields)
    expect([again.headers.get('x-repeated'), again.body.data.id]).toEqual(['true', body.data.id])
    expect(again.body.data).toMatchObject({ status: 'CANCELED', endReason: 'USER' })
  })

  test('of a refused order is the refusal, and an unknown form is an error that places nothing', async () => {
    const fok = { ...take, timeInForce: 'FOK', newOrderRespType: 'RESULT' }
    expect((await f.place(f.bob, fok)).body.reason).toBe('FOK_NOT_FILLABLE')
    expect((await f.place(f.bob, { ...take, newOrderRespType: 'ACK' })).body).toMatchObject({
      reason: 'INVALID_PARAMETER',
      msg: [expect.stringContaining('RESULT, FULL')],
    })
    expect((await f.send('GET', '/api/v3/openOrders', {}, f.bob)).body.data).toEqual([])
  })
})

describe('orders of an account', () => {
  let f: Fixture
  const ids: Partial<Record<Name, string>> = {}
  const start = 1_790_000_000_123

  async function place(name: Name, trader: Trader, fields: Fields): Promise<void> {
    f.clock.time += 1_000
    ids[name] = (await f.place(trader, fields)).body.data.id
  }

  beforeAll(async () => {
    f = await openFixture()
    await place('sold', f.alice, { ...ETH, side: 'SELL', quantity: '0.1', price: '10' })
    await place('partly', f.alice, { ...ETH, side: 'SELL', quantity: '1', price: '20' })
    await place('given up', f.bob, { ...ETH, side: 'BUY', quantity: '0.3', price: '10', timeInForce: 'IOC' })
    await place('total', f.bob, { symbol: 'ETH/USDT', type: 'MARKET', side: 'BUY', total: '5' })
    await place('canceled', f.alice, { ...ETH, side: 'BUY', quantity: '1', price: '1' })
    f.clock.time += 1_000
    await f.send('DELETE', '/api/v3/order', { id: ids.canceled ?? '' }, f.alice)
    await place('swept', f.alice, { ...ETH, symbol: 'ETH/BTC', side: 'BUY', quantity: '1', price: '1' })
    const { accountId } = f.alice
    await f.submit({ kind: 'CancelOrders', operator: OPERATOR, accountId, symbol: 'ETH/BTC' })
    const own = { ...ETH, side: 'BUY', quantity: '0.2', price: '20', selfTradePreventionMode: 'DECREMENT' }
    await place('prevented', f.alice, own)
  })
  afterAll(() => f.stop())

  const ask = (path: string, fields: Fields, trader = f.alice) =>
    f.send('GET', `/api/v3/${path}`, fields, trader)
  const one = async (name: Name, trader = f.alice): Promise<Shown> =>
    (await ask('order', { orderId: ids[name] ?? '' }, trader)).body.data

  test('are shown with what was requested and their present state, each state in its form', async () => {
    const open = {
      id: ids.partly,
      keyName: '#1',
      symbol: 'ETH/USDT',
      side: 'SELL',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '20',
      quantity: '1',
      executedQuantity: '0.25',
      executedTotal: '5',
      averagePrice: '20',
      commission: '0.005',
      commissionAsset: 'USDT',
      preventedQuantity: '0.2',
      status: 'PARTIALLY_FILLED',
      isWorking: true,
      selfTradePreventionMode: 'NONE',
      createdAt: start + 2_000,
      updatedAt: start + 8_000,
    }
    expect<unknown>(await one('partly')).toEqual(open)
    expect(await one('sold')).toMatchObject({
      status: 'FILLED',
      executedQuantity: '0.1',
      updatedAt: start + 3_000,
    })
    expect(await one('given up', f.bob)).toEqual({
      id: ids['given up'] ?? '',
      keyName: '#1',
      symbol: 'ETH/USDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'IOC',
      price: '10',
      quantity: '0.3',
      executedQuantity: '0.1',
      executedTotal: '1',
      averagePrice: '10',
      commission: '0.0001',
      commissionAsset: 'ETH',
      status: 'CANCELED',
      endReason: 'IOC',
      selfTradePreventionMode: 'NONE',
      createdAt: start + 3_000,
      updatedAt: start + 3_000,
    })
    const { price, quantity, timeInForce, ...byTotal } = await one('total', f.bob)
    expect([price, quantity, timeInForce]).toEqual([undefined, undefined, undefined])
    expect(byTotal).toMatchObject({ total: '5', executedTotal: '5', status: 'FILLED' })
    const canceled = { status: 'CANCELED', endReason: 'USER', executedTotal: '0', updatedAt: start + 6_000 }
    expect(await one('canceled')).toMatchObject({ ...canceled, createdAt: start + 5_000 })
    expect(await one('swept')).toMatchObject({ status: 'CANCELED', endReason: 'OPERATOR' })
    const prevented = { status: 'CANCELED', endReason: 'SELF_TRADE', preventedQuantity: '0.2' }
    expect(await one('prevented')).toMatchObject({ ...prevented, selfTradePreventionMode: 'DECREMENT' })
  })

  test('are the same in every list, without those of another account', async () => {
    const { orders } = (await ask('allOrders', {})).body.data
    const names: Name[] = ['prevented', 'swept', 'canceled', 'partly', 'sold']
    expect(orders).toEqual(await Promise.all(names.map((name) => one(name))))
    expect((await ask('openOrders', {})).body.data).toEqual([await one('partly')])
    expect((await ask('openOrders', { symbol: 'ETH/BTC' })).body.data).toEqual([])
    const { status, body } = await ask('order', { orderId: ids.partly ?? '' }, f.bob)
    expect([status, body.reason]).toEqual([400, 'UNKNOWN_ORDER'])
  })

  test('continue from next, and can be limited to a symbol and to a time', async () => {
    const idsOf = async (fields: Fields) => {
      const { data } = (await ask('allOrders', fields)).body
      return { ids: data.orders.map(({ id }: Shown) => id), next: data.next }
    }
    const first = await idsOf({ limit: 3 })
    expect(first).toEqual({ ids: [ids.prevented, ids.swept, ids.canceled], next: ids.canceled })
    expect(await idsOf({ limit: 3, before: first.next })).toEqual({
      ids: [ids.partly, ids.sold],
      next: undefined,
    })
    expect((await idsOf({ symbol: 'ETH/BTC' })).ids).toEqual([ids.swept])
    expect((await idsOf({ from: start + 2_000, to: start + 5_000 })).ids).toEqual([ids.canceled, ids.partly])
  })

  test('are refused for invalid parameters, by name', async () => {
    const other = '00000000-0000-4000-8000-000000000000'
    const wrong: [string, Fields, string][] = [
      ['order', {}, 'MISSING_PARAMETER'],
      ['order', { orderId: 'x' }, 'INVALID_PARAMETER'],
      ['order', { orderId: other }, 'UNKNOWN_ORDER'],
      ['allOrders', { before: other }, 'INVALID_PARAMETER'],
      ['allOrders', { limit: 1_001 }, 'INVALID_PARAMETER'],
      ['allOrders', { from: 2, to: 1 }, 'INVALID_PARAMETER'],
      ['allOrders', { symbol: 'X/Y' }, 'UNKNOWN_SYMBOL'],
      ['openOrders', { symbol: 'X/Y' }, 'UNKNOWN_SYMBOL'],
    ]
    for (const [path, fields, reason] of wrong) {
      const { status, body } = await ask(path, fields)
      expect([path, fields, status, body.reason]).toEqual([path, fields, 400, reason])
    }
  })

  test('show no time in force where their type takes none', async () => {
    const type = 'LIMIT_MAKER'
    const newClientOrderId = 'timeless'
    await f.place(f.alice, { ...ETH, side: 'SELL', quantity: '0.1', price: '90', type, newClientOrderId })
    const [open] = (await ask('openOrders', { symbol: 'ETH/USDT' })).body.data
    expect([open.type, open.timeInForce]).toEqual([type, undefined])
    await f.send('DELETE', '/api/v3/order', { cancelOrigClientOrderId: newClientOrderId }, f.alice)
  })

  test('have the id that their account has given them, wherever they are shown', async () => {
    const far = { ...ETH, side: 'SELL', quantity: '0.1', price: '90' }
    const given = ['stays', 'goes', 'went']
    for (const name of given) {
      const timeInForce = name === 'went' ? 'IOC' : 'GTC'
      await f.place(f.alice, { ...far, timeInForce, newClientOrderId: name })
    }
    await f.send('DELETE', '/api/v3/order', { cancelOrigClientOrderId: 'goes' }, f.alice)
    const { orders } = (await ask('allOrders', { limit: 3 })).body.data
    expect(orders.map((order: Shown) => order.clientOrderId)).toEqual(['went', 'goes', 'stays'])
    for (const order of orders) {
      const { clientOrderId, id } = order
      expect((await ask('order', { orderId: id })).body.data).toEqual(order)
      expect((await ask('order', { origClientOrderId: clientOrderId })).body.data).toEqual(order)
    }
    const [newest] = (await ask('openOrders', { symbol: 'ETH/USDT' })).body.data
    expect(newest).toEqual(orders[2])
    await f.send('DELETE', '/api/v3/order', { cancelOrigClientOrderId: 'stays' }, f.alice)
  })
})

test('an order that ends between the question to the history and that to the engine is shown as it ended', async () => {
  const asked: OrderNumber[] = []
  const f = await openFixture({
    wrap: (services) => {
      const { history } = services
      const numberedOrders: typeof history.numberedOrders = async (query) => {
        const found = await history.numberedOrders(query)
        const [order] = found
        if (order === undefined) throw new EngineFault('ENGINE_DOWN', 'no such order')
        asked.push(order.orderNumber)
        const { accountId, orderNumber, time: orderTime } = order
        if (order.end === undefined)
          await services.engine.submit({ kind: 'CancelOrder', accountId, orderNumber, orderTime })
        return found
      }
      return { ...services, history: { ...history, numberedOrders } }
    },
  })
  try {
    const placed = await f.place(f.alice, { ...ETH, side: 'SELL', quantity: '0.1', price: '10' })
    const { body } = await f.send('GET', '/api/v3/order', { orderId: placed.body.data.id }, f.alice)
    expect(body.data).toMatchObject({ status: 'CANCELED', endReason: 'USER' })
    expect(asked).toHaveLength(2)
  } finally {
    await f.stop()
  }
})
