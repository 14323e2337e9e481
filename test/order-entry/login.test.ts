/** Logins over the stream: what succeeds, what is refused, and what ends a login. */
import { afterEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, sign as signWithPair } from 'node:crypto'
import { DEFAULT_LIMITS } from '../../src/server/access/limits/limits-config.ts'
import type { Fixture, FixtureOptions } from '../../src/server/public/gateway.fixture.ts'
import { sign } from '../../src/server/public/gateway.fixture.ts'
import type { StreamConfig } from '../../src/server/stream/config.ts'
import type { KeyWire } from '../../src/units/order-enums.ts'
import { timeMs } from '../../src/units/quantities.ts'
import { until } from '../support/until.ts'
import {
  type EntryClient,
  type Key,
  loginFields,
  type Params,
  plainEntry,
  TRANSPORTS,
} from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

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

async function connected(f: Fixture, headers: Record<string, string> = {}): Promise<EntryClient> {
  const client = await plainEntry(f.url, headers)
  cleanups.push(() => client.close())
  return client
}

async function loggedIn(f: Fixture, key: Key = f.alice, more: Params = {}): Promise<EntryClient> {
  const client = await connected(f)
  expect(await client.login(key, f.clock.time, more)).toMatchObject({ status: 200 })
  return client
}

async function reasonOf(
  client: EntryClient,
  key: Key,
  timestamp: number,
  more: Params = {},
): Promise<string> {
  const { status, body } = await client.login(key, timestamp, more)
  return `${status} ${body.reason}`
}

/** Checks that the login ended with this reason, and that its requests are no longer carried out. */
async function expectEnded(f: Fixture, client: EntryClient, reason: string): Promise<void> {
  await until('the login ends', () => client.events.some(([event]) => event === 'loggedOut'))
  expect(client.events.at(-1)).toMatchObject(['loggedOut', { status: false, reason }])
  const { status, body } = await client.ask('order.place', ORDER)
  expect([status, body.reason]).toEqual([401, 'LOGIN_REQUIRED'])
  const active = await f.send('GET', '/api/v3/order/active', { symbol: 'BTC/USDT' }, f.bob)
  expect(active.body).toEqual([])
}

for (const [name, connect] of TRANSPORTS) {
  test(`over ${name} a login is answered with the key's permissions and the server's time`, async () => {
    const f = await open()
    const client = await connect(f.url)
    cleanups.push(() => client.close())
    expect(await client.login(f.alice, f.clock.time, { recvWindow: 100 })).toEqual({
      id: 'login',
      status: 200,
      body: {
        status: true,
        code: '0000',
        msg: ['Logged in.'],
        data: {
          apiKey: f.alice.apiKey,
          permissions: ['TRADE', 'WALLET', 'USER_DATA'],
          serverTime: f.clock.time,
        },
      },
    })
  })
}

