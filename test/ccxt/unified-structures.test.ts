/**
 * The return values of each method on a live sandbox, checked against the rules of ccxt's own tests for an
 * exchange's class: members and their types, and figures that belong together. Data that this exchange does
 * not provide (docs/ccxt.md#what-differs) is not checked.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type BourseProcess, dataDirectory, readSandbox, sandbox } from '../support/bourse-process.ts'
import { Bourse } from './support/exchange.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'BTC/USDT'
const data = dataDirectory()
let node: BourseProcess
let alice: Bourse
let bob: Bourse
let orders: Entry[]

type Entry = Readonly<Record<string, unknown>>

beforeAll(async () => {
  node = await sandbox(data.path)
  const { baseUrl, accounts } = readSandbox(data.path)
  const of = (index: number) => {
    const { apiKey, secret } = accounts[index]!
    const urls = { api: { rest: baseUrl } }
    return new Bourse({ apiKey, secret, urls, timeout: 60_000, options: { recvWindow: 60_000 } })
  }
  ;[alice, bob] = [of(0), of(1)]
  await Promise.all([alice.loadMarkets(), bob.loadMarkets()])
  const placed = [
    await alice.createOrder(SYMBOL, 'limit', 'sell', 0.5, 60_000),
    await bob.createOrder(SYMBOL, 'market', 'buy', 0.1, 60_003),
    await bob.createOrder(SYMBOL, 'limit', 'buy', 0.2, 50_000.01),
    await bob.createOrder(SYMBOL, 'limit', 'buy', 0.3, 49_999, { timeInForce: 'IOC' }),
    await alice.createOrder(SYMBOL, 'market', 'sell', 0.05, undefined, { stopLossPrice: 40_000 }),
  ]
  await alice.cancelOrder(`${placed[4]?.id}`, SYMBOL)
  const read = await Promise.all([alice, bob].map((each) => each.fetchOrders(SYMBOL)))
  orders = [...placed, ...read.flat()] as unknown as Entry[]
})

afterAll(async () => {
  await Promise.all([alice.close(), bob.close()])
  await node.end('SIGTERM')
  data.remove()
})

/**
 * Errors in the members: `name: type` must be present, `name?: type` may be undefined but must be a member.
 */
function faultsOf(entry: Entry, shape: Readonly<Record<string, string>>): string[] {
  return Object.entries(shape).flatMap(([stated, type]) => {
    const [name = '', isOptional] = [stated.replace('?', ''), stated.endsWith('?')]
    if (!(name in entry)) return [`${name} is no member`]
    const value = entry[name]
    if (value === undefined) return isOptional ? [] : [`${name} is undefined`]
    const found = Array.isArray(value) ? 'array' : typeof value
    return found === type ? [] : [`${name} is a ${found}`]
  })
}

const TIMED = { timestamp: 'number', datetime: 'string' }

/** Checks that the time is in milliseconds of this century, not in the future, and equal to the text. */
function expectTime({ timestamp, datetime }: Entry): void {
  expect(Number.isInteger(timestamp)).toBe(true)
  expect(Number(timestamp)).toBeGreaterThan(Date.parse('2009-01-03'))
  expect(Number(timestamp)).toBeLessThan(Date.now() + 60_000)
  expect(datetime).toBe(new Date(Number(timestamp)).toISOString())
}

function expectFee(fee: unknown): void {
  const { currency, cost } = fee as Entry
  if (cost !== undefined) expect(Object.keys(alice.currencies)).toContain(`${currency}`)
}

const exact = (value: unknown) => alice.numberToString(value)

