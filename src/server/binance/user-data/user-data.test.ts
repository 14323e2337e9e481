import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { amount } from '../../../units/quantities.ts'
import type { Trader } from '../../public/gateway.fixture.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import { type Fields, hmac, type Message, SocketClient } from '../socket-client.fixture.ts'

let f: BinanceFixture
const opened: SocketClient[] = []
const OPERATOR = { actor: 'test', note: '' }
const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }

beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
})
beforeEach(async () => {
  f.clock.time += 1_000
  for (const trader of [f.alice, f.bob]) {
    await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, trader)
    f.clock.time += 1
  }
})
afterEach(() => {
  for (const client of opened.splice(0)) client.socket.close()
})
afterAll(() => f.stop())

async function connect(): Promise<SocketClient> {
  const client = await SocketClient.open(f)
  opened.push(client)
  return client
}

async function subscribed(trader = f.alice): Promise<SocketClient> {
  const client = await connect()
  const { status, result } = await client.signed('userDataStream.subscribe.signature', {}, hmac(trader))
  expect([status, result]).toEqual([200, { subscriptionId: 0 }])
  f.clock.time += 1
  return client
}

async function place(fields: Fields, trader: Trader = f.alice): Promise<Message> {
  f.clock.time += 1
  const { status, body } = await f.signed('POST', '/api/v3/order', fields as never, trader)
  expect([status, body.msg]).toEqual([200, undefined])
  return body
}

const positions = (client: SocketClient, count: number) =>
  client.until(() => client.events.filter(({ e }) => e === 'outboundAccountPosition').length >= count)

const short = (client: SocketClient) =>
  client.events.map(({ e, x, X, l, z, Z }) => (e === 'executionReport' ? [x, X, l, z, Z].join(' ') : e))

const zeros = (text: string): string =>
  text.replaceAll(/(\d)\.0{8}/g, '$1').replaceAll(/(\.\d*?)0+(?= |$)/g, '$1')

