/**
 * Who may follow an account and for how long, which requests are refused, and the effect on connections that
 * are too slow.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { EntryBudget } from '../../src/server/order-entry/entry-budget.ts'
import type { Fixture, FixtureOptions } from '../../src/server/public/gateway.fixture.ts'
import { STREAM_DEFAULTS, type StreamConfig } from '../../src/server/stream/config.ts'
import { ConnectionBudget } from '../../src/server/stream/intake/limits.ts'
import type { Frame } from '../../src/server/stream/link.ts'
import { NO_PAUSE } from '../../src/server/stream/pace.ts'
import { Rooms } from '../../src/server/stream/rooms.ts'
import { Session } from '../../src/server/stream/session.ts'
import {
  type EntryClient,
  loginFields,
  plainEntry,
  TRANSPORTS,
} from '../order-entry/support/entry-clients.ts'
import { openExchange } from '../order-entry/support/exchange.ts'
import { NO_HISTORY } from '../support/no-history.ts'
import { until } from '../support/until.ts'

const OPERATOR = { actor: 'test', note: '' }
const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '100' }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(options: FixtureOptions = {}, config: Partial<StreamConfig> = {}): Promise<Fixture> {
  const f = await openExchange(options, config)
  cleanups.push(() => f.stop())
  return f
}

async function loggedIn(f: Fixture, key = f.alice): Promise<EntryClient> {
  const client = await plainEntry(f.url)
  cleanups.push(() => client.close())
  expect(await client.login(key, f.clock.time)).toMatchObject({ status: 200 })
  return client
}

/** Sends the message; resolves with the next event. */
async function told(client: EntryClient, ...message: unknown[]) {
  const { length } = client.events
  client.send(...message)
  await until(`an answer to ${JSON.stringify(message)}`, () => client.events.length > length)
  return client.events[length] as [string, { readonly reason?: string; readonly msg?: readonly string[] }]
}

describe('a subscription to a private channel', () => {
  test.each(TRANSPORTS)('needs a login, over %s', async (_, connect) => {
    const f = await open()
    const client = await connect(f.url)
    cleanups.push(() => client.close())
    for (const channel of ['orders', 'fills', 'balances']) {
      expect(await told(client, 'subscribe', { channel })).toMatchObject([
        'error',
        { reason: 'LOGIN_REQUIRED' },
      ])
      expect(await told(client, 'unsubscribe', { channel })).toMatchObject([
        'error',
        { reason: 'NOT_SUBSCRIBED' },
      ])
    }
    expect(f.gateway.entry.followedAccounts).toBe(0)
  })

  test('needs the permission of its channel', async () => {
    const f = await open()
    const wallet = await f.createKey(f.alice.accountId, { permissions: ['WALLET'] })
    const client = await loggedIn(f, wallet)
    expect(await told(client, 'subscribe', { channel: 'orders' })).toMatchObject([
      'error',
      { reason: 'PERMISSION_DENIED' },
    ])
    expect(await told(client, 'subscribe', { channel: 'fills' })).toMatchObject([
      'error',
      { reason: 'PERMISSION_DENIED' },
    ])
    expect(await told(client, 'subscribe', { channel: 'balances' })).toMatchObject([
      'subscribed',
      { channel: 'balances' },
    ])
  })

  test.each([
    [{ channel: 'orders', symbol: 'BTC/USDT' }, 'INVALID_PARAMETER', 'symbol'],
    [{ channel: 'fills', since: -1 }, 'INVALID_PARAMETER', 'since'],
    [{ channel: 'fills', since: 1.5 }, 'INVALID_PARAMETER', 'since'],
    [{ channel: 'fills', since: 'x' }, 'INVALID_PARAMETER', 'since'],
    [{ channel: 'fills', since: null }, 'INVALID_PARAMETER', 'since'],
    [{ channel: 'balances', journal: {} }, 'INVALID_PARAMETER', 'journal'],
    [{ channel: 'balances', since: 10 ** 9 }, 'UNKNOWN_JOURNAL', ''],
    [{ channel: 'balances', since: 1, journal: 'another' }, 'UNKNOWN_JOURNAL', ''],
  ])('%p is refused with %s', async (fields, reason, name) => {
    const f = await open()
    const client = await loggedIn(f)
    const [event, error] = await told(client, 'subscribe', fields)
    expect([event, error.reason]).toEqual(['error', reason])
    expect(String(error.msg)).toContain(name)
    expect(f.gateway.entry.followedAccounts).toBe(0)
  })

  test('costs weight of the address', async () => {
    const f = await open()
    const client = await loggedIn(f)
    const used = async () => {
      const { body } = await f.send('GET', '/api/v3/account/limits', {}, f.alice)
      const limits = body.data.rateLimits as { rateLimitType: string; used: number }[]
      return limits.find(({ rateLimitType }) => rateLimitType === 'REQUEST_WEIGHT')?.used ?? Number.NaN
    }
    const before = await used()
    await told(client, 'subscribe', { channel: 'orders' })
    expect((await used()) - before).toBeGreaterThanOrEqual(80)
  })

  test('counts towards the limit of its connection, and no longer when it has ended', async () => {
    const f = await open({}, { subscriptionsPerConnectionMax: 2 })
    const client = await loggedIn(f)
    const answer = async (...message: unknown[]) => {
      const { length } = client.events
      client.send(...message)
      const heard = () =>
        client.events.slice(length).find(([event]) => ['subscribed', 'unsubscribed', 'error'].includes(event))
      await until('an answer', () => heard() !== undefined)
      return heard()
    }
    expect(await answer('subscribe', { channel: 'orders' })).toMatchObject(['subscribed', {}])
    expect(await answer('subscribe', { channel: 'fills' })).toMatchObject(['subscribed', {}])
    expect(await answer('subscribe', { channel: 'orders' })).toMatchObject(['subscribed', {}])
    expect(await answer('subscribe', { channel: 'balances' })).toMatchObject([
      'error',
      { reason: 'TOO_MANY_SUBSCRIPTIONS' },
    ])
    expect(await answer('unsubscribe', { channel: 'fills' })).toMatchObject([
      'unsubscribed',
      { channel: 'fills' },
    ])
    expect(await answer('subscribe', { channel: 'balances' })).toMatchObject(['subscribed', {}])
    expect(await answer('unsubscribe', { channel: 'fills' })).toMatchObject([
      'error',
      { reason: 'NOT_SUBSCRIBED' },
    ])
  })
})

