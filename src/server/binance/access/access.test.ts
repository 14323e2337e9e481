import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, sign } from 'node:crypto'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import type { WireRow } from '../endpoints/row.ts'
import { addressOf, WIRE_ENDPOINT_IDS, WIRE_ROWS } from '../endpoints/table.ts'

let f: BinanceFixture
const ORDER = '/api/v3/order'
const SELL = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '60000',
}
const SIGNED = WIRE_ENDPOINT_IDS.map((id) => WIRE_ROWS[id]).filter(({ security }) => security !== 'NONE')

beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
})
beforeEach(() => {
  f.clock.time += 1_000
})
afterAll(() => f.stop())

/** A valid value of the parameter. */
function sampleOf(row: WireRow, name: string): string {
  const parameter = row.parameters[name]
  const word = parameter?.form === 'WORD' ? parameter.words[0] : undefined
  return SELL[name as keyof typeof SELL] ?? word ?? '1'
}

/** Sends exactly this query. */
const raw = (method: string, path: string, query: string, apiKey = f.alice.apiKey) =>
  f.ask(`${path}?${query}`, method, { 'X-MBX-APIKEY': apiKey })

function signatureOf(text: string, secret = f.alice.secret): string {
  return new Bun.CryptoHasher('sha256', secret).update(text).digest('hex')
}

function signedQuery(fields: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams({ ...fields, timestamp: String(f.clock.time) }).toString()
  return `${text}&signature=${signatureOf(text)}`
}

describe.each(SIGNED.map((row): [string, WireRow] => [addressOf(row), row]))('%s', (_, row) => {
  test('without a key is refused before anything of it is read', async () => {
    const { status, body } = await f.ask(`${row.path}?nothing`, row.method)
    expect([status, body.code, body.msg]).toEqual([401, -2014, 'API-key format invalid.'])
  })

  test('needs a signature and a timestamp, by name', async () => {
    const fields = Object.keys(row.parameters).filter((name) => row.parameters[name]?.isRequired)
    const text = fields.map((name) => `${name}=${sampleOf(row, name)}`).join('&')
    const without = await raw(row.method, row.path, `${text}&timestamp=1`)
    expect(without.body).toMatchObject({ code: -1102, parameter: 'signature' })
    const untimed = await raw(row.method, row.path, `${text}&signature=${signatureOf(text)}`)
    expect(untimed.body).toMatchObject({ code: -1102, parameter: 'timestamp' })
  })
})

describe('a key', () => {
  test('that is unknown, or whose signature is wrong, is refused with the texts of Binance', async () => {
    const query = signedQuery({})
    const unknown = await raw('GET', '/api/v3/account', query, 'a'.repeat(64))
    expect([unknown.status, unknown.body.code]).toEqual([401, -2015])
    expect(unknown.body.msg).toBe('Invalid API-key, IP, or permissions for action.')
    const last = query.endsWith('0') ? '1' : '0'
    const wrong = await raw('GET', '/api/v3/account', query.slice(0, -1) + last)
    expect([wrong.status, wrong.body.code]).toEqual([400, -1022])
    expect(wrong.body.msg).toBe('Signature for this request is not valid.')
  })

  test('that lacks the permission, or is used from elsewhere, gets the same answer as an unknown one', async () => {
    for (const terms of [{ permissions: ['USER_DATA'] }, { addresses: ['192.0.2.1'] }] as const) {
      const key = await f.createKey(f.alice.accountId, terms)
      const { status, body } = await f.signed('POST', ORDER, SELL, key)
      expect([status, body.code]).toEqual([401, -2015])
    }
  })

  test('of the exchange’s own interface opens nothing, and is told so once its signature is right', async () => {
    const g = await openBinance()
    try {
      for (const row of SIGNED) {
        const fields = Object.fromEntries(
          Object.keys(row.parameters)
            .filter((name) => row.parameters[name]?.isRequired)
            .map((name) => [name, sampleOf(row, name)]),
        )
        const { status, body } = await g.signed(row.method, row.path, fields)
        expect([row.path, status, body.code, typeof body.detail]).toEqual([row.path, 401, -2015, 'string'])
        g.clock.time++
      }
      const other = { ...g.alice, secret: g.bob.secret }
      expect((await g.signed('GET', '/api/v3/account', {}, other)).body.detail).toBeUndefined()
    } finally {
      await g.stop()
    }
  })
})

