/** The answer to a placement with its fills (docs/reference/orders.md#answer-to-a-placement). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { EngineFault } from '../../engine/port/fault.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
/** All queries to the history fail. */
let isHistoryLost = false
beforeAll(async () => {
  f = await openFixture({ wrap: (services) => ({ ...services, history: losing(services.history) }) })
})
afterAll(() => f.stop())

function losing(history: HistoryPort): HistoryPort {
  const guarded =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    (...asked: Asked): Promise<Answer> =>
      isHistoryLost ? Promise.reject(new EngineFault('OVERLOADED', 'lost')) : ask(...asked)
  return {
    ...history,
    numberedOrders: guarded((query) => history.numberedOrders(query)),
    fills: guarded((query) => history.fills(query)),
  }
}

const ETH = { symbol: 'ETH/USDT', type: 'LIMIT' }
const FULL = { newOrderRespType: 'FULL' }

const sell = (price: string, quantity: string, more: Fields = {}) =>
  f.place(f.alice, { ...ETH, side: 'SELL', price, quantity, ...more })
const readOrder = async (orderId: string) =>
  (await f.send('GET', '/api/v3/order', { orderId }, f.bob)).body.data
const clear = async () => {
  for (const trader of [f.alice, f.bob]) {
    const { data } = (await f.send('GET', '/api/v3/openOrders', {}, trader)).body
    for (const { id } of data) await f.send('DELETE', '/api/v3/order', { id }, trader)
  }
}

