/** Public information about the service and its symbols (docs/reference/extensions.md#service). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { amount, lots, price, rate } from '../../units/quantities.ts'
import { type Fields, type Fixture, openFixture, see } from './gateway.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

/** Without a key, without a signature, without a timestamp. */
const ask = async (path: string, headers: Record<string, string> = {}) =>
  see(await fetch(`${f.url}/api/v3${path}`, { headers }))

describe('ping', () => {
  test('answers everyone with an empty envelope', async () => {
    const { status, body, headers } = await ask('/ping?anything=%zz')
    expect([status, body]).toEqual([
      200,
      { status: true, code: '0000', msg: ['The service answers.'], data: {} },
    ])
    expect(headers.get('x-mbx-used-weight-1m')).toBe('1')
    expect((await ask('/ping', { 'Accept-Language': 'tr' })).body.msg).toEqual(['Servis yanıt veriyor.'])
  })
})

describe('the time', () => {
  test('is the clock by which windows of signed requests are measured', async () => {
    const { status, body } = await ask('/time')
    expect([status, body.data]).toEqual([200, { serverTime: f.clock.time }])
    const { serverTime } = body.data
    const reasonAt = async (timestamp: number) =>
      (await f.send('GET', '/api/v3/wallet/balance', { timestamp }, f.alice)).body.reason
    expect(await reasonAt(serverTime + 999)).toBeUndefined()
    expect(await reasonAt(serverTime + 1_000)).toBe('TIMESTAMP_AHEAD')
  })

  test('is the sequencer’s: a clock that is set back never moves it before an order that was answered', async () => {
    const guarded = await openFixture({ isClockGuarded: true })
    try {
      const time = async () => (await guarded.send('GET', '/api/v3/time', {})).body.data.serverTime as number
      const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '50000' }
      const placed = Date.parse((await guarded.place(guarded.alice, order)).body.data.created_at)
      guarded.clock.time -= 3_600_000
      expect(await time()).toBeGreaterThanOrEqual(placed)
    } finally {
      await guarded.stop()
    }
  })
})

