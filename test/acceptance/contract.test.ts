/**
 * Every endpoint's answer, field by field, as docs/reference/http.md#answers specifies it: types of the raw
 * text, envelopes, order of lists.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { divideDown, divideUp, fixed, plain, power10, units } from './support/decimal.ts'
import type { Exact } from './support/exact-json.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import * as shapes from './support/shapes.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

let node: NodeProcess
/** The orders placed before the tests, in this order. */
let asks: Exact[]
let bid: Exact

const LIMIT = { symbol: 'BTC/USDT', type: 'LIMIT' }

beforeAll(async () => {
  node = await startSandbox()
  asks = [
    await node.alice.place({ ...LIMIT, side: 'SELL', quantity: '0.5', price: '60000.5' }),
    await node.alice.place({ ...LIMIT, side: 'SELL', quantity: '1', price: '60100' }),
  ]
  bid = await node.bob.place({ ...LIMIT, side: 'BUY', quantity: '0.75', price: '59990' })
  for (const quantity of ['0.1', '0.02', '0.00000001', '0.003']) {
    await node.bob.place({ ...LIMIT, side: 'BUY', quantity, price: '60000.5', timeInForce: 'IOC' })
  }
})
afterAll(() => node.stop())

describe('exchange information', () => {
  test('is a bare object with one entry per symbol', async () => {
    const { text, body, headers } = await node.client().raw({ method: 'GET', path: '/api/v3/exchangeInfo' })
    const symbol = (name: string, baseFraction: number, quoteFraction: number) => {
      const [baseAssetCode, quoteAssetCode] = name.split('/')
      const decimals = { baseFraction: `#${baseFraction}`, quoteFraction: `#${quoteFraction}` }
      return { symbol: name, baseAssetCode, quoteAssetCode, commission: '#0.001', ...decimals }
    }
    expect(body).toEqual({
      symbols: [
        symbol('BTC/USDT', 8, 2),
        symbol('ETH/USDT', 6, 2),
        symbol('ETH/BTC', 6, 6),
        symbol('USDT/TRY', 2, 2),
      ],
    })
    expect(text).toContain('"commission":0.001')
    expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  })
})

describe('order book', () => {
  test('is two bare maps from a price with all its decimals to a number', async () => {
    const book = await node.alice.depth('BTC/USDT')
    expect(book).toEqual({
      sell: { '60000.50': '#0.37699999', '60100.00': '#1' },
      buy: { '59990.00': '#0.75' },
    })
    expect(Object.keys(book.sell)).toEqual(['60000.50', '60100.00'])
  })

  test('of a symbol without orders has both maps, empty', async () => {
    expect(await node.alice.depth('USDT/TRY')).toEqual({ sell: {}, buy: {} })
  })

  test('goes from the best price away, as deep as requested', async () => {
    const order = { symbol: 'ETH/BTC', type: 'LIMIT', quantity: '1' }
    for (const price of ['0.041', '0.04', '0.042']) await node.alice.place({ ...order, side: 'SELL', price })
    for (const price of ['0.031', '0.03', '0.032']) await node.bob.place({ ...order, side: 'BUY', price })
    const book = await node.alice.depth('ETH/BTC')
    expect(Object.keys(book.sell)).toEqual(['0.040000', '0.041000', '0.042000'])
    expect(Object.keys(book.buy)).toEqual(['0.032000', '0.031000', '0.030000'])
    const best = await node.alice.ask('GET', '/api/v3/depth', { symbol: 'ETH/BTC', limit: 1 })
    expect(best).toEqual({ sell: { '0.040000': '#1' }, buy: { '0.032000': '#1' } })
  })
})

describe('recent trades', () => {
  test('are a bare array of three numbers each, newest first', async () => {
    const trades = await node.alice.trades('BTC/USDT')
    const trade = (quantity: string) => ({ quantity, price: '#60000.5', timestamp: shapes.MILLISECONDS })
    expect(trades).toEqual([trade('#0.003'), trade('#0.00000001'), trade('#0.02'), trade('#0.1')])
    const two = await node.alice.ask('GET', '/api/v3/trades', { symbol: 'BTC/USDT', limit: 2 })
    expect(two).toEqual(trades.slice(0, 2))
    expect(await node.alice.trades('USDT/TRY')).toEqual([])
  })
})

