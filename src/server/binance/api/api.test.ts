import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, sign } from 'node:crypto'
import { SANDBOX_LIMITS } from '../../access/limits/limits-config.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import { WIRE_ENDPOINT_IDS, WIRE_ROWS } from '../endpoints/table.ts'
import { hmac, type Message, SocketClient, signedParams } from '../socket-client.fixture.ts'
import { SESSION_ROWS } from './session-rows.ts'

let f: BinanceFixture
const opened: SocketClient[] = []
const ORDER = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' }
const SELL = { ...ORDER, quantity: '1', price: '60000' }

beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
})
beforeEach(() => {
  f.clock.time += 1_000
})
afterEach(() => {
  for (const client of opened.splice(0)) client.socket.close()
})
afterAll(() => f.stop())

async function connect(path?: string, g = f): Promise<SocketClient> {
  const client = await SocketClient.open(g, path)
  opened.push(client)
  return client
}

/** A key with a key pair, and its signatures. */
async function pair(g = f) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const material = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  const terms = { permissions: ['TRADE'] as const, addresses: [], label: '', expiresAt: 0 as never }
  const { accountId } = g.alice
  const more = { wire: 'BINANCE', strictSignature: false, keyKind: 'ED25519' } as const
  const operator = { actor: 'test', note: '' }
  await g.submit({ kind: 'AddApiKey', operator, accountId, apiKey, material, ...terms, ...more })
  const ofText = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64')
  return { apiKey, sign: ofText }
}

const revoke = (apiKey: string, g = f) =>
  g.submit({ kind: 'RevokeApiKey', operator: { actor: 'test', note: '' }, apiKey })

/** Values of required parameters that are more than a number, and some others. */
const VALUES: Readonly<Record<string, string>> = { ...SELL, interval: '1m' }

describe('the WebSocket API', () => {
  test.each(
    WIRE_ENDPOINT_IDS.map((id) => WIRE_ROWS[id])
      .filter(({ path }) => path.startsWith('/api/'))
      .map((row): [string | undefined, typeof row] => [row.request, row]),
  )('%s answers with the result of its endpoint', async (request, row) => {
    const client = await connect()
    const names = Object.keys(row.parameters).filter((name) => row.parameters[name]?.isRequired)
    const fields: Record<string, string> = Object.fromEntries(
      names.map((name) => [name, VALUES[name] ?? '1']),
    )
    if (row.security === 'TRADE' && row.method === 'DELETE') await f.signed('POST', '/api/v3/order', SELL)
    if (request?.startsWith('order.') && row.method !== 'POST') fields.origClientOrderId = 'unknown'
    if (row.method === 'POST') Object.assign(fields, SELL)
    f.clock.time += 1
    const isOpen = row.security === 'NONE'
    const over = isOpen
      ? await client.ask(request ?? '', fields)
      : await client.signed(`v3/${request}`, fields)
    if (row.method === 'GET' && over.status === 200) {
      f.clock.time += isOpen ? 0 : 1
      const query = `?${new URLSearchParams(fields)}`
      const http = isOpen ? await f.ask(row.path + query) : await f.signed('GET', row.path, fields)
      if (row.request !== 'time') expect(over.result).toEqual(http.body)
    } else expect([200, 400]).toContain(over.status)
    expect(over.rateLimits.at(-1)).toMatchObject({
      rateLimitType: 'REQUEST_WEIGHT',
      count: expect.any(Number),
    })
  })

  test('places orders with the digits that were sent, and says how many orders the account has placed', async () => {
    const client = await connect('/ws-api/v3/ws-api/v3')
    const params = { ...ORDER, quantity: '@', price: '61000.50', timestamp: f.clock.time }
    const { signature, ...rest } = signedParams({ ...params, quantity: '1.50' }, hmac(f.alice))
    const text = JSON.stringify({ id: 'a', method: 'order.place', params: { ...rest, signature } })
    client.socket.send(text.replace('"1.50"', '1.50'))
    const { status, result, rateLimits } = await client.until(({ id }) => id === 'a')
    expect([status, result.price, result.origQty, result.status]).toEqual([
      200,
      '61000.50000000',
      '1.50000000',
      'NEW',
    ])
    expect(rateLimits.map((each: Message) => each.rateLimitType)).toContain('ORDERS')
  })

  test('answers errors with number and text of Binance, and with the id of the request', async () => {
    const client = await connect()
    const unknown = await client.ask('trades.recent', { symbol: 'NONE' }, 'a text')
    expect([unknown.id, unknown.status, unknown.error.code, unknown.error.msg]).toEqual([
      ...['a text', 400, -1121, 'Invalid symbol.'],
    ] as never)
    const foreign = await client.ask('ping', { colour: 'red' }, 7)
    expect([foreign.id, foreign.error.code]).toEqual([7, -1101])
    const nothing = await client.ask('order.nothing', {}, -1)
    expect([nothing.status, nothing.error.code]).toEqual([404, -1020])
    const gone = await client.ask('userDataStream.start', {})
    expect([gone.status, gone.error.msg]).toEqual([410, expect.stringContaining('subscribe.signature')])
    for (const text of ['{', '[]', '7', '{"id":{},"method":"ping"}', '{"id":1.5,"method":"ping"}']) {
      client.messages.length = 0
      client.socket.send(text)
      expect((await client.until(({ error }) => error !== undefined)).id).toBeNull()
    }
  })

  test('needs key, signature and timestamp by name, and refuses wrong ones as over HTTP', async () => {
    const client = await connect()
    const without = await client.ask('account.status', { timestamp: f.clock.time })
    expect(without.error).toMatchObject({ code: -1102, parameter: 'signature' })
    const unnamed = await client.ask('account.status', { timestamp: f.clock.time, signature: 'a' })
    expect(unnamed.error).toMatchObject({ code: -1102, parameter: 'apiKey' })
    const wrong = await client.signed('account.status', {}, hmac({ ...f.alice, secret: 'x' }))
    expect([wrong.status, wrong.error.code]).toEqual([400, -1022])
    const unknown = await client.signed('account.status', {}, hmac({ ...f.alice, apiKey: 'x' }))
    expect([unknown.status, unknown.error.code]).toEqual([401, -2015])
    const late = await client.signed('account.status', { timestamp: f.clock.time - 6_000 })
    expect(late.error.code).toBe(-1021)
  })

  test('omits the used limits where the connection, or the request, asks for that', async () => {
    const client = await connect('/ws-api/v3?returnRateLimits=false')
    expect((await client.ask('ping')).rateLimits).toBeUndefined()
    expect((await client.ask('ping', { returnRateLimits: true })).rateLimits).toHaveLength(1)
  })
})

