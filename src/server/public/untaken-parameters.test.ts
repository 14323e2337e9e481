/** Names that an endpoint does not accept (docs/reference/extensions.md#what-they-share). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ROUTES } from '../http/routes.ts'
import { SECURED_ENDPOINTS } from './endpoint-samples.fixture.ts'
import { type Fixture, openFixture, type Seen, see, sign } from './gateway.fixture.ts'
import { sendStrictForm } from './strict.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  // After the time for which a newly started node has no nonces.
  f.clock.time += 5_000
})
afterAll(() => f.stop())

async function asked(method: string, path: string, form: string, isStrict = false): Promise<Seen> {
  if (isStrict) {
    const trader = await f.createKey(f.alice.accountId, { permissions: ['WITHDRAW'] })
    return sendStrictForm(f, method, `/api/v3${path}`, `${form}timestamp=${f.clock.time}`, trader)
  }
  const query = `${form}timestamp=${f.clock.time}`
  const headers = { 'X-Apikey': f.alice.apiKey, 'X-Signature': sign(f.alice.secret, query) }
  return see(await fetch(`${f.url}/api/v3${path}?${query}`, { method, headers }))
}

const isExtension = (method: string, path: string): boolean =>
  ROUTES.get(`/api/v3${path}`)?.endpoints[method]?.isExtension === true

/** Endpoints that answer like a new order, to the same parameters. */
const AS_CONTRACT = new Set(['/order/test'])

for (const { method, path, extra, isStrict } of SECURED_ENDPOINTS) {
  const refuses = isExtension(method, path) && !AS_CONTRACT.has(path)
  const verb = refuses ? 'refuses' : 'ignores'
  test(`${method} ${path}?${extra} ${verb} an unknown name`, async () => {
    const { body } = await asked(method, path, `${extra}unheardOf=1&`, isStrict)
    const isRefused = body.reason === 'INVALID_PARAMETER'
    expect(isRefused).toBe(refuses)
    if (!refuses) return
    expect(body.msg[0]).toStartWith('The parameter unheardOf must be left out; here')
    expect(body.msg[0]).not.toContain('…')
  })
}

const ID = '00000000-0000-4000-8000-000000000000'
const NEW = 'symbol=ETH/USDT&side=BUY&type=LIMIT&quantity=1&price=10&'
/**
 * Parameters with a meaning at Binance or at another of our endpoints: the name, and the request that has it.
 */
const MEANT = [
  ['newClientOrderId', 'PUT', '/order/amend/keepPriority', `orderId=${ID}&newQty=1&newClientOrderId=b&`],
  ['cancelRestrictions', 'DELETE', '/order', `id=${ID}&cancelRestrictions=ONLY_NEW&`],
  ['cancelReplaceMode', 'DELETE', '/order', `id=${ID}&cancelReplaceMode=ALLOW_FAILURE&`],
  ['cancelRestrictions', 'POST', '/order', `${NEW}cancelRestrictions=ONLY_NEW&`],
  ['deadline', 'POST', '/order', `${NEW}deadline=1&`],
  ['deadline', 'POST', '/order/test', `${NEW}test=true&deadline=1&`],
  ['startTime', 'GET', '/allOrders', 'startTime=1&'],
  ['fromId', 'GET', '/myTrades', 'fromId=1&'],
  ['timeZone', 'GET', '/klines', 'symbol=ETH/USDT&interval=1m&timeZone=8&'],
  ['symbols', 'GET', '/ticker/price', 'symbols=["ETH/USDT"]&'],
  ['symbols', 'GET', '/exchangeInfo/rules', 'symbols=["ETH/USDT"]&'],
] as const

for (const [name, method, path, form] of MEANT) {
  test(`${method} ${path} refuses ${name} by its name, and does nothing`, async () => {
    const open = async () => (await f.send('GET', '/api/v3/openOrders', {}, f.alice)).body.data
    const before = await open()
    const { status, body } = await asked(method, path, form)
    expect(status).toBe(400)
    expect(['INVALID_PARAMETER', 'UNSUPPORTED_PARAMETER']).toContain(body.reason)
    expect(body.msg[0]).toContain(`parameter ${name} `)
    expect(await open()).toEqual(before)
  })
}

test('a restricted cancel in a batch is refused by that name, and the order stays', async () => {
  const { id } = (
    await f.place(f.alice, { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: 1, price: 10 })
  ).body.data
  const operations = JSON.stringify([{ method: 'DELETE', id, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' }])
  const { body } = await f.send('POST', '/api/v3/order/batch', { operations }, f.alice)
  expect(body.data[0].body.reason).toBe('UNSUPPORTED_PARAMETER')
  expect((await f.send('DELETE', '/api/v3/order', { id }, f.alice)).status).toBe(200)
})

test('a request that needs one of two parameters names both where neither is given', async () => {
  const cases = [
    ['GET', '/order', '', 'orderId or origClientOrderId'],
    ['PUT', '/order/amend/keepPriority', 'newQty=1&', 'orderId or origClientOrderId'],
    [
      'POST',
      '/order/cancelReplace',
      `${NEW}cancelReplaceMode=ALLOW_FAILURE&`,
      'cancelId or cancelOrigClientOrderId',
    ],
    ['GET', '/orderList', '', 'listId or listClientOrderId'],
    ['DELETE', '/orderList', '', 'cancelListId or cancelListClientOrderId'],
  ] as const
  for (const [method, path, form, names] of cases) {
    const { body } = await asked(method, path, form)
    expect(body.msg).toEqual([`The parameter ${names} is required.`])
  }
})

test('an order that is asked for with a symbol is one of that symbol', async () => {
  const { id } = (
    await f.place(f.alice, { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: 1, price: 10 })
  ).body.data
  const reasonFor = async (symbol: string) =>
    (await f.send('GET', '/api/v3/order', { orderId: id, symbol }, f.alice)).body.reason
  expect([await reasonFor('ETH/USDT'), await reasonFor('ETH/BTC'), await reasonFor('ETHUSDT')]).toEqual([
    undefined,
    'UNKNOWN_ORDER',
    'UNKNOWN_SYMBOL',
  ])
})
