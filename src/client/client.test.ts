/** Requests that are refused, lost, aborted or delayed, against a simulated exchange in virtual time. */
import { expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { REASON_NAMES, REASONS } from '../contract/reasons/catalogue.ts'
import { type BourseClient, createBourseClient } from './client.ts'
import { BourseError, RefusedError } from './errors.ts'
import type { ClientOptions } from './parts.ts'
import { refusal, SERVER_AHEAD_MS, success, VirtualPlatform } from './virtual-platform.fixture.ts'

const SECRET = '9e107d9d372bb6826bd81d3542a419d6e4d909c290d0fb1ca068ffaddf22cbd0'
const API_KEY = '4f1c0f3a9b2d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071829304a5b6c7'

function setUp(options: Partial<ClientOptions> = {}): {
  readonly net: VirtualPlatform
  readonly client: BourseClient
} {
  const net = new VirtualPlatform()
  const url = 'http://exchange.test:8080'
  const client = createBourseClient({ url, apiKey: API_KEY, secret: SECRET, platform: net, ...options })
  return { net, client }
}

async function failureOf(net: VirtualPlatform, work: Promise<unknown>): Promise<BourseError> {
  const outcome = await net.run(
    work.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    ),
  )
  if ('error' in outcome && outcome.error instanceof BourseError) return outcome.error
  throw new Error(`expected a BourseError, found ${inspect(outcome)}`)
}

test('a request carries the time of the server, whatever the clock of the machine shows', async () => {
  const { net, client } = setUp()
  net.answer = () => success([])
  await net.run(client.openOrders({ symbol: 'BTC/USDT' }))
  const [request] = net.to('GET', '/openOrders')
  expect(Number(request?.fields.timestamp)).toBe(net.serverTime)
  expect(client.clockMeasure()?.skewMs).toBe(-SERVER_AHEAD_MS)
})

test('a strict signature covers method, path, query, time, nonce and body; each request has its own nonce', async () => {
  const { net, client } = setUp()
  net.answer = () => success([])
  await net.run(client.openOrders())
  await net.run(client.openOrders())
  const [first, second] = net.to('GET', '/openOrders')
  const hasher = new Bun.CryptoHasher('sha256', SECRET)
  const { 'X-Timestamp': timestamp, 'X-Nonce': nonce, 'X-Signature': signature } = first?.headers ?? {}
  hasher.update(['GET', '/api/v3/openOrders', first?.text, timestamp, nonce, ''].join('\n'))
  expect(signature).toBe(`v2=${hasher.digest('hex')}`)
  expect(second?.headers['X-Nonce']).not.toBe(nonce)
})

test('messages are asked for in the language of the client, which may be another at each request', async () => {
  let language: 'en' | 'tr' = 'en'
  const { net, client } = setUp({ language: () => language })
  net.answer = () => success([])
  await net.run(client.openOrders())
  language = 'tr'
  await net.run(client.openOrders())
  expect(net.to('GET', '/openOrders').map(({ headers }) => headers['Accept-Language'])).toEqual(['en', 'tr'])
})

test('a plain signature covers the text that is sent', async () => {
  const { net, client } = setUp({ strict: false })
  await net.run(client.amendOrder({ orderId: 'x', newQty: '0.5' }))
  const [request] = net.to('PUT', '/order/amend/keepPriority')
  const expected = new Bun.CryptoHasher('sha256', SECRET).update(request?.text ?? '').digest('hex')
  expect(request?.headers['X-Signature']).toBe(expected)
  expect(request?.headers['X-Nonce']).toBeUndefined()
})

test('a withdrawal is signed strictly, needs an id of its own, and is looked up under it until there is an answer', async () => {
  const { net, client } = setUp({ strict: false })
  const wanted = { coin: 'BTC', amount: '0.5', address: 'bc1q' }
  const unnamed = wanted as typeof wanted & { readonly withdrawOrderId: string }
  const error = await failureOf(net, client.askWithdrawal(unnamed))
  expect([error.kind, error.message]).toEqual(['USAGE', expect.stringContaining('needs a withdrawOrderId')])
  expect(net.to('POST', '/capital/withdraw/apply')).toEqual([])
  let attempts = 0
  net.answer = () => (attempts++ === 0 ? refusal(503, 'OUTCOME_UNKNOWN') : success({ id: 'x', createdAt: 1 }))
  expect(await net.run(client.askWithdrawal({ ...wanted, withdrawOrderId: 'rent-1' }))).toEqual({
    id: 'x',
    createdAt: 1,
  })
  const requests = net.to('POST', '/capital/withdraw/apply')
  expect(requests.map(({ fields }) => fields.withdrawOrderId)).toEqual(['rent-1', 'rent-1'])
  for (const { headers, fields } of requests) {
    expect(headers['X-Signature']).toStartWith('v2=')
    expect(fields.recvWindow).toBeDefined()
  }
})

