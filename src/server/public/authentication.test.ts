/**
 * Authorization over HTTP: keys, permissions, addresses, signatures and the time window; and that the checks
 * are made in the stated order (docs/reference/http.md#order-of-checks).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import type { DEFAULT_PERMISSIONS } from '../../units/order-enums.ts'
import { timeMs } from '../../units/quantities.ts'
import {
  type Fields,
  type Fixture,
  formOf,
  openFixture,
  type Seen,
  see,
  sign,
  type Trader,
} from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture({ config: { ...SANDBOX_GATEWAY, trustedProxies: ['127.0.0.1'] } })
})
afterAll(() => f.stop())

const OPERATOR = { actor: 'test', note: '' }
const ORDER = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '10' }

/** The permissions that a key has by default; withdrawing money is not among them (withdrawals.test.ts). */
type DefaultPermission = (typeof DEFAULT_PERMISSIONS)[number]

/** A path of each security type. */
const PATHS: { readonly [P in DefaultPermission]: string } = {
  TRADE: '/api/v3/order/active',
  WALLET: '/api/v3/wallet/balance',
  USER_DATA: '/api/v3/trades?symbol=ETH/USDT&x=',
}

const outcome = ({ status, body }: Seen) => (status === 200 ? 'in' : `${status} ${body.reason}`)

/** Sends a request as `trader`; with `isSigned` false without a signature. */
async function ask(
  trader: Trader,
  permission: DefaultPermission,
  isSigned = true,
  extra: Fields = {},
): Promise<string> {
  const path = PATHS[permission]
  const separator = path.includes('?') ? '&' : '?'
  const url = `${path}${separator}timestamp=${f.clock.time}`
  const headers: Record<string, string> = { 'X-Apikey': trader.apiKey, ...(extra as Record<string, string>) }
  if (isSigned) headers['X-Signature'] = sign(trader.secret, url.slice(url.indexOf('?') + 1))
  return outcome(await see(await fetch(f.url + url, { headers })))
}