describe('a key for this wire', () => {
  const asKey = async (
    g: BinanceFixture,
    keyKind: 'HMAC' | 'ED25519',
    apiKey: string,
    material: Uint8Array,
  ) => {
    const terms = { permissions: ['TRADE'] as const, addresses: [], label: '', expiresAt: 0 as never }
    const operator = { actor: 'test', note: '' }
    const { accountId } = g.alice
    const more = { wire: 'BINANCE', strictSignature: false } as const
    await g.submit({ kind: 'AddApiKey', operator, accountId, apiKey, keyKind, material, ...terms, ...more })
  }

  test('works with a secret, and nowhere on the public port', async () => {
    const g = await openBinance()
    try {
      const key = { ...g.alice, apiKey: 'b'.repeat(64), secret: 'c'.repeat(64) }
      await asKey(g, 'HMAC', key.apiKey, g.seal(key.secret, key.apiKey))
      expect((await g.signed('POST', ORDER, SELL, key)).status).toBe(200)
      g.clock.time++
      expect((await g.signed('GET', '/api/v3/account', {}, key)).status).toBe(200)
      const there = await g.send('GET', '/api/v3/wallet/balance', {}, key)
      expect(there.status).toBe(401)
    } finally {
      await g.stop()
    }
  })

  test('works with the private key of an Ed25519 pair, in base64 as clients send it', async () => {
    const g = await openBinance()
    try {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const raw32 = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
      const apiKey = 'd'.repeat(64)
      await asKey(g, 'ED25519', apiKey, new Uint8Array(raw32))
      const text = `timestamp=${g.clock.time}`
      const signature = sign(null, Buffer.from(text), privateKey).toString('base64')
      const query = `${text}&signature=${encodeURIComponent(signature)}`
      const seen = await g.ask(`/api/v3/account?${query}`, 'GET', { 'X-MBX-APIKEY': apiKey })
      expect(seen.status).toBe(200)
      const other = await g.ask(
        `/api/v3/account?timestamp=${g.clock.time - 1}&signature=${encodeURIComponent(signature)}`,
        'GET',
        {
          'X-MBX-APIKEY': apiKey,
        },
      )
      expect(other.body.code).toBe(-1022)
      // The group order is added to the signature's second half: another encoding of a valid signature.
      g.clock.time += 1
      const late = `timestamp=${g.clock.time}`
      const made = sign(null, Buffer.from(late), privateKey)
      const asked = async (bytes: Uint8Array) => {
        const signed = `${late}&signature=${encodeURIComponent(Buffer.from(bytes).toString('base64'))}`
        return (await g.ask(`/api/v3/account?${signed}`, 'GET', { 'X-MBX-APIKEY': apiKey })).status
      }
      expect([await asked(notCanonical(made)), await asked(made)]).toEqual([400, 200])
    } finally {
      await g.stop()
    }
  })
})

/** The order of the group of Ed25519's points (RFC 8032, section 5.1). */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

function notCanonical(signature: Uint8Array): Uint8Array {
  const half = signature.subarray(32).toReversed()
  const sum = BigInt(`0x${Buffer.from(half).toString('hex')}`) + GROUP_ORDER
  const changed = Buffer.from(sum.toString(16).padStart(64, '0'), 'hex').toReversed()
  return Buffer.concat([signature.subarray(0, 32), changed])
}