describe('events of an account', () => {
  test('of an order: NEW, a TRADE for each fill with its own cumulative figures, its end, then balances once', async () => {
    for (const price of ['100', '101']) await place({ ...LIMIT, side: 'SELL', quantity: '1', price }, f.bob)
    const client = await subscribed()
    const order = { ...LIMIT, timeInForce: 'IOC', side: 'BUY', quantity: '3', price: '102' }
    const { orderId } = await place({ ...order, newClientOrderId: 'mine-1' })
    await positions(client, 1)
    expect(short(client).map(zeros)).toEqual([
      'NEW NEW 0 0 0',
      'TRADE PARTIALLY_FILLED 1 1 100',
      'TRADE PARTIALLY_FILLED 1 2 201',
      'EXPIRED EXPIRED 0 2 201',
      'outboundAccountPosition',
    ])
    const [, , trade] = client.events
    expect(trade).toMatchObject({
      ...{ s: 'BTCUSDT', c: 'mine-1', S: 'BUY', o: 'LIMIT', f: 'IOC', i: orderId, C: '', r: 'NONE' },
      ...{ q: '3.00000000', p: '102.00000000', L: '101.00000000', Y: '101.00000000', N: 'BTC', m: false },
    })
    expect(trade.t).toBeGreaterThan(0)
    const [, , , , { B }] = client.events
    const { body } = await f.signed('GET', '/api/v3/account', { timestamp: ++f.clock.time })
    for (const { a, f: free, l: locked } of B)
      expect(body.balances).toContainEqual({ asset: a, free, locked })
  })

  test('of a resting order that others fill and its account cancels', async () => {
    const client = await subscribed()
    await place({ ...LIMIT, side: 'SELL', quantity: '2', price: '200', newClientOrderId: 'rest-1' })
    await place({ ...LIMIT, side: 'BUY', quantity: '0.5', price: '200' }, f.bob)
    f.clock.time += 1
    await f.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: 'rest-1' })
    await positions(client, 3)
    expect(short(client).map(zeros)).toEqual([
      'NEW NEW 0 0 0',
      'outboundAccountPosition',
      'TRADE PARTIALLY_FILLED 0.5 0.5 100',
      'outboundAccountPosition',
      'CANCELED CANCELED 0 0.5 100',
      'outboundAccountPosition',
    ])
    expect(client.events[2]).toMatchObject({ m: true, N: 'USDT' })
    expect(client.events[4]).toMatchObject({ c: 'rest-1', C: 'rest-1' })
  })

  test('of an order that was open before do not include NEW', async () => {
    await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '300' })
    const client = await subscribed()
    await place({ ...LIMIT, side: 'BUY', quantity: '1', price: '300' }, f.bob)
    await positions(client, 1)
    expect(short(client).map(zeros)).toEqual(['TRADE FILLED 1 1 300', 'outboundAccountPosition'])
  })

  test('of a lower quantity say REPLACED with the order as it is then', async () => {
    const { orderId } = await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '300' })
    const client = await subscribed()
    f.clock.time += 1
    const amended = { symbol: 'BTCUSDT', orderId, newQty: '0.4' }
    expect((await f.signed('PUT', '/api/v3/order/amend/keepPriority', amended)).status).toBe(200)
    await positions(client, 1)
    expect(client.events.map(({ e, x, X, q }) => [e, x, X, q])).toEqual([
      ['executionReport', 'REPLACED', 'NEW', '0.40000000'],
      ['outboundAccountPosition', undefined, undefined, undefined],
    ])
  })

  test.each([
    ['EXPIRE_TAKER', ['NEW 2', 'TRADE_PREVENTION 2 EXPIRED_IN_MATCH']],
    ['EXPIRE_MAKER', ['NEW 2', 'TRADE_PREVENTION 1 EXPIRED_IN_MATCH']],
  ])('of an order that meets one of its account under %s say TRADE_PREVENTION', async (mode, expected) => {
    const first = await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '400' })
    const client = await subscribed()
    const order = { ...LIMIT, side: 'BUY', quantity: '1', price: '400', selfTradePreventionMode: mode }
    await place(order)
    await positions(client, 1)
    const reports = client.events.filter(({ e }) => e === 'executionReport')
    const nameOf = (number: number) => (number === first.orderId ? '1' : '2')
    expect(
      reports.map(({ x, i, X }) => [x, nameOf(i), ...(x === 'NEW' ? [] : [X])].join(' ')).toSorted(),
    ).toEqual(expected.toSorted())
  })

  test('of an order that waits for a price: NEW as it waits, and NEW again when it is triggered', async () => {
    await place({ ...LIMIT, side: 'BUY', quantity: '1', price: '90' }, f.bob)
    await place({ ...LIMIT, side: 'SELL', quantity: '0.1', price: '90' })
    const client = await subscribed()
    await place({
      ...LIMIT,
      type: 'STOP_LOSS_LIMIT',
      side: 'SELL',
      quantity: '1',
      price: '70',
      stopPrice: '80',
    })
    await place({ ...LIMIT, side: 'BUY', quantity: '1', price: '80' }, f.bob)
    f.clock.time += 1
    await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, f.bob)
    await place({ ...LIMIT, side: 'BUY', quantity: '2', price: '79' }, f.bob)
    await place({ ...LIMIT, side: 'SELL', quantity: '0.2', price: '79' })
    await client.until(() => client.events.some(({ X, i }) => X === 'FILLED' && i === client.events[0].i))
    const ofStop = client.events.filter(({ i }) => i === client.events[0].i)
    expect(ofStop.map(({ x, X, w }) => [x, X, w])).toEqual([
      ['NEW', 'NEW', false],
      ['NEW', 'NEW', true],
      ['TRADE', 'FILLED', false],
    ])
  })

  test('of a deposit: the balances, and the difference', async () => {
    const client = await subscribed()
    const { accountId } = f.alice
    const reference = `deposit-${f.clock.time}`
    await f.submit({
      kind: 'Credit',
      operator: OPERATOR,
      accountId,
      asset: 'BTC',
      amount: amount(150n),
      reference,
    })
    await client.until(({ event }) => event?.e === 'balanceUpdate')
    expect(client.events.map(({ e, a, d }) => [e, a, d])).toEqual([
      ['outboundAccountPosition', undefined, undefined],
      ['balanceUpdate', 'BTC', '0.00000150'],
    ])
  })

  test('reach each subscription of the account, and no other account', async () => {
    const [one, two, other] = [await subscribed(), await subscribed(), await subscribed(f.bob)]
    await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '400' })
    await Promise.all([positions(one, 1), positions(two, 1)])
    await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '400' }, f.bob)
    await positions(other, 1)
    expect([one, two, other].map(({ events }) => events.map(({ e }) => e))).toEqual(
      Array(3).fill(['executionReport', 'outboundAccountPosition']),
    )
  })

  test('of many fills are all sent, in order', async () => {
    const count = 150
    for (let at = 0; at < count; at++)
      await f.place(f.bob, { symbol: 'BTC/USDT', type: 'LIMIT', side: 'SELL', price: 100 + at, quantity: 1 })
    const client = await subscribed()
    await place({ ...LIMIT, side: 'BUY', quantity: String(count), price: '1000' })
    await positions(client, 1)
    const trades = client.events.filter(({ x }) => x === 'TRADE')
    expect(trades.map(({ z }) => Number(z))).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(client.events.map(({ x, e }) => x ?? e).slice(-2)).toEqual(['TRADE', 'outboundAccountPosition'])
    expect(trades.at(-1).X).toBe('FILLED')
  })
})

