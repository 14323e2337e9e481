/**
 * Orders that end with their connection, unless their account resumes in time
 * (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { DEFAULT_LIMITS } from '../../src/server/access/limits/limits-config.ts'
import type { Fixture, FixtureOptions, Trader } from '../../src/server/public/gateway.fixture.ts'
import { SESSION_GRACE_MAX_MS } from '../../src/units/limits.ts'
import { until } from '../support/until.ts'
import { type EntryClient, loginFields, type Params, TRANSPORTS } from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '100' }
const OPERATOR = { actor: 'test', note: '' }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(options: FixtureOptions = {}): Promise<Fixture> {
  const f = await openExchange(options)
  cleanups.push(() => f.stop())
  return f
}

/** Advances the exchange's clock, and the journal's time with it. */
async function pass(f: Fixture, ms: number): Promise<void> {
  f.clock.time += ms
  await f.submit({ kind: 'MarkTime' })
}

/** The last command of the journal. */
const seqOf = (f: Fixture) => f.services.market.seq

const orderOf = async (f: Fixture, orderId: string, key: Trader) =>
  JSON.parse((await f.send('GET', '/api/v3/order', { orderId }, key)).text).data

/** The final state of the order, once the engine has nothing left to do about it. */
async function endOf(f: Fixture, id: string, key: Trader): Promise<unknown> {
  for (;;) {
    const order = await orderOf(f, id, key)
    if (order.status !== 'NEW') return [order.status, order.endReason]
  }
}

/** Why the order ended, according to the private feed; undefined if the feed has not reported it. */
function endInFeed({ events }: EntryClient, id: string): string | undefined {
  const shown = events.flatMap(([event, payload]) =>
    event === 'orders' ? (payload as { orders: { id: string; endReason?: string }[] }).orders : [],
  )
  return shown.find((order) => order.id === id && order.endReason !== undefined)?.endReason
}

/** Waits until the engine has processed the closed connections: this many sessions have one. */
async function untilGone(f: Fixture, sessions: number): Promise<void> {
  await until('the connection is gone', () => f.gateway.entry.orderSessions === sessions)
  // After the gateway has reported the disconnection.
  await f.submit({ kind: 'MarkTime' })
}

