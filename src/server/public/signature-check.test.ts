/**
 * Signature check: the answer for a caller with the key's secret, and for everyone else
 * (docs/reference/extensions.md#signature-check).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { SIGNATURE_HINTS } from '../../contract/signature-hints.ts'
import { SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import {
  type Fields,
  type Fixture,
  openFixture,
  type Seen,
  see,
  sign,
  type Trader,
} from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const PATH = '/api/v3/signature/check'
const FORM = 'application/x-www-form-urlencoded'
const OPERATOR = { actor: 'test', note: '' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

type Tried = {
  readonly query?: string
  readonly body?: string | Uint8Array
  /** The signature of query and body if undefined. */
  readonly signature?: string | null
  readonly trader?: Trader
  readonly headers?: Record<string, string>
  readonly exchange?: Fixture
}

function textOf({ query = '', body = '' }: Tried): Buffer {
  return Buffer.concat([Buffer.from(query), Buffer.from(body)])
}

async function check(tried: Tried): Promise<Seen> {
  const { query, body, trader = f.alice, exchange = f } = tried
  const { signature = sign(trader.secret, textOf(tried)) } = tried
  return see(
    await fetch(`${exchange.url}${PATH}${query === undefined ? '' : `?${query}`}`, {
      method: 'POST',
      headers: {
        'X-Apikey': trader.apiKey,
        ...(signature === null ? {} : { 'X-Signature': signature }),
        ...(body === undefined ? {} : { 'Content-Type': FORM }),
        ...tried.headers,
      },
      ...(body === undefined ? {} : { body: body as BodyInit }),
    }),
  )
}

const order = () => `symbol=BTC/USDT&side=BUY&note=a+b&timestamp=${f.clock.time - 40}`
const reasonsOf = ({ body }: Seen) => body.data.refusals.map(({ reason }: { reason: string }) => reason)
const hintsOf = ({ body }: Seen): string[] => body.data.hints.map(({ hint }: { hint: string }) => hint)
const wrong = (tried: Tried) => check({ signature: 'a'.repeat(64), ...tried })

