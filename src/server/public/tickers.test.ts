/**
 * The last price and the best prices, of one symbol and of all (docs/reference/extensions.md#price-ticker).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { amount, decimals } from '../../units/quantities.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '1' }
  await f.place(f.alice, { ...order, side: 'SELL', price: '60000.5' })
  await f.place(f.alice, { ...order, side: 'SELL', price: '60000.5', quantity: '0.25' })
  await f.place(f.alice, { ...order, side: 'SELL', price: '60001' })
  await f.place(f.bob, { ...order, side: 'BUY', price: '60000.5', quantity: '0.00000001' })
  await f.place(f.bob, { ...order, side: 'BUY', price: '59990', quantity: '3' })
  await f.place(f.bob, { ...order, symbol: 'ETH/BTC', side: 'BUY', price: '0.03' })
})
afterAll(() => f.stop())

const ask = (path: string, fields: Fields = {}, exchange = f) =>
  exchange.send('GET', `/api/v3/ticker/${path}`, fields, exchange.alice)

describe('the price ticker', () => {
  test('of one symbol is its last price as an exact string, at the server’s time', async () => {
    f.clock.time += 77
    const { status, text, body } = await ask('price', { symbol: 'BTC/USDT' })
    expect(status).toBe(200)
    expect(body.msg).toEqual(['The prices have been read.'])
    expect(text).toEndWith(`"data":{"symbol":"BTC/USDT","price":"60000.5","time":${f.clock.time}}}`)
  })

  test('has no price where there has been no trade', async () => {
    const { body } = await ask('price', { symbol: 'ETH/BTC' })
    expect(body.data).toEqual({ symbol: 'ETH/BTC', time: f.clock.time })
  })

  test('of all symbols is an array in the order of listing', async () => {
    const { status, body } = await ask('price')
    const time = f.clock.time
    expect([status, body.data]).toEqual([
      200,
      [
        { symbol: 'BTC/USDT', price: '60000.5', time },
        { symbol: 'ETH/USDT', time },
        { symbol: 'ETH/BTC', time },
        { symbol: 'USDT/TRY', time },
      ],
    ])
  })
})

describe('the book ticker', () => {
  test('of one symbol has the best price of each side and the total quantity there', async () => {
    const { body } = await ask('bookTicker', { symbol: 'BTC/USDT' })
    expect(body.data).toEqual({
      symbol: 'BTC/USDT',
      bidPrice: '59990',
      bidQty: '3',
      askPrice: '60000.5',
      askQty: '1.24999999',
      time: f.clock.time,
    })
  })

  test('has no figures for an empty side', async () => {
    const { body } = await ask('bookTicker')
    const time = f.clock.time
    expect(body.data.slice(1)).toEqual([
      { symbol: 'ETH/USDT', time },
      { symbol: 'ETH/BTC', bidPrice: '0.03', bidQty: '1', time },
      { symbol: 'USDT/TRY', time },
    ])
  })

  test('follows every answered order', async () => {
    const order = { symbol: 'USDT/TRY', side: 'SELL', type: 'LIMIT', quantity: '10', price: '40.5' }
    const placed = await f.place(f.alice, order)
    const ticker = async () => (await ask('bookTicker', { symbol: 'USDT/TRY' })).body.data
    expect(await ticker()).toMatchObject({ askPrice: '40.5', askQty: '10' })
    await f.send('DELETE', '/api/v3/order', { id: placed.body.data.id }, f.alice)
    expect(await ticker()).toEqual({ symbol: 'USDT/TRY', time: f.clock.time })
  })
})

describe.each(['price', 'bookTicker'])('the ticker %s', (path) => {
  test('refuses an unknown symbol and an unsupported parameter by name', async () => {
    const reasonOf = async (fields: Fields) => (await ask(path, fields)).body.reason
    expect(await reasonOf({ symbol: 'XXX/USDT' })).toBe('UNKNOWN_SYMBOL')
    expect(await reasonOf({ symbol: '' })).toBe('UNKNOWN_SYMBOL')
    expect(await reasonOf({ symbols: '["BTC/USDT"]' })).toBe('INVALID_PARAMETER')
  })

  test('is the same without a key, with one that does not exist, and without a timestamp', async () => {
    const { text } = await ask(path)
    const target = `/api/v3/ticker/${path}`
    const nobody = { apiKey: 'f'.repeat(64), secret: 'x', accountId: f.alice.accountId }
    for (const trader of [undefined, nobody])
      expect([trader, (await f.send('GET', target, {}, trader)).text]).toEqual([trader, text])
    const bare = await fetch(`${f.url}${target}`)
    expect([bare.status, await bare.text()]).toEqual([200, text])
  })

  test('costs 2 for one symbol and 4 for a few; of many it costs 1 for every 25 and comes in chunks', async () => {
    const exchange = await openFixture()
    try {
      const weighed = async (fields: Fields = {}) => {
        exchange.clock.time += 60_000
        const { headers, body, text } = await ask(path, fields, exchange)
        return { weight: headers.get('x-mbx-used-weight-1m'), headers, data: body.data, text, body }
      }
      expect((await weighed({ symbol: 'ETH/BTC' })).weight).toBe('2')
      expect((await weighed()).weight).toBe('4')
      const names = await listMany(exchange, 260)
      const all = await weighed()
      expect(all.data.map(({ symbol }: { symbol: string }) => symbol)).toEqual(names)
      expect(JSON.stringify(all.body)).toBe(all.text)
      expect([all.weight, all.headers.get('transfer-encoding')]).toEqual(['11', 'chunked'])
      const symbol = names[200] as string
      await exchange.submit({ kind: 'SetSymbolState', operator: OPERATOR, symbol, state: 'DELISTED' })
      expect((await weighed()).data).toHaveLength(names.length - 1)
      expect((await weighed({ symbol })).body.reason).toBe('UNKNOWN_SYMBOL')
    } finally {
      await exchange.stop()
    }
  })
})

/** Lists symbols until there are this many; returns their names in the order of listing. */
async function listMany(exchange: Fixture, count: number): Promise<string[]> {
  const { registry } = exchange.services.market
  const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }
  const [first] = registry.symbols()
  if (first === undefined) throw new Error('expected a listed symbol, found none')
  for (let at = registry.symbols().length; at < count; at++) {
    const asset = { operator: OPERATOR, code: `A${at}`, name: `Asset ${at}`, flags, supplyCap: amount(0n) }
    await exchange.submit({ kind: 'ListAsset', ...asset, fraction: decimals(8) })
    const terms = { ...first, baseFraction: decimals(8), quoteFraction: decimals(2) }
    await exchange.submit({ kind: 'ListSymbol', operator: OPERATOR, base: `A${at}`, quote: 'USDT', terms })
  }
  return registry.symbols().map(({ name }) => name)
}