for (const [name, connect] of TRANSPORTS) {
  const connected = async (f: Fixture): Promise<EntryClient> => {
    const client = await connect(f.url)
    cleanups.push(() => client.close())
    return client
  }
  const loggedIn = async (f: Fixture, more: Params, key: Trader = f.bob) => {
    const client = await connected(f)
    const { status, body } = await client.login(key, f.clock.time, more)
    expect([status, body.msg]).toEqual([200, ['Logged in.']])
    return { client, data: body.data }
  }
  const placed = async (client: EntryClient, fields: Params = {}): Promise<string> => {
    const { status, body } = await client.ask('order.place', { ...ORDER, ...fields })
    expect([status, body.reason]).toEqual([200, undefined])
    return body.data.id
  }

  describe(`over ${name} a login that cancels on disconnect`, () => {
    test('reports its session and its grace, and its orders end when the connection has been gone for so long', async () => {
      const f = await open()
      const { client, data } = await loggedIn(f, { cancelOnDisconnect: true, graceMs: 5_000 })
      expect(data).toMatchObject({ session: expect.any(String), graceMs: 5_000, resumed: false })
      const { client: other } = await loggedIn(f, { cancelOnDisconnect: 'true' })
      const { client: plain } = await loggedIn(f, {})
      const mine = [await placed(client), await placed(client, { type: 'STOP_LOSS_LIMIT', stopPrice: '200' })]
      const overHttp = (await f.place(f.bob, ORDER)).body.data.id
      const others = [await placed(other), await placed(plain), overHttp]
      plain.send('subscribe', { channel: 'orders' })
      await until('the feed begins', () => plain.events.some(([event]) => event === 'orders'))
      client.close()
      await untilGone(f, 1)
      await pass(f, 4_999)
      for (const id of [...mine, ...others]) expect((await orderOf(f, id, f.bob)).status).toBe('NEW')
      await pass(f, 1)
      for (const id of mine) {
        expect(await endOf(f, id, f.bob)).toEqual(['CANCELED', 'DISCONNECT'])
        await until('the feed tells of the end', () => endInFeed(plain, id) !== undefined)
        expect(endInFeed(plain, id)).toBe('DISCONNECT')
      }
      for (const id of others) expect((await orderOf(f, id, f.bob)).status).toBe('NEW')
      other.close()
      await untilGone(f, 0)
      await pass(f, 0)
      expect(await endOf(f, others[0]!, f.bob)).toEqual(['CANCELED', 'DISCONNECT'])
      for (const id of others.slice(1)) expect((await orderOf(f, id, f.bob)).status).toBe('NEW')
    })

    test('that is resumed in time keeps its orders, and is refused after it', async () => {
      const f = await open()
      const { client, data } = await loggedIn(f, { cancelOnDisconnect: true, graceMs: 5_000 })
      const { session } = data
      const id = await placed(client)
      client.close()
      await untilGone(f, 0)
      await pass(f, 4_000)
      const again = await loggedIn(f, { cancelOnDisconnect: true, graceMs: 2_000, session })
      expect(again.data).toMatchObject({ session, graceMs: 2_000, resumed: true })
      await pass(f, 60_000)
      expect((await orderOf(f, id, f.bob)).status).toBe('NEW')
      const later = await placed(again.client)
      again.client.close()
      await untilGone(f, 0)
      await pass(f, 2_000)
      const late = await connected(f)
      const { status, body } = await late.login(f.bob, f.clock.time, { cancelOnDisconnect: true, session })
      expect([status, body.reason]).toEqual([400, 'UNKNOWN_SESSION'])
      for (const one of [id, later]) expect(await endOf(f, one, f.bob)).toEqual(['CANCELED', 'DISCONNECT'])
      expect((await late.login(f.bob, f.clock.time, { cancelOnDisconnect: true })).status).toBe(200)
    })

    test('that another connection resumes loses its session to it, and its end ends nothing', async () => {
      const f = await open()
      const { client, data } = await loggedIn(f, { cancelOnDisconnect: true })
      const id = await placed(client)
      const again = await loggedIn(f, { cancelOnDisconnect: true, session: data.session })
      expect(again.data.resumed).toBe(true)
      await until('the former is told', () => client.events.some(([event]) => event === 'loggedOut'))
      expect(client.events.at(-1)).toMatchObject(['loggedOut', { reason: 'SESSION_TAKEN_OVER' }])
      expect((await client.ask('order.place', ORDER)).body.reason).toBe('LOGIN_REQUIRED')
      client.close()
      await pass(f, 60_000)
      expect((await orderOf(f, id, f.bob)).status).toBe('NEW')
      expect(f.gateway.entry.orderSessions).toBe(1)
    })

    test('ends as a connection does when its key ends', async () => {
      const f = await open()
      const { client } = await loggedIn(f, { cancelOnDisconnect: true }, f.alice)
      const id = await placed(client, { side: 'SELL', price: '1000000' })
      await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: f.alice.apiKey, enabled: false })
      await untilGone(f, 0)
      await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: f.alice.apiKey, enabled: true })
      expect(await endOf(f, id, f.alice)).toEqual(['CANCELED', 'DISCONNECT'])
    })

    test('covers batches, replacements and lists of its orders', async () => {
      const f = await open()
      const { client } = await loggedIn(f, { cancelOnDisconnect: true })
      const operations = JSON.stringify([{ method: 'POST', ...ORDER }])
      const batch = await client.ask('order.batch', { operations })
      const inBatch = batch.body.data[0].body.data.id
      const old = (await f.place(f.bob, ORDER)).body.data.id
      const replacing = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: old, price: '101' }
      const { body } = await client.ask('order.cancelReplace', { ...ORDER, ...replacing })
      const replaced = body.data.newOrderResponse.data.id
      client.close()
      await untilGone(f, 0)
      await pass(f, 0)
      for (const id of [inBatch, replaced])
        expect(await endOf(f, id, f.bob)).toEqual(['CANCELED', 'DISCONNECT'])
      expect(await endOf(f, old, f.bob)).toEqual(['CANCELED', 'USER'])
    })
  })
}

const [, [, connectSocketIo]] = TRANSPORTS
const [[, connectPlain]] = TRANSPORTS

