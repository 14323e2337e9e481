/**
 * Every signed request of this wire is recorded and sent again, within its window, to every other method and
 * path of both ports and as every request of the WebSocket API: nothing changes, and no private byte comes
 * back. A signature that has read data can only read the same data again, under any name of a reading
 * endpoint.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SANDBOX_LIMITS } from '../../access/limits/limits-config.ts'
import { ROUTES } from '../../http/routes.ts'
import type { Trader } from '../../public/gateway.fixture.ts'
import { SESSION_ROWS } from '../api/session-rows.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import type { WireParameter, WireRow } from '../endpoints/row.ts'
import { addressOf, WIRE_ENDPOINT_IDS, WIRE_ROWS } from '../endpoints/table.ts'
import { hmac, SocketClient, signedParams } from '../socket-client.fixture.ts'

setDefaultTimeout(300_000)

let f: BinanceFixture
let client: SocketClient
/** A key that was made for this wire. */
let key: Trader
const ORDER = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '60000',
}
const SIGNED = WIRE_ENDPOINT_IDS.map((id) => WIRE_ROWS[id]).filter(({ security }) => security !== 'NONE')
/** Operations without a key, or that only test a signature. */
const UNSIGNED = ['NONE', 'TRIED']
const SECURED = [...ROUTES].flatMap(([path, { endpoints }]) =>
  Object.entries(endpoints).flatMap(([method, endpoint]) =>
    endpoint === undefined || UNSIGNED.includes(endpoint.operation.security.kind)
      ? []
      : [[method, path] as const],
  ),
)
/** Signed requests of the WebSocket API. */
const REQUESTS: readonly { readonly name: string; readonly reads: boolean }[] = [
  ...SIGNED.flatMap(({ request, security }) =>
    request === undefined ? [] : [{ name: request, reads: security === 'USER_DATA' }],
  ),
  ...Object.entries(SESSION_ROWS).flatMap(([name, { security }]) =>
    security === 'NONE' ? [] : [{ name, reads: false }],
  ),
]

beforeAll(async () => {
  f = await openBinance({ config: { limits: { ...SANDBOX_LIMITS, isEnabled: false } } })
  key = { ...f.alice, apiKey: 'b'.repeat(64), secret: 'c'.repeat(64) }
  const terms = { permissions: ['TRADE'] as const, addresses: [], label: '', expiresAt: 0 as never }
  const more = { wire: 'BINANCE', strictSignature: false, keyKind: 'HMAC' } as const
  const { accountId, apiKey } = key
  const material = f.seal(key.secret, apiKey)
  const operator = { actor: 'test', note: '' }
  await f.submit({ kind: 'AddApiKey', operator, accountId, apiKey, material, ...terms, ...more })
  client = await SocketClient.open(f)
})
afterAll(async () => {
  client.socket.close()
  await f.stop()
})

/** The parameters that a request to the row needs, so that it does something. */
function fieldsOf(row: WireRow): Record<string, string> {
  const required = Object.entries(row.parameters).filter(([, { isRequired }]) => isRequired)
  const fields = Object.fromEntries(required.map(([name, parameter]) => [name, sampleOf(name, parameter)]))
  if (
    row.path.startsWith('/api/v3/order') &&
    row.parameters.newClientOrderId !== undefined &&
    row.method === 'POST'
  )
    return { ...fields, ...ORDER }
  return row.path === '/api/v3/order' ? { ...fields, orderId: '1' } : fields
}

/** A value of the parameter's form. */
function sampleOf(name: string, parameter: WireParameter): string {
  const own = ORDER[name as keyof typeof ORDER]
  return own ?? (parameter.form === 'WORD' ? (parameter.words[0] ?? '') : '1')
}

function sent(method: string, path: string, query: string) {
  const headers = { 'X-MBX-APIKEY': key.apiKey }
  return f.ask(`${path}?${query}`, method, headers)
}

describe.each(SIGNED.map((row): [string, WireRow] => [addressOf(row), row]))('%s', (address, row) => {
  test('recorded over HTTP opens nothing else anywhere', async () => {
    f.clock.time += 1
    await f.signed('POST', '/api/v3/order', ORDER, key)
    f.clock.time += 1
    const text = new URLSearchParams({ ...fieldsOf(row), timestamp: String(f.clock.time) }).toString()
    const signature = hmac(key).sign(text)
    const query = `${text}&signature=${signature}`
    expect((await sent(row.method, row.path, query)).status).not.toBe(401)
    const { seq } = f.services.market
    for (const other of SIGNED) {
      if (addressOf(other) === address || (row.security === 'USER_DATA' && other.security === 'USER_DATA'))
        continue
      const { body } = await sent(other.method, other.path, query)
      expect([addressOf(other), body.code < 0]).toEqual([addressOf(other), true])
    }
    for (const [method, path] of SECURED) {
      const headers = { 'X-Apikey': key.apiKey, 'X-Signature': signature }
      for (const asked of [text, query]) {
        const seen = await fetch(`${f.url}${path}?${asked}`, { method, headers })
        expect([method, path, seen.status < 400]).toEqual([method, path, false])
      }
    }
    const params = { ...Object.fromEntries(new URLSearchParams(text)), apiKey: key.apiKey, signature }
    for (const { name } of REQUESTS) {
      const { status, result } = await client.ask(name, params)
      expect([name, status < 400, result]).toEqual([name, false, undefined])
    }
    expect(f.services.market.seq).toBe(seq)
  })
})

describe.each(REQUESTS.map(({ name, reads }): [string, boolean] => [name, reads]))('%s', (name, reads) => {
  test('recorded over a WebSocket opens nothing else anywhere', async () => {
    f.clock.time += 1
    await f.signed('POST', '/api/v3/order', ORDER, key)
    f.clock.time += 1
    const row = SIGNED.find(({ request }) => request === name)
    const fields = row === undefined ? {} : fieldsOf(row)
    const params = signedParams({ ...fields, timestamp: f.clock.time }, hmac(key))
    expect((await client.ask(name, params)).status).not.toBe(401)
    const { seq } = f.services.market
    for (const other of REQUESTS) {
      if (other.name === name || (reads && other.reads)) continue
      const { status, result } = await client.ask(other.name, params)
      expect([other.name, status < 400, result]).toEqual([other.name, false, undefined])
    }
    const { signature, ...rest } = params
    const text = Object.entries(rest)
      .map(([each, value]) => `${each}=${value}`)
      .toSorted()
      .join('&')
    for (const other of SIGNED) {
      const { status, body } = await sent(other.method, other.path, `${text}&signature=${signature}`)
      expect([addressOf(other), status < 400, body.code < 0]).toEqual([addressOf(other), false, true])
    }
    expect(f.services.market.seq).toBe(seq)
  })
})

test('a key of the interface of the exchange, recorded there, opens nothing on this port', async () => {
  const { seq } = f.services.market
  for (const row of SIGNED) {
    f.clock.time += 1
    const { status, body } = await f.signed(row.method, row.path, fieldsOf(row))
    expect([addressOf(row), status, body.code]).toEqual([addressOf(row), 401, -2015])
  }
  expect(f.services.market.seq).toBe(seq)
})
