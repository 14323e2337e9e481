/**
 * A client without the secret of a key cannot find out whether the key exists, is disabled, is used from
 * another address or lacks the permission: neither by the bytes of the answer, nor by the stage of the
 * request at which it comes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { timeMs } from '../../units/quantities.ts'
import { type Fixture, openFixture } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const OPERATOR = { actor: 'test', note: '' }
const WRONG = 'a'.repeat(64)
const FORM = 'Content-Type: application/x-www-form-urlencoded'

let f: Fixture
/** The keys, each under the name of its defect. */
let keys: Readonly<Record<string, string>>

beforeAll(async () => {
  f = await openFixture({ config: { ...SANDBOX_GATEWAY, bodyTimeoutMs: 100, bodyBytesMax: 2_000 } })
  const key = async (terms = {}) => (await f.createKey(f.alice.accountId, terms)).apiKey
  const disabled = await key()
  await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: disabled, enabled: false })
  const revoked = await key()
  await f.submit({ kind: 'RevokeApiKey', operator: OPERATOR, apiKey: revoked })
  const rotated = await key({ addresses: ['10.0.0.0/8'] })
  await f.submit({
    kind: 'RotateApiKey',
    operator: OPERATOR,
    apiKey: rotated,
    sealedSecret: f.seal('another secret', rotated),
    previousUntil: timeMs(f.clock.time + 60_000),
  })
  keys = {
    unknown: 'f'.repeat(disabled.length),
    disabled,
    revoked,
    'from a wrong address': await key({ addresses: ['10.0.0.0/8'] }),
    'from a wrong address, being rotated': rotated,
    'without any permission': await key({ permissions: [] }),
  }
})
afterAll(() => f.stop())

/**
 * The bytes received until the server closes the connection; `rest` is sent once something has been received,
 * so that an answer that needed no `rest` is distinguished from one that did.
 */
function exchange(head: readonly string[], body = '', rest?: string): Promise<string> {
  const { hostname, port } = new URL(f.url)
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  const socket = connect(Number(port), hostname, () => {
    socket.write([...head, 'Host: x', 'Connection: close', '', body].join('\r\n'))
  })
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += chunk
    if (rest !== undefined) socket.write(rest)
  })
  socket.on('error', () => {})
  socket.on('close', () => resolve(withoutNames(text)))
  return promise
}

/** An answer without the parts that always differ: the request's id, the time, the weight used so far. */
function withoutNames(text: string): string {
  return text
    .replace(/^X-Request-Id: .*\r\n/im, '')
    .replace(/^Date: .*\r\n/im, '')
    .replace(/^X-MBX-USED-WEIGHT-1M: .*\r\n/im, '')
}