describe('a key', () => {
  test('may by default do everything but take money out', async () => {
    for (const permission of ['TRADE', 'WALLET', 'USER_DATA'] as const) {
      expect(await ask(f.alice, permission)).toBe('in')
    }
  })

  test('without a permission is refused there, and gets the reason only with its signature', async () => {
    for (const permission of ['TRADE', 'WALLET', 'USER_DATA'] as const) {
      const others = (['TRADE', 'WALLET', 'USER_DATA'] as const).filter((other) => other !== permission)
      const trader = await f.createKey(f.alice.accountId, { permissions: others })
      expect(await ask(trader, permission)).toBe('401 PERMISSION_DENIED')
      expect(await ask(trader, permission, false)).toBe('401 INVALID_API_KEY')
      expect(await ask({ ...trader, secret: 'wrong' }, permission)).toBe('401 INVALID_API_KEY')
      for (const other of others) expect(await ask(trader, other)).toBe('in')
    }
  })

  test('needs no signature for market data', async () => {
    expect(await ask(f.alice, 'USER_DATA', false)).toBe('in')
    expect(await ask(f.alice, 'TRADE', false)).toBe('401 MISSING_SIGNATURE')
    expect(await ask(f.alice, 'WALLET', false)).toBe('401 MISSING_SIGNATURE')
  })

  test('that is unknown, disabled, elsewhere or not permitted looks the same to a caller without its secret', async () => {
    const disabled = await f.createKey(f.alice.accountId)
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: disabled.apiKey, enabled: false })
    const keys = [
      { ...f.alice, apiKey: 'unknown' },
      disabled,
      await f.createKey(f.alice.accountId, { addresses: ['10.0.0.0/8'] }),
      await f.createKey(f.alice.accountId, { permissions: ['USER_DATA'] }),
    ]
    const answers = await Promise.all(
      keys.map(async ({ apiKey }) => {
        const headers = { 'X-Apikey': apiKey, 'X-Signature': 'a'.repeat(64) }
        const response = await fetch(`${f.url}/api/v3/wallet/balance?timestamp=${f.clock.time}`, { headers })
        return `${response.status} ${await response.text()}`
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(await ask(disabled, 'WALLET')).toBe('401 KEY_DISABLED')
  })

  test('works with both secrets while a rotation overlaps, and then with the new one alone', async () => {
    const old = await f.createKey(f.alice.accountId)
    const rotated = { ...old, secret: 'another secret' }
    const sealedSecret = f.seal(rotated.secret, old.apiKey)
    const previousUntil = timeMs(f.clock.time + 1)
    await f.submit({
      kind: 'RotateApiKey',
      operator: OPERATOR,
      apiKey: old.apiKey,
      sealedSecret,
      previousUntil,
    })
    expect([await ask(old, 'WALLET'), await ask(rotated, 'WALLET')]).toEqual(['in', 'in'])
    f.clock.time += 1
    expect(await ask(old, 'WALLET')).toBe('401 INVALID_SIGNATURE')
    expect(await ask(rotated, 'WALLET')).toBe('in')
  })

  test('works again once it is enabled', async () => {
    const trader = await f.createKey(f.alice.accountId)
    const enable = (enabled: boolean) =>
      f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: trader.apiKey, enabled })
    await enable(false)
    expect(await ask(trader, 'TRADE')).toBe('401 KEY_DISABLED')
    await enable(true)
    expect(await ask(trader, 'TRADE')).toBe('in')
  })

  test('with an address list works from these addresses alone, behind a trusted proxy too', async () => {
    const trader = await f.createKey(f.alice.accountId, { addresses: ['203.0.113.0/24', '2001:db8::/32'] })
    const from = (address: string) => ask(trader, 'TRADE', true, { 'X-Forwarded-For': address })
    expect(await from('203.0.113.200')).toBe('in')
    expect(await from('2001:db8::7')).toBe('in')
    expect(await from('198.51.100.1')).toBe('401 ADDRESS_NOT_ALLOWED')
    expect(await from('203.0.113.200, 198.51.100.1')).toBe('401 ADDRESS_NOT_ALLOWED')
    expect(await ask(trader, 'TRADE')).toBe('401 ADDRESS_NOT_ALLOWED')
  })

  test('remembers when it was last used, in memory', async () => {
    const trader = await f.createKey(f.alice.accountId)
    expect(f.gateway.keyUse.lastUsed(trader.apiKey)).toBeUndefined()
    await ask({ ...trader, secret: 'wrong' }, 'TRADE')
    expect(f.gateway.keyUse.lastUsed(trader.apiKey)).toBeUndefined()
    await ask(trader, 'TRADE')
    expect(f.gateway.keyUse.lastUsed(trader.apiKey)).toBe(f.clock.now())
  })
})

