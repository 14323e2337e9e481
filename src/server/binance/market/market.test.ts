import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import { MARKET_ROWS } from '../endpoints/market-rows.ts'

let f: BinanceFixture

beforeAll(async () => {
  f = await openBinance()
  const order = { symbol: 'BTC/USDT', type: 'LIMIT' }
  await f.place(f.alice, { ...order, side: 'SELL', quantity: '1.5', price: '60000.5' })
  await f.place(f.alice, { ...order, side: 'SELL', quantity: '2', price: '60001' })
  await f.place(f.bob, { ...order, side: 'BUY', quantity: '0.25', price: '60000.5' })
  await f.place(f.bob, { ...order, side: 'BUY', quantity: '3', price: '59999.99' })
})
afterAll(() => f.stop())

describe('the service', () => {
  test('answers ping with an empty object, and time with the time of the server', async () => {
    expect((await f.ask('/api/v3/ping')).body).toEqual({})
    expect((await f.ask('/api/v3/time')).body).toEqual({ serverTime: f.clock.time })
  })

  test('ignores a key on endpoints without security, whatever the key is', async () => {
    const seen = await f.ask('/api/v3/ping', 'GET', { 'X-MBX-APIKEY': f.alice.apiKey })
    expect(seen.status).toBe(200)
  })

  test('reports the used weight in both of the headers that clients read', async () => {
    const { headers } = await f.ask('/api/v3/ping')
    expect(Number(headers.get('x-mbx-used-weight-1m'))).toBeGreaterThan(0)
    expect(headers.get('x-mbx-used-weight')).toBe(headers.get('x-mbx-used-weight-1m'))
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('exchangeInfo', () => {
  test('has every symbol under its joined name, with its assets apart', async () => {
    const { body } = await f.ask('/api/v3/exchangeInfo')
    expect(body.symbols.map((each: { symbol: string }) => each.symbol)).toEqual([
      'BTCUSDT',
      'ETHUSDT',
      'ETHBTC',
      'USDTTRY',
    ])
    const [btc] = body.symbols
    expect([btc.baseAsset, btc.quoteAsset, btc.status]).toEqual(['BTC', 'USDT', 'TRADING'])
    expect(body.timezone).toBe('UTC')
    expect(body.rateLimits[0]).toEqual({
      rateLimitType: 'REQUEST_WEIGHT',
      interval: 'MINUTE',
      intervalNum: 1,
      limit: 600_000,
    })
  })

  test('has exactly the filters that are enforced, as decimals with eight places', async () => {
    const { body } = await f.ask('/api/v3/exchangeInfo?symbol=BTCUSDT')
    const [{ filters }] = body.symbols
    expect(filters.map((each: { filterType: string }) => each.filterType)).toEqual([
      'PRICE_FILTER',
      'LOT_SIZE',
      'NOTIONAL',
      'ICEBERG_PARTS',
      'TRAILING_DELTA',
      'MAX_NUM_ORDERS',
    ])
    expect(filters[0].tickSize).toBe('0.01000000')
    expect(filters[1].stepSize).toBe('0.00000001')
  })

  test('answers for several symbols, and refuses an unlisted one', async () => {
    const two = encodeURIComponent('["ETHBTC","BTCUSDT"]')
    const { body } = await f.ask(`/api/v3/exchangeInfo?symbols=${two}`)
    expect(body.symbols.map((each: { symbol: string }) => each.symbol)).toEqual(['ETHBTC', 'BTCUSDT'])
    const wrong = await f.ask('/api/v3/exchangeInfo?symbol=BTC-USDT')
    expect([wrong.status, wrong.body.code, wrong.body.msg]).toEqual([400, -1121, 'Invalid symbol.'])
  })
})

describe('market data', () => {
  test('depth has the best prices first, as pairs of texts, and the number of the last command', async () => {
    const { body } = await f.ask('/api/v3/depth?symbol=BTCUSDT')
    expect(body).toEqual({
      lastUpdateId: f.services.market.seq,
      bids: [['59999.99000000', '3.00000000']],
      asks: [
        ['60000.50000000', '1.25000000'],
        ['60001.00000000', '2.00000000'],
      ],
    })
  })

  test('depth costs more weight for more levels, and is made again after each command', async () => {
    const weight = async (limit: number) => {
      const used = async () => Number((await f.ask('/api/v3/ping')).headers.get('x-mbx-used-weight'))
      const before = await used()
      await f.ask(`/api/v3/depth?symbol=BTCUSDT&limit=${limit}`)
      return (await used()) - before - MARKET_ROWS.ping.weight
    }
    expect([await weight(100), await weight(500), await weight(1_000), await weight(5_000)]).toEqual([
      5, 25, 50, 250,
    ])
    const before = (await f.ask('/api/v3/depth?symbol=ETHUSDT&limit=5000')).body
    await f.place(f.alice, { symbol: 'ETH/USDT', side: 'SELL', type: 'LIMIT', quantity: '1', price: '3000' })
    const after = (await f.ask('/api/v3/depth?symbol=ETHUSDT&limit=5000')).body
    expect([before.asks, after.asks]).toEqual([[], [['3000.00000000', '1.00000000']]])
  })

  test('a limit beyond the maximum counts as the maximum', async () => {
    expect((await f.ask('/api/v3/depth?symbol=BTCUSDT&limit=99999')).status).toBe(200)
  })

  test('trades are oldest first and say whether the buyer rested', async () => {
    const { body } = await f.ask('/api/v3/trades?symbol=BTCUSDT')
    expect(body[0]).toEqual({
      id: 1,
      price: '60000.50000000',
      qty: '0.25000000',
      quoteQty: '15000.12500000',
      time: f.clock.time,
      isBuyerMaker: false,
      isBestMatch: true,
    })
  })

  test('historical trades are those from a number on, and the newest without one', async () => {
    const newest = (await f.ask('/api/v3/trades?symbol=BTCUSDT')).body
    expect((await f.ask('/api/v3/historicalTrades?symbol=BTCUSDT')).body).toEqual(newest)
    expect((await f.ask('/api/v3/historicalTrades?symbol=BTCUSDT&fromId=1&limit=1')).body).toEqual(newest)
    expect((await f.ask('/api/v3/historicalTrades?symbol=BTCUSDT&fromId=2')).body).toEqual([])
  })

  test('aggregate trades have the letters of Binance, and accept a number or times', async () => {
    const { body } = await f.ask('/api/v3/aggTrades?symbol=BTCUSDT')
    const trade = {
      a: 1,
      p: '60000.50000000',
      q: '0.25000000',
      f: 1,
      l: 1,
      T: f.clock.time,
      m: false,
      M: true,
    }
    expect(body).toEqual([trade])
    const from = `/api/v3/aggTrades?symbol=BTCUSDT&startTime=${f.clock.time}`
    expect((await f.ask(from)).body).toEqual([trade])
    expect((await f.ask('/api/v3/aggTrades?symbol=BTCUSDT&fromId=2')).body).toEqual([])
    const both = await f.ask(`${from}&fromId=1`)
    expect([both.status, both.body.code, both.body.msg]).toEqual([
      400,
      -1128,
      'Combination of optional parameters invalid.',
    ])
  })

  test('klines have twelve columns in the order of Binance', async () => {
    const { body } = await f.ask('/api/v3/klines?symbol=BTCUSDT&interval=1m')
    expect(body).toHaveLength(1)
    const [openTime, open, high, low, close, volume, closeTime, , count, taker] = body[0]
    expect([open, high, low, close]).toEqual(Array(4).fill('60000.50000000'))
    expect([volume, taker, count]).toEqual(['0.25000000', '0.25000000', 1])
    expect(closeTime - openTime).toBe(59_999)
    expect(body[0]).toHaveLength(12)
    const wrong = await f.ask('/api/v3/klines?symbol=BTCUSDT&interval=7m')
    expect(wrong.body).toMatchObject({ code: -1120, msg: 'Invalid interval.' })
  })

  test('the average price is that of the trades, and 0 where there was none', async () => {
    expect((await f.ask('/api/v3/avgPrice?symbol=BTCUSDT')).body).toEqual({
      mins: 5,
      price: '60000.50000000',
      closeTime: f.clock.time,
    })
    expect((await f.ask('/api/v3/avgPrice?symbol=ETHBTC')).body.price).toBe('0.00000000')
  })

  test('tickers answer with an object for one symbol and with a list otherwise', async () => {
    const two = encodeURIComponent('["BTCUSDT","ETHBTC"]')
    for (const path of ['ticker/24hr', 'ticker/price', 'ticker/bookTicker']) {
      const one = (await f.ask(`/api/v3/${path}?symbol=BTCUSDT`)).body
      const some = (await f.ask(`/api/v3/${path}?symbols=${two}`)).body
      const all = (await f.ask(`/api/v3/${path}`)).body
      expect([one.symbol, some.length, all.length]).toEqual(['BTCUSDT', 2, 4])
    }
    expect((await f.ask('/api/v3/ticker/24hr?symbol=BTCUSDT')).body).toMatchObject({
      lastPrice: '60000.50000000',
      lastQty: '0.25000000',
      volume: '0.25000000',
      priceChangePercent: '0.000',
      bidPrice: '59999.99000000',
      askQty: '1.25000000',
      ...{ firstId: 1, lastId: 1, count: 1 },
    })
    expect((await f.ask('/api/v3/ticker/24hr?symbol=BTCUSDT&type=MINI')).body.bidPrice).toBeUndefined()
    expect((await f.ask('/api/v3/ticker/24hr?symbol=ETHBTC')).body).toMatchObject({
      ...{ firstId: -1, lastId: -1, count: 0 },
    })
  })
})

test('a symbol that is halted shows HALT, and one in which orders can only be canceled shows BREAK', async () => {
  const g = await openBinance()
  try {
    const operator = { actor: 'test', note: '' }
    const status = async () => (await g.ask('/api/v3/exchangeInfo?symbol=ETHBTC')).body.symbols[0].status
    for (const [state, shown] of [
      ['HALTED', 'HALT'],
      ['CANCEL_ONLY', 'BREAK'],
      ['TRADING', 'TRADING'],
    ] as const) {
      await g.submit({ kind: 'SetSymbolState', operator, symbol: 'ETH/BTC', state })
      expect(await status()).toBe(shown)
    }
  } finally {
    await g.stop()
  }
})