describe('the rules', () => {
  const rules = async (symbol?: string, headers: Record<string, string> = {}) =>
    ask(`/exchangeInfo/rules${symbol === undefined ? '' : `?symbol=${symbol}`}`, headers)
  // biome-ignore lint/suspicious/noExplicitAny: what a stranger sends is looked at as it is
  const rulesOf = async (symbol: string): Promise<any> => (await rules(symbol)).body.data.symbols[0]

  test('of every listed symbol need no key, and say all that an order must fit as exact strings', async () => {
    const { status, body, headers } = await rules()
    expect(status).toBe(200)
    expect(headers.get('x-mbx-used-weight-1m')).toMatch(/^\d+$/)
    const { symbols } = body.data
    expect(symbols.map(({ symbol }: { symbol: string }) => symbol)).toEqual([
      'BTC/USDT',
      'ETH/USDT',
      'ETH/BTC',
      'USDT/TRY',
    ])
    expect(symbols[3]).toEqual({
      symbol: 'USDT/TRY',
      status: 'TRADING',
      isSpotTradingAllowed: true,
      baseAsset: 'USDT',
      baseAssetPrecision: 8,
      quoteAsset: 'TRY',
      quoteAssetPrecision: 2,
      standardCommission: { maker: '0.001', taker: '0.001' },
      orderTypes: [
        'LIMIT',
        'MARKET',
        'LIMIT_MAKER',
        'STOP_LOSS',
        'STOP_LOSS_LIMIT',
        'TAKE_PROFIT',
        'TAKE_PROFIT_LIMIT',
      ],
      timeInForce: ['GTC', 'IOC', 'FOK', 'GTD'],
      orderLists: ['OCO', 'OTO', 'OTOCO'],
      icebergAllowed: true,
      ocoAllowed: true,
      otoAllowed: true,
      amendAllowed: true,
      cancelReplaceAllowed: true,
      allowTrailingStop: true,
      defaultSelfTradePreventionMode: 'NONE',
      allowedSelfTradePreventionModes: ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'],
      filters: [
        { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '90071992547409.91', tickSize: '0.01' },
        { filterType: 'LOT_SIZE', minQty: '0.01', maxQty: '90071992547409.91', stepSize: '0.01' },
        {
          filterType: 'NOTIONAL',
          minNotional: '0.01',
          maxNotional: '1701411834604692317316873037158841057.27',
          stepSize: '0.01',
        },
        { filterType: 'ICEBERG_PARTS', limit: 100 },
        {
          filterType: 'TRAILING_DELTA',
          minTrailingAboveDelta: 10,
          maxTrailingAboveDelta: 2_000,
          minTrailingBelowDelta: 10,
          maxTrailingBelowDelta: 2_000,
        },
        { filterType: 'EXPIRE_TIME', maxAheadMs: 3_650 * 86_400_000 },
        { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 1_000_000 },
        { filterType: 'MAX_NUM_PRICE_LEVELS', maxNumPriceLevels: 100_000 },
      ],
    })
  })

  test('of one symbol are the same rules in the same form', async () => {
    const { exchange, symbols } = (await rules()).body.data
    expect(exchange).toEqual({ phase: 'TRADING', planned: [] })
    const one = { exchange, symbols: [symbols[2]] }
    expect((await rules('ETH/BTC')).body.data).toEqual(one)
    expect((await rules('ETH%2FBTC')).body.data).toEqual(one)
  })

  test('check their parameter as strictly as every other endpoint does', async () => {
    const reasonOf = async (query: string) => (await ask(`/exchangeInfo/rules?${query}`)).body.reason
    expect(await reasonOf('symbol=XXX/USDT')).toBe('UNKNOWN_SYMBOL')
    expect(await reasonOf('symbol=ETH/BTC&symbol=ETH/BTC')).toBe('DUPLICATE_PARAMETER')
    expect(await reasonOf('a=1&a=2')).toBe('DUPLICATE_PARAMETER')
    expect(await reasonOf('symbol=%zz')).toBe('UNREADABLE_QUERY')
  })

  test('are those that are enforced for orders', async () => {
    const terms = {
      minTotal: amount(5_00000000n),
      minQuantity: lots(2_000),
      selfTradeMode: 'EXPIRE_TAKER',
      openOrdersMax: 3,
      levelsMax: 2,
      minPrice: price(100_00),
      maxPrice: price(900_00),
    } as const
    await f.submit({ kind: 'SetSymbolTerms', operator: OPERATOR, symbol: 'ETH/USDT', ...terms })
    const found = await rulesOf('ETH/USDT')
    const filter = Object.assign({}, ...found.filters)
    expect(filter).toMatchObject({ minPrice: '100', maxPrice: '900', tickSize: '0.01' })
    expect(filter).toMatchObject({ minQty: '0.002', minNotional: '5', maxNumOrders: 3, maxNumPriceLevels: 2 })
    expect(found.defaultSelfTradePreventionMode).toBe('EXPIRE_TAKER')
    const reasonOf = async (fields: Fields) => {
      const order = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', timeInForce: 'IOC' }
      return (await f.place(f.alice, { ...order, ...fields })).body.reason
    }
    const { minPrice, maxPrice, minQty } = filter
    expect(await reasonOf({ price: minPrice, quantity: '0.05' })).toBeUndefined()
    expect(await reasonOf({ price: '99.99', quantity: '0.06' })).toBe('PRICE_OUT_OF_BAND')
    expect(await reasonOf({ price: maxPrice, quantity: '0.05' })).toBeUndefined()
    expect(await reasonOf({ price: '900.01', quantity: '0.05' })).toBe('PRICE_OUT_OF_BAND')
    expect(await reasonOf({ price: '100', quantity: '0.001999' })).toBe('QUANTITY_TOO_SMALL')
    expect(await reasonOf({ price: '900', quantity: minQty })).toBe('TOTAL_TOO_SMALL')
    expect(await reasonOf({ price: '100', quantity: '0.049999' })).toBe('TOTAL_TOO_SMALL')
    expect(await reasonOf({ price: '100.001', quantity: '1' })).toBe('TOO_MANY_DECIMALS')
  })

  test('are made again when a symbol or an asset changes, in every language, and never for one without the other', async () => {
    const turkish = { 'Accept-Language': 'tr' }
    const seen = async () => {
      const [english, other] = [await rules(), await rules(undefined, turkish)]
      expect([english.body.msg, other.body.msg]).toEqual([
        ['The rules have been read.'],
        ['Kurallar getirildi.'],
      ])
      expect(other.body.data).toEqual(english.body.data)
      // biome-ignore lint/suspicious/noExplicitAny: what a stranger sends is looked at as it is
      return english.body.data.symbols.map((each: any) => [
        each.symbol,
        each.status,
        each.isSpotTradingAllowed,
        each.standardCommission.maker,
      ])
    }
    const [bitcoin, ether, cross, lira] = await seen()
    const flags = { isDeposit: true, isWithdraw: true, isTrade: false, isSaving: false }
    await f.submit({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'TRY', flags })
    expect(await seen()).toEqual([bitcoin, ether, cross, ['USDT/TRY', 'TRADING', false, '0.001']])
    await f.submit({
      kind: 'SetAssetFlags',
      operator: OPERATOR,
      code: 'TRY',
      flags: { ...flags, isTrade: true },
    })
    expect(await seen()).toEqual([bitcoin, ether, cross, lira])
    const symbol = 'ETH/BTC'
    await f.submit({
      kind: 'SetSymbolRates',
      operator: OPERATOR,
      symbol,
      makerRate: rate(0),
      takerRate: rate(5),
    })
    await f.submit({ kind: 'SetSymbolState', operator: OPERATOR, symbol, state: 'HALTED' })
    expect(await seen()).toEqual([bitcoin, ether, [symbol, 'HALTED', false, '0'], lira])
    await f.submit({ kind: 'SetSymbolState', operator: OPERATOR, symbol, state: 'DELISTED' })
    expect(await seen()).toEqual([bitcoin, ether, lira])
    expect((await rules(symbol)).body.reason).toBe('UNKNOWN_SYMBOL')
  })
})