test('the removal of an address whose answer was lost is done once the address is gone', async () => {
  const { net, client } = setUp()
  let attempts = 0
  net.answer = () =>
    attempts++ === 0 ? refusal(503, 'OUTCOME_UNKNOWN') : refusal(400, 'UNKNOWN_WITHDRAWAL_ADDRESS')
  await net.run(client.removeWithdrawalAddress({ coin: 'BTC', removeAddress: 'bc1q' }))
  expect(net.to('DELETE', '/capital/withdraw/address')).toHaveLength(2)
  const error = await failureOf(net, client.removeWithdrawalAddress({ coin: 'BTC', removeAddress: 'bc1q' }))
  expect(error).toBeInstanceOf(RefusedError)
})

test('a refused timestamp is measured anew up to three times; then the refusal says how far the clock is off', async () => {
  const { net, client } = setUp()
  net.answer = () => refusal(401, 'TIMESTAMP_EXPIRED')
  for (const ask of [() => client.openOrders(), () => client.newOrder(ORDER)]) {
    const asked = net.asked.length
    const error = await failureOf(net, ask())
    expect(net.asked.slice(asked).map(({ path }) => path === '/time')).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      true,
      false,
    ])
    expect(error.message).toContain(`this machine's clock is ${SERVER_AHEAD_MS} ms behind the server's`)
    expect(error.outcome).toBe('NOT_DONE')
  }
})

test('a question without an answer is repeated, with growing pauses, until the time limit', async () => {
  const { net, client } = setUp({ patienceMs: 8_000 })
  const at: number[] = []
  net.answer = () => {
    at.push(net.time)
    throw new Error('connection reset')
  }
  const from = net.time
  const error = await failureOf(net, client.openOrders())
  expect(error.kind).toBe('NO_ANSWER')
  expect(net.time - from).toBeLessThan(8_000)
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  expect(pauses).toEqual([75, 150, 300, 600, 1_200, 2_400])
})

test('a request that the exchange refuses permanently is not repeated', async () => {
  const { net, client } = setUp()
  net.answer = () => refusal(400, 'UNKNOWN_SYMBOL')
  const error = await failureOf(net, client.depth({ symbol: 'NO/SUCH' }))
  expect([error.kind, error.outcome, error instanceof RefusedError && error.reason]).toEqual([
    ...['REFUSED', 'NOT_DONE', 'UNKNOWN_SYMBOL'],
  ])
  expect(net.to('GET', '/depth')).toHaveLength(1)
})

test('an address that has to wait sends nothing before the time is over, by any of its calls', async () => {
  const { net, client } = setUp()
  let refusals = 0
  const times: number[] = []
  net.answer = () => {
    times.push(net.time)
    return refusals++ === 0 ? refusal(429, 'RATE_LIMITED', {}, { 'Retry-After': '7' }) : success([])
  }
  const from = net.time
  await net.run(client.openOrders())
  await net.run(client.openOrders())
  expect(times[1]).toBeGreaterThanOrEqual(from + 7_000)
  net.answer = () => refusal(418, 'BANNED', {}, { 'Retry-After': '120' })
  const banned = await failureOf(net, client.openOrders())
  expect(banned.retryAfterMs).toBe(120_000)
  const asked = net.asked.length
  const busy = await failureOf(net, client.activeOrders())
  expect([busy.kind, busy.outcome, net.asked.length]).toEqual(['BUSY', 'NOT_DONE', asked])
})

