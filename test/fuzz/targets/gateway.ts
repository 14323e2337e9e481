/** The complete gateway: requests to the HTTP interface, signatures, and both transports of the stream. */

import { createHmac, randomBytes } from 'node:crypto'
import { createSecretBox } from '../../../src/server/access/auth/secret-box.ts'
import { SignatureVerifier } from '../../../src/server/access/auth/signature.ts'
import { openFixture, type Trader } from '../../../src/server/public/gateway.fixture.ts'
import { SANDBOX_GATEWAY } from '../../../src/server/public/gateway-config.ts'
import { STREAM_DEFAULTS } from '../../../src/server/stream/config.ts'
import { ConnectionBudget } from '../../../src/server/stream/intake/limits.ts'
import { NO_PAUSE } from '../../../src/server/stream/pace.ts'
import { Rooms } from '../../../src/server/stream/rooms.ts'
import { Session } from '../../../src/server/stream/session.ts'
import { MarketData } from '../../../src/views/market-data.ts'
import { NO_HISTORY } from '../../support/no-history.ts'
import { emptyBootstrap, syntheticSymbol } from '../../support/synthetic-market.ts'
import { mutateText } from '../mutate.ts'
import { expectThat, type Target } from '../target.ts'
import { reasonOf } from './error-body.ts'

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const SIGNED = `X-Apikey: KEY\nX-Signature: SIGN\n${FORM}`
/** At least one of every endpoint. */
export const HTTP_SAMPLES = [
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=BUY&type=LIMIT&quantity=0.01&price=60000&timestamp=NOW`,
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=SELL&type=LIMIT&quantity=0.01&price=60000&timestamp=NOW`,
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=BUY&type=MARKET&total=60&timestamp=NOW`,
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=BUY&type=LIMIT&quantity=0.01&price=60000&newClientOrderId=a-1&timestamp=NOW`,
  `DELETE /api/v3/order\n${SIGNED}\n\ncancelOrigClientOrderId=a-1&timestamp=NOW`,
  'GET /api/v3/order?origClientOrderId=a-1&deadline=NOW&firstAttempt=1&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=SELL&type=STOP_LOSS_LIMIT&stopPrice=50000&quantity=0.01&price=49000&timestamp=NOW`,
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=SELL&type=LIMIT&quantity=0.01&price=49000&icebergQty=0.003&timestamp=NOW`,
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=BUY&type=TAKE_PROFIT&stopPrice=50000&total=60&timestamp=NOW`,
  `POST /api/v3/order\n${SIGNED}\n\nsymbol=BTC/USDT&side=SELL&type=LIMIT&quantity=0.01&price=60000&timeInForce=GTD&expireTime=4000000000000&timestamp=NOW`,
  `DELETE /api/v3/order\n${SIGNED}\n\nid=01a0c450-6c7b-7100-8000-000000000001&timestamp=NOW`,
  `POST /api/v3/order/cancelReplace\n${SIGNED}\n\nsymbol=BTC/USDT&side=BUY&type=LIMIT&quantity=0.01&price=60000&cancelReplaceMode=ALLOW_FAILURE&cancelOrigClientOrderId=a-1&cancelRestrictions=ONLY_NEW&newClientOrderId=b-1&timestamp=NOW`,
  `DELETE /api/v3/openOrders\n${SIGNED}\n\nscope=SYMBOL&symbol=BTC/USDT&timestamp=NOW`,
  `POST /api/v3/countdownCancelAll\n${SIGNED}\n\ncountdownTime=60000&keepStops=true&timestamp=NOW`,
  `PUT /api/v3/order/amend/keepPriority\n${SIGNED}\n\norigClientOrderId=a-1&newQty=0.005&timestamp=NOW`,
  'GET /api/v3/exchangeInfo',
  'GET /api/v3/depth?symbol=BTC/USDT&timestamp=NOW&limit=5\nX-Apikey: KEY',
  'GET /api/v3/trades?symbol=BTC%2FUSDT&timestamp=NOW\nX-Apikey: KEY\nAccept-Language: tr',
  'GET /api/v3/historicalTrades?symbol=BTC/USDT&fromId=1&startTime=0&endTime=NOW&limit=5',
  'GET /api/v3/aggTrades?symbol=BTC/USDT&fromId=1&limit=5',
  'GET /api/v3/klines?symbol=BTC/USDT&interval=1w&startTime=0&endTime=NOW&limit=5&timestamp=NOW\nX-Apikey: KEY',
  'GET /api/v3/ticker/24hr?timestamp=NOW\nX-Apikey: KEY',
  'GET /api/v3/order/active?timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/order/trade/history?timestamp=NOW&page=0&size=10\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/order?orderId=01a0c450-6c7b-7100-8000-000000000001&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/openOrders?symbol=BTC/USDT&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/allOrders?symbol=BTC/USDT&before=01a0c450-6c7b-7100-8000-000000000001&from=0&to=NOW&limit=5&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/myTrades?symbol=BTC/USDT&orderId=01a0c450-6c7b-7100-8000-000000000001&from=0&to=NOW&limit=5&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/account/ledger?asset=USDT&before=9-0-1&from=0&limit=5&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/account/positions?asset=BTC&symbol=BTC/USDT&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/account/ledger?format=csv&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/wallet/balance?timestamp=NOW&recvWindow=60000\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/api/v3/wallet/balance?timestamp=NOW&code=BTC\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/ping',
  'GET /api/v3/time?x=1',
  'GET /api/v3/exchangeInfo/rules?symbol=ETH/BTC',
  'GET /api/v3/ticker/price?symbol=ETH/BTC&timestamp=NOW\nX-Apikey: KEY',
  'GET /api/v3/ticker/bookTicker?timestamp=NOW\nX-Apikey: KEY',
  'GET /api/v3/account/commission?timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'POST /api/v3/order/test\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\nsymbol=ETH/BTC&side=BUY&type=LIMIT&quantity=1&price=0.05&test=true&timestamp=NOW',
  'POST /api/v3/order/batch\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\noperations=[{"method":"POST","symbol":"ETH/BTC","side":"BUY","type":"LIMIT","quantity":1,"price":"0.05"},{"method":"DELETE","id":"x"}]&timestamp=NOW',
  'POST /api/v3/orderList/oco\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\nsymbol=ETH/BTC&side=SELL&quantity=1&aboveType=LIMIT_MAKER&abovePrice=0.09&belowType=STOP_LOSS_LIMIT&belowStopPrice=0.01&belowPrice=0.01&timestamp=NOW',
  'POST /api/v3/orderList/oto\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\nsymbol=ETH/BTC&workingType=LIMIT&workingSide=BUY&workingPrice=0.05&workingQuantity=1&pendingType=MARKET&pendingSide=SELL&pendingQuantity=1&timestamp=NOW',
  'POST /api/v3/orderList/otoco\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\nsymbol=ETH/BTC&workingType=LIMIT&workingSide=BUY&workingPrice=0.05&workingQuantity=1&pendingSide=SELL&pendingAboveType=LIMIT_MAKER&pendingAbovePrice=0.09&pendingBelowType=STOP_LOSS&pendingBelowStopPrice=0.01&timestamp=NOW',
  'GET /api/v3/orderList?listId=01a0c450-6c7b-7300-8000-000000000001&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'DELETE /api/v3/orderList\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\ncancelListClientOrderId=x&timestamp=NOW',
  'GET /api/v3/capital/withdraw/history?coin=BTC&before=9&limit=5&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/capital/deposit/hisrec?timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'POST /api/v3/capital/withdraw/apply\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\ncoin=BTC&amount=0.1&address=bc1q&addressTag=7&withdrawOrderId=a&timestamp=NOW',
  'DELETE /api/v3/capital/withdraw/apply\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\ncancelWithdrawOrderId=a&timestamp=NOW',
  'POST /api/v3/capital/withdraw/address\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\ncoin=BTC&newAddress=bc1q&addressTag=7&label=cold&timestamp=NOW',
  'DELETE /api/v3/capital/withdraw/address\nX-Apikey: KEY\nX-Signature: SIGN\nContent-Type: application/x-www-form-urlencoded\n\ncoin=BTC&removeAddress=bc1q&addressTag=7&timestamp=NOW',
  'GET /api/v3/capital/withdraw/address/list?coin=BTC&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  'GET /api/v3/account/limits?symbol=ETH/BTC&timestamp=NOW\nX-Apikey: KEY\nX-Signature: SIGN',
  `POST /api/v3/signature/check?a=b+c&\n${SIGNED}\n\nsymbol=BTC%2FUSDT&timestamp=NOW`,
  `POST /api/v3/signature/check\nX-Apikey: KEY\nX-Signature: v2=SIGN\nX-Timestamp: NOW\nX-Nonce: a-nonce-of-20-digits\n${FORM}\n\na=1&timestamp=NOW`,
]