describe('events of a list', () => {
  test('report its beginning and its end', async () => {
    const client = await subscribed()
    const asked = { symbol: 'BTC/USDT', side: 'SELL', quantity: 1 }
    const above = { aboveType: 'LIMIT_MAKER', abovePrice: 900 }
    const below = { belowType: 'STOP_LOSS', belowStopPrice: 10 }
    const { status } = await f.send(
      'POST',
      '/api/v3/orderList/oco',
      { ...asked, ...above, ...below },
      f.alice,
    )
    expect(status).toBe(200)
    await positions(client, 1)
    f.clock.time += 1
    await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    await client.until(({ event }) => event?.l === 'ALL_DONE')
    const [began, done] = client.events.filter(({ e }) => e === 'listStatus')
    expect(began).toMatchObject({ s: 'BTCUSDT', c: 'OCO', l: 'EXEC_STARTED', L: 'EXECUTING', r: 'NONE' })
    expect(began.O).toHaveLength(2)
    expect(done).toMatchObject({ g: began.g, l: 'ALL_DONE', L: 'ALL_DONE' })
    expect(client.events.filter(({ x }) => x === 'NEW').map(({ g }) => g)).toEqual([began.g, began.g])
  })
})

describe('a subscription', () => {
  test('is listed, is one per account, and ends on request', async () => {
    const client = await subscribed()
    const again = await client.signed('userDataStream.subscribe.signature')
    expect([again.status, again.error.code]).toEqual([400, -2035])
    const bob = await client.signed('userDataStream.subscribe.signature', {}, hmac(f.bob))
    expect(bob.result).toEqual({ subscriptionId: 1 })
    expect((await client.ask('session.subscriptions')).result).toEqual([
      { subscriptionId: 0 },
      { subscriptionId: 1 },
    ])
    expect((await client.ask('session.status')).result.userDataStream).toBe(true)
    expect((await client.ask('userDataStream.unsubscribe', { subscriptionId: 0 })).result).toEqual({})
    expect((await client.ask('userDataStream.unsubscribe', { subscriptionId: 0 })).status).toBe(400)
    await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '500' })
    await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '500' }, f.bob)
    await positions(client, 1)
    const seen = client.messages.filter(({ event }) => event !== undefined)
    expect(seen.map(({ subscriptionId, event }) => [subscriptionId, event.e])).toEqual([
      [0, 'eventStreamTerminated'],
      [1, 'executionReport'],
      [1, 'outboundAccountPosition'],
    ])
  })

  test('by login needs a login', async () => {
    const client = await connect()
    const { status, error } = await client.ask('userDataStream.subscribe')
    expect([status, error.reason]).toEqual([401, 'LOGIN_REQUIRED'])
  })

  test.each([
    ['its key is revoked', (apiKey: string) => ({ kind: 'RevokeApiKey', apiKey })],
    ['its key is disabled', (apiKey: string) => ({ kind: 'SetApiKeyEnabled', apiKey, enabled: false })],
    [
      'its account may not log in',
      () => ({ kind: 'SetAccountRestrictions', accountId: f.alice.accountId, restrictions: ['LOGIN'] }),
    ],
  ])('ends at once when %s', async (_, command) => {
    const key = await f.createKey(f.alice.accountId)
    const client = await subscribed(key)
    await f.submit({ operator: OPERATOR, ...command(key.apiKey) } as never)
    await client.until(({ event }) => event?.e === 'eventStreamTerminated')
    expect((await client.ask('session.subscriptions')).result).toEqual([])
    await f.submit({
      kind: 'SetAccountRestrictions',
      operator: OPERATOR,
      accountId: f.alice.accountId,
      restrictions: [],
    } as never)
    await place({ ...LIMIT, side: 'SELL', quantity: '1', price: '600' })
    await client.ask('ping')
    expect(client.events.map(({ e }) => e)).toEqual(['eventStreamTerminated'])
  })

  test('ends when its key expires', async () => {
    const key = await f.createKey(f.alice.accountId)
    await f.submit({
      ...{ kind: 'SetApiKeyTerms', operator: OPERATOR, apiKey: key.apiKey, label: '', addresses: [] },
      ...{ permissions: ['TRADE'], expiresAt: f.clock.time + 500 },
    } as never)
    const client = await subscribed(key)
    f.clock.time += 1_000
    await client.until(({ event }) => event?.e === 'eventStreamTerminated')
  })

  test('has no reader left once its connection is closed', async () => {
    const before = f.gateway.entry.followedAccounts
    const client = await subscribed()
    expect(f.gateway.entry.followedAccounts).toBe(before + 1)
    client.socket.close()
    while (f.gateway.entry.followedAccounts > before) await Bun.sleep(1)
  })
})