test('a requested wait is not cut short by a shorter one requested beside it', async () => {
  const { net, client } = setUp({ requestsMax: 2 })
  await net.run(client.serverNow())
  const waits = ['60', '1']
  const times: number[] = []
  net.answer = () => {
    times.push(net.time)
    const wait = waits.shift()
    return wait === undefined ? success([]) : refusal(429, 'RATE_LIMITED', {}, { 'Retry-After': wait })
  }
  const from = net.time
  await net.run(Promise.allSettled([client.openOrders(), client.activeOrders()]))
  expect(times.slice(0, 2)).toEqual([from, from])
  for (const time of times.slice(2)) expect(time).toBeGreaterThanOrEqual(from + 60_000)
})

test('a temporary refusal is retried, and one that needs action is reported', async () => {
  const passing: string[] = []
  const unavailable = REASON_NAMES.filter((reason) => {
    const { status, at } = REASONS[reason]
    return status === 503 && (at as readonly string[]).includes('http')
  })
  expect(unavailable.length).toBeGreaterThan(10)
  for (const reason of unavailable) {
    const { net, client } = setUp()
    let asked = 0
    net.answer = () => (asked++ === 0 ? refusal(503, reason) : success([]))
    await net.run(client.openOrders().catch(() => {}))
    if (asked > 1) passing.push(reason)
  }
  // Someone must act first: an operator opens a market or frees space, or corrects a clock.
  const needSomebody = unavailable.filter((reason) => !passing.includes(reason))
  expect(needSomebody.toSorted()).toEqual([
    'ASSET_NOT_WITHDRAWABLE',
    'CLOCK_NOT_TRUSTED',
    'ENGINE_DOWN',
    'EXCHANGE_CANCEL_ONLY',
    'EXCHANGE_CLOSED',
    'STORAGE_FULL',
    'SYMBOL_CANCEL_ONLY',
    'SYMBOL_HALTED',
  ])
})

test('a wait that is not a number of seconds is ignored', async () => {
  for (const text of ['Wed, 21 Oct 2026 07:28:00 GMT', '-1', '1.5', '', '1e9', '99999999999']) {
    const { net, client } = setUp()
    net.answer = () => refusal(429, 'ORDER_RATE_LIMITED', {}, { 'Retry-After': text })
    expect([text, (await failureOf(net, client.openOrders())).retryAfterMs]).toEqual([text, undefined])
  }
})

test('an address with a name or a password in it is refused, and neither is shown', () => {
  for (const url of [
    'https://joe@exchange.test',
    'https://:hidden@exchange.test',
    'https://joe:hidden@exchange.test',
  ]) {
    const made = () => setUp({ url })
    expect(made).toThrow('without a user')
    expect(made).not.toThrow(/joe|hidden/)
  }
  for (const url of ['http://exchange.test', 'https://exchange.test', 'https://exchange.test/base'])
    expect(setUp({ url }).client).toBeDefined()
  for (const url of ['ftp://exchange.test', 'wss://exchange.test', 'exchange.test'])
    expect(() => setUp({ url })).toThrow('expected the address of an exchange')
})

test('a connection that was never made has certainly sent nothing, whatever error the runtime gives', async () => {
  for (const code of [
    'ECONNREFUSED',
    'ConnectionRefused',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ECONNRESET',
    'ETIMEDOUT',
  ]) {
    const { net, client } = setUp({ patienceMs: 100 })
    await net.run(client.serverNow())
    net.answer = () =>
      Promise.reject(new Error('failed', { cause: Object.assign(new Error(code), { code }) }))
    const { outcome } = await failureOf(net, client.newOrder(ORDER))
    const isCertain = code !== 'ECONNRESET' && code !== 'ETIMEDOUT'
    expect([code, outcome]).toEqual([code, isCertain ? 'NOT_DONE' : 'UNKNOWN'])
  }
})

test('a place in the queue is free again when its caller gives up', async () => {
  const { net, client } = setUp({ requestsMax: 1, waitingMax: 1 })
  await net.run(client.serverNow())
  const answers: (() => void)[] = []
  net.answer = () => new Promise((resolve) => answers.push(() => resolve(success([]))))
  const first = client.openOrders()
  const controller = new AbortController()
  const given = client.openOrders({}, { signal: controller.signal })
  given.catch(() => {})
  controller.abort()
  await expect(given).rejects.toMatchObject({ kind: 'ABORTED', outcome: 'NOT_DONE' })
  const next = client.openOrders()
  for (const request of [first, next]) {
    while (answers.length === 0) await Promise.resolve()
    answers.shift()?.()
    await request
  }
  expect(net.to('GET', '/openOrders')).toHaveLength(2)
})