const FORMS = 'symbol=ETH/USDT&side=SELL&type=MARKET&quantity=1&price=5&total=2&code=TRY&timeInForce=IOC'
const FORM_TOKENS = [
  '&symbol=ETH/BTC',
  '&price=60000',
  '&quantity=0.5',
  '&total=30',
  '&page=1',
  '&limit=1',
  'NOW',
  '&id=x',
  '9',
  '.',
]

/**
 * The complete gateway with an engine in memory: a request as text, in which KEY, SIGN and NOW are replaced.
 */
export async function http(): Promise<Target<string>> {
  const limits = { ...SANDBOX_GATEWAY.limits, isEnabled: false }
  const fixture = await openFixture({ config: { limits } })
  const { alice, gateway, clock } = fixture
  const server = { requestIP: () => ({ address: '127.0.0.1' }) } as unknown as Bun.Server<unknown>

  function requestOf(text: string): Request | undefined {
    const [head = '', ...rest] = text.replaceAll('NOW', `${clock.time}`).split('\n\n')
    const [line = '', ...headerLines] = head.split('\n')
    const space = line.indexOf(' ')
    const method = line.slice(0, space)
    const body = ['POST', 'PUT', 'DELETE'].includes(method) ? rest.join('\n\n') : undefined
    try {
      const url = new URL(`http://127.0.0.1${line.slice(space + 1)}`)
      const headers = new Headers()
      for (const header of headerLines) {
        const colon = header.indexOf(':')
        const value = header.slice(colon + 1).trim()
        const signed = () =>
          createHmac('sha256', alice.secret)
            .update(`${url.search.slice(1)}${body ?? ''}`)
            .digest('hex')
        headers.append(header.slice(0, colon), value.replace('KEY', alice.apiKey).replace('SIGN', signed))
      }
      if (body) headers.set('content-length', `${Buffer.byteLength(body)}`)
      return new Request(url, { method, headers, ...(body ? { body } : {}) })
    } catch {
      return undefined
    }
  }

  return {
    name: 'http',
    executions: 40_000,
    samples: HTTP_SAMPLES,
    generate: (random) => {
      const sample = random.pick(HTTP_SAMPLES)
      const at = Math.max(sample.indexOf('?'), sample.indexOf('\n\n')) + 1
      const end = sample[at - 1] === '?' ? sample.indexOf('\n', at) : sample.length
      const form = mutateText(random, sample.slice(at, end), FORMS, FORM_TOKENS).replaceAll('\n', '')
      return `${sample.slice(0, at)}${sample[at] === '\n' ? '\n' : ''}${form}${sample.slice(end)}`
    },
    tokens: [
      'KEY',
      'SIGN',
      'NOW',
      '\n\n',
      '&symbol=ETH/BTC',
      '&price=0',
      '&total=1',
      '&timestamp=1',
      '\nAccept-Language: tr',
      '&recvWindow=0',
      'X-Forwarded-For: 1.2.3.4\n',
      '%',
    ],
    check: async (text) => {
      const request = requestOf(text)
      if (request === undefined) return 'no request'
      const isRight = await isSignedBy(alice, request.clone())
      const response = (await gateway.fetch(request, server)) as Response
      const answer = await response.text()
      const outcome = checkAnswer(response, answer)
      const { isValid } = outcome === '200' ? (JSON.parse(answer).data ?? {}) : {}
      if (isValid === undefined) return outcome
      expectThat(isValid === isRight, () => `the signature is ${isRight}, and said to be ${isValid}`)
      return isValid ? 'signature right' : 'signature wrong'
    },
    outcomes: [
      '200',
      'table',
      'signature right',
      'signature wrong',
      'INVALID_API_KEY',
      'INVALID_SIGNATURE',
      'MISSING_PARAMETER',
      'INVALID_PARAMETER',
      'DUPLICATE_PARAMETER',
      'UNKNOWN_SYMBOL',
      'UNKNOWN_ORDER',
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      'UNREADABLE_BODY',
      'UNSUPPORTED_CONTENT_TYPE',
      'TIMESTAMP_EXPIRED',
    ],
    close: () => fixture.stop(),
  }
}

