/** Attacks on an API key without its secret: guessing, searching, repeating a request. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Client, form } from '../acceptance/support/client.ts'
import { type NodeProcess, startSandbox } from '../acceptance/support/node-process.ts'

setDefaultTimeout(300_000)

const BALANCE = '/api/v3/wallet/balance'
const ORDER = '/api/v3/order'
/** Maximum number of malformed or unauthorized requests per address and minute. */
const GUESSES_MAX = 20
const LIMIT_ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100' }

let node: NodeProcess
let alice: Client
beforeAll(async () => {
  node = await startSandbox({
    http: { trustedProxies: ['127.0.0.1'] },
    limits: { malformedPerMinuteMax: GUESSES_MAX },
  })
  alice = node.alice
})
afterAll(() => node.stop())

const minuteNow = (): number => Math.floor(Date.now() / 60_000)
const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address })

test('guessing signatures blocks the address before it succeeds, and then even the right one is refused', async () => {
  // Limits count by the minute: an attempt during which a minute ends proves nothing.
  for (let host = 1, isWhole = false; !isWhole; host++) {
    const headers = from(`198.51.100.${host}`)
    const minute = minuteNow()
    const statuses: number[] = []
    for (let guess = 0; guess <= GUESSES_MAX; guess++) {
      const signature = guess.toString(16).padStart(64, '0')
      const guessed = { headers: { ...headers, 'X-Signature': signature } }
      statuses.push((await alice.request('POST', ORDER, LIMIT_ORDER, guessed)).status)
    }
    const right = (await alice.request('GET', BALANCE, {}, { headers })).status
    isWhole = minuteNow() === minute
    if (isWhole) expect([...statuses, right]).toEqual([...Array(GUESSES_MAX).fill(401), 403, 403])
  }
  expect((await alice.request('GET', BALANCE, {}, { headers: from('198.51.101.8') })).status).toBe(200)
  expect(await alice.active()).toEqual([])
})

test('guessing the names of keys blocks the address as well', async () => {
  const nobody = (guess: number) =>
    node.client({ apiKey: guess.toString(16).padStart(alice.apiKey.length, '0'), secret: 'guessed' })
  for (let host = 1, isWhole = false; !isWhole; host++) {
    const headers = from(`203.0.113.${host}`)
    const minute = minuteNow()
    const statuses: number[] = []
    for (let guess = 0; guess <= GUESSES_MAX; guess++)
      statuses.push((await nobody(guess).request('GET', BALANCE, {}, { headers })).status)
    const right = (await alice.request('GET', BALANCE, {}, { headers })).status
    isWhole = minuteNow() === minute
    if (isWhole) expect([...statuses, right]).toEqual([...Array(GUESSES_MAX).fill(401), 403, 403])
  }
})

test('without its secret a key that exists cannot be distinguished from one that does not', async () => {
  const { apiKey } = (await node.admin('key', 'add', 'alice', '--addresses', '192.0.2.1')) as Client
  const wrong = node.client({ apiKey, secret: 'guessed' })
  const none = node.client({ apiKey: 'f'.repeat(apiKey.length), secret: 'guessed' })
  const [exists, not] = await Promise.all(
    [wrong, none].map((client) => client.request('GET', BALANCE, {}, { headers: from('198.51.100.9') })),
  )
  const shown = (answer: typeof exists) => [answer?.status, answer?.text, [...(answer?.headers.keys() ?? [])]]
  expect(shown(exists)).toEqual(shown(not))
})

test('an overheard request is refused once its window is over', async () => {
  const body = form({ ...LIMIT_ORDER, timestamp: Date.now() - 1_500, recvWindow: 1_000 })
  const late = await alice.raw({ method: 'POST', path: ORDER, body, headers: from('198.51.100.10') })
  expect([late.status, late.body.reason]).toEqual([401, 'TIMESTAMP_EXPIRED'])
  expect(await alice.active()).toEqual([])
})

test('a window cannot be made longer than a minute, nor be opened in the future', async () => {
  const headers = from('198.51.100.11')
  const wide = form({ ...LIMIT_ORDER, timestamp: Date.now(), recvWindow: 60_001 })
  expect((await alice.raw({ method: 'POST', path: ORDER, body: wide, headers })).status).toBe(400)
  const early = form({ ...LIMIT_ORDER, timestamp: Date.now() + 30_000, recvWindow: 60_000 })
  expect((await alice.raw({ method: 'POST', path: ORDER, body: early, headers })).status).toBe(401)
  expect(await alice.active()).toEqual([])
})

test('an overheard request cannot be changed: a byte more, a byte less, other parameters', async () => {
  const body = form({ ...LIMIT_ORDER, timestamp: Date.now(), recvWindow: 60_000 })
  const signature = alice.signature('', body)
  const headers = { ...from('198.51.100.12'), 'X-Signature': signature }
  for (const changed of [
    `${body}&`,
    body.slice(0, -1),
    body.replace('0.1', '9.9'),
    body.replace('BUY', 'SELL'),
    `${body}&recvWindow=60000`,
    body.replace('=BTC%2FUSDT', '=BTC/USDT'),
  ]) {
    const answer = await alice.raw({ method: 'POST', path: ORDER, body: changed, headers })
    expect([answer.status, answer.body.reason]).toEqual([401, 'INVALID_SIGNATURE'])
  }
  expect(await alice.active()).toEqual([])
})
