/**
 * Unmodified ccxt on a real sandbox: placing, changing, canceling, reading and following in this runtime; and
 * a strategy in Node whose connections lose requests and answers.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import path from 'node:path'
import { type BourseProcess, dataDirectory, readSandbox, sandbox } from '../support/bourse-process.ts'
import { WAIT_MS_MAX } from '../support/until.ts'
import { Bourse } from './support/exchange.ts'
import { faultyProxy } from './support/faulty-proxy.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'BTC/USDT'
const data = dataDirectory()
let node: BourseProcess
let alice: InstanceType<typeof Bourse>
let bob: InstanceType<typeof Bourse>

beforeAll(async () => {
  node = await sandbox(data.path)
  const { baseUrl, accounts } = readSandbox(data.path)
  const of = (index: number, more: object = {}) => {
    const { apiKey, secret } = accounts[index]!
    // No request is refused for its age, even if the machine pauses for a while.
    const options = { recvWindow: 60_000, ...more }
    return new Bourse({ apiKey, secret, urls: { api: { rest: baseUrl } }, timeout: 60_000, options })
  }
  ;[alice, bob] = [of(0), of(1, { strictSignature: true })]
  await Promise.all([alice.loadMarkets(), bob.loadMarkets()])
  // A node that has just started has no record of nonces: strict signatures are valid from the next second
  // on.
  while ((await errorName(bob.fetchOpenOrders())) !== 'none') await Bun.sleep(20)
})

afterAll(async () => {
  await Promise.all([alice.close(), bob.close()])
  await node.end('SIGTERM')
  data.remove()
})

const errorName = async (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => 'none',
    (error: Error) => error.name,
  )

const idOf = ({ id }: { readonly id?: string | undefined }): string => `${id}`

describe('on a live sandbox', () => {
  test('a limit order is filled in part by market orders, by cost and by amount x price', async () => {
    const order = await alice.createOrder(SYMBOL, 'limit', 'sell', 0.5, 60_000)
    expect([order.status, order.remaining, order.type, order.side]).toEqual(['open', 0.5, 'limit', 'sell'])
    const bought = await bob.createMarketBuyOrderWithCost(SYMBOL, 6000)
    expect([bought.status, bought.filled, bought.cost, bought.trades.length]).toEqual([
      'closed',
      0.1,
      6000,
      1,
    ])
    expect((await bob.createOrder(SYMBOL, 'market', 'buy', 0.2, 60_000)).filled).toBe(0.2)
    expect(await alice.fetchOrder(idOf(order))).toMatchObject({ status: 'open', filled: 0.3, remaining: 0.2 })
    const byName = await alice.fetchOrder('', SYMBOL, { clientOrderId: order.clientOrderId })
    expect(byName.id).toBe(order.id)

    const trades = await alice.fetchOrderTrades(idOf(order), SYMBOL)
    expect(trades.map(({ amount, takerOrMaker }) => [amount, takerOrMaker])).toEqual([
      [0.1, 'maker'],
      [0.2, 'maker'],
    ])
    expect((await bob.fetchMyTrades(SYMBOL)).map(({ takerOrMaker }) => takerOrMaker)).toEqual([
      'taker',
      'taker',
    ])
    expect((await alice.fetchTrades(SYMBOL)).map(({ amount }) => amount)).toEqual([0.1, 0.2])
    expect((await alice.fetchOrderBook(SYMBOL)).asks).toEqual([[60_000, 0.2]])
    expect(await alice.fetchTicker(SYMBOL)).toMatchObject({ last: 60_000, ask: 60_000, baseVolume: 0.3 })
    expect((await alice.fetchOHLCV(SYMBOL, '1M')).at(-1)?.slice(1)).toEqual([
      60_000, 60_000, 60_000, 60_000, 0.3,
    ])
    await alice.cancelOrder(idOf(order), SYMBOL)
    expect(await errorName(alice.cancelOrder(idOf(order), SYMBOL))).toBe('OrderNotFound')
    expect((await alice.fetchCanceledOrders(SYMBOL)).map(({ id }) => id)).toContain(order.id)
    expect((await bob.fetchClosedOrders(SYMBOL)).map(({ id }) => id)).toContain(bought.id)
  })

  test('an order is placed once, however often it is sent under its client order id', async () => {
    const send = (amount: number) =>
      alice.createOrder(SYMBOL, 'limit', 'buy', amount, 50_000, { clientOrderId: 'once' })
    const [first, second] = [await send(0.1), await send(0.1)]
    expect(second.id).toBe(first.id)
    expect((await alice.fetchOpenOrders(SYMBOL)).length).toBe(1)
    expect(await errorName(send(0.2))).toBe('DuplicateOrderId')
    await alice.cancelOrderWithClientOrderId('once', SYMBOL)
  })

  test('an order is lowered in its place, and replaced by another one', async () => {
    const placed = await alice.createOrder(SYMBOL, 'limit', 'buy', 0.3, 50_000)
    const lowered = await alice.editOrder(idOf(placed), SYMBOL, 'limit', 'buy', 0.2)
    expect([lowered.id, lowered.amount]).toEqual([placed.id, 0.2])
    const replaced = await alice.editOrder(idOf(placed), SYMBOL, 'limit', 'buy', 0.2, 50_001)
    expect([replaced.id === placed.id, replaced.price]).toEqual([false, 50_001])
    expect((await alice.fetchOrder(idOf(placed))).status).toBe('canceled')
    await alice.cancelOrders([idOf(replaced)])
  })

  test('orders of every type equal those of the exchange', async () => {
    const seen = async (type: string, side: 'buy' | 'sell', price: number | undefined, params: object) => {
      const { info, ...order } = await alice.createOrder(SYMBOL, type, side, 0.01, price, { ...params })
      return [info.type ?? info.contingencyType, order.type, order.status]
    }
    expect(await seen('limit', 'buy', 50_000, { postOnly: true })).toEqual(['LIMIT_MAKER', 'limit', 'open'])
    expect(await seen('limit', 'buy', 50_000, { timeInForce: 'IOC' })).toEqual(['LIMIT', 'limit', 'canceled'])
    expect(await seen('limit', 'buy', 50_000, { icebergAmount: 0.001 })).toEqual(['LIMIT', 'limit', 'open'])
    const later = alice.milliseconds() + 3_600_000
    expect(await seen('limit', 'buy', 50_000, { expireTime: later })).toEqual(['LIMIT', 'limit', 'open'])
    expect(await seen('market', 'sell', undefined, { stopLossPrice: 40_000 })).toEqual([
      'STOP_LOSS',
      'market',
      'open',
    ])
    expect(await seen('limit', 'sell', 39_000, { triggerPrice: 40_000 })).toEqual([
      'STOP_LOSS_LIMIT',
      'limit',
      'open',
    ])
    expect(await seen('market', 'buy', undefined, { takeProfitPrice: 40_000, cost: 50 })).toEqual([
      'TAKE_PROFIT',
      'market',
      'open',
    ])
    expect(await seen('limit', 'sell', 80_000, { takeProfitPrice: 80_000 })).toEqual([
      'TAKE_PROFIT_LIMIT',
      'limit',
      'open',
    ])
    const pair = { takeProfitPrice: 80_000, stopLossPrice: 40_000 }
    expect(await seen('market', 'sell', undefined, pair)).toEqual(['OCO', 'market', 'open'])
    const attached = {
      takeProfit: { triggerPrice: 80_000 },
      stopLoss: { triggerPrice: 40_000, price: 39_000 },
    }
    expect(await seen('limit', 'buy', 50_000, attached)).toEqual(['OTO', 'limit', 'open'])
    expect(await errorName(seen('limit', 'buy', 50_000, { timeInForce: 'FOK' }))).toBe('OrderNotFillable')
    expect(await seen('market', 'sell', undefined, { trailingPercent: 1.25 })).toEqual([
      'STOP_LOSS',
      'market',
      'open',
    ])
    expect(await seen('limit', 'sell', 40_000, { trailingPercent: 5, trailingTriggerPrice: 90_000 })).toEqual(
      ['TAKE_PROFIT_LIMIT', 'limit', 'open'],
    )
    expect(await errorName(seen('market', 'sell', undefined, { trailingPercent: 1.001 }))).toBe(
      'InvalidOrder',
    )
    expect(await errorName(seen('market', 'sell', undefined, { trailingAmount: 1 }))).toBe('NotSupported')
    await alice.cancelAllOrders()
    expect(await alice.fetchOpenOrders()).toEqual([])
  })

  test('several orders of one request are placed or refused independently', async () => {
    const order = { symbol: SYMBOL, type: 'limit' as const, side: 'buy' as const, price: 50_000 }
    const orders = await alice.createOrders([
      { ...order, amount: 0.1 },
      { ...order, amount: 1_000_000 },
    ])
    expect(orders.map(({ status }) => status)).toEqual(['open', 'rejected'])
    expect(orders[1]?.info.reason).toBe('INSUFFICIENT_FUNDS')
    expect((await alice.cancelOrders([idOf(orders[0]!), 'not-an-id'.padEnd(36, '0')])).length).toBe(2)
  })

  test('balances, payments and rates of an account are read', async () => {
    const balance = await bob.fetchBalance()
    expect(balance).toMatchObject({ total: { BTC: 100.2997 }, BTC: { used: 0, total: 100.2997 } })
    const fees = (await bob.fetchLedger('BTC')).filter(({ type }) => type === 'fee')
    expect(fees.map(({ amount, direction }) => [amount, direction])).toEqual([
      [0.0001, 'out'],
      [0.0002, 'out'],
    ])
    expect((await bob.fetchTradingFees())[SYMBOL]).toMatchObject({ maker: 0.001, taker: 0.001 })
    expect((await bob.fetchStatus()).status).toBe('ok')
    expect(await bob.cancelAllOrdersAfter(60_000)).toMatchObject({ countdownTime: 60_000 })
    expect(await bob.cancelAllOrdersAfter(0)).toMatchObject({ countdownTime: 0 })
  })
})

describe('over the stream of a live sandbox', () => {
  test('an order is placed, changed and canceled, and the book, the orders and the balance follow', async () => {
    const first = bob.watchOrderBook(SYMBOL)
    expect((await first).asks).toEqual([])
    await bob.watchBalance()
    const placed = await bob.createOrderWs(SYMBOL, 'limit', 'sell', 0.2, 70_000)
    expect((await bob.watchOrderBook(SYMBOL)).asks).toEqual([[70_000, 0.2]])
    expect((await bob.watchOrders(SYMBOL)).map(({ id }) => id)).toEqual([idOf(placed)])
    expect((await bob.watchBalance()).BTC).toMatchObject({ used: 0.2 })
    const lowered = await bob.editOrderWs(idOf(placed), SYMBOL, 'limit', 'sell', 0.1)
    expect(lowered.remaining).toBe(0.1)
    const replaced = await bob.editOrderWs(idOf(placed), SYMBOL, 'limit', 'sell', 0.1, 71_000)
    await bob.cancelOrderWs(idOf(replaced), SYMBOL)
    expect(await errorName(bob.cancelOrderWs(idOf(replaced), SYMBOL))).toBe('OrderNotFound')
    const [inBatch] = await bob.createOrdersWs([
      { symbol: SYMBOL, type: 'limit', side: 'sell', amount: 0.1, price: 72_000 },
    ])
    const seen = new Map<string, string>()
    while (seen.get(idOf(inBatch!)) !== 'canceled') {
      for (const { id, status } of await bob.watchOrders()) seen.set(`${id}`, `${status}`)
      if (seen.get(idOf(inBatch!)) === 'open') await bob.cancelAllOrdersWs(SYMBOL)
    }
    expect([seen.get(idOf(placed)), seen.get(idOf(replaced))]).toEqual(['canceled', 'canceled'])
  })

  test('trades, tickers and candles come as they happen', async () => {
    expect((await bob.watchTrades(SYMBOL)).length).toBe(2)
    expect((await bob.watchTicker(SYMBOL)).last).toBe(60_000)
    expect((await bob.watchOHLCV(SYMBOL, '1M')).at(-1)?.[5]).toBe(0.3)
    await alice.createOrder(SYMBOL, 'limit', 'sell', 1, 61_000)
    let isFollowed = false
    const fills = bob.watchMyTrades(SYMBOL).finally(() => {
      isFollowed = true
    })
    while (!isFollowed) await bob.createMarketBuyOrderWithCost(SYMBOL, 61)
    expect((await fills)[0]).toMatchObject({ symbol: SYMBOL, side: 'buy', price: 61_000, amount: 0.001 })
    expect((await bob.watchTrades(SYMBOL))[0]).toMatchObject({ side: 'buy', price: 61_000 })
    expect((await bob.watchTicker(SYMBOL)).last).toBe(61_000)
    expect((await bob.watchBidsAsks([SYMBOL]))[SYMBOL]?.ask).toBe(61_000)
    expect((await bob.watchOHLCV(SYMBOL, '1M')).at(-1)?.[4]).toBe(61_000)
    await alice.cancelAllOrders(SYMBOL)
  })
})

/**
 * Number of orders that the strategy places. In `FAULTS`, one piece in each of the numbers is lost on its
 * way.
 */
