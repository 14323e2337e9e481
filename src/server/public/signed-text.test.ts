/** A signature over raw HTTP: an attacker cannot turn an intercepted signed text into another order. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rawExchange } from '../../../test/acceptance/support/raw-http.ts'
import { type Fixture, openFixture, sign, type Trader } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const ORDER = '/api/v3/order'

/** Sends the bytes unchanged, under a signature of another text. */
async function send(
  method: string,
  path: string,
  query: string,
  body: string,
  signature: string,
  trader: Trader = f.alice,
): Promise<{ status: number; reason?: string; data?: { price: string; qty: string; total: string } }> {
  const answer = await rawExchange(f.url, {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      Connection: 'close',
      'X-Apikey': trader.apiKey,
      'X-Signature': signature,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  })
  const { reason, data } = answer.body as never
  return { status: answer.status, reason, data }
}

describe('an overheard order that is cut differently between query and body', () => {
  let text: string
  beforeEach(() => {
    const order = 'symbol=ETH/USDT&side=BUY&type=LIMIT&quantity=0.5&price=90&timeInForce=IOC'
    text = `${order}&note=a=b%26price=1&timestamp=${f.clock.time}`
  })

  test('is the same order at every cut that is accepted, and refused at every other', async () => {
    const signature = sign(f.alice.secret, text)
    for (let at = 0; at <= text.length; at++) {
      const { status, reason, data } = await send('POST', ORDER, text.slice(0, at), text.slice(at), signature)
      const isBetween = at === 0 || at === text.length || text[at] === '&' || text[at - 1] === '&'
      expect([at, status, reason, data]).toEqual(
        isBetween ? [at, 200, undefined, data] : [at, 400, 'SEPARATOR_REQUIRED', undefined],
      )
      if (isBetween) expect([String(data?.price), String(data?.qty)]).toEqual(['#90', '#0.5'])
    }
    const open = await f.send('GET', '/api/v3/order/active', {}, f.alice)
    expect(open.body).toEqual([])
  })

  test('gets no other price where a value is cut', async () => {
    const signature = sign(f.alice.secret, text)
    const at = text.indexOf('price=9') + 'price=9'.length
    const answer = await send('POST', ORDER, text.slice(0, at), text.slice(at), signature)
    expect([answer.status, answer.reason]).toEqual([400, 'SEPARATOR_REQUIRED'])
  })

  test('is refused where more or fewer question marks are put before it', async () => {
    const signature = sign(f.alice.secret, text)
    for (const query of [`?${text}`, `??${text}`]) {
      const answer = await send('POST', ORDER, query, '', signature)
      expect([answer.status, answer.reason]).toEqual([401, 'INVALID_SIGNATURE'])
    }
  })
})

test('a cut through a UTF-8 sequence or a percent-encoding is refused', async () => {
  const head = `symbol=ETH/USDT&side=BUY&type=LIMIT&quantity=0.5&price=90&timeInForce=IOC&timestamp=${f.clock.time}`
  for (const text of [`${head}&note=ü&x=1`, `${head}&note=%C3%BC&x=1`]) {
    const bytes = Buffer.from(text)
    const signature = sign(f.alice.secret, bytes)
    const start = bytes.indexOf('note=') + 'note='.length
    for (let at = start + 1; at < bytes.indexOf('&x=1'); at++) {
      // One character per byte: exactly these bytes are written to the socket.
      const query = bytes.subarray(0, at).toString('latin1')
      const body = bytes.subarray(at)
      const response = await fetch(`${f.url}${ORDER}?${query}`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: {
          'X-Apikey': f.alice.apiKey,
          'X-Signature': signature,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
      })
      expect([400, 401]).toContain(response.status)
    }
  }
})

test('nothing after a # in the address has a meaning that was not signed', async () => {
  const text = `symbol=ETH/USDT&side=BUY&type=LIMIT&quantity=0.5&price=90&timeInForce=IOC&timestamp=${f.clock.time}`
  const hidden = `${text}#&x=1`
  for (const signed of [text, hidden]) {
    const { status, data } = await send('POST', ORDER, hidden, '', sign(f.alice.secret, signed))
    if (status === 200) expect(String(data?.price)).toBe('#90')
    else expect([400, 401]).toContain(status)
  }
})

test('a body sent with GET is not signed and has no effect, and no part of a signed query may move into it', async () => {
  const query = `code=ETH&timestamp=${f.clock.time}`
  const signature = sign(f.alice.secret, query)
  const balance = '/api/v3/wallet/balance'
  const whole = await send('GET', balance, query, '', signature)
  expect([whole.status, Object.keys(whole.data ?? {})]).toEqual([200, ['free']])
  const more = await send('GET', balance, query, '&code=BTC&side=SELL', signature)
  expect([more.status, more.data]).toEqual([200, whole.data])
  for (let at = 0; at < query.length; at++) {
    const answer = await send('GET', balance, query.slice(0, at), query.slice(at), signature)
    expect([at, answer.status, answer.reason]).toEqual([at, 401, 'INVALID_SIGNATURE'])
  }
})

test('random orders mean the same at every cut that is accepted', async () => {
  const number = fc.integer({ min: 1, max: 99_999 })
  const extra = fc.constantFrom('note=a=b', 'recvWindow=60000', 'x=%26price%3D1', '', 'z=+', 'y')
  await fc.assert(
    fc.asyncProperty(
      number,
      number,
      fc.array(extra, { maxLength: 2 }),
      fc.nat(),
      async (price, hundredths, extras, at) => {
        const quantity = hundredths / 100
        const order = ['symbol=ETH/USDT', 'side=BUY', 'type=LIMIT', `quantity=${quantity}`, `price=${price}`]
        const pieces = [...order, ...new Set(extras), 'timeInForce=IOC', `timestamp=${f.clock.time}`]
        const text = pieces.join('&')
        const place = at % (text.length + 1)
        const signature = sign(f.alice.secret, text)
        const answer = await send('POST', ORDER, text.slice(0, place), text.slice(place), signature)
        if (answer.status !== 200) return expect(answer.reason).toBe('SEPARATOR_REQUIRED')
        expect([String(answer.data?.price), String(answer.data?.qty)]).toEqual([`#${price}`, `#${quantity}`])
      },
    ),
    { numRuns: 300 },
  )
})