describe('a new order', () => {
  const place = (fields: Record<string, string>, language = 'en') =>
    node.alice.request('POST', '/api/v3/order', fields, { headers: { 'Accept-Language': language } })

  test('LIMIT is answered in the envelope with what was asked', async () => {
    const fields = { ...LIMIT, side: 'BUY', quantity: '0.250', price: '51000.10' }
    const { status, body } = await place(fields)
    expect(status).toBe(200)
    const data = {
      id: shapes.UUID,
      symbol: 'BTC/USDT',
      side: 'BUY',
      price: '#51000.1',
      qty: '#0.25',
      total: '#12750.025',
      created_at: shapes.ISO_TIME,
      side_name: 'Buy',
    }
    expect(body).toEqual(shapes.success(data))
    expect(Math.abs(Date.parse(body.data.created_at) - Date.now())).toBeLessThan(60_000)
    await node.alice.cancel(body.data.id)
  })

  test('names its side in the requested language, and nothing else changes', async () => {
    const names = {
      'tr-TR,tr;q=0.9': ['Alış', 'Satış'],
      'en-GB': ['Buy', 'Sell'],
      'fr, tr;q=0.1': ['Alış', 'Satış'],
    }
    for (const [language, [buy, sell]] of Object.entries(names)) {
      for (const [side, name, price] of [
        ['BUY', buy, '1000'],
        ['SELL', sell, '99000'],
      ] as const) {
        const { body } = await place({ ...LIMIT, side, quantity: '0.01', price }, language)
        expect(body).toMatchObject({ status: true, code: '0000', data: { side, side_name: name! } })
        await node.alice.cancel(body.data.id)
      }
    }
  })

  test('of the smallest quantity is written without an exponent, its total rounded against the trader', async () => {
    const tiny = { ...LIMIT, quantity: '0.00000001' }
    const buy = await place({ ...tiny, side: 'BUY', price: '50000.01' })
    expect(buy.body.data).toMatchObject({ qty: '#0.00000001', total: '#0.00050001' })
    expect(buy.text).toContain('"qty":0.00000001,')
    const sell = await place({ ...tiny, side: 'SELL', price: '70000.01' })
    expect(sell.body.data).toMatchObject({ qty: '#0.00000001', total: '#0.0007' })
    const [shown] = await node.alice.active({ symbol: 'BTC/USDT' })
    expect(shown).toMatchObject({ qty: '0.00000001', execQty: '0', total: '0.0007' })
    await node.alice.cancel(buy.body.data.id)
    await node.alice.cancel(sell.body.data.id)
  })

  test('of the largest quantity and price is exact to the last digit everywhere', async () => {
    const quantity = '90071992.54740991'
    const price = '90071992547409.91'
    await node.admin('credit', 'alice', 'BTC', quantity, '--reference', 'in')
    const { data } = (await place({ ...LIMIT, side: 'SELL', quantity, price })).body
    const total = plain(divideDown(units(quantity, 8) * units(price, 2), power10(2)), 8)
    expect(data).toMatchObject({ price: `#${price}`, qty: `#${quantity}`, total: `#${total}` })
    const [shown] = await node.alice.active()
    expect(shown).toMatchObject({ id: data.id, price, qty: quantity, total })
    expect((await node.alice.depth('BTC/USDT')).sell[price]).toBe(`#${quantity}`)
    await node.alice.cancel(data.id)
    await node.admin('debit', 'alice', 'BTC', quantity, '--reference', 'out')
  })

  test('MARKET is answered with what was executed at the average price', async () => {
    const order = { symbol: 'ETH/USDT', type: 'LIMIT', side: 'SELL' }
    await node.alice.place({ ...order, quantity: '0.1', price: '2000.01' })
    await node.alice.place({ ...order, quantity: '0.2', price: '2000.02' })
    const buy = { symbol: 'ETH/USDT', type: 'MARKET', side: 'BUY', total: '500' }
    const { data } = await node.bob.ask('POST', '/api/v3/order', buy)
    // 200.001 for the first; the rest of 500 buys 0.149998 of the second: 299.99899996, together
    // 499.99999996.
    const rest = (units('500', 8) - units('200.001', 8)) / units('2000.02', 2)
    expect(fixed(rest, 6)).toBe('0.149998')
    const paid = units('200.001', 8) + rest * units('2000.02', 2)
    expect(data).toEqual({
      id: shapes.UUID,
      symbol: 'ETH/USDT',
      side: 'BUY',
      price: '#2000.02',
      qty: '#0.249998',
      total: `#${plain(paid, 8)}`,
      created_at: shapes.ISO_TIME,
      side_name: 'Buy',
    })
  })
})

