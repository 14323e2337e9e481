/** Limits of a connection's requests, and the effects of its end, of slow reading and of floods. */
import { afterEach, describe, expect, test } from 'bun:test'
import { changedEngine } from '../../src/engine/writer/changed-engine.fixture.ts'
import { DEFAULT_LIMITS } from '../../src/server/access/limits/limits-config.ts'
import type { Fixture, FixtureOptions } from '../../src/server/public/gateway.fixture.ts'
import type { StreamConfig } from '../../src/server/stream/config.ts'
import { RawWebSocket } from '../support/raw-websocket.ts'
import { until } from '../support/until.ts'
import { type EntryClient, loginFields, plainEntry } from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '100' }

const FLOOD = 100

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(options: FixtureOptions = {}, config: Partial<StreamConfig> = {}): Promise<Fixture> {
  const f = await openExchange(options, config)
  cleanups.push(() => f.stop())
  return f
}

async function loggedIn(f: Fixture): Promise<EntryClient> {
  const client = await plainEntry(f.url)
  cleanups.push(() => client.close())
  expect(await client.login(f.alice, f.clock.time)).toMatchObject({ status: 200 })
  return client
}

/** An exchange whose engine carries out orders at once, but answers only when it is released. */
async function held(config: Partial<StreamConfig> = {}) {
  const waiting: (() => void)[] = []
  let isHolding = true
  const f = await open(
    {
      wrap: (services) => ({
        ...services,
        engine: changedEngine(services.engine, {
          submit: async (command) => {
            const reply = await services.engine.submit(command)
            if (isHolding) await new Promise<void>((resolve) => waiting.push(resolve))
            return reply
          },
        }),
      }),
    },
    config,
  )
  const release = (): void => {
    isHolding = false
    for (const resolve of waiting.splice(0)) resolve()
  }
  cleanups.push(release)
  return { f, waiting, release }
}

async function openOrders(f: Fixture): Promise<number> {
  return (await f.send('GET', '/api/v3/order/active', { symbol: 'BTC/USDT' }, f.alice)).body.length
}

describe('requests under way', () => {
  test('are limited on a connection; the next is refused and not done, and there is room again after an answer', async () => {
    const { f, waiting, release } = await held({ requestsUnderWayMax: 3 })
    const client = await loggedIn(f)
    for (let id = 0; id < 5; id++) client.send('order.place', id, ORDER)
    // The first answer is that to the login.
    await until('each is under way or answered', () => waiting.length + client.answers.length === 6)
    expect(client.answers.slice(1).map(({ id, status, body }) => [id, status, body.reason])).toEqual([
      [3, 429, 'REQUESTS_UNDER_WAY'],
      [4, 429, 'REQUESTS_UNDER_WAY'],
    ])
    expect(waiting).toHaveLength(3)
    release()
    await until('three are done', () => client.answers.length === 6)
    expect(await openOrders(f)).toBe(3)
    expect((await client.ask('order.place', ORDER)).status).toBe(200)
  })

  test('include logins: one more opens no session', async () => {
    const { f, waiting } = await held({ requestsUnderWayMax: 2 })
    const client = await plainEntry(f.url)
    cleanups.push(() => client.close())
    const fields = loginFields(f.alice, f.clock.time, { cancelOnDisconnect: true })
    for (let i = 0; i < 4; i++) client.send('login', fields)
    await until('each is under way or answered', () => waiting.length + client.answers.length === 4)
    expect(client.answers.map(({ body }) => body.reason)).toEqual(Array(2).fill('REQUESTS_UNDER_WAY'))
    expect(waiting).toHaveLength(2)
  })

  test('of another connection are not counted', async () => {
    const { f, waiting } = await held({ requestsUnderWayMax: 1 })
    const [one, other] = [await loggedIn(f), await loggedIn(f)]
    one.send('order.place', 1, ORDER)
    other.send('order.place', 1, ORDER)
    await until('both are under way', () => waiting.length === 2)
  })

  test('are carried out when the connection closes, and leave nothing behind', async () => {
    const { f, waiting, release } = await held()
    const client = await loggedIn(f)
    for (let id = 0; id < 10; id++) client.send('order.place', id, ORDER)
    await until('all are under way', () => waiting.length === 10)
    client.close()
    await until('the login is gone', () => f.gateway.entry.logins === 0)
    release()
    await f.gateway.entry.untilIdle()
    expect(f.gateway.traffic.underWay).toBe(0)
    expect(await openOrders(f)).toBe(10)
  })

  test('are answered when the node stops, before the connection is closed', async () => {
    const { f, waiting, release } = await held()
    const client = await loggedIn(f)
    client.send('order.place', 'last', ORDER)
    await until('it is under way', () => waiting.length === 1)
    const stopped = f.stop()
    release()
    await stopped
    await until('the connection is closed', () => client.isClosed)
    expect(client.answers.at(-1)).toMatchObject({ id: 'last', status: 200 })
  })
})