describe('the signature', () => {
  const post = async (query: string, body: string, signature: string) =>
    outcome(
      await see(
        await fetch(`${f.url}/api/v3/order${query}`, {
          method: 'POST',
          body,
          headers: {
            'X-Apikey': f.alice.apiKey,
            'X-Signature': signature,
            'Content-Type': 'application/x-www-form-urlencoded',
          },
        }),
      ),
    )

  test('covers the query and then the body as they were sent, byte for byte', async () => {
    const query = `timestamp=${f.clock.time}&x=%41%2f+&`
    const body = formOf(ORDER).replace('%2F', '%2f')
    expect(await post(`?${query}`, body, sign(f.alice.secret, query + body))).toBe('in')
    expect(await post(`?${query}`, body, sign(f.alice.secret, query + formOf(ORDER)))).toBe(
      '401 INVALID_SIGNATURE',
    )
    expect(await post(`?${query}`, body, sign(f.alice.secret, body + query))).toBe('401 INVALID_SIGNATURE')
    expect(await post(`?${query}`, body, sign(f.alice.secret, `${query}&${body}`))).toBe(
      '401 INVALID_SIGNATURE',
    )
    expect(await post(`?${query}`, body, sign(f.bob.secret, query + body))).toBe('401 INVALID_SIGNATURE')
  })

  test('may be upper-case hex or base64', async () => {
    const body = formOf({ ...ORDER, timestamp: f.clock.time })
    expect(await post('', body, sign(f.alice.secret, body).toUpperCase())).toBe('in')
    const base64 = createHmac('sha256', f.alice.secret).update(body).digest('base64')
    expect(await post('', body, base64)).toBe('in')
  })

  test('of bytes that are not text is right or wrong by its bytes', async () => {
    const body = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x3d, 0xff])
    const send = (signature: string) =>
      fetch(`${f.url}/api/v3/order`, {
        method: 'POST',
        body,
        headers: {
          'X-Apikey': f.alice.apiKey,
          'X-Signature': signature,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
      })
        .then(see)
        .then(outcome)
    expect(await send(sign(f.alice.secret, body))).toBe('400 UNREADABLE_BODY')
    expect(await send(sign(f.alice.secret, '\ufeffa=\ufffd'))).toBe('401 INVALID_SIGNATURE')
  })

  test('does not cover a body sent with GET, which is ignored', async () => {
    const query = `timestamp=${f.clock.time}`
    const headers = { 'X-Apikey': f.alice.apiKey, 'X-Signature': sign(f.alice.secret, query) }
    const request = new Request(`${f.url}/api/v3/wallet/balance?${query}`, { headers })
    expect((await f.gateway.fetch(request, SOMEWHERE))?.status).toBe(200)
  })
})

/** A server that returns the same address for every request. */
const SOMEWHERE = { requestIP: () => ({ address: '192.0.2.1' }) } as unknown as Bun.Server<unknown>

test('a signed request with any byte changed, added or removed is never accepted', async () => {
  const mutation = fc.record({
    place: fc.nat(),
    character: fc.constantFrom(...'abcdefABCDEF0123456789%&=+./_-'),
    how: fc.constantFrom('change', 'add', 'take'),
    where: fc.constantFrom('query', 'body', 'signature'),
  })
  const mutate = (
    text: string,
    { place, character, how }: { place: number; character: string; how: string },
  ) => {
    const at = place % text.length
    const rest = text.slice(how === 'add' ? at : at + 1)
    return text.slice(0, at) + (how === 'take' ? '' : character) + rest
  }
  await fc.assert(
    fc.asyncProperty(mutation, async (change) => {
      const query = `timestamp=${f.clock.time}&recvWindow=5000`
      const body = formOf(ORDER)
      const original = { query, body, signature: sign(f.alice.secret, query + body) }
      const sent = { ...original, [change.where]: mutate(original[change.where as 'query'], change) }
      const isSame =
        sent.query + sent.body === query + body && sent.signature.toLowerCase() === original.signature
      fc.pre(!isSame)
      const request = new Request(`${f.url}/api/v3/order?${sent.query}`, {
        method: 'POST',
        body: sent.body,
        headers: {
          'X-Apikey': f.alice.apiKey,
          'X-Signature': sent.signature,
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': String(sent.body.length),
        },
      })
      const response = await f.gateway.fetch(request, SOMEWHERE)
      expect(response?.status).toBe(401)
    }),
    { numRuns: 3_000 },
  )
})

test('an address that an operator has banned gets the end of the ban, and is served again when the ban is lifted', async () => {
  const from = (address: string) =>
    fetch(`${f.url}/api/v3/exchangeInfo`, { headers: { 'X-Forwarded-For': address } })
  const until = timeMs(f.clock.time + 60_000)
  await f.submit({ kind: 'BanAddress', operator: OPERATOR, address: '2001:db8:0:0::/64', until })
  const banned = await from('2001:db8::99')
  expect([banned.status, banned.headers.get('retry-after')]).toEqual([418, '60'])
  expect((await from('2001:db8:0:1::99')).status).toBe(200)
  await f.submit({ kind: 'LiftBan', operator: OPERATOR, address: '2001:db8:0:0::/64' })
  expect((await from('2001:db8::99')).status).toBe(200)
})