/** The request, given the key; then the expected beginning of the answer. */
const REQUESTS: Readonly<Record<string, readonly [(key: string) => Promise<string>, RegExp]>> = {
  'with a wrong signature': [
    (key) => exchange([post(key), signed(WRONG), FORM, 'Content-Length: 3'], 'a=1'),
    /^HTTP\/1.1 401 .*INVALID_API_KEY/s,
  ],
  'without a signature': [
    (key) => exchange([post(key), FORM, 'Content-Length: 3'], 'a=1'),
    /^HTTP\/1.1 401 .*INVALID_API_KEY/s,
  ],
  'with a signature that is none': [
    (key) => exchange([post(key), signed('none'), FORM, 'Content-Length: 3'], 'a=1'),
    /^HTTP\/1.1 401 .*INVALID_API_KEY/s,
  ],
  'without a body': [(key) => exchange([post(key), signed(WRONG)]), /^HTTP\/1.1 401 .*INVALID_API_KEY/s],
  'with a body of another type': [
    (key) => exchange([post(key), signed(WRONG), 'Content-Type: text/plain', 'Content-Length: 3'], 'a=1'),
    /^HTTP\/1.1 401 .*INVALID_API_KEY/s,
  ],
  'with a body that is withheld': [
    (key) => exchange([post(key), signed(WRONG), FORM, 'Content-Length: 3']),
    /^HTTP\/1.1 408 .*BODY_TIMEOUT/s,
  ],
  'with a body that is withheld, and without a signature': [
    (key) => exchange([post(key), FORM, 'Content-Length: 3']),
    /^HTTP\/1.1 408 .*BODY_TIMEOUT/s,
  ],
  'with a body of which a part is withheld': [
    (key) => exchange([post(key), signed(WRONG), FORM, 'Content-Length: 30'], 'a=1'),
    /^HTTP\/1.1 408 .*BODY_TIMEOUT/s,
  ],
  'with a body in chunks that is withheld': [
    (key) => exchange([post(key), signed(WRONG), FORM, 'Transfer-Encoding: chunked'], '3\r\na=1\r\n'),
    /^HTTP\/1.1 408 .*BODY_TIMEOUT/s,
  ],
  'with a body that is announced as too large': [
    (key) => exchange([post(key), signed(WRONG), FORM, 'Content-Length: 2001'], '', 'a'.repeat(2_001)),
    /^HTTP\/1.1 413 .*BODY_TOO_LARGE/s,
  ],
  'with a body that becomes too large in chunks': [
    (key) =>
      exchange(
        [post(key), signed(WRONG), FORM, 'Transfer-Encoding: chunked'],
        `7d1\r\n${'a'.repeat(2_001)}\r\n0\r\n\r\n`,
      ),
    /^HTTP\/1.1 413 .*BODY_TOO_LARGE/s,
  ],
  'of a GET': [
    (key) => exchange([`GET /api/v3/wallet/balance?timestamp=x HTTP/1.1\r\nX-Apikey: ${key}`, signed(WRONG)]),
    /^HTTP\/1.1 401 .*INVALID_API_KEY/s,
  ],
  'of market data': [
    (key) => exchange([`GET /api/v3/depth?symbol=x HTTP/1.1\r\nX-Apikey: ${key}`]),
    /^HTTP\/1.1 401 .*INVALID_API_KEY/s,
  ],
  'of a signature check with a wrong signature': [
    (key) => exchange([checkOf(key), signed(WRONG), FORM, 'Content-Length: 3'], 'a=1'),
    /^HTTP\/1.1 200 .*"isValid":false/s,
  ],
  'of a signature check with a strict signature': [
    (key) => exchange([checkOf(key), signed(`v2=${WRONG}`), FORM, 'Content-Length: 3'], 'a=1'),
    /^HTTP\/1.1 200 .*"isValid":false/s,
  ],
  'of a signature check without a signature, and with a body that cannot be read': [
    (key) => exchange([checkOf(key), 'Content-Type: text/plain', 'Content-Length: 3'], 'a=%'),
    /^HTTP\/1.1 200 .*"isValid":false/s,
  ],
  'of a signature check with a body that is withheld': [
    (key) => exchange([checkOf(key), signed(WRONG), FORM, 'Content-Length: 3']),
    /^HTTP\/1.1 408 .*BODY_TIMEOUT/s,
  ],
  'of a HEAD': [
    (key) => exchange([`HEAD /api/v3/wallet/balance HTTP/1.1\r\nX-Apikey: ${key}`, signed(WRONG)]),
    /^HTTP\/1.1 401 /,
  ],
  'of an OPTIONS': [
    (key) => exchange([`OPTIONS /api/v3/order HTTP/1.1\r\nX-Apikey: ${key}`, signed(WRONG)]),
    /^HTTP\/1.1 204 /,
  ],
}

function post(key: string): string {
  return `POST /api/v3/order?b=%zz HTTP/1.1\r\nX-Apikey: ${key}`
}

function checkOf(key: string): string {
  return `POST /api/v3/signature/check?b=1& HTTP/1.1\r\nX-Apikey: ${key}`
}

function signed(signature: string): string {
  return `X-Signature: ${signature}`
}

describe('keys that are unknown, disabled, elsewhere or not permitted get the same bytes at the same stage', () => {
  for (const [name, [ask, begins]] of Object.entries(REQUESTS)) {
    test(name, async () => {
      const answers = await Promise.all(
        Object.entries(keys).map(async ([key, value]) => [key, await ask(value)] as const),
      )
      const [[, unknown]] = answers as [[string, string]]
      expect(unknown).toMatch(begins)
      for (const [key, answer] of answers) expect([key, answer]).toEqual([key, unknown])
    })
  }
})