describe('a login is refused', () => {
  test('with one answer for an unknown key, a disabled one and a wrong signature', async () => {
    const f = await open()
    const disabled = await f.createKey(f.bob.accountId)
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: disabled.apiKey, enabled: false })
    const client = await connected(f)
    const wrong = { secret: 'nobody has this' }
    const answers = []
    for (const { apiKey } of [f.alice, disabled, { apiKey: 'e'.repeat(64) }]) {
      answers.push(await client.login({ apiKey, ...wrong }, f.clock.time))
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { reason: 'INVALID_SIGNATURE' } })
    expect(answers).toEqual([answers[0], answers[0], answers[0]] as typeof answers)
    expect(await reasonOf(client, disabled, f.clock.time)).toBe('401 KEY_DISABLED')
  })

  test('when anything of what is signed was changed', async () => {
    const f = await open()
    f.clock.time += 2_000
    const client = await connected(f)
    const nonce = 'a-nonce-of-20-digits'
    const { signature } = loginFields(f.alice, f.clock.time, { recvWindow: 5_000, nonce })
    for (const changed of [
      { recvWindow: 6_000, nonce },
      { recvWindow: 5_000, nonce: `${nonce}1` },
      { nonce },
      { recvWindow: 5_000 },
    ]) {
      expect(await reasonOf(client, f.alice, f.clock.time, { ...changed, signature })).toBe(
        '401 INVALID_SIGNATURE',
      )
    }
    expect(await reasonOf(client, f.alice, f.clock.time - 1, { recvWindow: 5_000, nonce, signature })).toBe(
      '401 INVALID_SIGNATURE',
    )
    expect((await client.login(f.alice, f.clock.time, { recvWindow: 5_000, nonce })).status).toBe(200)
  })

  test('outside of its time window', async () => {
    const f = await open()
    const client = await connected(f)
    expect(await reasonOf(client, f.alice, f.clock.time - 5_001)).toBe('401 TIMESTAMP_EXPIRED')
    expect(await reasonOf(client, f.alice, f.clock.time + 1_000)).toBe('401 TIMESTAMP_AHEAD')
  })

  test('naming the parameter that is missing, malformed or unknown', async () => {
    const f = await open()
    const client = await connected(f)
    const fields = loginFields(f.alice, f.clock.time)
    for (const [params, reason, name] of [
      [{ ...fields, apiKey: undefined }, 'MISSING_PARAMETER', 'apiKey'],
      [{ ...fields, signature: undefined }, 'MISSING_PARAMETER', 'signature'],
      [{ ...fields, nonce: 'short' }, 'INVALID_PARAMETER', 'nonce'],
      [{ ...fields, frames: 'few' }, 'INVALID_PARAMETER', 'frames'],
      [{ ...fields, password: 'x' }, 'INVALID_PARAMETER', 'password'],
      [{ ...fields, apiKey: ['x'] }, 'INVALID_PARAMETER', 'apiKey'],
    ] as const) {
      const before = client.answers.length
      client.send('login', params)
      await until('an answer', () => client.answers.length > before)
      const { status, body } = client.answers.at(-1) as (typeof client.answers)[number]
      expect([status, body.reason]).toEqual([400, reason])
      expect(body.msg[0]).toContain(`parameter ${name} `)
    }
  })

  test('from an address that the key does not list', async () => {
    const f = await open()
    const key = await f.createKey(f.alice.accountId, { addresses: ['192.0.2.0/24'] })
    const client = await connected(f)
    expect(await reasonOf(client, key, f.clock.time)).toBe('401 ADDRESS_NOT_ALLOWED')
  })

  test('when the connection is logged in already', async () => {
    const f = await open()
    const client = await loggedIn(f)
    expect(await reasonOf(client, f.bob, f.clock.time)).toBe('400 ALREADY_LOGGED_IN')
  })

  test('without a nonce when the key demands strict signatures, and with one it is good once', async () => {
    const f = await open()
    const key = await f.createKey(f.alice.accountId)
    await f.submit({ kind: 'SetApiKeyStrict', operator: OPERATOR, apiKey: key.apiKey, strictSignature: true })
    f.clock.time += 2_000
    const client = await connected(f)
    expect(await reasonOf(client, key, f.clock.time)).toBe('401 NONCE_REQUIRED')
    const nonce = 'a-nonce-of-20-digits'
    expect((await client.login(key, f.clock.time, { nonce })).status).toBe(200)
    expect((await client.ask('order.place', ORDER)).status).toBe(200)
    const replayed = await connected(f)
    expect(await reasonOf(replayed, key, f.clock.time, { nonce })).toBe('401 NONCE_REPEATED')
  })

  test('for the rest of the minute after too many wrong signatures of its address, as requests over HTTP are', async () => {
    const f = await open({ config: { limits: { ...DEFAULT_LIMITS, malformedPerMinuteMax: 5 } } })
    const client = await connected(f)
    for (let guess = 0; guess < 5; guess++) {
      expect(await reasonOf(client, { ...f.alice, secret: `${guess}` }, f.clock.time)).toBe(
        '401 INVALID_SIGNATURE',
      )
    }
    expect(await reasonOf(client, f.alice, f.clock.time)).toBe('403 WAF')
    expect((await f.send('GET', '/api/v3/wallet/balance', {}, f.alice)).status).toBe(403)
  })
})