describe('canceling', () => {
  test('is answered in the envelope without data', async () => {
    const order = await node.bob.place({ ...LIMIT, side: 'BUY', quantity: '1', price: '1000' })
    expect(await node.bob.cancel(order.id)).toEqual(shapes.success())
    const again = await node.bob.request('DELETE', '/api/v3/order', { id: order.id })
    expect(again.body).toEqual(shapes.failure('4001', 'UNKNOWN_ORDER'))
  })
})

describe('open orders', () => {
  test('are a bare array, newest first, every figure a string', async () => {
    const orders = await node.alice.active({ symbol: 'BTC/USDT' })
    const common = { symbol: 'BTC/USDT', side: 'SELL', createdAt: shapes.ISO_TIME }
    expect(orders).toEqual([
      { ...common, id: asks[1].id, price: '60100', qty: '1', execQty: '0', total: '60100' },
      { ...common, id: asks[0].id, price: '60000.5', qty: '0.5', execQty: '0.12300001', total: '30000.25' },
    ])
    expect(orders[0].createdAt).toBe(asks[1].created_at)
  })

  test('without a symbol are those of all symbols, and only one’s own', async () => {
    const all = await node.bob.active()
    expect(new Set(all.map((order: Exact) => order.symbol))).toEqual(new Set(['BTC/USDT', 'ETH/BTC']))
    expect(all.at(-1).id).toBe(bid.id)
    const ids = all.map((order: Exact) => order.id)
    expect(ids).toEqual(ids.toSorted().reverse())
    expect(ids).not.toContain(asks[0].id)
    expect(await node.bob.active({ symbol: 'USDT/TRY' })).toEqual([])
  })
})