describe('a right signature', () => {
  test('is confirmed, with the bytes that were signed, their hash, where the body begins, and the parameters as read', async () => {
    const [query, body] = [
      'symbol=BTC%2FUSDT&side=BUY&',
      `note=a+b&price=%C3%BC&timestamp=${f.clock.time - 40}`,
    ]
    const { status, body: answer } = await check({ query, body })
    expect(status).toBe(200)
    expect(answer).toEqual({
      status: true,
      code: '0000',
      msg: ['The signature has been checked.'],
      data: {
        isValid: true,
        signature: { kind: 'PLAIN', encoding: 'HEX', characters: 64 },
        signed: {
          bytes: query.length + body.length,
          sha256: createHash('sha256')
            .update(query + body)
            .digest('hex'),
          bodyAt: query.length,
          text: query + body,
        },
        parameters: [
          { name: 'symbol', value: 'BTC/USDT' },
          { name: 'side', value: 'BUY' },
          { name: 'note', value: 'a b' },
          { name: 'price', value: 'ü' },
          { name: 'timestamp', value: String(f.clock.time - 40) },
        ],
        serverTime: f.clock.time,
        behindMs: 40,
        refusals: [],
        hints: [],
      },
    })
  })

  test('is right in base64 too, in the query alone, in the body alone, and over nothing', async () => {
    const text = order()
    const base64 = createHmac('sha256', f.alice.secret).update(text).digest('base64')
    const { data } = (await check({ body: text, signature: base64 })).body
    expect([data.isValid, data.signature]).toEqual([
      true,
      { kind: 'PLAIN', encoding: 'BASE64', characters: 44 },
    ])
    expect(data.signed.bodyAt).toBe(0)
    const inQuery = (await check({ query: text })).body.data
    expect([inQuery.isValid, 'bodyAt' in inQuery.signed, inQuery.signed.text]).toEqual([true, false, text])
    const nothing = await check({})
    expect([nothing.body.data.isValid, nothing.body.data.signed.bytes]).toEqual([true, 0])
    expect(reasonsOf(nothing)).toEqual(['MISSING_PARAMETER'])
  })

  test('comes with what a signed endpoint would refuse, in the order of its checks', async () => {
    const at = (timestamp: string | number, more = '') => check({ body: `timestamp=${timestamp}${more}` })
    expect(reasonsOf(await at(f.clock.time - 5_001))).toEqual(['TIMESTAMP_EXPIRED'])
    expect(reasonsOf(await at(f.clock.time - 5_001, '&recvWindow=60000'))).toEqual([])
    expect(reasonsOf(await at(f.clock.time + 1_000, '&a=1&a=2'))).toEqual([
      'TIMESTAMP_AHEAD',
      'DUPLICATE_PARAMETER',
    ])
    expect(reasonsOf(await at('x'))).toEqual(['INVALID_PARAMETER'])
    expect(reasonsOf(await check({ query: 'a=1', body: `timestamp=${f.clock.time}` }))).toEqual([
      'SEPARATOR_REQUIRED',
    ])
    expect(reasonsOf(await check({ body: 'a=%zz' }))).toEqual(['UNREADABLE_BODY'])
    const json = await check({ body: '{}', headers: { 'Content-Type': 'application/json' } })
    expect([json.body.data.isValid, json.body.data.parameters, reasonsOf(json)]).toEqual([
      true,
      undefined,
      ['UNSUPPORTED_CONTENT_TYPE'],
    ])
    const strictKey = await f.createKey(f.alice.accountId)
    const { apiKey } = strictKey
    await f.submit({ kind: 'SetApiKeyStrict', operator: OPERATOR, apiKey, strictSignature: true })
    expect(reasonsOf(await check({ body: order(), trader: strictKey }))).toEqual([
      'STRICT_SIGNATURE_REQUIRED',
    ])
  })

  test('needs no permission; for a key that cannot be used it says why, as everywhere', async () => {
    const none = await f.createKey(f.alice.accountId, { permissions: [] })
    expect((await check({ body: order(), trader: none })).body.data.isValid).toBe(true)
    const disabled = await f.createKey(f.alice.accountId)
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: disabled.apiKey, enabled: false })
    const elsewhere = await f.createKey(f.alice.accountId, { addresses: ['10.0.0.0/8'] })
    const answers = [
      await check({ body: order(), trader: disabled }),
      await check({ body: order(), trader: elsewhere }),
      await check({ body: order(), headers: { 'X-Apikey': '' } }),
    ]
    expect(answers.map(({ status, body }) => [status, body.reason])).toEqual([
      [401, 'KEY_DISABLED'],
      [401, 'ADDRESS_NOT_ALLOWED'],
      [401, 'MISSING_API_KEY'],
    ])
  })

  test('has no other effect: no order is placed, and no nonce is used up', async () => {
    const text = `symbol=ETH/USDT&side=BUY&type=LIMIT&quantity=1&price=10&timestamp=${f.clock.time}`
    expect((await check({ body: text })).body.data.isValid).toBe(true)
    expect((await f.send('GET', '/api/v3/order/active', {}, f.alice)).body).toEqual([])
    const twice = [await strictly(), await strictly()]
    expect(twice.map(({ body }) => body.data.isValid)).toEqual([true, true])
  })
})

/** A strictly signed check; `path`: the path that was signed. */
function strictly(tried: { path?: string; nonce?: string; timestamp?: number } = {}): Promise<Seen> {
  const { path = PATH, nonce = 'a-nonce-of-20-digits', timestamp = f.clock.time } = tried
  const body = `a=1&timestamp=${f.clock.time}`
  const signature = `v2=${sign(f.alice.secret, `POST\n${path}\n\n${timestamp}\n${nonce}\n${body}`)}`
  return check({ body, signature, headers: { 'X-Timestamp': `${timestamp}`, 'X-Nonce': nonce } })
}

