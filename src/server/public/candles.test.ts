/** Candles and day tickers over HTTP, field by field (docs/reference/candles.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CANDLE_INTERVALS } from '../../units/candle-intervals.ts'
import { type Fields, type Fixture, openFixture, type Seen } from './gateway.fixture.ts'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
/** A Monday. */
const START = Date.parse('2026-09-21T15:00:00.000Z')

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  await match(START, '60000.5', '0.25', 'BUY')
  await match(START + 30_000, '60010', '0.5', 'SELL')
  await match(START + 59_999, '59990.25', '0.125', 'BUY')
  await match(START + 3 * MINUTE_MS, '60001', '1', 'SELL')
  f.clock.time = START + 5 * MINUTE_MS + 1
})
afterAll(() => f.stop())

const refusal = ({ status, body }: Seen) => `${status} ${body.code} ${body.reason}: ${body.msg[0]}`
const klines = (fields: Fields) =>
  f.send('GET', '/api/v3/klines', { symbol: 'BTC/USDT', interval: '1m', ...fields }, f.bob)
const ticker = (fields: Fields) => f.send('GET', '/api/v3/ticker/24hr', fields, f.bob)

/** A trade at a time; `takerSide`: whose order came second. */
async function match(
  time: number,
  price: string,
  quantity: string,
  takerSide: 'BUY' | 'SELL',
): Promise<void> {
  f.clock.time = time
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', price, quantity }
  const makerSide = takerSide === 'BUY' ? 'SELL' : 'BUY'
  for (const [trader, side] of [
    [f.alice, makerSide],
    [f.bob, takerSide],
  ] as const) {
    expect((await f.place(trader, { ...order, side })).status).toBe(200)
  }
}

describe('klines', () => {
  test('have the 12 columns, exact strings, and flat candles where there were no trades', async () => {
    const { status, body } = await klines({})
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['status', 'code', 'msg', 'data'])
    const flat = (minute: number, price: string) => {
      const start = START + minute * MINUTE_MS
      return [start, price, price, price, price, '0', start + MINUTE_MS - 1, '0', 0, '0', '0', '0']
    }
    expect(body.data).toEqual([
      [
        ...[START, '60000.5', '60010', '59990.25', '59990.25', '0.875'],
        ...[START + MINUTE_MS - 1, '52503.90625', 3, '0.375', '22498.90625', '0'],
      ],
      flat(1, '59990.25'),
      flat(2, '59990.25'),
      [
        ...[START + 3 * MINUTE_MS, '60001', '60001', '60001', '60001', '1'],
        ...[START + 4 * MINUTE_MS - 1, '60001', 1, '0', '0', '0'],
      ],
      flat(4, '60001'),
      flat(5, '60001'),
    ])
  })

  test('say the same in every interval, the last one up to now', async () => {
    for (const interval of CANDLE_INTERVALS) {
      const { data } = (await klines({ interval, limit: 1_000 })).body
      expect(data.reduce((count: number, row: unknown[]) => count + (row[8] as number), 0)).toBe(4)
      expect(data.at(-1)[6]).toBeGreaterThanOrEqual(f.clock.time)
      expect(data.at(-1)[4]).toBe('60001')
    }
  })

  test('begin no earlier than startTime and end no later than endTime, whichever is given', async () => {
    const starts = async (fields: Fields) =>
      (await klines(fields)).body.data.map(([start]: number[]) => ((start as number) - START) / MINUTE_MS)
    expect(await starts({ limit: 2 })).toEqual([4, 5])
    expect(await starts({ startTime: 0, limit: 2 })).toEqual([0, 1])
    expect(await starts({ startTime: START + 1 })).toEqual([1, 2, 3, 4, 5])
    expect(await starts({ startTime: START + MINUTE_MS, endTime: START + 2 * MINUTE_MS })).toEqual([1, 2])
    expect(await starts({ endTime: START + 3 * MINUTE_MS - 1, limit: 2 })).toEqual([1, 2])
    expect(await starts({ endTime: START - 1 })).toEqual([])
    expect(await starts({ startTime: START + HOUR_MS })).toEqual([])
    expect(await starts({ startTime: Number.MAX_SAFE_INTEGER })).toEqual([])
    expect(await starts({ endTime: Number.MAX_SAFE_INTEGER, limit: 1 })).toEqual([5])
  })

  test('of a symbol without trades are an empty list', async () => {
    expect((await klines({ symbol: 'ETH/BTC' })).body.data).toEqual([])
  })

  test('refuse what is missing or malformed, by name', async () => {
    const asked = async (fields: Fields) => refusal(await f.send('GET', '/api/v3/klines', fields, f.bob))
    const symbol = 'BTC/USDT'
    expect(await asked({ interval: '1m' })).toStartWith('400 4001 MISSING_PARAMETER: The parameter symbol ')
    expect(await asked({ symbol })).toStartWith('400 4001 MISSING_PARAMETER: The parameter interval ')
    expect(await asked({ symbol: 'BTC/XYZ', interval: '1m' })).toStartWith('400 4001 UNKNOWN_SYMBOL')
    for (const [name, value, expected] of [
      ['interval', '1D', CANDLE_INTERVALS.join(', ')],
      ['interval', '', '1s, 1m'],
      ['limit', '1001', 'from 1 to 1000'],
      ['limit', '0', 'from 1 to 1000'],
      ['startTime', '1.5', 'milliseconds'],
      ['endTime', '-1', 'milliseconds'],
    ] as const) {
      const said = await asked({ symbol, interval: '1m', [name]: value })
      expect(said).toStartWith(`400 4001 INVALID_PARAMETER: The parameter ${name} `)
      expect(said).toContain(expected)
    }
    expect(await asked({ symbol, interval: '1m', startTime: 10, endTime: 9 })).toContain('from 10 to')
  })

  test('are the same without a key, with one that does not exist, and without a timestamp', async () => {
    const { text } = await klines({})
    const path = '/api/v3/klines'
    const fields = { symbol: 'BTC/USDT', interval: '1m' }
    const nobody = { apiKey: 'f'.repeat(64), secret: 'x', accountId: f.alice.accountId }
    for (const trader of [undefined, nobody])
      expect([trader, (await f.send('GET', path, fields, trader)).text]).toEqual([trader, text])
    const bare = await fetch(`${f.url}${path}?symbol=BTC/USDT&interval=1m`)
    expect([bare.status, await bare.text()]).toEqual([200, text])
  })

  test('weigh by how many stored candles may be read', async () => {
    const used = async (fields: Fields) => {
      const { headers } = await klines(fields)
      return Number(headers.get('X-MBX-USED-WEIGHT-1M'))
    }
    const weights = [{}, { limit: 1 }, { limit: 1_000 }, { interval: '1w', limit: 1_000 }, { interval: '1M' }]
    let before = await used({ limit: 1 })
    for (const [i, expected] of [12, 3, 22, 142, 312].entries()) {
      const after = await used(weights[i] as Fields)
      expect([i, after - before]).toEqual([i, expected])
      before = after
    }
  })

  test('by the thousand are complete and in order, although sent in pieces', async () => {
    const { body } = await klines({ interval: '1s', startTime: START, limit: 301 })
    expect(body.data.map(([start]: number[]) => start)).toEqual(
      Array.from({ length: 301 }, (_, i) => START + i * 1_000),
    )
  })
})