describe('a login ends at once', () => {
  test('when its key is revoked', async () => {
    const f = await open()
    const client = await loggedIn(f)
    await f.submit({ kind: 'RevokeApiKey', operator: OPERATOR, apiKey: f.alice.apiKey })
    await expectEnded(f, client, 'KEY_DISABLED')
  })

  test('when its key is disabled', async () => {
    const f = await open()
    const client = await loggedIn(f)
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: f.alice.apiKey, enabled: false })
    await expectEnded(f, client, 'KEY_DISABLED')
  })

  test('when its secret is replaced, and when the overlap of the previous one ends', async () => {
    const f = await open({}, { sweepMs: 5 })
    const client = await loggedIn(f)
    const secret = 'another secret'
    const sealedSecret = f.seal(secret, f.alice.apiKey)
    const previousUntil = timeMs(f.clock.time + 1_000)
    await f.submit({
      kind: 'RotateApiKey',
      operator: OPERATOR,
      apiKey: f.alice.apiKey,
      sealedSecret,
      previousUntil,
    })
    expect((await client.ask('order.cancel', { id: crypto.randomUUID() })).body.reason).toBe('UNKNOWN_ORDER')
    const newer = await loggedIn(f, { ...f.alice, secret })
    f.clock.time += 1_000
    await expectEnded(f, client, 'SECRET_REPLACED')
    expect((await newer.ask('order.cancel', { id: crypto.randomUUID() })).body.reason).toBe('UNKNOWN_ORDER')
  })

  test('when its key expires', async () => {
    const f = await open({}, { sweepMs: 5 })
    const client = await loggedIn(f)
    const expiresAt = timeMs(f.clock.time + 1_000)
    const terms = { permissions: ['TRADE'] as const, addresses: [], label: '', expiresAt }
    await f.submit({ kind: 'SetApiKeyTerms', operator: OPERATOR, apiKey: f.alice.apiKey, ...terms })
    expect((await client.ask('order.cancel', { id: crypto.randomUUID() })).body.reason).toBe('UNKNOWN_ORDER')
    f.clock.time += 1_000
    await expectEnded(f, client, 'KEY_EXPIRED')
  })

  test('when its address may not use the key any more', async () => {
    const f = await open()
    const client = await loggedIn(f)
    const terms = {
      permissions: ['TRADE'] as const,
      addresses: ['192.0.2.1'],
      label: '',
      expiresAt: timeMs(f.clock.time + 60_000),
    }
    await f.submit({ kind: 'SetApiKeyTerms', operator: OPERATOR, apiKey: f.alice.apiKey, ...terms })
    await expectEnded(f, client, 'ADDRESS_NOT_ALLOWED')
  })

  test('when its account is locked out', async () => {
    const f = await open()
    const client = await loggedIn(f)
    const { accountId } = f.alice
    await f.submit({ kind: 'SetAccountRestrictions', operator: OPERATOR, accountId, restrictions: ['LOGIN'] })
    await expectEnded(f, client, 'ACCOUNT_LOCKED')
  })

  test('when its address is banned by its limits, on every connection of the address', async () => {
    const limits = { ...DEFAULT_LIMITS, weightPerMinuteMax: 20, refusalsBeforeBan: 2 }
    const f = await open({ config: { limits } })
    const quiet = await loggedIn(f)
    const client = await loggedIn(f)
    const statuses = []
    while (statuses.at(-1) !== 418)
      statuses.push((await client.ask('order.cancel', { id: crypto.randomUUID() })).status)
    expect(statuses).toContain(429)
    for (const banned of [quiet, client]) {
      await until('the login ends', () => banned.events.some(([event]) => event === 'loggedOut'))
      expect(banned.events.at(-1)).toMatchObject(['loggedOut', { reason: 'BANNED' }])
    }
    await until('who was answered so is disconnected', () => client.isClosed)
    expect(quiet.isClosed).toBe(false)
  })

  test('when an operator bans its address, whose connections are closed', async () => {
    const f = await open()
    const client = await loggedIn(f)
    await f.submit({
      kind: 'BanAddress',
      operator: OPERATOR,
      address: '127.0.0.1',
      until: timeMs(f.clock.time + 60_000),
    })
    await until('the connection is closed', () => client.isClosed)
  })
})