const STRATEGY_ORDERS = 20
const FAULTS = { cutBefore: 9, cutAnswer: 7, swallow: 11 }

describe('a strategy through faults', () => {
  test('places no order twice, loses no fill and knows the end of each of its orders', async () => {
    const { baseUrl, accounts } = readSandbox(data.path)
    const { apiKey, secret } = accounts[0]!
    const proxy = faultyProxy(new URL(baseUrl), FAULTS)
    const script = path.join(import.meta.dir, 'support/strategy.mjs')
    const child = Bun.spawn(['node', script, proxy.url, apiKey, secret, `${STRATEGY_ORDERS}`], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    let isEnded = false
    void child.exited.then(() => {
      isEnded = true
    })
    try {
      const lines = new Response(child.stdout).text()
      const isMine = ({ clientOrderId }: { clientOrderId?: string | undefined }) =>
        `${clientOrderId}`.startsWith('bot-')
      const last = `bot-${STRATEGY_ORDERS - 1}`
      const isPlaced = async () =>
        (await errorName(alice.fetchOrderWithClientOrderId(last, SYMBOL))) === 'none'
      while (!isEnded && !(await isPlaced())) await Bun.sleep(20)
      // The strategy ends once all its orders have ended.
      for (const endMs = performance.now() + WAIT_MS_MAX; !isEnded; ) {
        if (performance.now() > endMs) throw new Error('the strategy has not seen the end of all its orders')
        const open = await alice.fetchOpenOrders(SYMBOL)
        const amount = open.reduce((sum, { remaining }) => sum + Number(remaining), 0)
        if (amount > 0) await bob.createOrder(SYMBOL, 'market', 'sell', amount)
        await Bun.sleep(20)
      }
      expect(child.exitCode).toBe(0)
      const told = JSON.parse((await lines).trim().split('\n').at(-1)!)
      const mine = (await alice.fetchOrders(SYMBOL, 0)).filter(isMine)
      expect(mine.map(({ id }) => `${id}`).toSorted()).toEqual(told.placed.toSorted())
      expect(mine.length).toBe(STRATEGY_ORDERS + STRATEGY_ORDERS / 5)
      for (const { id, status } of mine) expect([id, told.statuses[`${id}`]]).toEqual([id, status])
      const traded = await alice.fetchMyTrades(SYMBOL, 0)
      const isTraded = new Set(mine.map(({ id }) => id))
      const fills = traded.filter(({ order }) => isTraded.has(order)).map(({ id }) => `${id}`)
      expect(told.fills.toSorted()).toEqual(fills.toSorted())
      expect(proxy.counts.faults).toBeGreaterThan(10)
      expect(told.errors.RequestTimeout).toBeGreaterThan(0)
    } finally {
      child.kill()
      proxy.stop()
    }
  })
})