describe('orders of every state', () => {
  test('have the members of an order, and consistent figures', () => {
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['open', 'closed', 'canceled']))
    for (const order of orders) {
      expect(
        faultsOf(order, {
          ...{ id: 'string', clientOrderId: 'string', ...TIMED, symbol: 'string', type: 'string' },
          ...{ side: 'string', 'timeInForce?': 'string', 'postOnly?': 'boolean', info: 'object' },
          ...{
            'price?': 'number',
            'stopPrice?': 'number',
            'average?': 'number',
            'lastTradeTimestamp?': 'number',
          },
          ...{ amount: 'number', cost: 'number', filled: 'number', remaining: 'number', trades: 'array' },
          ...{ status: 'string', fee: 'object', fees: 'array' },
        }),
      ).toEqual([])
      expectTime(order)
      const { side, amount, filled, remaining, cost, average, status } = order
      expect([['buy', 'sell'], order.symbol]).toEqual([expect.arrayContaining([side]), SYMBOL])
      expect(Number(amount)).toBeGreaterThan(0)
      expect(alice.sum(Number(filled), Number(remaining))).toBe(Number(amount))
      expect([Number(cost) > 0, (average ?? 0) !== 0, 'lastTradeTimestamp' in order]).toEqual([
        Number(filled) > 0,
        Number(filled) > 0,
        true,
      ])
      if (status === 'closed') expect(remaining).toBe(0)
      for (const own of [order.price, order.stopPrice])
        if (own !== undefined) expect(Number(own)).toBeGreaterThan(0)
      for (const fee of order.fees as unknown[]) expectFee(fee)
    }
  })

  test('have trades with the members of a trade, public ones with those that concern no account', async () => {
    const own = (await bob.fetchMyTrades(SYMBOL)) as unknown as Entry[]
    const ofOrders = orders.flatMap(({ trades }) => trades as Entry[])
    const publicly = (await alice.fetchTrades(SYMBOL)) as unknown as Entry[]
    expect([own, ofOrders, publicly].map(({ length }) => length > 0)).toEqual([true, true, true])
    const figures = {
      ...TIMED,
      symbol: 'string',
      price: 'number',
      amount: 'number',
      cost: 'number',
      info: 'object',
    }
    const somebodys = {
      id: 'string',
      order: 'string',
      side: 'string',
      takerOrMaker: 'string',
      fee: 'object',
      fees: 'array',
    }
    for (const trade of [...own, ...ofOrders, ...publicly]) {
      expect(faultsOf(trade, figures)).toEqual([])
      expectTime(trade)
      expect(exact(trade.cost)).toBe(exact(Number(trade.price) * Number(trade.amount)))
    }
    for (const trade of [...own, ...ofOrders]) {
      expect(faultsOf(trade, somebodys)).toEqual([])
      expectFee(trade.fee)
    }
  })
})