/** Written from docs/reference/authentication.md#signature alone. */
async function isSignedBy({ apiKey, secret }: Trader, request: Request): Promise<boolean> {
  const { method, url, headers } = request
  const { pathname } = new URL(url)
  // The URL as received: in it a `#` does not begin a fragment, and is signed like the rest.
  const [, query = ''] = /\?(.*)$/s.exec(url) ?? []
  const signature = headers.get('x-signature') ?? ''
  const isStrict = signature.startsWith('v2=')
  const lines = [method, pathname, query, headers.get('x-timestamp'), headers.get('x-nonce')]
  const text = isStrict ? `${lines.join('\n')}\n` : query
  const signed = Buffer.concat([Buffer.from(text), Buffer.from(await request.arrayBuffer())])
  // Such a text is a strict one, never a plain one.
  if (!isStrict && /^[A-Z]+\n/.test(signed.toString('latin1'))) return false
  const digest = createHmac('sha256', secret).update(signed).digest()
  const isHex = signature.slice(isStrict ? 3 : 0).toLowerCase() === digest.toString('hex')
  const isRight = isHex || (!isStrict && signature === digest.toString('base64'))
  return isRight && headers.get('x-apikey') === apiKey
}

function checkAnswer({ status, headers }: Response, text: string): string {
  if (status === 204 || text === '') return `${status}`
  if (status === 200 && headers.get('content-type')?.startsWith('text/csv') === true) {
    expectThat(text.startsWith('id,time,') && text.endsWith('\r\n'), () => `no table: ${text.slice(0, 80)}`)
    return 'table'
  }
  expectThat(
    headers.get('content-type')?.startsWith('application/json') === true,
    () => 'is no JSON by its type',
  )
  return status === 200 ? '200' : reasonOf(JSON.parse(text), status)
}