describe('a key that is logged on', () => {
  test('sends requests without a signature, until it is logged out', async () => {
    const client = await connect()
    const key = await pair()
    const logon = await client.signed('session.logon', {}, key)
    expect([logon.status, logon.result.apiKey]).toEqual([200, key.apiKey])
    const placed = await client.ask('order.place', { ...SELL, timestamp: f.clock.time })
    expect([placed.status, placed.result.status]).toEqual([200, 'NEW'])
    expect((await client.ask('account.status')).error).toMatchObject({ code: -1102, parameter: 'timestamp' })
    expect((await client.ask('session.status')).result.authorizedSince).toBe(f.clock.time)
    expect((await client.ask('session.logout')).result.apiKey).toBeNull()
    expect((await client.ask('account.status', { timestamp: f.clock.time })).error.code).toBe(-1102)
  })

  test('belongs to a key pair, not to a secret', async () => {
    const client = await connect()
    const { status, error } = await client.signed('session.logon')
    expect([status, error.code, error.msg]).toEqual([400, -1020, expect.stringContaining('Ed25519')])
    expect((await client.ask('session.status')).result.apiKey).toBeNull()
  })

  test('is logged out once it is revoked, immediately', async () => {
    const client = await connect()
    const key = await pair()
    await client.signed('session.logon', {}, key)
    await revoke(key.apiKey)
    // The message comes before the next answer, so it was not caused by the check of all keys, which runs at
    // intervals.
    await client.ask('ping')
    const ended = client.messages.find(({ id, status }) => id === null && status === 401)
    expect(ended?.error).toMatchObject({
      code: -2015,
      msg: 'Invalid API-key, IP, or permissions for action.',
    })
    expect((await client.ask('account.status', { timestamp: f.clock.time })).error.code).toBe(-1102)
  })

  test('does not log on with a signature that has opened something else', async () => {
    const client = await connect()
    const key = await pair()
    const params = signedParams({ timestamp: f.clock.time }, key)
    expect((await client.ask('account.status', params)).status).toBe(200)
    expect((await client.ask('session.logon', params)).error.code).toBe(-1022)
    f.clock.time += 1
    const logon = signedParams({ timestamp: f.clock.time }, key)
    expect((await client.ask('session.logon', logon)).status).toBe(200)
    const other = await connect()
    expect((await other.ask('account.status', logon)).error.code).toBe(-1022)
  })
})

describe('a connection', () => {
  test('has weight and bans of its address, and ends with a ban', async () => {
    const limits = { ...SANDBOX_LIMITS, weightPerMinuteMax: 30, refusalsBeforeBan: 1 }
    const g = await openBinance({ config: { limits } })
    try {
      const client = await connect(undefined, g)
      const other = await connect('/ws/btcusdt@trade', g)
      expect((await client.ask('exchangeInfo')).status).toBe(200)
      const over = await client.ask('exchangeInfo')
      expect([over.status, over.error.code]).toEqual([429, -1003])
      expect(over.error.data.retryAfter).toBeGreaterThan(g.clock.time)
      client.socket.send('{"id":9,"method":"exchangeInfo"}')
      expect((await client.closed).code).toBe(1008)
      expect((await other.closed).code).toBe(1008)
    } finally {
      await g.stop()
    }
  })

  test('gets a notice when the server stops', async () => {
    const g = await openBinance()
    const client = await connect(undefined, g)
    await client.ask('ping')
    await g.stop()
    expect((await client.closed).code).toBe(1001)
    expect(client.events.map(({ e }) => e)).toEqual(['serverShutdown'])
  })
})

test('requests about the connection are not endpoints', () => {
  const names = WIRE_ENDPOINT_IDS.flatMap((id) => WIRE_ROWS[id].request ?? [])
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => Object.hasOwn(SESSION_ROWS, name))).toEqual([])
})
