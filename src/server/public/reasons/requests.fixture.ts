/** Reasons of requests: their paths, methods, headers, bodies and forms. */
import type { Reason } from '../../../contract/reasons/catalogue.ts'
import { type Fixture, type Seen, see, sign } from '../gateway.fixture.ts'
import { elsewhere, get, LIMIT, type Provoke } from './provoke.fixture.ts'

/** A signed body with any bytes and content type. */
const body =
  (bytes: string | Uint8Array<ArrayBuffer>, type: string): Provoke =>
  async (f, headers) =>
    see(
      await fetch(`${f.url}/api/v3/order`, {
        method: 'POST',
        body: bytes,
        headers: {
          ...(headers as Record<string, string>),
          'Content-Type': type,
          'X-Apikey': f.alice.apiKey,
          'X-Signature': sign(f.alice.secret, bytes),
        },
      }),
    )

/** Sends exactly these header lines and the following bytes; the server closes the connection. */
const rawly =
  (lines: (f: Fixture) => readonly string[], body = ''): Provoke =>
  async (f, headers) => {
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return overSocket(f, [...lines(f), ...more, '', body].join('\r\n'))
  }

/** Announces a body and never sends all of it. */
const slowBody = rawly(
  (f) => ['POST /api/v3/order HTTP/1.1', 'Host: a', `X-Apikey: ${f.alice.apiKey}`, 'Content-Length: 10'],
  'abc',
)

export const OF_REQUESTS = {
  NOT_FOUND: get('/api/v3/nothing'),
  METHOD_NOT_ALLOWED: (f, headers) => f.send('PUT', '/api/v3/order', LIMIT, f.alice, headers),
  BODY_TOO_LARGE: body('a'.repeat(1_000_000), 'application/x-www-form-urlencoded'),
  INVALID_HOST: (f, headers) =>
    f.send('GET', '/api/v3/exchangeInfo', {}, undefined, { ...headers, Host: 'a/b' }),
  DUPLICATE_HEADER: rawly(() => [
    'POST /api/v3/order HTTP/1.1',
    'Host: a',
    'Content-Length: 0',
    'Content-Length: 0',
  ]),
  EXPECTATION_FAILED: rawly(() => [
    'POST /api/v3/order HTTP/1.1',
    'Host: a',
    'Connection: close',
    'Expect: 200-ok',
    'Content-Length: 0',
  ]),
  UNSUPPORTED_CONTENT_ENCODING: (f, headers) =>
    f.send('POST', '/api/v3/order', LIMIT, f.alice, { ...headers, 'Content-Encoding': 'gzip' }),
  HEADERS_TOO_LARGE: (f, headers) =>
    f.send('GET', '/api/v3/depth', {}, f.alice, { ...headers, 'X-Long': 'a'.repeat(13_000) }),
  BODY_TIMEOUT: elsewhere({ config: { bodyTimeoutMs: 50 } }, slowBody),
  UNSUPPORTED_CONTENT_TYPE: body('{"symbol":"BTC/USDT"}', 'application/json'),
  UNREADABLE_BODY: body('symbol=%zz', 'application/x-www-form-urlencoded'),
  SEPARATOR_REQUIRED: async (f, headers) => {
    const query = 'symbol=ETH/USDT'
    const form = `side=BUY&timestamp=${f.clock.time}`
    return see(
      await fetch(`${f.url}/api/v3/order?${query}`, {
        method: 'POST',
        body: form,
        headers: {
          ...(headers as Record<string, string>),
          'Content-Type': 'application/x-www-form-urlencoded',
          'X-Apikey': f.alice.apiKey,
          'X-Signature': sign(f.alice.secret, query + form),
        },
      }),
    )
  },
  CONTROL_CHARACTER: async (f, headers) => {
    const body = `symbol=BTC/USDT&timestamp=${f.clock.time}&note=a\tb`
    return see(
      await fetch(`${f.url}/api/v3/order`, {
        method: 'POST',
        headers: {
          ...headers,
          'X-Apikey': f.alice.apiKey,
          'X-Signature': sign(f.alice.secret, body),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body,
      }),
    )
  },
  UNREADABLE_QUERY: async (f, headers) => {
    const query = `symbol=%ff&timestamp=${f.clock.time}`
    const auth = { 'X-Apikey': f.alice.apiKey, ...(headers as Record<string, string>) }
    return see(await fetch(`${f.url}/api/v3/depth?${query}`, { headers: auth }))
  },
  TOO_MANY_PARAMETERS: get(
    '/api/v3/depth',
    Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`p${i}`, i])),
  ),
  DUPLICATE_PARAMETER: async (f, headers) => {
    const query = `symbol=BTC/USDT&symbol=BTC/USDT&timestamp=${f.clock.time}`
    const auth = { 'X-Apikey': f.alice.apiKey, ...(headers as Record<string, string>) }
    return see(await fetch(`${f.url}/api/v3/depth?${query}`, { headers: auth }))
  },
  WAF: get('/api/..%2f..%2fetc/passwd'),
} as const satisfies Partial<Record<Reason, Provoke>>

async function overSocket(f: Fixture, request: string): Promise<Seen> {
  const text = await new Promise<string>((resolve, reject) => {
    let seen = ''
    void Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(f.url).port),
      socket: {
        open: (socket) => void socket.write(request),
        data: (_, bytes) => {
          seen += Buffer.from(bytes).toString('utf8')
        },
        close: () => resolve(seen),
        error: (_, error) => reject(error),
      },
    })
  })
  const [head = '', content = ''] = text.split('\r\n\r\n')
  return see(
    new Response(content, {
      status: Number(head.split(' ')[1]),
      headers: { 'Content-Type': 'application/json' },
    }),
  )
}
