/**
 * The filters of exchangeInfo are those that are enforced: an order at a bound is accepted, and one a step
 * beyond it is refused with that filter's number and text.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { amount, lots, price } from '../../../units/quantities.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }
const SYMBOL = 'ETH/USDT'
const ORDERS_MAX = 3
const ORDER = {
  symbol: 'ETHUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '500',
}

let f: BinanceFixture
// biome-ignore lint/suspicious/noExplicitAny: filters are looked at as they are
let filters: Record<string, any>

beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
  const increments = { tickSize: price(5), stepSize: lots(1_000) }
  await f.submit({ kind: 'SetSymbolIncrements', operator: OPERATOR, symbol: SYMBOL, ...increments })
  const band = { minPrice: price(10_000), maxPrice: price(90_000) }
  const least = { minQuantity: lots(2_000), minTotal: amount(500_000_000n) }
  const more = { selfTradeMode: 'NONE', openOrdersMax: ORDERS_MAX, levelsMax: 1_000 } as const
  await f.submit({ kind: 'SetSymbolTerms', operator: OPERATOR, symbol: SYMBOL, ...band, ...least, ...more })
  const { body } = await f.ask('/api/v3/exchangeInfo?symbol=ETHUSDT')
  filters = Object.fromEntries(
    body.symbols[0].filters.map((filter: { readonly filterType: string }) => [filter.filterType, filter]),
  )
})
afterAll(() => f.stop())

async function tried(fields: Readonly<Record<string, string>>) {
  f.clock.time += 1
  const { status, body } = await f.signed('POST', '/api/v3/order/test', { ...ORDER, ...fields })
  return status === 200 ? 'taken' : `${body.code} ${body.msg}`
}

const failed = (filter: string): string => `-1013 Filter failure: ${filter}`

test('filters state the terms of the symbol', () => {
  expect(filters).toMatchObject({
    PRICE_FILTER: { minPrice: '100.00000000', maxPrice: '900.00000000', tickSize: '0.05000000' },
    LOT_SIZE: { minQty: '0.00200000', stepSize: '0.00100000' },
    NOTIONAL: { minNotional: '5.00000000' },
    MAX_NUM_ORDERS: { maxNumOrders: ORDERS_MAX },
    ICEBERG_PARTS: { limit: 100 },
  })
})

test.each([
  ['PRICE_FILTER', { price: '100', quantity: '0.1' }, { price: '99.95', quantity: '0.1' }],
  ['PRICE_FILTER', { price: '900' }, { price: '900.05' }],
  ['PRICE_FILTER', { price: '500.05' }, { price: '500.01' }],
  ['LOT_SIZE', { quantity: '0.012' }, { quantity: '0.0125' }],
  ['LOT_SIZE', { quantity: '0.012' }, { quantity: '0.001' }],
  ['NOTIONAL', { price: '100', quantity: '0.05' }, { price: '100', quantity: '0.049' }],
  ['ICEBERG_PARTS', { quantity: '10', icebergQty: '0.1' }, { quantity: '10', icebergQty: '0.099' }],
])('%s is enforced exactly: %p is accepted, and %p is not', async (filter, within, beyond) => {
  expect(await tried(within)).toBe('taken')
  expect(await tried(beyond)).toBe(failed(filter))
})

test('MAX_NUM_ORDERS open orders of an account are accepted in a symbol, and not one more', async () => {
  const place = async () => {
    f.clock.time += 1
    const { status, body } = await f.signed('POST', '/api/v3/order', ORDER)
    return status === 200 ? 'taken' : `${body.code} ${body.msg}`
  }
  for (let i = 0; i < filters.MAX_NUM_ORDERS.maxNumOrders; i++) expect(await place()).toBe('taken')
  expect(await place()).toBe(failed('MAX_NUM_ORDERS'))
  f.clock.time += 1
  await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'ETHUSDT' })
  expect(await place()).toBe('taken')
})
