/** Cancels that name a symbol or request the canceled order (docs/reference/http.md#cancel-order). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const BID = { symbol: 'ETH/USDT', type: 'LIMIT', side: 'BUY', price: '40', quantity: '1' }
const RESULT = { newOrderRespType: 'RESULT' }
const cancel = (fields: Fields, trader = f.alice) => f.send('DELETE', '/api/v3/order', fields, trader)
const read = async (orderId: string) => (await f.send('GET', '/api/v3/order', { orderId }, f.alice)).body.data

async function placed(fields: Fields = {}): Promise<string> {
  const { body } = await f.send('POST', '/api/v3/order', { ...BID, ...fields }, f.alice)
  return body.data.id
}

test('a cancel with RESULT is answered with the order as it is then', async () => {
  const ids = [await placed(), await placed({ newClientOrderId: 'mine' })]
  const names = [{ id: ids[0] as string }, { cancelOrigClientOrderId: 'mine' }]
  for (const [at, name] of names.entries()) {
    const { status, body } = await cancel({ ...name, ...RESULT })
    expect([status, body.status, body.msg]).toEqual([200, true, ['The order has been canceled.']])
    expect(body.data).toMatchObject({ id: ids[at], status: 'CANCELED', endReason: 'USER' })
    expect(body.data).toEqual(await read(ids[at] as string))
  }
  expect((await cancel({ id: await placed() })).body).not.toHaveProperty('data')
})

test('a cancel with RESULT of an own order that had ended is refused, with the order beside the reason', async () => {
  const id = await placed({ newClientOrderId: 'done' })
  await f.place(f.bob, { ...BID, side: 'SELL' })
  for (const name of [{ id }, { cancelOrigClientOrderId: 'done' }]) {
    const { status, body } = await cancel({ ...name, ...RESULT })
    expect([status, body.status, body.reason]).toEqual([400, false, 'UNKNOWN_ORDER'])
    expect(body.data).toMatchObject({ id, status: 'FILLED', executedQuantity: '1' })
    const others = [await cancel(name), await cancel({ ...name, ...RESULT }, f.bob)]
    others.push(await cancel({ ...name, ...RESULT, symbol: 'ETH/BTC' }))
    for (const other of others) {
      expect(other.body.reason).toBe('UNKNOWN_ORDER')
      expect(other.body).not.toHaveProperty('data')
    }
  }
  expect((await cancel({ id, newOrderRespType: 'FULL' })).body.reason).toBe('INVALID_PARAMETER')
})

test('a cancel that names a symbol cancels an order of that symbol alone, in a batch too', async () => {
  const id = await placed({ newClientOrderId: 'named' })
  for (const name of [{ id }, { cancelOrigClientOrderId: 'named' }]) {
    for (const form of [{}, RESULT]) {
      const { status, body } = await cancel({ ...name, ...form, symbol: 'ETH/BTC' })
      expect([status, body.reason, body.data]).toEqual([400, 'UNKNOWN_ORDER', undefined])
    }
  }
  expect((await cancel({ id, symbol: 'NO/NE' })).body.reason).toBe('UNKNOWN_SYMBOL')
  expect((await read(id)).status).toBe('NEW')
  expect(await cancel({ id, symbol: 'ETH/USDT' })).toMatchObject({ status: 200, body: { status: true } })
  const next = await placed()
  const pieces = ['ETH/BTC', 'ETH/USDT'].map((symbol) => ({ method: 'DELETE', id: next, symbol, ...RESULT }))
  const operations = JSON.stringify(pieces)
  const { body } = await f.send('POST', '/api/v3/order/batch', { operations }, f.alice)
  expect(body.data).toMatchObject([
    { status: 400, body: { reason: 'UNKNOWN_ORDER' } },
    { status: 200, body: { data: { id: next, status: 'CANCELED' } } },
  ])
})