describe('limits of address and account', () => {
  test('an account has one window of orders for HTTP and the stream together', async () => {
    const orderWindows = [{ name: '1M', windowMs: 60_000, ordersMax: 3 }]
    const f = await open({ config: { limits: { ...DEFAULT_LIMITS, orderWindows } } })
    const client = await loggedIn(f)
    expect((await f.place(f.alice, ORDER)).status).toBe(200)
    expect((await client.ask('order.place', ORDER)).status).toBe(200)
    expect((await client.ask('order.place', ORDER)).status).toBe(200)
    const refused = await client.ask('order.place', ORDER)
    const byHttp = await f.place(f.alice, ORDER)
    expect(refused).toMatchObject({ status: 429, body: byHttp.body })
    expect(byHttp.body.reason).toBe('ORDER_RATE_LIMITED')
    // HTTP states the time in a header, the stream after the body.
    expect(refused.mark).toEqual({ retryAfter: Number(byHttp.headers.get('retry-after')) })
  })

  test('a permanent refusal has no seconds, over HTTP and over the stream', async () => {
    const f = await open()
    const client = await loggedIn(f)
    const refused = await client.ask('order.place', { ...ORDER, price: '0' })
    const byHttp = await f.place(f.alice, { ...ORDER, price: '0' })
    expect([refused.status, refused.mark, byHttp.headers.get('retry-after')]).toEqual([400, undefined, null])
  })

  test('an address has one weight for HTTP and the stream together', async () => {
    const f = await open({ config: { limits: { ...DEFAULT_LIMITS, weightPerMinuteMax: 4 } } })
    const client = await loggedIn(f)
    for (let n = 0; n < 3; n++) expect((await client.ask('order.place', ORDER)).status).toBe(200)
    expect((await client.ask('order.place', ORDER)).body.reason).toBe('RATE_LIMITED')
    expect((await f.place(f.alice, ORDER)).body.reason).toBe('RATE_LIMITED')
  })

  test('malformed orders count as malformed requests of the address', async () => {
    const f = await open({ config: { limits: { ...DEFAULT_LIMITS, malformedPerMinuteMax: 2 } } })
    const client = await loggedIn(f)
    for (let n = 0; n < 2; n++)
      expect((await client.ask('order.place', { ...ORDER, price: 'x' })).status).toBe(400)
    expect(await client.ask('order.place', ORDER)).toMatchObject({ status: 403, body: { reason: 'WAF' } })
  })

  test('requests do not count as messages per second, and each is answered', async () => {
    const f = await open({}, { messagesPerSecondMax: 1 })
    const client = await loggedIn(f)
    const ids = Array.from({ length: 30 }, (_, id) => id)
    for (const id of ids) client.send('order.cancel', id, { id: crypto.randomUUID() })
    await until('all are answered', () => client.answers.length === 31)
    expect(client.events).toEqual([])
  })
})

test('a connection that floods with orders is disconnected, and its orders in flight are carried out', async () => {
  const { f, waiting, release } = await held({ framesBurstMax: 20, framesPerSecondMax: 1 })
  const client = await loggedIn(f)
  // Many more than may arrive at once, even after a few seconds without reading.
  for (let id = 0; id < FLOOD; id++) client.send('order.place', id, ORDER)
  await until('the connection is closed', () => client.isClosed)
  expect(client.events.at(-1)).toMatchObject(['error', { reason: 'FLOODING' }])
  const taken = waiting.length
  expect(taken).toBeLessThan(FLOOD)
  release()
  await f.gateway.entry.untilIdle()
  expect(await openOrders(f)).toBe(taken)
})

test('a client that does not read answers is disconnected; no answer is left out before', async () => {
  const limits = { ...DEFAULT_LIMITS, isEnabled: false }
  const [frames, bytes] = [1_000_000, 2 ** 40]
  const f = await open(
    { config: { limits } },
    {
      sendBufferBytesMax: 70_000,
      ...{ framesPerSecondMax: frames, framesPerAddressPerSecondMax: frames },
      ...{ framesBurstMax: frames, framesPerAddressBurstMax: frames },
      ...{ receivedBytesPerSecondMax: bytes, receivedBytesPerAddressPerSecondMax: bytes },
      ...{ receivedBytesBurstMax: bytes, receivedBytesPerAddressBurstMax: bytes },
    },
  )
  const raw = await RawWebSocket.open(f.url.replace('http://', ''), '/ws')
  raw.sendText(JSON.stringify(['login', { ...loginFields(f.alice, f.clock.time), frames: 'many' }]))
  await until('it is logged in', () => raw.messages.length === 1)
  raw.pause()
  const cancels = Array.from({ length: 100 }, (_, id) => ['order.cancel', id, { id: crypto.randomUUID() }])
  const frame = JSON.stringify(cancels)
  await until('the login is gone', () => {
    if (f.gateway.entry.logins > 0) raw.sendText(frame)
    return f.gateway.entry.logins === 0
  })
  raw.resume()
  await until('the connection is closed', () => raw.isClosed)
  const ids = raw.messages.slice(1).flatMap((text) => {
    const value = JSON.parse(text) as [string, number][] | [string, number]
    return Array.isArray(value[0]) ? (value as [string, number][]).map(([, id]) => id) : [value[1] as number]
  })
  expect(ids.length).toBeGreaterThan(100)
  for (const [at, id] of ids.entries()) if (id !== at % 100) throw new Error(`answer ${at} is to ${id}`)
}, 300_000)