describe('a placement with newOrderRespType FULL', () => {
  test('is answered with the order as it can be read, and with its fills, oldest first', async () => {
    const cases: readonly Fields[] = [
      { ...ETH, side: 'BUY', price: '12', quantity: '3' },
      { ...ETH, side: 'BUY', price: '12', quantity: '3', timeInForce: 'IOC' },
      { ...ETH, side: 'BUY', price: '11', quantity: '2', newClientOrderId: 'full' },
      { symbol: 'ETH/USDT', type: 'MARKET', side: 'BUY', total: '30' },
      { ...ETH, side: 'BUY', price: '9', quantity: '1', icebergQty: '0.5' },
      { ...ETH, type: 'STOP_LOSS_LIMIT', side: 'BUY', price: '50', quantity: '1', stopPrice: '40' },
    ]
    for (const fields of cases) {
      await sell('10', '1')
      await sell('11', '1')
      const { status, body } = await f.place(f.bob, { ...fields, ...FULL })
      expect(status).toBe(200)
      const { fills, ...order } = body.data
      expect(order).toEqual(await readOrder(order.id))
      const trades = (await f.send('GET', '/api/v3/myTrades', { orderId: order.id }, f.bob)).body.data.fills
      const known = trades.toReversed().map(({ id, price, quantity, total, ...fill }: Fields) => {
        const { number, commission, commissionAsset, isMaker } = fill
        return { tradeId: id, number, price, quantity, total, commission, commissionAsset, isMaker }
      })
      expect(fills).toEqual(known)
      await clear()
    }
  })

  test('shows the self-trade prevention that affected it', async () => {
    await f.place(f.bob, { ...ETH, side: 'SELL', price: '10', quantity: '1' })
    const fields = { ...ETH, side: 'BUY', price: '10', quantity: '3', selfTradePreventionMode: 'DECREMENT' }
    const { body } = await f.place(f.bob, { ...fields, ...FULL })
    const { fills, ...order } = body.data
    expect([fills, order]).toEqual([[], await readOrder(order.id)])
    expect(order).toMatchObject({ status: 'NEW', preventedQuantity: '1' })
    await clear()
  })

  test('has the first 100 fills, and says that there are more', async () => {
    for (let i = 0; i < 103; i++) await sell('10', '0.01')
    const order = { ...ETH, side: 'BUY', price: '10', quantity: '2' }
    const { body } = await f.place(f.bob, { ...order, ...FULL })
    expect(body.data).toMatchObject({ executedQuantity: '1.03', hasMoreFills: true })
    expect(body.data.fills).toHaveLength(100)
    await clear()
  })

  test('weighs 4 more than any other placement, taken before the order is placed', async () => {
    const order = { ...ETH, side: 'BUY', price: '1', quantity: '1' }
    const weight = async (more: Fields) =>
      Number((await f.place(f.bob, { ...order, ...more })).headers.get('x-mbx-used-weight-1m'))
    const before = await weight({})
    expect((await weight(FULL)) - before).toBe(5)
    await clear()
  })

  test('of a repeat shows the order as it is now, with its newest fills', async () => {
    await sell('10', '1')
    const order = { ...ETH, side: 'BUY', price: '10', quantity: '3', newClientOrderId: 'again', ...FULL }
    const { body } = await f.place(f.bob, order)
    expect(body.data).toMatchObject({ executedQuantity: '1', fills: [{ isMaker: false, quantity: '1' }] })
    await sell('10', '0.5')
    const again = await f.place(f.bob, order)
    expect(again.headers.get('x-repeated')).toBe('true')
    const fills = [
      { isMaker: false, quantity: '1' },
      { isMaker: true, quantity: '0.5' },
    ]
    expect(again.body.data).toMatchObject({ id: body.data.id, executedQuantity: '1.5', fills })
    await clear()
  })

  test('is answered also where nothing can be read any more', async () => {
    await sell('10', '1')
    isHistoryLost = true
    const order = { ...ETH, side: 'BUY', price: '10', quantity: '1' }
    const { status, body } = await f.place(f.bob, { ...order, ...FULL })
    isHistoryLost = false
    expect([status, body.data]).toMatchObject([200, { status: 'FILLED', fills: [{ quantity: '1' }] }])
  })

  test('is available for a replacement too', async () => {
    await clear()
    await sell('10', '1')
    const { body: old } = await f.place(f.bob, { ...ETH, side: 'BUY', price: '9', quantity: '1' })
    const fields = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: old.data.id, ...FULL }
    const buy = { ...ETH, side: 'BUY', price: '10', quantity: '2' }
    const { status, body } = await f.send('POST', '/api/v3/order/cancelReplace', { ...buy, ...fields }, f.bob)
    expect(status).toBe(200)
    const placed = Object.values(body.data).find((each) => (each as typeof body).data !== undefined)
    const fills = [{ price: '10', quantity: '1', isMaker: false }]
    expect(placed).toMatchObject({ data: { status: 'PARTIALLY_FILLED', fills } })
    await clear()
  })

  test('is available in a batch too, each order with its own fills', async () => {
    await clear()
    for (const price of ['10', '11', '12']) await sell(price, '1')
    const buy = { method: 'POST', ...ETH, side: 'BUY', price: '12', quantity: '1', ...FULL }
    const operations = JSON.stringify([buy, { ...buy, quantity: '2' }])
    const { body } = await f.send('POST', '/api/v3/order/batch', { operations }, f.bob)
    const prices = body.data.map((answer: { body: { data: { fills: Fields[] } } }) =>
      answer.body.data.fills.map(({ price }) => price),
    )
    expect(prices).toEqual([['10'], ['11', '12']])
  })

  test('weighs as much in a batch as alone', async () => {
    const buy = { method: 'POST', ...ETH, side: 'BUY', price: '1', quantity: '1' }
    const weight = async (operations: readonly Fields[]) => {
      const fields = { operations: JSON.stringify(operations) }
      const { headers } = await f.send('POST', '/api/v3/order/batch', fields, f.bob)
      return Number(headers.get('x-mbx-used-weight-1m'))
    }
    const before = await weight([buy])
    expect((await weight([buy, { ...buy, ...FULL }, { ...buy, ...FULL }])) - before).toBe(11)
    await clear()
  })
})
