/**
 * ccxt's parameters for features of other exchanges: none of them reaches the exchange or changes the meaning
 * of an answer.
 */
import { describe, expect, test } from 'bun:test'
import ccxt from 'ccxt'
import { offline, parametersOf, RULES, succeeded } from './support/exchange.ts'

const BALANCE = { acc: { Spot: { assetAccs: [] } } }
const ORDER = {
  id: 'a',
  symbol: 'BTC/USDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '1',
  executedQuantity: '0',
  status: 'NEW',
}
const WAITING = { ...ORDER, id: 'b', type: 'STOP_LOSS', stopPrice: '1' }

/** An exchange that answers everything, and its requests except those for the markets. */
function prepared() {
  const { exchange, requests } = offline(({ url, method }) => {
    if (url.includes('exchangeInfo')) return RULES
    if (url.includes('wallet')) return succeeded(BALANCE)
    if (url.includes('openOrders')) return succeeded(method === 'DELETE' ? { left: 0 } : [ORDER, WAITING])
    if (url.includes('allOrders')) return succeeded({ orders: [ORDER, WAITING] })
    if (url.includes('myTrades')) return succeeded({ fills: [] })
    if (url.includes('ledger')) return succeeded({ entries: [] })
    return succeeded(url.includes('klines') ? [] : ORDER)
  })
  return { exchange, asked: () => requests.filter(({ url }) => !url.includes('exchangeInfo')) }
}
type Exchange = ReturnType<typeof prepared>['exchange']
type Call = (exchange: Exchange, params: object) => Promise<unknown>

const CALLS: readonly (readonly [string, Call])[] = [
  ['fetchBalance', (e, params) => e.fetchBalance(params)],
  ['fetchOrder', (e, params) => e.fetchOrder('a', 'BTC/USDT', params)],
  ['fetchOpenOrders', (e, params) => e.fetchOpenOrders('BTC/USDT', undefined, undefined, params)],
  ['fetchOrders', (e, params) => e.fetchOrders('BTC/USDT', undefined, undefined, params)],
  ['fetchClosedOrders', (e, params) => e.fetchClosedOrders('BTC/USDT', undefined, undefined, params)],
  ['fetchMyTrades', (e, params) => e.fetchMyTrades('BTC/USDT', undefined, undefined, params)],
  ['fetchLedger', (e, params) => e.fetchLedger(undefined, undefined, undefined, params)],
  ['fetchOHLCV', (e, params) => e.fetchOHLCV('BTC/USDT', '1m', undefined, undefined, params)],
  ['createOrder', (e, params) => e.createOrder('BTC/USDT', 'limit', 'buy', 1, 2, params)],
  ['cancelOrder', (e, params) => e.cancelOrder('a', 'BTC/USDT', params)],
  ['cancelAllOrders', (e, params) => e.cancelAllOrders('BTC/USDT', params)],
]

describe.each(CALLS)('%s', (_, call) => {
  test('with type spot requests the same as without', async () => {
    const [plain, spot] = [prepared(), prepared()]
    await call(plain.exchange, {})
    await call(spot.exchange, {
      type: 'spot',
      defaultType: 'spot',
      trigger: false,
      stop: false,
      paginate: false,
    })
    const fixed = ({ timestamp, newClientOrderId, ...rest }: Record<string, string>) => rest
    expect(spot.asked().map((each) => fixed(parametersOf(each)))).toEqual(
      plain.asked().map((each) => fixed(parametersOf(each))),
    )
  })

  test.each([
    { type: 'swap' },
    { type: 'LIMIT_MAKER' },
    { defaultType: 'future' },
    { subType: 'linear' },
    { marginMode: 'cross' },
  ])('with %j is refused, and requests nothing', async (params) => {
    const { exchange, asked } = prepared()
    await expect(call(exchange, params)).rejects.toBeInstanceOf(ccxt.NotSupported)
    expect(asked()).toEqual([])
  })
})

test('trigger leaves the orders of a list that wait for a price, and is refused where others would be canceled', async () => {
  const { exchange, asked } = prepared()
  for (const word of ['trigger', 'stop']) {
    const params = { [word]: true }
    const open = await exchange.fetchOpenOrders('BTC/USDT', undefined, undefined, params)
    const all = await exchange.fetchOrders('BTC/USDT', undefined, undefined, params)
    expect([open, all].map((orders) => orders.map(({ id }) => id))).toEqual([['b'], ['b']])
  }
  expect(
    asked()
      .flatMap((each) => Object.keys(parametersOf(each)))
      .filter((name) => /trigger|stop/.test(name)),
  ).toEqual([])
  const count = asked().length
  await expect(exchange.cancelAllOrders('BTC/USDT', { trigger: true })).rejects.toBeInstanceOf(
    ccxt.NotSupported,
  )
  expect(asked()).toHaveLength(count)
})

test('nothing in params replaces the definition of an order', async () => {
  const { exchange, asked } = prepared()
  for (const own of [
    { price: 9 },
    { quantity: 9 },
    { amount: 9 },
    { side: 'SELL' },
    { symbol: 'ETH/USDT' },
  ]) {
    const placing = exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 2, own)
    await expect(placing).rejects.toBeInstanceOf(ccxt.NotSupported)
    const batch = exchange.createOrders([
      { symbol: 'BTC/USDT', type: 'limit', side: 'buy', amount: 1, price: 2, params: own },
    ])
    await expect(batch).rejects.toBeInstanceOf(ccxt.NotSupported)
  }
  expect(asked()).toEqual([])
})

test('paginate reads candles in pages of their own, and is not a parameter of the exchange', async () => {
  const { exchange, asked } = prepared()
  const since = Date.now() - 2_500 * 60_000
  await exchange.fetchOHLCV('BTC/USDT', '1m', since, undefined, { paginate: true })
  expect(asked().length).toBeGreaterThan(1)
  expect(asked().filter(({ url }) => /paginat/.test(url))).toEqual([])
  await expect(
    exchange.fetchTrades('BTC/USDT', undefined, undefined, { paginate: true }),
  ).rejects.toBeInstanceOf(ccxt.NotSupported)
})

test('every unified method with params removes its own keywords from them', () => {
  const { exchange } = prepared()
  const own = Object.getPrototypeOf(Object.getPrototypeOf(exchange))
  const methods = Object.entries(exchange.has).flatMap(([name, has]) => (has === true ? [name] : []))
  const named = methods.filter((name) => /^(create|edit|cancel|fetch|watch)[A-Z]/.test(name))
  expect(named.filter((name) => !Object.hasOwn(own, name) && !MADE_OF_OTHERS.test(name))).toEqual([])
})

/** Methods that ccxt, or the class, builds from others. */
const MADE_OF_OTHERS =
  /^create\w*(Limit|Market|PostOnly|Trigger|Trailing|Stop|TakeProfit)|WithClientOrderIds?$|^fetchL2OrderBook$|^fetchCanceledAndClosedOrders$/