describe('the time window', () => {
  const at = (timestamp: number | string, more = {}) =>
    f.signed('GET', '/api/v3/account', { ...more, timestamp })

  test('takes milliseconds and microseconds, and a recvWindow with three decimals', async () => {
    expect((await at(f.clock.time)).status).toBe(200)
    expect((await at(f.clock.time * 1_000 + 7)).status).toBe(200)
    expect((await at(f.clock.time - 1, { recvWindow: '1.5' })).status).toBe(200)
    expect((await at(f.clock.time - 2, { recvWindow: '1.5' })).body.code).toBe(-1021)
  })

  test('refuses what is too old, too new or too wide with the texts of Binance', async () => {
    const old = await at(f.clock.time - 5_001)
    expect(old.body).toMatchObject({
      code: -1021,
      msg: 'Timestamp for this request is outside of the recvWindow.',
    })
    const ahead = await at(f.clock.time + 1_000)
    expect(ahead.body).toMatchObject({
      code: -1021,
      msg: "Timestamp for this request was 1000ms ahead of the server's time.",
    })
    const wide = await at(f.clock.time, { recvWindow: 60_001 })
    expect(wide.body).toMatchObject({ code: -1131, msg: 'recvWindow must be less than 60000.' })
  })

  test('a request from before the start is refused: what its signature has opened is not known', async () => {
    const g = await openBinance({ isOfWire: () => true })
    try {
      g.clock.time -= 1_500
      const { status, body } = await g.signed('POST', ORDER, SELL)
      expect([status, body.code]).toEqual([400, -1021])
    } finally {
      await g.stop()
    }
  })
})

describe('a signature', () => {
  test('that opened something has no effect at every other endpoint', async () => {
    const state = async () => {
      f.clock.time += 1
      const { body } = await f.signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
      return JSON.stringify(body)
    }
    for (const row of SIGNED) {
      const fields: Record<string, string> = {}
      for (const [name, { isRequired }] of Object.entries(row.parameters))
        if (isRequired) fields[name] = sampleOf(row, name)
      if (row.path === ORDER && row.method === 'POST') Object.assign(fields, SELL)
      f.clock.time += 1
      const query = signedQuery(fields)
      const { status } = await raw(row.method, row.path, query)
      expect([row.path, status === 401]).toEqual([row.path, false])
      const before = await state()
      for (const other of SIGNED) {
        if (other === row || other.security !== 'TRADE') continue
        const { body } = await raw(other.method, other.path, query)
        expect([addressOf(row), addressOf(other), body.code < 0]).toEqual([
          addressOf(row),
          addressOf(other),
          true,
        ])
      }
      expect(await state()).toBe(before)
    }
  })

  test('that read all open orders does not cancel them', async () => {
    await f.signed('POST', ORDER, SELL)
    f.clock.time += 1
    const query = signedQuery({ symbol: 'BTCUSDT' })
    expect((await raw('GET', '/api/v3/openOrders', query)).status).toBe(200)
    const replayed = await raw('DELETE', '/api/v3/openOrders', query)
    expect([replayed.status, replayed.body.code]).toEqual([400, -1022])
  })

  test('in another encoding is the same signature', async () => {
    f.clock.time += 1
    const text = `symbol=BTCUSDT&timestamp=${f.clock.time}`
    const hex = signatureOf(text)
    const spellings = [hex.toUpperCase(), encodeURIComponent(Buffer.from(hex, 'hex').toString('base64'))]
    expect((await raw('GET', '/api/v3/openOrders', `${text}&signature=${hex}`)).status).toBe(200)
    for (const spelling of spellings) {
      const query = `${text}&signature=${spelling}`
      expect((await raw('DELETE', '/api/v3/openOrders', query)).body.code).toBe(-1022)
      expect((await raw('GET', '/api/v3/openOrders', query)).status).toBe(200)
    }
  })

  test('that changed something reads nothing, and is accepted again at its own endpoint', async () => {
    const query = signedQuery({ ...SELL, newClientOrderId: 'again-1' })
    expect((await raw('POST', ORDER, query)).status).toBe(200)
    expect((await raw('POST', '/api/v3/order/test', query)).body.code).toBe(-1022)
    const again = await raw('POST', ORDER, query)
    expect(again.body).toMatchObject({ code: -2010, msg: 'Duplicate order sent.' })
  })

  test('that reads may read at several endpoints', async () => {
    const query = signedQuery({ symbol: 'BTCUSDT' })
    for (const path of ['openOrders', 'allOrders', 'myTrades', 'openOrders'])
      expect([path, (await raw('GET', `/api/v3/${path}`, query)).status]).toEqual([path, 200])
  })
})

test('the public port does not take the header of this wire, nor its signature in the query', async () => {
  const query = signedQuery({})
  const headers = { 'X-MBX-APIKEY': f.alice.apiKey }
  const { status } = await fetch(`${f.url}/api/v3/wallet/balance?${query}`, { headers })
  expect(status).toBe(401)
})