test('a batch has 1 to 20 operations: another number is refused before anything is sent', async () => {
  const { net, client } = setUp()
  for (const count of [0, 21]) {
    const operations = Array.from(
      { length: count },
      () => ({ method: 'DELETE', symbol: 'BTC/USDT', id: 'a' }) as const,
    )
    const error = await failureOf(net, client.orderBatch({ operations }))
    expect([count, error.kind, error.outcome]).toEqual([count, 'USAGE', 'NOT_DONE'])
  }
  expect(net.asked).toEqual([])
})

test('requests beyond those allowed in flight wait in order, and beyond those that may wait are refused', async () => {
  const { net, client } = setUp({ requestsMax: 2, waitingMax: 1 })
  await net.run(client.serverNow())
  const answers: (() => void)[] = []
  net.answer = () => new Promise((resolve) => answers.push(() => resolve(success([]))))
  const started = [client.openOrders(), client.openOrders(), client.openOrders()]
  const error = await client.openOrders().catch((cause: unknown) => cause)
  expect(error).toMatchObject({ kind: 'BUSY', outcome: 'NOT_DONE' })
  while (answers.length < 2) await Promise.resolve()
  answers.shift()?.()
  await started[0]
  while (answers.length < 2) await Promise.resolve()
  for (const answer of answers) answer()
  await Promise.all(started)
  expect(net.timerCount).toBe(0)
})

test('a call given up before it was sent is not done; given up later, its outcome is unknown, and the error has its id', async () => {
  const { net, client } = setUp()
  await net.run(client.serverNow())
  const early = await failureOf(net, client.newOrder(ORDER, { signal: AbortSignal.abort() }))
  expect([early.kind, early.outcome]).toEqual(['ABORTED', 'NOT_DONE'])
  expect(net.to('POST', '/order')).toHaveLength(0)
  const controller = new AbortController()
  net.answer = () => {
    controller.abort('no longer wanted')
    return new Promise(() => {})
  }
  const late = await failureOf(net, client.newOrder(ORDER, { signal: controller.signal }))
  expect([late.kind, late.outcome, late.cause]).toEqual(['ABORTED', 'UNKNOWN', 'no longer wanted'])
  expect(late.clientOrderId).toBe(net.to('POST', '/order')[0]?.fields.newClientOrderId)
  expect(late.deadline).toBe(Number(net.to('POST', '/order')[0]?.fields.timestamp) + 5_000)
  expect(net.timerCount).toBe(0)
})

test('a call given up between two attempts keeps the id of its order, and what is known of it', async () => {
  const { net, client } = setUp()
  const controller = new AbortController()
  net.answer = () => refusal(503, 'STARTING')
  net.schedule(20, () => controller.abort())
  const error = await failureOf(net, client.newOrder(ORDER, { signal: controller.signal }))
  expect([error.kind, error.outcome]).toEqual(['ABORTED', 'NOT_DONE'])
  expect(error.clientOrderId).toBe(net.to('POST', '/order')[0]?.fields.newClientOrderId)
})

test('the caller gets the id to look an order up by before each attempt is sent', async () => {
  const { net, client } = setUp()
  const told: { readonly sent: number; readonly deadline: number; readonly firstAttempt: number }[] = []
  net.answer = ({ method }) => {
    if (method === 'POST') return refusal(503, 'STARTING', {}, { 'Retry-After': '1' })
    return success([])
  }
  const onAttempt = (attempted: { readonly deadline: number; readonly firstAttempt: number }) =>
    told.push({ ...attempted, sent: net.to('POST', '/order').length })
  await failureOf(net, client.newOrder(ORDER, { onAttempt, patienceMs: 2_500 }))
  const requests = net.to('POST', '/order')
  expect(requests.length).toBeGreaterThan(1)
  expect(told).toEqual(
    requests.map(({ fields }, sent) => ({
      clientOrderId: String(requests[0]?.fields.newClientOrderId),
      deadline: Number(fields.timestamp) + Number(fields.recvWindow),
      firstAttempt: Number(requests[0]?.fields.timestamp),
      sent,
    })),
  )
})

