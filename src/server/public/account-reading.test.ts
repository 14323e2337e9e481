/** Commission of an account, and usage of its limits (docs/reference/extensions.md#account). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Rate, rate, type TimeMs } from '../../units/quantities.ts'
import { type LimitsConfig, SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const OPERATOR = { actor: 'test', note: '' }

describe('the commission of an account', () => {
  let f: Fixture
  beforeAll(async () => {
    f = await openFixture()
    const { accountId } = f.bob
    const shares = { makerShare: 33_333_333 as Rate, takerShare: 50_000_000 as Rate }
    await f.submit({ kind: 'SetFeeTier', operator: OPERATOR, name: 'vip', ...shares })
    await f.submit({
      kind: 'SetAccountTerms',
      operator: OPERATOR,
      accountId,
      feeTier: 'vip',
      openOrdersMax: 0,
    })
  })
  afterAll(() => f.stop())

  const ask = (trader: Fixture['bob'], fields: Fields = {}) =>
    f.send('GET', '/api/v3/account/commission', fields, trader)

  test('without a tier is that of the symbol', async () => {
    const { status, body } = await ask(f.alice, { symbol: 'BTC/USDT' })
    expect([status, body]).toEqual([
      200,
      {
        status: true,
        code: '0000',
        msg: ['The commission has been read.'],
        data: {
          symbol: 'BTC/USDT',
          commissionRates: { maker: '0.001', taker: '0.001' },
          standardCommission: { maker: '0.001', taker: '0.001' },
        },
      },
    ])
  })

  test('with a tier names it, beside what others pay; without a symbol for each in the order of listing', async () => {
    const { body } = await ask(f.bob)
    expect(body.data.map(({ symbol }: { symbol: string }) => symbol)).toEqual([
      'BTC/USDT',
      'ETH/USDT',
      'ETH/BTC',
      'USDT/TRY',
    ])
    expect(body.data[2]).toEqual({
      symbol: 'ETH/BTC',
      commissionRates: { maker: '0.00033333', taker: '0.0005' },
      standardCommission: { maker: '0.001', taker: '0.001' },
      feeTier: 'vip',
    })
  })

  test('is the rate that is charged, and follows a change of the symbol and of the tier at once', async () => {
    const symbol = 'ETH/USDT'
    const rates = { makerRate: rate(1_000_000), takerRate: rate(7_000_000) }
    await f.submit({ kind: 'SetSymbolRates', operator: OPERATOR, symbol, ...rates })
    const sell = { symbol, side: 'SELL', type: 'LIMIT', quantity: '0.1', price: '10' }
    /** For a total of 1, so that the commission is the rate. */
    const charged = async () => {
      const { body } = await f.send('GET', '/api/v3/order/trade/history', { symbol, size: 1 }, f.bob)
      expect(body.items[0].total).toBe('1')
      return body.items[0].commission
    }
    const paid = async () => (await ask(f.bob, { symbol })).body.data.commissionRates
    await f.place(f.alice, { ...sell, side: 'BUY' })
    await f.place(f.bob, sell)
    expect([await paid(), await charged()]).toEqual([{ maker: '0.00333333', taker: '0.035' }, '0.035'])
    await f.place(f.bob, sell)
    await f.place(f.alice, { ...sell, side: 'BUY' })
    expect(await charged()).toBe('0.00333333')
    const shares = { makerShare: rate(0), takerShare: 100_000_000 as Rate }
    await f.submit({ kind: 'SetFeeTier', operator: OPERATOR, name: 'vip', ...shares })
    await f.place(f.alice, { ...sell, side: 'BUY' })
    await f.place(f.bob, sell)
    expect([await paid(), await charged()]).toEqual([{ maker: '0', taker: '0.07' }, '0.07'])
  })

  test('of an unknown symbol is refused, and costs 20', async () => {
    expect((await ask(f.bob, { symbol: 'XXX/USDT' })).body.reason).toBe('UNKNOWN_SYMBOL')
    f.clock.time += 60_000
    const weights = [await ask(f.bob), await ask(f.bob, { symbol: 'ETH/USDT' })]
    expect(weights.map(({ headers }) => headers.get('x-mbx-used-weight-1m'))).toEqual(['20', '40'])
  })
})