test('a key that may not trade logs in, and its orders are refused for the permission', async () => {
  const f = await open()
  const client = await loggedIn(f, await f.createKey(f.alice.accountId, { permissions: ['WALLET'] }))
  const { status, body } = await client.ask('order.place', ORDER)
  expect([status, body.reason]).toEqual([401, 'PERMISSION_DENIED'])
})

/** A key with a key pair, and a login signed with its private key. */
async function pairOf(f: Fixture, wire: KeyWire) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const apiKey = `a pair of ${wire}`
  const strictSignature = wire === 'BOURSE'
  await f.submit({
    ...{ kind: 'AddApiKey', operator: OPERATOR, accountId: f.alice.accountId, apiKey, wire, label: '' },
    ...{ keyKind: 'ED25519', material: publicKey.export({ type: 'spki', format: 'der' }).subarray(12) },
    ...{ permissions: ['TRADE'], addresses: [], expiresAt: timeMs(0), strictSignature },
  })
  const signed = (more: Params): Params => {
    const fields: Params = { apiKey, timestamp: f.clock.time, ...more }
    const text = `login\n${Object.entries(fields)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')}`
    return { ...more, signature: signWithPair(null, Buffer.from(text), privateKey).toString('base64') }
  }
  return { key: { apiKey, secret: '' }, signed }
}

test('a key of a pair logs in with a nonce alone, and trades', async () => {
  const f = await open()
  f.clock.time += 5_000
  const { key, signed } = await pairOf(f, 'BOURSE')
  const client = await connected(f)
  expect(await reasonOf(client, key, f.clock.time, signed({}))).toBe('401 NONCE_REQUIRED')
  const nonce = 'a-nonce-of-20-digits'
  expect(await reasonOf(client, key, f.clock.time, { ...signed({ nonce }), nonce: `${nonce}1` })).toBe(
    '401 INVALID_SIGNATURE',
  )
  expect(await client.login(key, f.clock.time, signed({ nonce }))).toMatchObject({ status: 200 })
  expect((await client.ask('order.place', ORDER)).status).toBe(200)
})

test('a key for the wire BINANCE cannot log in', async () => {
  const f = await open()
  f.clock.time += 5_000
  const { key, signed } = await pairOf(f, 'BINANCE')
  const nonce = 'a-nonce-of-20-digits'
  expect(await reasonOf(await connected(f), key, f.clock.time, signed({ nonce }))).toBe(
    '401 INVALID_SIGNATURE',
  )
})

test('a key with READ alone follows orders and fills, and no balances, and changes nothing', async () => {
  const f = await open()
  const client = await loggedIn(f, await f.createKey(f.alice.accountId, { permissions: ['READ'] }))
  for (const [name, params] of [
    ['order.place', ORDER],
    ['order.cancelAll', { scope: 'ACCOUNT' }],
  ] as const) {
    const { status, body } = await client.ask(name, params)
    expect([status, body.reason]).toEqual([401, 'PERMISSION_DENIED'])
  }
  for (const channel of ['orders', 'fills', 'balances']) client.send('subscribe', { channel })
  const heard = (channel: string) => client.events.filter(([event]) => event === channel)
  await until('two channels are told', () => heard('orders').length > 0 && heard('fills').length > 0)
  await until('a refusal', () => JSON.stringify(client.events).includes('PERMISSION_DENIED'))
  expect(heard('balances')).toEqual([])
})

test('a login is not a request over HTTP, at any endpoint', async () => {
  const f = await open()
  const { apiKey, timestamp, signature } = loginFields(f.alice, f.clock.time)
  const body = `login\napiKey=${apiKey}&timestamp=${timestamp}`
  for (const [method, path] of [
    ['POST', '/api/v3/order'],
    ['DELETE', '/api/v3/order'],
    ['POST', '/api/v3/order/test'],
  ] as const) {
    const headers = {
      'X-Apikey': f.alice.apiKey,
      'X-Signature': String(signature),
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    expect(String(signature)).toBe(sign(f.alice.secret, body))
    const answer = await fetch(f.url + path, { method, headers, body })
    expect([answer.status, ((await answer.json()) as { reason: string }).reason]).toEqual([
      400,
      'CONTROL_CHARACTER',
    ])
  }
})