describe('the ticker of 24 hours', () => {
  test('has the figures of the window, exact, and the current best prices', async () => {
    const resting = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', price: '59000', quantity: '3' }
    const { body: placed } = await f.place(f.bob, resting)
    const { status, body } = await ticker({ symbol: 'BTC/USDT' })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      symbol: 'BTC/USDT',
      priceChange: '0.5',
      priceChangePercent: '0.001',
      weightedAvgPrice: '60002.61666667',
      lastPrice: '60001',
      lastQty: '1',
      bidPrice: '59000',
      bidQty: '3',
      openPrice: '60000.5',
      highPrice: '60010',
      lowPrice: '59990.25',
      volume: '1.875',
      quoteVolume: '112504.90625',
      openTime: START + 5 * MINUTE_MS - DAY_MS,
      closeTime: f.clock.time,
      count: 4,
    })
    await f.send('DELETE', '/api/v3/order', { id: placed.data.id }, f.bob)
  })

  test('without symbol is an array of every listed symbol; one without trades has no prices', async () => {
    const { data } = (await ticker({})).body
    expect(data.map(({ symbol }: { symbol: string }) => symbol)).toEqual([
      'BTC/USDT',
      'ETH/USDT',
      'ETH/BTC',
      'USDT/TRY',
    ])
    expect(Object.keys(data[1])).toEqual([
      'symbol',
      'volume',
      'quoteVolume',
      'openTime',
      'closeTime',
      'count',
    ])
    expect(data[1]).toMatchObject({ volume: '0', quoteVolume: '0', count: 0 })
  })

  test('is the same without a key, with one that does not exist, and without a timestamp', async () => {
    const { text } = await ticker({})
    const path = '/api/v3/ticker/24hr'
    const nobody = { apiKey: 'f'.repeat(64), secret: 'x', accountId: f.alice.accountId }
    for (const trader of [undefined, nobody])
      expect([trader, (await f.send('GET', path, {}, trader)).text]).toEqual([trader, text])
    const bare = await fetch(`${f.url}${path}`)
    expect([bare.status, await bare.text()]).toEqual([200, text])
  })

  test('refuses an unknown symbol', async () => {
    expect(refusal(await ticker({ symbol: 'btc/usdt' }))).toStartWith('400 4001 UNKNOWN_SYMBOL')
  })

  test('drops minutes as time passes, without a trade or a command', async () => {
    const { time } = f.clock
    f.clock.time = START + DAY_MS + MINUTE_MS
    expect((await ticker({ symbol: 'BTC/USDT' })).body.data).toMatchObject({
      count: 1,
      prevClosePrice: '59990.25',
      openPrice: '60001',
      priceChange: '0',
    })
    f.clock.time = START + 2 * DAY_MS
    const { data } = (await ticker({ symbol: 'BTC/USDT' })).body
    expect(data).toMatchObject({ count: 0, volume: '0', openPrice: '60001', lastPrice: '60001' })
    expect(data).not.toHaveProperty('weightedAvgPrice')
    f.clock.time = time
  })
})
