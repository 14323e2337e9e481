/**
 * An average has the ledger's decimals everywhere, and a tick's only where the contract requires it
 * (docs/reference/matching.md#averages).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

const ETH = { symbol: 'ETH/USDT', type: 'LIMIT', side: 'BUY' }
const MARKET = { symbol: 'ETH/USDT', type: 'MARKET', side: 'SELL', quantity: '2' }
const SHOWN = { newOrderRespType: 'RESULT' }
/** The average of 2 for 82.01. */
const EXACT = '41.005'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at as they are
type Data = any
const ask = async (path: string, fields: Fields = {}, trader = f.bob): Promise<Data> =>
  (await f.send('GET', `/api/v3/${path}`, fields, trader)).body.data
const post = async (path: string, fields: Fields): Promise<Data> =>
  (await f.send('POST', `/api/v3/${path}`, fields, f.bob)).body.data

/** Alice buys 1 at 41.00 and 1 at 41.01 from any seller. */
async function bids(): Promise<void> {
  for (const price of ['41', '41.01']) await f.place(f.alice, { ...ETH, price, quantity: '1' })
}

/** Each way in which Bob is shown an order that has sold 2 for 82.01: its name, and the order. */
async function* shownOrders(): AsyncGenerator<readonly [string, Data]> {
  await bids()
  yield ['order/test', await post('order/test', { ...MARKET, test: 'true' })]
  yield ['RESULT', await post('order', { ...MARKET, ...SHOWN, newClientOrderId: 'sold' })]
  yield [
    'order/test, repeated',
    await post('order/test', { ...MARKET, test: 'true', newClientOrderId: 'sold' }),
  ]
  yield ['RESULT, repeated', await post('order', { ...MARKET, ...SHOWN, newClientOrderId: 'sold' })]
  yield ['GET order, ended', await ask('order', { origClientOrderId: 'sold' })]
  yield ['allOrders', (await ask('allOrders', { limit: 1 })).orders[0]]
  await bids()
  yield ['FULL', await post('order', { ...MARKET, newOrderRespType: 'FULL' })]
  await bids()
  const open = await post('order', { ...MARKET, ...SHOWN, type: 'LIMIT', price: '41', quantity: '3' })
  yield ['RESULT, open', open]
  yield ['GET order, open', await ask('order', { orderId: open.id })]
  yield ['openOrders', (await ask('openOrders'))[0]]
  const amend = { orderId: open.id, newQty: '2.5' }
  yield ['amend', (await f.send('PUT', '/api/v3/order/amend/keepPriority', amend, f.bob)).body.data]
  await f.send('DELETE', '/api/v3/order', { id: open.id }, f.bob)
  yield ['GET order, canceled', await ask('order', { orderId: open.id })]
}

test('an average has the decimals of the ledger wherever an order is shown', async () => {
  const averages: Record<string, unknown> = {}
  for await (const [name, order] of shownOrders()) averages[name] = order.averagePrice
  expect(averages).toEqual(Object.fromEntries(Object.keys(averages).map((name) => [name, EXACT])))
  expect(await ask('ticker/24hr', { symbol: 'ETH/USDT' })).toMatchObject({ weightedAvgPrice: EXACT })
})

test('the price in the answer to a MARKET order is a price of the symbol, half a tick up', async () => {
  await bids()
  const { body } = await f.place(f.bob, MARKET)
  expect(body.data).toMatchObject({ price: 41.01, qty: 2, total: 82.01 })
})