/**
 * `SignatureVerifier`: query, body and signature on a line each. It must accept a signature exactly if a
 * second HMAC computes the same.
 */
export function signature(): Target<string> {
  const box = createSecretBox(randomBytes(32), (size) => randomBytes(size))
  const secret = '9e107d9d372bb6826bd81d3542a419d6e4d909c290d0fb1ca068ffaddf22cbd0'
  const key = 'key'
  const record = {
    apiKey: key,
    accountId: 3 as never,
    sealedSecret: box.seal(secret, key),
    permissions: [],
    addresses: [],
    label: '',
    createdAt: 0 as never,
    enabled: true,
  }
  const verifier = new SignatureVerifier(box)
  const digest = (query: string, body: string) =>
    createHmac('sha256', secret).update(query).update(body).digest()
  const samples = [
    ['', 'symbol=BTC%2FUSDT&timestamp=1767225600000'],
    ['symbol=BTC%2FUSDT&timestamp=1767225600000', ''],
    ['symbol=BTC%2FUSDT', '&timestamp=1767225600000'],
  ].flatMap(([query = '', body = '']) =>
    [
      digest(query, body).toString('hex'),
      digest(query, body).toString('hex').toUpperCase(),
      digest(query, body).toString('base64'),
    ].map((signed) => `${query}\n${body}\n${signed}`),
  )
  return {
    name: 'signature',
    executions: 110_000,
    samples,
    generate: (random) =>
      mutateText(random, random.pick(samples), random.pick(samples), ['0', 'f', '=', ' ']),
    tokens: ['0', 'f', '=', '\n', ' ', '-', '_'],
    check: (text) => {
      const [query = '', body = '', ...rest] = text.split('\n')
      const claimed = rest.join('\n')
      const bytes = new TextEncoder().encode(body)
      const expected = digest(query, body)
      const isRight =
        claimed.toLowerCase() === expected.toString('hex') || claimed === expected.toString('base64')
      const isAccepted = verifier.verify(
        record,
        { text: query, body: body === '' ? undefined : bytes, signature: claimed },
        0 as never,
      )
      expectThat(isAccepted === isRight, () => `${claimed} was ${isAccepted ? 'accepted' : 'refused'}`)
      return isAccepted ? 'accepted' : 'refused'
    },
    outcomes: ['accepted', 'refused'],
  }
}