describe('market data', () => {
  test('are tickers with consistent figures, also of markets without a trade', async () => {
    const tickers = [
      ...Object.values(await alice.fetchTickers()),
      ...Object.values(await alice.fetchBidsAsks()),
    ]
    expect(tickers.some(({ last }) => last === undefined)).toBe(true)
    for (const ticker of [...tickers, await alice.fetchTicker(SYMBOL)] as unknown as Entry[]) {
      const figures = ['high', 'low', 'bid', 'bidVolume', 'ask', 'askVolume', 'vwap', 'open', 'close', 'last']
      const others = ['previousClose', 'change', 'percentage', 'average', 'baseVolume', 'quoteVolume']
      const shape = Object.fromEntries([...figures, ...others].map((name) => [`${name}?`, 'number']))
      expect(faultsOf(ticker, { symbol: 'string', info: 'object', ...TIMED, ...shape })).toEqual([])
      expectTime(ticker)
      const { bid, ask, last, close, high, low, baseVolume, quoteVolume } = ticker
      expect(last).toBe(close)
      if (bid !== undefined && ask !== undefined) expect(Number(bid)).toBeLessThan(Number(ask))
      if (high === undefined) continue
      const [least, most] = [Number(baseVolume) * Number(low), Number(baseVolume) * Number(high)]
      expect(Number(quoteVolume)).toBeWithin(least - 1e-9, most + 1e-9)
    }
  })

  test('are a book in the order of its prices and candles within their extremes', async () => {
    const { bids, asks } = await alice.fetchOrderBook(SYMBOL)
    expect([bids.length, asks.length]).toEqual([1, 1])
    for (const [price, amount] of [...bids, ...asks])
      expect(Math.min(price ?? 0, amount ?? 0)).toBeGreaterThan(0)
    const prices = (levels: typeof bids) => levels.map(([price]) => Number(price))
    expect(prices(bids)).toEqual(prices(bids).toSorted((a, b) => b - a))
    expect(prices(asks)).toEqual(prices(asks).toSorted((a, b) => a - b))
    expect(Number(bids[0]?.[0])).toBeLessThan(Number(asks[0]?.[0]))
    const candles = await alice.fetchOHLCV(SYMBOL)
    expect(candles.length).toBeGreaterThan(0)
    for (const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = -1] of candles.map((each) =>
      each.map(Number),
    )) {
      expect([time % 60_000, high, low]).toEqual([0, Math.max(open, high, close), Math.min(open, low, close)])
      expect(volume).toBeGreaterThanOrEqual(0)
    }
  })

  test('are spot markets alone with steps, limits and currencies that can be looked up', () => {
    for (const market of Object.values(alice.markets ?? {}) as unknown as Entry[]) {
      expect(market).toMatchObject({
        type: 'spot',
        spot: true,
        margin: false,
        contract: false,
        swap: false,
        future: false,
        option: false,
      })
      expect(Object.keys(market)).toEqual(
        expect.arrayContaining(['linear', 'inverse', 'settle', 'expiry', 'strike', 'created', 'marginModes']),
      )
      expect(['linear', 'inverse', 'settle', 'expiry', 'strike'].map((name) => market[name])).toEqual(
        Array(5).fill(undefined),
      )
      expect(
        faultsOf(market, {
          id: 'string',
          symbol: 'string',
          active: 'boolean',
          taker: 'number',
          maker: 'number',
          info: 'object',
        }),
      ).toEqual([])
      for (const step of Object.values(market.precision as Entry)) expect(Number(step)).toBeGreaterThan(0)
      const { amount, price, cost } = market.limits as Readonly<Record<string, { min: number; max: number }>>
      for (const limit of [amount, price, cost])
        expect(limit?.max).toBeGreaterThanOrEqual(limit?.min ?? Number.NaN)
      for (const [id, code] of [
        [market.baseId, market.base],
        [market.quoteId, market.quote],
      ]) {
        expect(alice.currency(`${code}`)).toMatchObject({ id, code, active: true, type: 'crypto' })
        expect(alice.currency(`${code}`).precision).toBeGreaterThan(0)
      }
    }
  })
})

describe('account data', () => {
  test('are balances of known currencies whose parts sum to the whole, also of one currency alone', async () => {
    const all = await bob.fetchBalance()
    const [free, used, total] = [all.free, all.used, all.total] as unknown as Entry[]
    expect(Object.keys(bob.currencies)).toEqual(expect.arrayContaining(Object.keys(total ?? {})))
    for (const code of Object.keys(total ?? {}))
      expect(exact(bob.sum(Number(free?.[code]), Number(used?.[code])))).toBe(exact(total?.[code]))
    expect(Number(used?.USDT)).toBeGreaterThan(0)
    const one = await bob.fetchBalance({ code: 'USDT' })
    expect([one.USDT, Object.keys(one.total ?? {})]).toEqual([all.USDT, ['USDT']])
    await expect(bob.fetchBalance({ code: 'NONE' })).rejects.toThrow('no currency with the code NONE')
  })

  test('are entries of the ledger each of which continues from a balance', async () => {
    const entries = (await bob.fetchLedger()) as unknown as Entry[]
    expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(['deposit', 'trade', 'fee']))
    for (const entry of entries) {
      const figures = {
        amount: 'number',
        before: 'number',
        after: 'number',
        id: 'string',
        currency: 'string',
      }
      expect(
        faultsOf(entry, {
          ...figures,
          ...TIMED,
          direction: 'string',
          account: 'string',
          type: 'string',
          status: 'string',
          info: 'object',
        }),
      ).toEqual([])
      expectTime(entry)
      const { before, after, amount, direction } = entry
      expect(Math.min(Number(before), Number(after), Number(amount))).toBeGreaterThanOrEqual(0)
      const moved = direction === 'in' ? Number(amount) : -Number(amount)
      expect(Number(after)).toBeCloseTo(Number(before) + moved, 6)
    }
  })
})