test('the end of a login ends the subscriptions to its account, and another login starts again', async () => {
  const f = await open()
  const client = await loggedIn(f)
  client.send('subscribe', { channel: 'orders' })
  await until('the state', () => client.events.length === 2)
  const { apiKey } = f.alice
  await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey, enabled: false })
  await until('the end', () => client.events.some(([event]) => event === 'loggedOut'))
  expect(f.gateway.entry.followedAccounts).toBe(0)
  await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey, enabled: true })
  await f.place(f.alice, ORDER)
  expect(await client.login(f.alice, f.clock.time)).toMatchObject({ status: 200 })
  expect(client.events.at(-1)?.[0]).toBe('loggedOut')
  client.send('subscribe', { channel: 'orders' })
  await until('the state', () => client.events.at(-1)?.[0] === 'orders')
  expect(client.events.at(-1)?.[1]).toMatchObject({ orders: [{ status: 'NEW' }] })
})

test('subscriptions that a login took with it no longer count', async () => {
  const f = await open({}, { subscriptionsPerConnectionMax: 1 })
  const client = await loggedIn(f)
  const { apiKey } = f.alice
  for (let round = 0; round < 3; round++) {
    if (round > 0) expect(await client.login(f.alice, f.clock.time)).toMatchObject({ status: 200 })
    expect(await told(client, 'subscribe', { channel: 'fills' })).toMatchObject(['subscribed', {}])
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey, enabled: false })
    await until('the end', () => client.events.at(-1)?.[0] === 'loggedOut')
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey, enabled: true })
  }
})

test('all connections of an account get the same, and no others get anything', async () => {
  const f = await open()
  const clients = await Promise.all(Array.from({ length: 8 }, () => loggedIn(f)))
  const stranger = await loggedIn(f, f.bob)
  for (const client of [...clients, stranger]) client.send('subscribe', { channel: 'orders' })
  await until('the states', () => [...clients, stranger].every(({ events }) => events.length === 2))
  expect(f.gateway.entry.followedAccounts).toBe(2)
  for (let i = 0; i < 20; i++) await f.place(f.alice, { ...ORDER, price: String(50 + i) })
  await until('the orders', () => clients.every(({ events }) => events.length === 22))
  for (const { frames } of clients)
    expect(frames.slice(-20)).toEqual((clients[0] as EntryClient).frames.slice(-20))
  expect(stranger.events.length).toBe(2)
  for (const client of [...clients, stranger]) client.close()
  await until('nobody follows', () => f.gateway.entry.followedAccounts === 0)
})

/** A connection that takes its data when the test requests it. */
function slowSession(f: Fixture, config: Partial<StreamConfig>) {
  const heard: [string, { readonly seq: number; readonly prevSeq?: number }][] = []
  const state = { pending: 0, now: 0 }
  const settings = { ...STREAM_DEFAULTS, ...config }
  const client = { remoteAddress: '127.0.0.1', limitKey: '127.0.0.1', language: 'en' as const }
  const session = new Session({
    link: {
      messageBytes: 0,
      pendingBytes: () => state.pending,
      send: (frames: readonly Frame[]) => {
        for (const { text } of frames) {
          heard.push(JSON.parse(text))
          state.pending += text.length
        }
      },
      abort: () => {},
    },
    rooms: new Rooms({ market: f.services.market, history: NO_HISTORY, tradesOnJoin: 1, pace: NO_PAUSE }),
    budget: new ConnectionBudget(),
    config: settings,
    language: 'en',
    now: () => state.now,
    entry: {
      open: (outputs) => f.gateway.entry.open(client, outputs, new EntryBudget(settings.requestsUnderWayMax)),
      hasFrames: true,
    },
  })
  session.receiveText(JSON.stringify(['login', loginFields(f.alice, f.clock.time)]))
  const drain = (): void => {
    state.pending = 0
    session.freshen()
  }
  return {
    session,
    heard,
    state,
    drain,
    messages: () => heard.filter(([event]) => event === 'orders').map(([, message]) => message),
  }
}