describe('a strict signature', () => {
  test('is shown as its six lines', async () => {
    const body = `a=1&timestamp=${f.clock.time}`
    const lines = `POST\n${PATH}\n\n${f.clock.time}\na-nonce-of-20-digits\n`
    const { data } = (await strictly()).body
    expect([data.isValid, data.refusals, data.hints]).toEqual([true, [], []])
    expect(data.signature).toEqual({ kind: 'STRICT', encoding: 'HEX', characters: 64 })
    expect([data.signed.text, data.signed.bodyAt]).toEqual([lines + body, lines.length])
  })

  test('of another address, with a malformed header or another time is refused as anywhere', async () => {
    const other = await strictly({ path: '/api/v3/order' })
    expect([other.body.data.isValid, reasonsOf(other)]).toEqual([false, ['INVALID_SIGNATURE']])
    expect(hintsOf(other)).toContain('STRICT_NAMES_THIS_ADDRESS')
    expect(reasonsOf(await strictly({ nonce: 'short' }))).toEqual(['INVALID_HEADER'])
    const mismatch = await strictly({ timestamp: f.clock.time - 1 })
    expect([mismatch.body.data.isValid, reasonsOf(mismatch)]).toEqual([true, ['TIMESTAMP_MISMATCH']])
  })
})