describe('the limits of an account', () => {
  const MINUTE = 60_000
  const DAY = 86_400_000
  const LIMITS: LimitsConfig = {
    ...SANDBOX_LIMITS,
    weightPerMinuteMax: 200,
    malformedPerMinuteMax: 5,
    refusalsBeforeBan: 7,
    openingsPerMinuteMax: 6,
    answerBytesPerAddressMax: 1_000_000,
    orderWindows: [
      { name: '10S', windowMs: 10_000, ordersMax: 3 },
      { name: '1D', windowMs: DAY, ordersMax: 40 },
    ],
  }
  const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '100' }

  const ask = (f: Fixture, fields: Fields = {}, trader = f.alice) =>
    f.send('GET', '/api/v3/account/limits', fields, trader)

  async function using(limits: Partial<LimitsConfig>, use: (f: Fixture) => Promise<void>): Promise<void> {
    const f = await openFixture({ config: { ...SANDBOX_GATEWAY, limits: { ...LIMITS, ...limits } } })
    try {
      await use(f)
    } finally {
      await f.stop()
    }
  }

  test('state for every window what it allows, what is used, what is left, and when it starts over', async () => {
    await using({}, async (f) => {
      const { time } = f.clock
      await f.place(f.alice, ORDER)
      await f.place(f.alice, { ...ORDER, side: 'BY' })
      await f.place(f.alice, { ...ORDER, quantity: '90000000', price: '100000' })
      const { status, body } = await ask(f)
      const end = (windowMs: number) => Math.ceil(time / windowMs) * windowMs
      const minute = { interval: 'MINUTE', intervalNum: 1, resetAt: end(MINUTE) }
      expect([status, body]).toEqual([
        200,
        {
          status: true,
          code: '0000',
          msg: ['The limits have been read.'],
          data: {
            rateLimits: [
              // Three orders, and this request itself.
              { rateLimitType: 'REQUEST_WEIGHT', ...minute, limit: 200, used: 23, left: 177 },
              { rateLimitType: 'RATE_LIMITED', ...minute, limit: 7, used: 0, left: 7 },
              { rateLimitType: 'MALFORMED_REQUESTS', ...minute, limit: 5, used: 1, left: 4 },
              { rateLimitType: 'STREAM_OPENINGS', ...minute, limit: 6, used: 0, left: 6 },
              {
                rateLimitType: 'ORDERS',
                interval: 'SECOND',
                intervalNum: 10,
                limit: 3,
                used: 2,
                left: 1,
                resetAt: end(10_000),
              },
              {
                rateLimitType: 'ORDERS',
                interval: 'DAY',
                intervalNum: 1,
                limit: 40,
                used: 2,
                left: 38,
                resetAt: end(DAY),
              },
            ],
            answerBytes: { limit: 1_000_000, used: 0, left: 1_000_000 },
          },
        },
      ])
    })
  })

  test('are enforced: with none left the next request is refused, until the window starts over', async () => {
    await using({}, async (f) => {
      const orders = async () => (await ask(f)).body.data.rateLimits[4]
      const reason = async () => (await f.place(f.alice, ORDER)).body.reason
      for (let left = 3; left > 0; left--) {
        expect((await orders()).left).toBe(left)
        expect(await reason()).toBeUndefined()
      }
      const { left, resetAt } = await orders()
      expect([left, await reason()]).toEqual([0, 'ORDER_RATE_LIMITED'])
      expect((await ask(f)).body.data.rateLimits[1].used).toBe(1)
      f.clock.time = resetAt - 1
      expect(await reason()).toBe('ORDER_RATE_LIMITED')
      f.clock.time = resetAt
      expect((await orders()).left).toBe(3)
      expect(await reason()).toBeUndefined()
      // Orders are counted for the account, requests for the address.
      expect((await ask(f, {}, f.bob)).body.data.rateLimits[4].used).toBe(0)
      expect((await ask(f, {}, f.bob)).body.data.rateLimits[0].used).toBeGreaterThan(150)
    })
  })

  test('with a symbol state how many orders are open in it, of as many as it or the account allows', async () => {
    await using({}, async (f) => {
      await f.place(f.alice, ORDER)
      await f.place(f.alice, ORDER)
      await f.place(f.alice, { ...ORDER, symbol: 'ETH/USDT' })
      const open = async (symbol: string) => (await ask(f, { symbol })).body.data.openOrders
      const limit = 1_000_000
      expect(await open('BTC/USDT')).toEqual({ symbol: 'BTC/USDT', limit, used: 2, left: limit - 2 })
      expect(await open('ETH/BTC')).toEqual({ symbol: 'ETH/BTC', limit, used: 0, left: limit })
      const { accountId } = f.alice
      const terms = { accountId, feeTier: '', openOrdersMax: 1 }
      await f.submit({ kind: 'SetAccountTerms', operator: OPERATOR, ...terms })
      expect(await open('BTC/USDT')).toEqual({ symbol: 'BTC/USDT', limit: 1, used: 2, left: 0 })
      f.clock.time += MINUTE
      expect((await f.place(f.alice, ORDER)).body.reason).toBe('TOO_MANY_OPEN_ORDERS')
      expect((await ask(f, { symbol: 'XXX/USDT' })).body.reason).toBe('UNKNOWN_SYMBOL')
    })
  })

  test('with a symbol state until when a limit of the account itself holds, and its own rates too', async () => {
    await using({}, async (f) => {
      const { accountId } = f.alice
      const until = (f.clock.time + MINUTE) as TimeMs
      const rates = { makerRate: 0 as Rate, takerRate: 40_000 as Rate, until }
      const terms = { accountId, rates, openOrders: { max: 7, until } }
      await f.submit({ kind: 'SetSpecialTerms', operator: OPERATOR, ...terms })
      const open = async () => (await ask(f, { symbol: 'BTC/USDT' })).body.data.openOrders
      const paid = async () =>
        (await f.send('GET', '/api/v3/account/commission', { symbol: 'BTC/USDT' }, f.alice)).body.data
      expect(await open()).toEqual({ symbol: 'BTC/USDT', limit: 7, used: 0, left: 7, limitUntil: until })
      expect(await paid()).toMatchObject({
        commissionRates: { maker: '0', taker: '0.0004' },
        standardCommission: { maker: '0.001', taker: '0.001' },
        ownRates: true,
        ownRatesUntil: until,
      })
      f.clock.time += MINUTE
      expect(await open()).not.toHaveProperty('limitUntil')
      expect(await paid()).not.toHaveProperty('ownRates')
      expect(await paid()).toMatchObject({ commissionRates: { maker: '0.001', taker: '0.001' } })
    })
  })

  test('are more orders in a window for an account whose terms allow it, and state until when', async () => {
    const orderWindows = [{ name: '10S', windowMs: 10_000, ordersMax: 1 }]
    await using({ orderWindows }, async (f) => {
      const { accountId } = f.alice
      const until = (f.clock.time + MINUTE) as TimeMs
      const terms = { accountId, orderRate: { times: 2, until } }
      await f.submit({ kind: 'SetSpecialTerms', operator: OPERATOR, ...terms })
      const orders = async () =>
        (await ask(f)).body.data.rateLimits.find(
          ({ rateLimitType }: { rateLimitType: string }) => rateLimitType === 'ORDERS',
        )
      const place = async () => (await f.place(f.alice, ORDER)).body.reason
      expect([await place(), await place(), await place()]).toEqual([
        undefined,
        undefined,
        'ORDER_RATE_LIMITED',
      ])
      expect(await orders()).toMatchObject({ limit: 2, used: 2, left: 0, limitUntil: until })
      f.clock.time += MINUTE
      expect(await orders()).toMatchObject({ limit: 1, used: 0, left: 1 })
      expect(await orders()).not.toHaveProperty('limitUntil')
      expect([await place(), await place()]).toEqual([undefined, 'ORDER_RATE_LIMITED'])
    })
  })

  test('that are switched off are still counted, and have no remainder', async () => {
    await using({ isEnabled: false }, async (f) => {
      await f.place(f.alice, ORDER)
      const { rateLimits } = (await ask(f)).body.data
      expect(rateLimits.map(({ used }: { used: number }) => used)).toEqual([21, 0, 0, 0, 1, 1])
      for (const use of rateLimits) expect(Object.keys(use)).not.toContain('limit')
      for (const use of rateLimits) expect(Object.keys(use)).not.toContain('left')
    })
  })

  test('of a window that is not a whole number of seconds are in milliseconds', async () => {
    await using({ orderWindows: [{ name: 'X', windowMs: 1_500, ordersMax: 1 }] }, async (f) => {
      const [, , , , orders] = (await ask(f)).body.data.rateLimits
      expect(orders).toMatchObject({ interval: 'MILLISECOND', intervalNum: 1_500 })
    })
  })
})