test('an invalid session parameter of a login is refused by name, and nothing is opened', async () => {
  const f = await open()
  const before = seqOf(f)
  const wrong: readonly (readonly [Params, string])[] = [
    [{ cancelOnDisconnect: 'yes' }, 'INVALID_PARAMETER cancelOnDisconnect'],
    [{ graceMs: 5 }, 'MISSING_PARAMETER cancelOnDisconnect'],
    [{ session: 'x', cancelOnDisconnect: false }, 'MISSING_PARAMETER cancelOnDisconnect'],
    [{ cancelOnDisconnect: true, graceMs: SESSION_GRACE_MAX_MS + 1 }, 'INVALID_PARAMETER graceMs'],
    [{ cancelOnDisconnect: true, graceMs: -1 }, 'INVALID_PARAMETER graceMs'],
    [{ cancelOnDisconnect: true, session: 'mine' }, 'INVALID_PARAMETER session'],
    [{ cancelOnDisconnect: true, session: crypto.randomUUID() }, 'INVALID_PARAMETER session'],
  ]
  const client = await connectPlain(f.url)
  cleanups.push(() => client.close())
  for (const [more, expected] of wrong) {
    const { status, body } = await client.login(f.bob, f.clock.time, more)
    const [reason, name] = expected.split(' ') as [string, string]
    expect([status, body.reason, body.msg[0].includes(name)]).toEqual([400, reason, true])
  }
  expect(seqOf(f)).toBe(before)
})

test('a connection whose session is taken by a login that is refused in the end loses it, and is notified', async () => {
  const f = await open()
  const first = await connectPlain(f.url)
  const second = await connectPlain(f.url)
  cleanups.push(
    () => first.close(),
    () => second.close(),
  )
  const terms = { cancelOnDisconnect: true, graceMs: 5_000 }
  const { session } = (await first.login(f.bob, f.clock.time, terms)).body.data
  const id = (await first.ask('order.place', ORDER)).body.data.id
  second.send('login', loginFields(f.bob, f.clock.time, { ...terms, session }))
  second.send('login', loginFields(f.bob, f.clock.time))
  await until('both logins are answered', () => second.answers.length === 2)
  expect(second.answers.map(({ body }) => body.reason)).toEqual([undefined, 'ALREADY_LOGGED_IN'])
  await until('the former is told', () => first.events.some(([event]) => event === 'loggedOut'))
  expect(first.events.at(-1)).toMatchObject(['loggedOut', { reason: 'SESSION_TAKEN_OVER' }])
  expect(f.gateway.entry.orderSessions).toBe(0)
  await pass(f, 4_999)
  expect((await first.login(f.bob, f.clock.time, { ...terms, session })).status).toBe(200)
  await pass(f, 60_000)
  expect((await orderOf(f, id, f.bob)).status).toBe('NEW')
})

test('a key that may not trade opens no session', async () => {
  const f = await open()
  const reader = await f.createKey(f.bob.accountId, { permissions: ['USER_DATA'] })
  const client = await connectPlain(f.url)
  cleanups.push(() => client.close())
  const { status, body } = await client.login(reader, f.clock.time, { cancelOnDisconnect: true })
  expect([status, body.reason]).toEqual([401, 'PERMISSION_DENIED'])
})

test('logins that cancel on disconnect count as orders of their account, so a flood writes no more than orders would', async () => {
  const orderWindows = [{ name: '1M', windowMs: 60_000, ordersMax: 3 }]
  const f = await open({ config: { limits: { ...DEFAULT_LIMITS, orderWindows } } })
  const before = seqOf(f)
  const reasons: string[] = []
  for (let i = 0; i < 10; i++) {
    const client = await connectSocketIo(f.url)
    const { status, body } = await client.login(f.bob, f.clock.time, { cancelOnDisconnect: true })
    reasons.push(status === 200 ? 'OK' : body.reason)
    client.close()
  }
  expect(reasons).toEqual(['OK', 'OK', 'OK', ...Array(7).fill('ORDER_RATE_LIMITED')])
  // Three commands for each of the three sessions: opened, disconnected, ended. Then one more session, which
  // the account may have in the next minute.
  await until('all are ended', () => seqOf(f) >= before + 9)
  f.clock.time += 60_000
  const client = await connectSocketIo(f.url)
  cleanups.push(() => client.close())
  expect((await client.login(f.bob, f.clock.time, { cancelOnDisconnect: true })).status).toBe(200)
  expect(seqOf(f) - before).toBe(10)
})