test('a connection that reads little at a time gets everything in order, and never has more waiting than allowed', async () => {
  const f = await open()
  const config = { sendBufferBytesMax: 4_000, drainedBytesMax: 500 }
  const { session, state, drain, messages } = slowSession(f, config)
  cleanups.push(() => session.end())
  session.receiveText('["subscribe",{"channel":"orders"}]')
  await until('the state', () => messages().length === 1)
  const placed: unknown[] = []
  let most = 0
  for (let i = 0; i < 60; i++) {
    const { body } = await f.place(f.alice, { ...ORDER, price: String(50 + i) })
    placed.push(body.data.id)
    most = Math.max(most, state.pending)
    if (i % 7 === 0) drain()
  }
  await until('the rest', () => {
    most = Math.max(most, state.pending)
    drain()
    return messages().length > 60
  })
  const told = messages() as unknown as { seq: number; prevSeq?: number; orders: { id: string }[] }[]
  expect(told.slice(1).flatMap(({ orders }) => orders.map(({ id }) => id))).toEqual(placed as string[])
  for (const [i, { prevSeq }] of told.entries()) expect(prevSeq).toBe(told[i - 1]?.seq)
  expect(most).toBeLessThanOrEqual(config.sendBufferBytesMax)
})

test('a connection that reads nothing for too long is notified, and is stuck when it reads nothing for as long again', async () => {
  const f = await open()
  const config = { sendBufferBytesMax: 3_000, drainedBytesMax: 500, stuckMsMax: 1_000 }
  const { session, heard, state, drain, messages } = slowSession(f, config)
  cleanups.push(() => session.end())
  session.receiveText('["subscribe",{"channel":"orders"}]')
  await until('the state', () => messages().length === 1)
  for (let i = 0; i < 30; i++) await f.place(f.alice, { ...ORDER, price: String(50 + i) })
  for (let i = 0; i < 5; i++) {
    expect(session.isStuck()).toBe(false)
    state.now += 900
    const { length } = messages()
    drain()
    if (messages().length === 31) break
    await until('more', () => messages().length > length)
  }
  state.pending = 3_000
  const { seq } = messages().at(-1) as { readonly seq: number }
  for (let i = 0; i < 5; i++) await f.place(f.alice, { ...ORDER, price: String(20 + i) })
  const ends = () => heard.filter(([event]) => event === 'unsubscribed')
  let looks = 0
  const untilTold = () =>
    until('it is told', () => {
      expect(session.isStuck()).toBe(false)
      state.now += 200
      looks++
      return ends().length > 0
    })
  await untilTold()
  expect(ends()).toEqual([
    ['unsubscribed', expect.objectContaining({ channel: 'orders', reason: 'TOO_SLOW' })],
  ])
  expect(looks).toBeGreaterThan(config.stuckMsMax / 200)
  // If the connection takes its data in time, the feed continues from the same position.
  drain()
  expect(session.isStuck()).toBe(false)
  session.receiveText(`["subscribe",{"channel":"orders","since":${seq}}]`)
  await until('what was missed', () => {
    drain()
    return messages().length === 36
  })
  // Otherwise the connection is cut.
  heard.length = 0
  state.pending = 3_000
  for (let i = 0; i < 5; i++) await f.place(f.alice, { ...ORDER, price: String(10 + i) })
  await untilTold()
  state.now += config.stuckMsMax - 200
  expect(session.isStuck()).toBe(false)
  state.now += 1
  expect(session.isStuck()).toBe(true)
})

test('many messages about one state say that there are more, and only the last one does not', async () => {
  const f = await open()
  for (let i = 0; i < 150; i++) await f.place(f.alice, { ...ORDER, price: String(50 + i) })
  const client = await loggedIn(f)
  client.send('subscribe', { channel: 'orders' })
  const parts = () =>
    client.events
      .slice(1)
      .map(([, part]) => part as never as { more?: true; seq: number; prevSeq?: number; orders: unknown[] })
  await until('the state', () => parts().length > 1 && parts().at(-1)?.more === undefined)
  expect(parts().length).toBeGreaterThan(1)
  expect(parts().map(({ more }) => more)).toEqual([...Array(parts().length - 1).fill(true), undefined])
  expect(parts().map(({ prevSeq }) => prevSeq)).toEqual(
    parts().map(({ seq }, i) => (i === 0 ? undefined : seq)),
  )
  expect(parts().reduce((sum, { orders }) => sum + orders.length, 0)).toBe(150)
})
