/** Orders show the key that placed them (docs/reference/authentication.md#numbers-of-keys). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture, type Trader } from './gateway.fixture.ts'

let f: Fixture
/** Keys of alice's account: its second one, without a label, and its third one. */
let second: Trader
let labelled: Trader

beforeAll(async () => {
  f = await openFixture()
  f.clock.time += 5_000
  second = await f.createKey(f.alice.accountId)
  labelled = await f.createKey(f.alice.accountId, { label: 'grid bot' })
})
afterAll(() => f.stop())

const ORDER = { symbol: 'ETH/USDT', type: 'LIMIT', side: 'SELL', quantity: '1', price: '90' }
const asObject = { ...ORDER, newOrderRespType: 'RESULT' }

async function placed(key: Trader, fields: Fields = asObject) {
  const { body } = await f.place(key, fields)
  expect(body.status).toBe(true)
  return body.data
}

const shown = async (id: string) => (await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body.data

test('an order shows the label of the key that placed it, or its number in the account, in every form of answer', async () => {
  expect((await placed(f.alice)).keyName).toBe('#1')
  expect((await placed(second)).keyName).toBe('#2')
  const { id, keyName } = await placed(labelled)
  expect([keyName, (await shown(id)).keyName]).toEqual(['grid bot', 'grid bot'])
  expect((await placed(labelled, { ...ORDER, newOrderRespType: 'FULL' })).keyName).toBe('grid bot')
  expect((await placed(f.bob, { ...asObject, side: 'BUY', price: '1' })).keyName).toBe('#1')
  const open = (await f.send('GET', '/api/v3/openOrders', {}, second)).body.data
  expect(open.map(({ keyName }: { keyName: string }) => keyName)).toEqual([
    ...['grid bot', 'grid bot', '#2', '#1'],
  ])
})

test('an answer of the common interface has no key', async () => {
  const { text } = await f.place(labelled, ORDER)
  expect(text).not.toContain('grid bot')
  expect((await f.send('GET', '/api/v3/order/active', {}, labelled)).text).not.toContain('grid bot')
})

test('an order that ended shows its key, with the label that the key has now', async () => {
  const { id } = await placed(second)
  await f.send('DELETE', '/api/v3/order', { id }, labelled)
  expect(await shown(id)).toMatchObject({ status: 'CANCELED', keyName: '#2' })
  const { apiKey } = second
  const terms = { permissions: ['TRADE'], addresses: [], label: 'hedger', expiresAt: 0 } as const
  await f.submit({ kind: 'SetApiKeyTerms', operator: { actor: 'test', note: '' }, apiKey, ...terms } as never)
  expect((await shown(id)).keyName).toBe('hedger')
  const { orders } = (await f.send('GET', '/api/v3/allOrders', { limit: 1 }, f.alice)).body.data
  expect(orders[0]).toMatchObject({ id, keyName: 'hedger' })
})

test('an order that is placed again with another key of the account stays the order of the first one', async () => {
  const identified = { ...asObject, newClientOrderId: 'by-two-keys' }
  const { id } = await placed(f.alice, identified)
  const { body, headers } = await f.place(labelled, identified)
  expect([body.data.id, body.data.keyName, headers.get('x-repeated')]).toEqual([id, '#1', 'true'])
})

test('the orders of a list, a batch and a replacement show the key that placed them', async () => {
  const oto = { symbol: 'ETH/USDT', workingType: 'LIMIT', workingSide: 'SELL', workingPrice: '91' }
  const pending = { pendingType: 'LIMIT', pendingSide: 'BUY', pendingPrice: '2', workingQuantity: '1' }
  const list = await f.send('POST', '/api/v3/orderList/oto', { ...oto, ...pending }, labelled)
  const names = (orders: { keyName?: string }[]) => orders.map(({ keyName }) => keyName)
  expect(names(list.body.data.orders)).toEqual(['grid bot', 'grid bot'])
  const operations = JSON.stringify([{ method: 'POST', ...asObject }])
  const batch = await f.send('POST', '/api/v3/order/batch', { operations }, labelled)
  expect(batch.text).toContain('"keyName":"grid bot"')
  const { id } = await placed(f.alice)
  const replace = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: id, ...ORDER, price: '92' }
  await f.send('POST', '/api/v3/order/cancelReplace', replace, labelled)
  const [newest] = (await f.send('GET', '/api/v3/openOrders', {}, f.alice)).body.data
  expect(newest).toMatchObject({ price: '92', keyName: 'grid bot' })
  const amended = { orderId: newest.id, newQty: '0.5' }
  const { body } = await f.send('PUT', '/api/v3/order/amend/keepPriority', amended, f.alice)
  expect(body.data).toMatchObject({ quantity: '0.5', keyName: 'grid bot' })
})

test('no answer about an order has the text of a key', async () => {
  const { id } = await placed(second)
  const texts = [
    (await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).text,
    (await f.send('GET', '/api/v3/openOrders', {}, f.alice)).text,
    (await f.send('GET', '/api/v3/allOrders', {}, f.alice)).text,
  ]
  for (const text of texts)
    for (const { apiKey } of [f.alice, second, labelled]) expect(text).not.toContain(apiKey)
})