test('a caller that gives up while the time of the server is requested does not take it from others', async () => {
  const { net, client } = setUp()
  const controller = new AbortController()
  net.answer = () => success([])
  const given = client.openOrders({}, { signal: controller.signal }).catch((cause: unknown) => cause)
  const other = client.openOrders()
  controller.abort()
  expect(await net.run(given)).toMatchObject({ kind: 'ABORTED', outcome: 'NOT_DONE' })
  expect(await net.run(other)).toEqual([])
})

test('a number with decimals, and a key without its secret, are refused before anything is sent', async () => {
  const { net, client } = setUp()
  const wrong = { ...ORDER, price: 60_000.5 as never }
  expect((await failureOf(net, client.newOrder(wrong))).message).toContain(
    'price: expected a decimal as text',
  )
  const unsigned = setUp({ secret: undefined })
  const error = await failureOf(unsigned.net, unsigned.client.openOrders())
  expect([error.kind, error.message]).toEqual([
    'USAGE',
    'GET /api/v3/openOrders is signed: give the client the secret.',
  ])
  expect(net.asked.length).toBe(0)
})

test('impossible addresses and figures are refused when a client is created', () => {
  for (const url of ['', 'exchange', 'ftp://exchange', 'http://user:word@exchange', 'http://exchange?a=b']) {
    expect(() => createBourseClient({ url })).toThrow(/^url: /)
  }
  const url = 'http://exchange'
  expect(() => createBourseClient({ url, recvWindowMs: 60_001 })).toThrow(
    'recvWindowMs: expected a whole number',
  )
  expect(() => createBourseClient({ url, timeoutMs: Number.NaN })).toThrow(
    'timeoutMs: expected a whole number',
  )
  expect(() => createBourseClient({ url, secret: SECRET })).toThrow('secret: expected an apiKey')
})

test('a key or a secret that contains the end of its line is refused when the client is created, and not shown', () => {
  const url = 'http://exchange.test'
  for (const [apiKey, secret, name] of [
    [`${API_KEY}\n`, SECRET, 'apiKey'],
    ['', SECRET, 'apiKey'],
    [API_KEY, `${SECRET}\r\n`, 'secret'],
  ] as const) {
    let said = ''
    try {
      createBourseClient({ url, apiKey, secret })
    } catch (error) {
      said = String(error)
    }
    expect(said).toContain(`${name}: expected`)
    expect(said).not.toContain(SECRET)
    expect(said).not.toContain(API_KEY)
  }
})

test('neither the secret nor the key is visible in a client, its streams, its errors and their texts', async () => {
  const { net, client } = setUp()
  net.answer = () => refusal(401, 'INVALID_SIGNATURE')
  const error = await failureOf(net, client.newOrder(ORDER))
  if (!(error instanceof RefusedError)) throw new Error('expected a refusal')
  expect(error.message).toContain('signatureCheck')
  expect(error.signedText).toStartWith('POST\n/api/v3/order\n\n')
  const shown = [client, client.stream(), error].flatMap((each) => [
    ...[
      String(each),
      JSON.stringify(each),
      inspect(each, { depth: 20, showHidden: true }),
      Bun.inspect(each),
    ],
    ...Object.values(each).map(String),
  ])
  for (const text of shown) {
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(API_KEY)
  }
  expect(String(client)).toBe('BourseClient(http://exchange.test:8080, with a key)')
})

test('a question that a runtime has repeated by itself is asked again, under another nonce', async () => {
  const { net, client } = setUp()
  net.answer = () =>
    net.to('GET', '/openOrders').length === 1 ? refusal(401, 'NONCE_REPEATED') : success([])
  await net.run(client.openOrders())
  const nonces = net.to('GET', '/openOrders').map(({ headers }) => headers['X-Nonce'])
  expect(new Set(nonces).size).toBe(2)
})

test('an answer that is not from the exchange is reported as such, and retried only behind a gateway that failed', async () => {
  const { net, client } = setUp({ patienceMs: 1_000 })
  net.answer = () => ({ status: 404, body: '<html>not here</html>' })
  const missing = await failureOf(net, client.openOrders())
  expect([missing.kind, missing.outcome, net.to('GET', '/openOrders').length]).toEqual([
    'UNREADABLE',
    'NOT_DONE',
    1,
  ])
  net.answer = () => ({ status: 502, body: '<html>bad gateway</html>' })
  expect((await failureOf(net, client.openOrders())).kind).toBe('NO_ANSWER')
  expect(net.to('GET', '/openOrders').length).toBeGreaterThan(2)
})

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '60000' } as const