test('a key that is disabled while the body is still on its way is refused', async () => {
  const trader = await f.createKey(f.alice.accountId)
  const body = formOf({ ...ORDER, timestamp: f.clock.time })
  const parts = new TransformStream<Uint8Array, Uint8Array>()
  const request = new Request(`${f.url}/api/v3/order`, {
    method: 'POST',
    body: parts.readable,
    headers: {
      'X-Apikey': trader.apiKey,
      'X-Signature': sign(trader.secret, body),
      'Content-Type': 'application/x-www-form-urlencoded',
      'Transfer-Encoding': 'chunked',
    },
  })
  const answering = f.gateway.fetch(request, SOMEWHERE)
  await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: trader.apiKey, enabled: false })
  const writer = parts.writable.getWriter()
  await writer.write(new TextEncoder().encode(body))
  await writer.close()
  const response = await answering
  expect(response && outcome(await see(response))).toBe('401 KEY_DISABLED')
})

test('a request whose body is delayed until its window is over is refused, and one in time is not', async () => {
  const started = f.clock.time
  const send = async (timestamp: number, passesMs: number) => {
    const body = formOf({ ...ORDER, timestamp })
    const parts = new TransformStream<Uint8Array, Uint8Array>()
    const request = new Request(`${f.url}/api/v3/order`, {
      method: 'POST',
      body: parts.readable,
      headers: {
        'X-Apikey': f.alice.apiKey,
        'X-Signature': sign(f.alice.secret, body),
        'Content-Type': 'application/x-www-form-urlencoded',
        'Transfer-Encoding': 'chunked',
      },
    })
    const answering = f.gateway.fetch(request, SOMEWHERE)
    f.clock.time += passesMs
    const writer = parts.writable.getWriter()
    await writer.write(new TextEncoder().encode(body))
    await writer.close()
    const response = await answering
    return response && outcome(await see(response))
  }
  expect(await send(started, 5_001)).toBe('401 TIMESTAMP_EXPIRED')
  expect(await send(f.clock.time + 1_500, 1_000)).toBe('in')
})

describe('the time window', () => {
  const at = async (timestamp: string | number, fields: Fields = {}) => {
    const seen = await f.send('GET', PATHS.WALLET, { timestamp, ...fields }, f.alice)
    return seen.status === 200 ? 'in' : `${seen.status} ${seen.body.reason}: ${seen.body.msg[0]}`
  }

  test('is less than a second ahead and at most recvWindow behind', async () => {
    const now = f.clock.time
    expect(await at(now + 999)).toBe('in')
    expect(await at(now + 1_000)).toStartWith('401 TIMESTAMP_AHEAD')
    expect(await at(now - 5_000)).toBe('in')
    expect(await at(now - 5_001)).toStartWith('401 TIMESTAMP_EXPIRED')
    expect(await at(now - 60_000, { recvWindow: 60_000 })).toBe('in')
    expect(await at(now - 60_001, { recvWindow: 60_000 })).toStartWith('401 TIMESTAMP_EXPIRED')
    expect(await at(now - 101, { recvWindow: 100 })).toStartWith('401 TIMESTAMP_EXPIRED')
  })

  test("is refused with the server's time and the measured skew", async () => {
    const now = f.clock.time
    expect(await at(now - 7_000)).toContain(
      `7000 ms behind the server’s time ${now}; recvWindow allows 5000 ms`,
    )
    expect(await at(now + 2_500)).toContain(`2500 ms ahead of the server’s time ${now}`)
  })

  test.each(['', 'x', '-1', '1.5', '1e12', ' 1', '99999999999999999', '9007199254740993', '٣'])(
    'does not accept timestamp=%p',
    async (timestamp) => {
      const expected = '400 INVALID_PARAMETER: The parameter timestamp must be a whole number of milliseconds'
      expect(await at(timestamp)).toStartWith(expected)
      const unsigned = await f.send('GET', '/api/v3/depth', { symbol: 'ETH/USDT', timestamp }, f.alice)
      expect(unsigned.body.reason).toBe('INVALID_PARAMETER')
    },
  )

  test.each(['', 'x', '-1', '60001', '1.5'])('does not accept recvWindow=%p', async (recvWindow) => {
    expect(await at(f.clock.time, { recvWindow })).toStartWith(
      '400 INVALID_PARAMETER: The parameter recvWindow',
    )
  })

  test('does not matter to market data, which only needs a whole number', async () => {
    const seen = await f.send('GET', '/api/v3/depth', { symbol: 'ETH/USDT', timestamp: 0 }, f.alice)
    expect(seen.status).toBe(200)
    const query = '?symbol=ETH/USDT'
    const missing = await fetch(`${f.url}/api/v3/depth${query}`, { headers: { 'X-Apikey': f.alice.apiKey } })
    expect((await see(missing)).body.msg[0]).toBe('The parameter timestamp is required.')
  })
})