/**
 * A session of either transport, one frame per line; everything sent back must be a message of the interface.
 */
export function streamSession(): Target<string> {
  const market = new MarketData(
    emptyBootstrap([syntheticSymbol(0, 'BTC/USDT'), syntheticSymbol(1, 'ETH/USDT')]),
  )
  const rooms = new Rooms({ market, history: NO_HISTORY, tradesOnJoin: 500, pace: NO_PAUSE })
  const EVENTS = ['orders', 'trades', 'error', 'subscribed', 'unsubscribed', 'book', 'bookTicker', 'status']
  return {
    name: 'stream-session',
    executions: 40_000,
    samples: [
      '["join","BTC/USDT"]',
      '["join","BTC/USDT"]\n["change_room","BTC/USDT","ETH/USDT"]',
      '["join","nowhere"]\nrubbish\n["leave"]',
      '["subscribe",{"channel":"book","symbol":"BTC/USDT"}]',
      '["subscribe",{"channel":"bookTicker","symbol":"BTC/USDT"}]',
      '["subscribe",{"channel":"book","symbol":"ETH/USDT"}]\n["unsubscribe",{"channel":"book","symbol":"ETH/USDT"}]',
      '["subscribe",{"channel":"book","symbol":"nowhere"}]\n["unsubscribe",{"channel":"book","symbol":"BTC/USDT"}]',
    ],
    tokens: ['\n', '["join","ETH/USDT"]', '"BTC/USDT"', '["change_room"', '[', ']', ','],
    check: (text) => {
      const names: string[] = []
      const send = (frames: readonly { readonly text: string }[]) => {
        for (const frame of frames) {
          const [name, payload, ...more] = JSON.parse(frame.text) as [string, object, ...unknown[]]
          expectThat(
            EVENTS.includes(name) && typeof payload === 'object' && more.length === 0,
            () => frame.text,
          )
          names.push(name)
        }
      }
      let now = 0
      const session = new Session({
        link: { messageBytes: 0, pendingBytes: () => 0, send, abort: () => names.push('aborted') },
        rooms,
        budget: new ConnectionBudget(),
        config: STREAM_DEFAULTS,
        language: 'en',
        now: () => (now += 1_000),
      })
      for (const line of text.split('\n')) session.receiveText(line)
      session.end()
      expectThat(rooms.count === 0, () => `${rooms.count} rooms are left`)
      const isAnswered = names.length >= text.split('\n').length
      expectThat(isAnswered && !names.includes('aborted'), () => `${names.length} answers`)
      return [...new Set(names)].sort().join('+')
    },
    outcomes: [
      'error',
      'orders+trades',
      'error+orders+trades',
      'book+subscribed',
      'bookTicker+subscribed',
      'book+subscribed+unsubscribed',
    ],
  }
}