describe('a wrong signature', () => {
  test('is reported, with the same bytes, and never with an expected one or a part of it', async () => {
    const pieces = fc.constantFrom(
      'symbol=BTC/USDT',
      'a=1',
      `timestamp=${f.clock.time}`,
      '%',
      'x=ü',
      '&',
      '+',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(pieces, { maxLength: 5 }),
        fc.string({ unit: fc.constantFrom(...'0123456789abcdefXY=+/'), minLength: 1, maxLength: 70 }),
        fc.boolean(),
        async (list, claimed, isStrict) => {
          const body = list.join('&')
          const signature = isStrict ? `v2=${claimed}` : claimed
          const nonce = 'a-nonce-of-20-digits'
          const headers = { 'X-Timestamp': `${f.clock.time}`, 'X-Nonce': nonce }
          const { status, text, body: answer } = await check({ body, signature, headers })
          expect([status, answer.data.isValid]).toEqual([200, false])
          const lines = `POST\n${PATH}\n\n${f.clock.time}\n${nonce}\n`
          for (const signed of [body, lines + body]) {
            const right = createHmac('sha256', f.alice.secret).update(signed)
            const digest = right.digest()
            for (const form of [digest.toString('hex'), digest.toString('base64')]) {
              for (let at = 0; at + 12 <= form.length; at++) {
                expect(text.toLowerCase()).not.toContain(form.slice(at, at + 12).toLowerCase())
              }
            }
          }
          expect(text).not.toContain(f.alice.secret.slice(0, 12))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('has the same answer for a key that is unknown, disabled, revoked or used from elsewhere', async () => {
    const disabled = await f.createKey(f.alice.accountId)
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: disabled.apiKey, enabled: false })
    const revoked = await f.createKey(f.alice.accountId)
    await f.submit({ kind: 'RevokeApiKey', operator: OPERATOR, apiKey: revoked.apiKey })
    const elsewhere = await f.createKey(f.alice.accountId, { addresses: ['10.0.0.0/8'] })
    const unknown = { ...f.alice, apiKey: 'f'.repeat(48) }
    for (const signature of ['a'.repeat(64), 'none', `v2=${'a'.repeat(64)}`, null]) {
      const tried = { query: 'b=%zz', body: 'a=1', signature }
      const right = await check(tried)
      expect(right.body.data.isValid).toBe(false)
      for (const trader of [disabled, revoked, elsewhere, unknown]) {
        const seen = await check({ ...tried, trader })
        expect([seen.status, seen.text]).toEqual([200, right.text])
      }
    }
    // For an unknown key no signature is correct.
    expect((await check({ body: order(), trader: unknown })).body.data.isValid).toBe(false)
  })

  test('or an absent one is refused first, and everything else is checked as well', async () => {
    expect(reasonsOf(await wrong({ body: 'a=1&a=2' }))).toEqual([
      'INVALID_SIGNATURE',
      'MISSING_PARAMETER',
      'DUPLICATE_PARAMETER',
    ])
    const absent = await check({ body: order(), signature: null })
    expect(reasonsOf(absent)).toEqual(['MISSING_SIGNATURE'])
    expect('signature' in absent.body.data).toBe(false)
  })

  /**
   * The request, the text signed instead, and the answer. `{lines}` is replaced by the lines of a strict
   * signature.
   */
  const MISTAKES: readonly [string, Tried, string][] = [
    ['SIGNED_QUERY_ALONE', { query: 'a=1&', body: 'b=2' }, 'a=1&'],
    ['SIGNED_BODY_ALONE', { query: 'a=1&', body: 'b=2' }, 'b=2'],
    ['SIGNED_BODY_FIRST', { query: 'a=1&', body: 'b=2' }, 'b=2a=1&'],
    ['SIGNED_AMPERSAND', { query: 'a=1', body: 'b=2' }, 'a=1&b=2'],
    ['SIGNED_NOTHING', { body: 'b=2' }, ''],
    ['SIGNED_STRICT_LINES', { body: 'b=2' }, '{lines}b=2'],
    ['SIGNED_LINE_END', { body: 'b=2' }, 'b=2\n'],
    ['SIGNED_LINE_END', { body: 'b=2' }, 'b=2\r\n'],
    ['SIGNED_QUESTION_MARK', { query: 'a=1' }, '?a=1'],
    ['SIGNED_SORTED', { body: 'symbol=x&price=1' }, 'price=1&symbol=x'],
    ['SIGNED_DECODED', { body: 'a=x%2Fy+z' }, 'a=x/y+z'],
    ['SIGNED_DECODED', { body: 'a=x%2Fy+z' }, 'a=x/y z'],
    ['SIGNED_ENCODED', { body: 'a=x/y z&b' }, 'a=x%2Fy%20z&b'],
    ['SIGNED_ENCODED', { body: 'a=x/y z&b' }, 'a=x%2Fy+z&b'],
    ['SIGNED_ENCODED', { body: 'a=x%2Fy' }, 'a=x%2fy'],
    ['SIGNED_PLAIN_TEXT', { query: 'a=1&', body: 'b=2', signature: 'v2=' }, 'a=1&b=2'],
    ['SIGNED_LINE_END', { body: 'b=2', signature: 'v2=' }, '{lines}b=2\n'],
    ['SIGNED_LINE_END', { body: 'b=2', signature: 'v2=' }, '{crlf}b=2'],
    ['SIGNED_QUESTION_MARK', { query: 'a=1', signature: 'v2=' }, '{lines?}'],
  ]

  /** The request under the signature of another text. */
  function mistaken([, tried, text]: (typeof MISTAKES)[number], trader = f.alice): Tried {
    const headers = { 'X-Timestamp': `${f.clock.time}`, 'X-Nonce': 'a-nonce-of-20-digits' }
    const lines = (query: string) => `POST\n${PATH}\n${query}\n${f.clock.time}\na-nonce-of-20-digits\n`
    const signed = text
      .replace('{lines}', lines(tried.query ?? ''))
      .replace('{lines?}', lines(`?${tried.query}`))
      .replace('{crlf}', lines('').replaceAll('\n', '\r\n'))
    return { ...tried, headers, trader, signature: (tried.signature ?? '') + sign(trader.secret, signed) }
  }

  for (const each of MISTAKES) {
    const [hint, tried, text] = each
    test(`over ${JSON.stringify(text)} in place of ${JSON.stringify(tried)} is recognized: ${hint}`, async () => {
      const answer = await check(mistaken(each))
      expect([answer.body.data.isValid, hintsOf(answer)]).toEqual([false, [hint]])
      expect(reasonsOf(answer)[0]).toBe('INVALID_SIGNATURE')
    })
  }

  test('over another text is not explained to a caller whose key cannot be used', async () => {
    const elsewhere = await f.createKey(f.alice.accountId, { addresses: ['10.0.0.0/8'] })
    const unknown = { ...f.alice, apiKey: 'f'.repeat(48) }
    const [each] = MISTAKES as [(typeof MISTAKES)[number]]
    const [told, ...others] = [
      await check({ ...mistaken(each), signature: 'a'.repeat(64) }),
      await check(mistaken(each, elsewhere)),
      await check(mistaken(each, unknown)),
    ]
    for (const { text } of others) expect(text).toBe((told as Seen).text)
  })

  test('over another text is not examined beyond 8 KiB and 64 parameters', async () => {
    const signed = (length: number) => {
      const body = `a=${'b'.repeat(length - 2)}`
      return check({ body, signature: sign(f.alice.secret, `${body}\n`) })
    }
    expect(hintsOf(await signed(8_192))).toEqual(['SIGNED_LINE_END'])
    expect(hintsOf(await signed(8_193))).toEqual(['BODY_OF_GET', 'SECRET_IS_TEXT'])
    const many = (count: number) => {
      const body = Array.from({ length: count }, (_, at) => `p${at}=1`).join('&')
      return check({ body, signature: sign(f.alice.secret, `${body}\n`) })
    }
    expect(hintsOf(await many(64))).toEqual(['SIGNED_LINE_END'])
    expect(hintsOf(await many(65))).toEqual(['BODY_OF_GET', 'SECRET_IS_TEXT'])
  })

  const HINTS: readonly [string, Tried][] = [
    ['SIGNATURE_FORM', { signature: 'abc' }],
    ['SIGNATURE_PREFIX', { signature: `sha256=${'a'.repeat(64)}` }],
    ['SIGNATURE_PREFIX', { signature: `V2=${'a'.repeat(64)}` }],
    ['SIGNATURE_BASE64URL', { signature: `${'a'.repeat(42)}-` }],
    ['SIGNATURE_BASE64_OF_HEX', { signature: Buffer.from('a'.repeat(64)).toString('base64') }],
    ['SIGNATURE_FORM', { signature: `v2=${'a'.repeat(43)}=` }],
    ['STRICT_HEADERS_WITHOUT_V2', { headers: { 'X-Nonce': 'a' } }],
    ['STRICT_NAMES_THIS_ADDRESS', { signature: `v2=${'a'.repeat(64)}` }],
    ['ENCODING_COUNTS', { body: 'symbol=BTC/USDT' }],
    ['ENCODING_COUNTS', { query: 'symbol=BTC%2fUSDT' }],
    ['SPACE_ENCODING', { body: 'a=b+c' }],
    ['SPACE_ENCODING', { query: 'a=b%20c' }],
    ['QUERY_RE_ENCODED', { query: 'a=b%20c' }],
    ['QUERY_RE_ENCODED', { query: 'a="ü"' }],
    ['QUESTION_MARK', { query: '?a=1' }],
    ['CUT_IN_TWO', { query: 'a=1', body: '&b=2' }],
    ['BODY_OF_GET', { body: 'a=1' }],
    ['BODY_IS_JSON', { body: ' {"a":1}' }],
    ['BYTE_ORDER_MARK', { body: '\ufeffa=1' }],
    ['LINE_END', { body: 'a=1\r\n' }],
    ['WHITE_SPACE', { body: 'a= 1' }],
    ['SECRET_IS_TEXT', {}],
    ['TIMESTAMP_UNIT', { body: 'timestamp=1790000000' }],
  ]

  for (const [hint, tried] of HINTS) {
    test(`with ${JSON.stringify(tried)} has the hint ${hint}`, async () => {
      const answer = await wrong(tried)
      expect(hintsOf(answer)).toContain(hint)
      const turkish = await wrong({ ...tried, headers: { ...tried.headers, 'Accept-Language': 'tr' } })
      expect(hintsOf(turkish)).toEqual(hintsOf(answer))
      expect(turkish.body.data.hints[0].msg).not.toBe(answer.body.data.hints[0].msg)
    })
  }

  test('has no hint without a known cause', async () => {
    const seen = new Set([...MISTAKES, ...HINTS].map(([hint]) => hint))
    expect([...seen].toSorted()).toEqual(Object.keys(SIGNATURE_HINTS).toSorted())
    expect(hintsOf(await wrong({ query: `a=1&timestamp=${f.clock.time}` }))).toEqual(['SECRET_IS_TEXT'])
    expect(hintsOf(await wrong({ signature: 'abc' }))).toEqual(['SIGNATURE_FORM'])
    expect(hintsOf(await wrong({ body: 'a=1' }))).toEqual(['BODY_OF_GET', 'SECRET_IS_TEXT'])
    expect(hintsOf(await wrong({ body: 'a=1\n\n' }))).toEqual(['BODY_OF_GET', 'LINE_END', 'SECRET_IS_TEXT'])
    const long = await check({ body: 'timestamp=1790000000' })
    expect([long.body.data.isValid, hintsOf(long)]).toEqual([true, ['TIMESTAMP_UNIT']])
  })
})

describe('what is shown', () => {
  test('is the first 8 KiB of the bytes, in whole characters, and the hash of all of them', async () => {
    const body = `a=${'ü'.repeat(5_000)}`
    const { signed, parameters } = (await check({ body })).body.data
    expect(signed).toEqual({
      bytes: 10_002,
      sha256: createHash('sha256').update(body).digest('hex'),
      bodyAt: 0,
      text: `a=${'ü'.repeat(4_095)}`,
      isCut: true,
    })
    expect(parameters).toEqual([{ name: 'a', value: 'ü'.repeat(128), isCut: true }])
    const fits = `a=${'b'.repeat(8_190)}`
    expect((await check({ body: fits })).body.data.signed.text).toBe(fits)
  })

  test('is in hexadecimal where the bytes are not UTF-8', async () => {
    const { data } = (await check({ query: 'a=1&', body: Uint8Array.of(0x62, 0x3d, 0xff) })).body
    expect([data.isValid, data.signed.hex, data.signed.text]).toEqual([true, '613d3126623dff', undefined])
  })

  test('of the largest and most awkward request is still a short answer', async () => {
    const escaped = '\u0001'.repeat(1_000)
    const body = Array.from({ length: 64 }, (_, at) => `${at}${escaped}=${escaped.slice(0, 15)}`).join('&')
    const { status, text, body: answer } = await wrong({ body: body.slice(0, 65_000) })
    expect([status, answer.data.signed.isCut]).toEqual([200, true])
    expect(text.length).toBeLessThan(120_000)
  })
})

describe('the limits of an address', () => {
  const limits = (change: Partial<typeof SANDBOX_LIMITS>) => ({
    config: { ...SANDBOX_GATEWAY, limits: { ...SANDBOX_LIMITS, ...change } },
  })

  test('count a failed check like a wrong signature, and a successful one like a request', async () => {
    const exchange = await openFixture(limits({ malformedPerMinuteMax: 3 }))
    try {
      const trader = exchange.alice
      const statuses: number[] = []
      for (let i = 0; i < 5; i++) statuses.push((await check({ trader, exchange })).status)
      for (let i = 0; i < 4; i++) statuses.push((await wrong({ trader, exchange })).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 403])
      expect(exchange.gateway.traffic.refusals.get('INVALID_SIGNATURE')).toBe(3)
      exchange.clock.time += 60_000
      const unknown = { ...trader, apiKey: 'nobody' }
      const again: number[] = []
      for (let i = 0; i < 4; i++) again.push((await check({ trader: unknown, exchange })).status)
      expect(again).toEqual([200, 200, 200, 403])
    } finally {
      await exchange.stop()
    }
  })

  test('are charged 20 weight for every check', async () => {
    const exchange = await openFixture(limits({ weightPerMinuteMax: 50 }))
    try {
      const asked = async () => (await check({ trader: exchange.alice, exchange })).status
      expect([await asked(), await asked(), await asked()]).toEqual([200, 200, 429])
    } finally {
      await exchange.stop()
    }
  })
})

test('a signature check is a POST', async () => {
  const fields: Fields = { a: 1 }
  const { status, headers } = await f.send('GET', PATH, fields, f.alice)
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
})
