/**
 * Endpoints beside the contract, as an outside client uses them on a real node: their answers match the
 * node's state, before and after the node is killed (docs/reference/extensions.md).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { type Client, form } from './support/client.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import * as shapes from './support/shapes.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const LIMIT = { symbol: 'BTC/USDT', type: 'LIMIT' }

let node: NodeProcess
beforeAll(async () => {
  node = await startSandbox()
  await node.alice.place({ ...LIMIT, side: 'SELL', quantity: '0.5', price: '60000.5' })
  await node.bob.place({ ...LIMIT, side: 'BUY', quantity: '0.2', price: '60000.5' })
  await node.bob.place({ ...LIMIT, side: 'BUY', quantity: '0.75', price: '59990' })
})
afterAll(() => node.stop())

const open = (path: string) => node.client().raw({ method: 'GET', path: `/api/v3/${path}` })

describe('without a key', () => {
  test('ping answers, and the time is that of orders', async () => {
    expect((await open('ping')).body).toEqual(shapes.success({}))
    const placed = await node.bob.place({ ...LIMIT, side: 'BUY', quantity: '0.01', price: '50000' })
    const { body } = await open('time')
    expect(body).toEqual(shapes.success({ serverTime: shapes.MILLISECONDS }))
    const serverTime = Number(body.data.serverTime.slice(1))
    expect(serverTime).toBeGreaterThanOrEqual(Date.parse(placed.created_at))
    expect(serverTime - Date.parse(placed.created_at)).toBeLessThan(60_000)
    await node.bob.cancel(placed.id)
  })

  test('the rules name the symbols of exchange information, with decimals as strings', async () => {
    const symbolOf = ({ symbol }: { symbol: string }) => symbol
    const { body } = await open('exchangeInfo/rules')
    const info = (await open('exchangeInfo')).body
    expect(body.data.symbols.map(symbolOf)).toEqual(info.symbols.map(symbolOf))
    const [bitcoin] = body.data.symbols
    expect(bitcoin.filters[1]).toEqual({
      filterType: 'LOT_SIZE',
      minQty: '0.00000001',
      maxQty: '90071992.54740991',
      stepSize: '0.00000001',
    })
  })
})

describe('candles', () => {
  test('are read without a key, by address alone: what was traded, and nothing about who traded', async () => {
    const { body: before } = await open('time')
    const { status, body } = await node
      .client()
      .raw({ method: 'GET', path: '/api/v3/klines', query: 'symbol=BTC/USDT&interval=1d' })
    expect([status, body.status, body.code]).toEqual([200, true, '0000'])
    const [candle, next] = body.data
    expect(next).toBeUndefined()
    const [openTime, ...columns] = candle
    const dayMs = 86_400_000
    const [opened, now] = [Number(openTime.slice(1)), Number(before.data.serverTime.slice(1))]
    expect([opened % dayMs, opened <= now, now < opened + dayMs]).toEqual([0, true, true])
    const prices = Array(4).fill('60000.5')
    // 0.2 BTC at 60,000.5: 12,000.1 USDT, bought by the order that came second.
    expect(columns).toEqual([
      ...prices,
      '0.2',
      `#${opened + dayMs - 1}`,
      '12000.1',
      '#1',
      '0.2',
      '12000.1',
      '0',
    ])
  })

  test('cost an unauthenticated client their weight', async () => {
    const used = async (query: string) => {
      const path = '/api/v3/klines'
      const { headers } = await node.client().raw({ method: 'GET', path, query })
      return Number(headers.get('x-mbx-used-weight-1m'))
    }
    const asked = 'symbol=BTC/USDT&interval=5m&limit=1000'
    let cost = 0
    // A new minute starts a new count.
    while (cost <= 0) {
      const first = await used(asked)
      cost = (await used(asked)) - first
    }
    expect(cost).toBe(102)
  })
})

describe('the tickers', () => {
  const tickers = async () => {
    const seen = []
    for (const path of ['price', 'bookTicker']) {
      const { data } = await node.alice.ask('GET', `/api/v3/ticker/${path}`)
      for (const { time, ...ticker } of data) {
        expect(time).toEqual(shapes.MILLISECONDS)
        seen.push(ticker)
      }
    }
    return seen
  }

  test('show the last and the best prices, and the same after the node was killed', async () => {
    const before = await tickers()
    expect(before[0]).toEqual({ symbol: 'BTC/USDT', price: '60000.5' })
    expect(before[1]).toEqual({ symbol: 'ETH/USDT' })
    const book = { bidPrice: '59990', bidQty: '0.75', askPrice: '60000.5', askQty: '0.3' }
    expect(before[4]).toEqual({ symbol: 'BTC/USDT', ...book })
    node = await node.restart('SIGKILL')
    expect(await tickers()).toEqual(before)
  })
})

describe('the signature check', () => {
  const check = (client: Client, query: string, body: string, signature: string) => {
    const headers = { 'X-Signature': signature }
    return client.raw({ method: 'POST', path: '/api/v3/signature/check', query, body, headers })
  }

  test('shows the client of a refused order the bytes that the server has verified, and what was signed instead', async () => {
    const { alice } = node
    const times = { timestamp: Date.now(), recvWindow: 60_000 }
    const sent = form({ ...LIMIT, side: 'BUY', quantity: '0.01', price: '50000', ...times })
    const mistaken = alice.signature('', decodeURIComponent(sent))
    const headers = { 'X-Signature': mistaken }
    const refused = await alice.raw({ method: 'POST', path: '/api/v3/order', body: sent, headers })
    expect([refused.status, refused.body]).toEqual([401, shapes.failure('4001', 'INVALID_SIGNATURE')])
    const { status, body, text } = await check(alice, '', sent, mistaken)
    expect([status, body.data.isValid]).toEqual([200, false])
    expect(body.data.signed).toEqual({
      bytes: `#${sent.length}`,
      sha256: createHash('sha256').update(sent).digest('hex'),
      bodyAt: '#0',
      text: sent,
    })
    expect(body.data.hints.map(({ hint }: { hint: string }) => hint)).toEqual(['SIGNED_DECODED'])
    const right = alice.signature('', sent)
    expect(text).not.toContain(right.slice(0, 12))
    expect((await check(alice, '', sent, right)).body.data).toMatchObject({ isValid: true, refusals: [] })
  })

  test('gives the same answer for a key that does not exist', async () => {
    const stranger = node.client({ apiKey: 'f'.repeat(64), secret: 'x' })
    const sent = `timestamp=${Date.now()}&recvWindow=60000`
    const data = async (client: Client) => {
      const { body } = await check(client, '', sent, 'a'.repeat(64))
      const { serverTime: _, behindMs: __, ...rest } = body.data
      return rest
    }
    expect(await data(stranger)).toEqual(await data(node.alice))
  })
})

describe('an account', () => {
  test('sees what it pays: the rates that the operator has set, and the cost of its fills', async () => {
    await node.admin('tier', 'set', 'friends', '--maker-share', '0.5', '--taker-share', '0.25')
    await node.admin('account', 'set', 'bob', '--fee-tier', 'friends')
    const pays = async () =>
      (await node.bob.ask('GET', '/api/v3/account/commission', { symbol: 'ETH/USDT' })).data
    const rates = {
      symbol: 'ETH/USDT',
      commissionRates: { maker: '0.0005', taker: '0.00025' },
      standardCommission: { maker: '0.001', taker: '0.001' },
      feeTier: 'friends',
    }
    expect(await pays()).toEqual(rates)
    const order = { symbol: 'ETH/USDT', type: 'LIMIT', quantity: '1', price: '3000' }
    await node.alice.place({ ...order, side: 'SELL' })
    await node.bob.place({ ...order, side: 'BUY' })
    const [fill] = (await node.bob.history({ size: 1 })).items
    expect([fill.quantity, fill.commission]).toEqual(['1', rates.commissionRates.taker])
    node = await node.restart('SIGTERM')
    expect(await pays()).toEqual(rates)
  })

  test('sees what is left of its limits', async () => {
    const ask = async () => (await node.bob.ask('GET', '/api/v3/account/limits', { symbol: 'BTC/USDT' })).data
    const before = await ask()
    expect(before.openOrders).toMatchObject({ symbol: 'BTC/USDT', limit: '#1000000', used: '#1' })
    const { id } = await node.bob.place({ ...LIMIT, side: 'BUY', quantity: '0.01', price: '50000' })
    expect((await ask()).openOrders).toMatchObject({ used: '#2', left: '#999998' })
    await node.bob.cancel(id)
    expect((await ask()).openOrders).toEqual(before.openOrders)
  })

  test('reads its fills as trade history shows them, each page from where the one before ended, and the same after a kill', async () => {
    const trade = { symbol: 'ETH/BTC', type: 'LIMIT', quantity: '0.5', price: '0.05' }
    for (let i = 0; i < 5; i++) await node.alice.place({ ...trade, side: 'SELL' })
    await node.bob.place({ ...trade, side: 'BUY', quantity: '2.5' })
    const pages = async () => {
      const found: { id: string; orderId: string; time: string; [field: string]: unknown }[] = []
      for (let before = {}; ; ) {
        const { data } = await node.bob.ask('GET', '/api/v3/myTrades', {
          symbol: 'ETH/BTC',
          limit: 2,
          ...before,
        })
        found.push(...data.fills)
        if (data.next === undefined) return found
        before = { before: data.next }
      }
    }
    const found = await pages()
    const { items } = await node.bob.history({ symbol: 'ETH/BTC' })
    expect(found.map(({ id, orderId, total }) => [id, orderId, total])).toEqual(
      items.map((item: (typeof found)[number]) => [item.id, item.orderId, item.total]),
    )
    expect(found).toHaveLength(5)
    node = await node.restart('SIGKILL')
    expect(await pages()).toEqual(found)
  })

  test('has a ledger that sums up to its balances, and orders, the same after a kill and when history is rebuilt', async () => {
    await node.admin('debit', 'bob', 'USDT', '12.5', '--reference', 'acceptance-ledger')
    const ledger = async () => {
      const sums = new Map<string, number>()
      const found: { id: string; asset: string; amount: string; balance: string }[] = []
      for (let before = {}; ; ) {
        const { data } = await node.bob.ask('GET', '/api/v3/account/ledger', { limit: 7, ...before })
        found.push(...data.entries)
        if (data.next === undefined) break
        before = { before: data.next }
      }
      for (const { asset, amount } of found)
        sums.set(asset, (sums.get(asset) ?? 0) + Math.round(Number(amount) * 1e8))
      return { found, sums }
    }
    const { found, sums } = await ledger()
    const balances = await node.bob.balances()
    for (const [asset, { free, locked }] of Object.entries(balances)) {
      expect([asset, sums.get(asset) ?? 0]).toEqual([
        asset,
        Math.round((Number(free) + Number(locked)) * 1e8),
      ])
    }
    const ids = found.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const orders = async () => (await node.bob.ask('GET', '/api/v3/allOrders', {})).data.orders
    const placed = await orders()
    const statuses = placed.map(({ status }: { status: string }) => status)
    expect(new Set(statuses)).toEqual(new Set(['FILLED', 'CANCELED', 'NEW']))
    node = await node.restart('SIGKILL', (data) => {
      for (const suffix of ['', '-wal', '-shm'])
        rmSync(path.join(data, `history.sqlite${suffix}`), { force: true })
    })
    expect(await ledger()).toEqual({ found, sums })
    expect(await orders()).toEqual(placed)
  })
})
