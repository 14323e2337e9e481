/** Tick and step of a symbol as traders see them (docs/reference/extensions.md#rules-of-symbols). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lots, price } from '../../units/quantities.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'
import { OPERATOR } from './reasons/provoke.fixture.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.025', price: '100.05' }
const OURS = { newOrderRespType: 'RESULT' }
let f: Fixture
/** Alice's order, placed before tick and step were set. */
let odd: { id: string; qty: number; price: number }
let exchangeInfo: string

beforeAll(async () => {
  f = await openFixture()
  exchangeInfo = (await f.send('GET', '/api/v3/exchangeInfo', {})).text
  const { body } = await f.place(f.alice, { ...ORDER, quantity: '0.037', price: '100.02' })
  odd = body.data
  const increments = { tickSize: price(5), stepSize: lots(2_500_000) }
  await f.submit({ kind: 'SetSymbolIncrements', operator: OPERATOR, symbol: 'BTC/USDT', ...increments })
})
afterAll(() => f.stop())

const placed = async (fields: Fields) => (await f.place(f.alice, { ...ORDER, ...OURS, ...fields })).body
const PRICE = { reason: 'PRICE_NOT_ON_TICK', parameter: 'price', nearest: '100.05' }
const QUANTITY = { reason: 'QUANTITY_NOT_ON_STEP', parameter: 'quantity', nearest: '0.025' }

describe('a symbol with a tick size and a step size', () => {
  test('states them in its rules, with the smallest figures that are multiples of them', async () => {
    const { body } = await f.send('GET', '/api/v3/exchangeInfo/rules', { symbol: 'BTC/USDT' })
    const [prices, sizes] = body.data.symbols[0].filters
    expect(prices).toMatchObject({ minPrice: '0.05', tickSize: '0.05', maxPrice: '90071992547409.9' })
    expect(sizes).toMatchObject({ minQty: '0.025', stepSize: '0.025', maxQty: '90071992.525' })
  })

  test('leaves the exchange information of the common interface as it was, to the byte', async () => {
    expect((await f.send('GET', '/api/v3/exchangeInfo', {})).text).toBe(exchangeInfo)
  })

  test('refuses a figure off tick or step with the nearest valid value, wherever an order is placed', async () => {
    expect(await placed({ price: '100.07' })).toMatchObject(PRICE)
    expect(await placed({ quantity: '0.037' })).toMatchObject(QUANTITY)
    const stop = { type: 'STOP_LOSS_LIMIT', side: 'SELL', stopPrice: '9.99', price: '9' }
    expect(await placed(stop)).toMatchObject({ ...PRICE, parameter: 'stopPrice', nearest: '10' })
    const part = { quantity: '0.1', icebergQty: '0.04' }
    expect(await placed(part)).toMatchObject({ ...QUANTITY, parameter: 'icebergQty', nearest: '0.05' })
    const test = await f.send(
      'POST',
      '/api/v3/order/test',
      { ...ORDER, price: '100.07', test: 'true' },
      f.alice,
    )
    expect(test.body).toMatchObject(PRICE)
    const operations = JSON.stringify([{ method: 'POST', ...ORDER, ...OURS, quantity: '0.03' }])
    const batch = await f.send('POST', '/api/v3/order/batch', { operations }, f.alice)
    expect(batch.body.data[0].body).toMatchObject(QUANTITY)
    const replaced = await f.send(
      'POST',
      '/api/v3/order/cancelReplace',
      { ...ORDER, price: '100.07', cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: odd.id },
      f.alice,
    )
    expect(replaced.body).toMatchObject(PRICE)
    const legs = { workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '100', workingQuantity: '0.025' }
    const pending = { pendingType: 'LIMIT', pendingSide: 'SELL', pendingPrice: '200.01' }
    const list = await f.send(
      'POST',
      '/api/v3/orderList/oto',
      { symbol: 'BTC/USDT', ...legs, ...pending },
      f.alice,
    )
    expect(list.body).toMatchObject({ ...PRICE, parameter: 'pendingPrice', nearest: '200' })
  })

  test('keeps an answer of the common interface to its four members', async () => {
    const { status, body } = await f.place(f.alice, { ...ORDER, price: '100.07' })
    expect([status, Object.keys(body)]).toEqual([400, ['status', 'code', 'msg', 'reason']])
    expect(body.msg[0]).toContain(': found 100.07 USDT, expected a multiple of 0.05')
  })

  test('leaves an open order as it was, to be amended down to a multiple, and canceled', async () => {
    const { body } = await f.send('GET', '/api/v3/order', { orderId: odd.id }, f.alice)
    expect(body.data).toMatchObject({ price: '100.02', quantity: '0.037', status: 'NEW' })
    const amend = async (newQty: string) => {
      const amendment = { orderId: odd.id, newQty }
      return (await f.send('PUT', '/api/v3/order/amend/keepPriority', amendment, f.alice)).body
    }
    expect(await amend('0.03')).toMatchObject({ ...QUANTITY, parameter: 'newQty' })
    expect(await amend('0.036')).toMatchObject({ ...QUANTITY, parameter: 'newQty', nearest: '0.037' })
    expect((await amend('0.037')).data.order ?? (await amend('0.037')).data).toMatchObject({
      quantity: '0.037',
    })
    expect((await amend('0.025')).status).toBe(true)
    expect((await f.send('DELETE', '/api/v3/order', { id: odd.id }, f.alice)).status).toBe(200)
  })
})