describe('trade history', () => {
  const quantities = ['0.003', '0.00000001', '0.02', '0.1']

  test('is a bare page of one’s own sides, newest first, every figure a string', async () => {
    const [buys, sells] = await Promise.all([
      node.bob.history({ symbol: 'BTC/USDT' }),
      node.alice.history({ symbol: 'BTC/USDT' }),
    ])
    const item = (quantity: string, side: 'BUY' | 'SELL') => ({
      id: shapes.UUID,
      orderId: shapes.UUID,
      tradeAt: shapes.ISO_TIME,
      symbol: 'BTC/USDT',
      side,
      sideName: side === 'BUY' ? 'Buy' : 'Sell',
      price: '60000.5',
      quantity,
      total: shapes.DECIMAL_STRING,
      commission: shapes.DECIMAL_STRING,
      commissionAssetCode: side === 'BUY' ? 'BTC' : 'USDT',
    })
    const page = { page: '#0', size: '#100', total_pages: '#1', total: '#4' }
    expect(buys).toEqual({ items: quantities.map((each) => item(each, 'BUY')), ...page })
    expect(sells).toEqual({ items: quantities.map((each) => item(each, 'SELL')), ...page })
    expect(sells.items.map((each: Exact) => each.orderId)).toEqual(Array(4).fill(asks[0].id))
    expect(sells.items.map((each: Exact) => each.id)).toEqual(buys.items.map((each: Exact) => each.id))
    expect(buys.items.map((each: Exact) => each.commission)).toEqual(['0.000003', '0', '0.00002', '0.0001'])
    const paid = divideUp(units('0.00000001', 8) * units('60000.5', 2), power10(2))
    expect(buys.items[1].total).toBe(plain(paid, 8))
  })

  test('names sides in the requested language', async () => {
    const { items } = await node.bob.history({ symbol: 'BTC/USDT' }, { headers: { 'Accept-Language': 'tr' } })
    expect(items[0]).toMatchObject({ side: 'BUY', sideName: 'Alış' })
  })

  test('is cut into pages from 0; those beyond the end are empty', async () => {
    const page = (number: number, size: number) =>
      node.bob.history({ symbol: 'BTC/USDT', page: number, size })
    const { items } = await node.bob.history({ symbol: 'BTC/USDT' })
    expect(await page(0, 3)).toEqual({
      items: items.slice(0, 3),
      page: '#0',
      size: '#3',
      total_pages: '#2',
      total: '#4',
    })
    expect((await page(1, 3)).items).toEqual(items.slice(3))
    expect(await page(2, 3)).toEqual({ items: [], page: '#2', size: '#3', total_pages: '#2', total: '#4' })
    expect((await page(0, 1000)).items).toEqual(items)
    const none = { items: [], page: '#0', size: '#100', total_pages: '#0', total: '#0' }
    expect(await node.bob.history({ symbol: 'USDT/TRY' })).toEqual(none)
  })

  test('fixed by before does not shift when trades happen', async () => {
    const fields = { symbol: 'BTC/USDT' }
    const { items } = await node.bob.history(fields)
    await node.bob.place({ ...LIMIT, side: 'BUY', quantity: '0.001', price: '60000.5' })
    const before = await node.bob.history({ ...fields, before: items[0].id, size: 2 })
    expect(before).toEqual({
      items: items.slice(1, 3),
      page: '#0',
      size: '#2',
      total_pages: '#2',
      total: '#3',
    })
    const newest = await node.bob.history({ ...fields, size: 2 })
    expect(newest.total).toBe('#5')
    expect(newest.items[1]).toEqual(items[0])
    const all = await node.bob.history()
    expect(new Set(all.items.map((each: Exact) => each.symbol))).toEqual(new Set(['BTC/USDT', 'ETH/USDT']))
  })
})

describe('balances', () => {
  test('without code are all assets of one account', async () => {
    const body = await node.client(await carol()).ask('GET', '/api/v3/wallet/balance')
    const asset = (code: string, name: string, free: string) => ({
      asset: code,
      name,
      free,
      freeze: '0',
      locked: '0',
      savings: '0',
      freeTransfer: free,
      freezeTransfer: '0',
      lockedTransfer: '0',
      savingsTransfer: '0',
      isDeposit: true,
      isWithdraw: true,
      isTrade: true,
      isSaving: expect.any(Boolean),
    })
    const assetAccs = [
      asset('BTC', 'Bitcoin', '0'),
      asset('ETH', 'Ethereum', '0'),
      asset('USDT', 'Tether', '12345678.9'),
      asset('TRY', 'Turkish Lira', '0'),
    ]
    expect(body).toEqual(shapes.success({ acc: { Spot: { walletCode: 'SPOT', transfer: '#1', assetAccs } } }))
  })

  test('with code are that asset’s free alone', async () => {
    const { BTC } = await node.alice.balances()
    expect(await node.alice.ask('GET', '/api/v3/wallet/balance', { code: 'BTC' })).toEqual(
      shapes.success({ free: BTC.free }),
    )
    // 100 less the sold quantity (0.12300001, and 0.001 more if that test ran) and the resting quantity.
    const sold = (await node.alice.wholeHistory({ symbol: 'BTC/USDT' })).map((item) =>
      units(item.quantity, 8),
    )
    const left = units('100', 8) - sold.reduce((a, b) => a + b, 0n)
    expect(units(BTC.free, 8) + units(BTC.locked, 8)).toBe(left)
    expect(BTC).toMatchObject({ freeTransfer: BTC.free, lockedTransfer: '0' })
  })
})

/** An account with some USDT, and its key. */
async function carol(): Promise<{ apiKey: string; secret: string }> {
  await node.admin('account', 'add', 'carol')
  await node.admin('credit', 'carol', 'USDT', '12345678.9', '--reference', 'carol')
  return (await node.admin('key', 'add', 'carol')) as { apiKey: string; secret: string }
}