/** Faults of one request, in the order in which they are found. */
const FAULTS: readonly (readonly [string, (sent: Sent) => void])[] = [
  [
    '403 WAF',
    (sent) => {
      sent.headers.Referer = '<script>'
    },
  ],
  [
    '405 METHOD_NOT_ALLOWED',
    (sent) => {
      sent.method = 'PUT'
    },
  ],
  [
    '401 MISSING_API_KEY',
    (sent) => {
      sent.apiKey = ''
    },
  ],
  [
    '401 INVALID_API_KEY',
    (sent) => {
      sent.apiKey = 'unknown'
    },
  ],
  [
    '401 INVALID_SIGNATURE',
    (sent) => {
      sent.secret = 'wrong'
    },
  ],
  [
    '400 UNSUPPORTED_CONTENT_TYPE',
    (sent) => {
      sent.type = 'text/plain'
    },
  ],
  [
    '400 UNREADABLE_BODY',
    (sent) => {
      sent.body += '&a=%zz'
    },
  ],
  [
    '400 INVALID_PARAMETER',
    (sent) => {
      sent.timestamp = 'x'
    },
  ],
  [
    '401 TIMESTAMP_EXPIRED',
    (sent) => {
      sent.timestamp = '1'
    },
  ],
  [
    '400 DUPLICATE_PARAMETER',
    (sent) => {
      sent.body += '&side=BUY'
    },
  ],
  [
    '400 UNSUPPORTED_PARAMETER',
    (sent) => {
      sent.body += '&strategyId=1'
    },
  ],
  [
    '400 UNKNOWN_SYMBOL',
    (sent) => {
      sent.body = sent.body.replace('ETH', 'XXX')
    },
  ],
]

type Sent = {
  method: string
  headers: Record<string, string>
  apiKey: string
  secret: string
  type: string
  body: string
  timestamp: string
}

describe('a request with two faults', () => {
  for (const [index, [first, breakFirst]] of FAULTS.entries()) {
    for (const [second, breakSecond] of FAULTS.slice(index + 1)) {
      test(`is refused for ${first} before ${second}`, async () => {
        const sent: Sent = {
          method: 'POST',
          headers: {},
          apiKey: f.alice.apiKey,
          secret: f.alice.secret,
          type: 'application/x-www-form-urlencoded',
          body: formOf(ORDER),
          timestamp: String(f.clock.time),
        }
        breakSecond(sent)
        breakFirst(sent)
        const bytes = `timestamp=${sent.timestamp}&${sent.body}`
        const response = await fetch(`${f.url}/api/v3/order`, {
          method: sent.method,
          body: bytes,
          headers: {
            ...sent.headers,
            'Content-Type': sent.type,
            'X-Apikey': sent.apiKey,
            'X-Signature': sign(sent.secret, bytes),
          },
        })
        expect(outcome(await see(response))).toBe(first)
      })
    }
  }
})
