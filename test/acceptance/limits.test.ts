/**
 * Rate limits, bans and the attack filter for an address that exceeds them; every other address is served.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { inOneWindow } from '../support/until.ts'
import type { Answer, Fields } from './support/client.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import { failure } from './support/shapes.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const WEIGHT = 200
const limits = {
  weightPerMinuteMax: WEIGHT,
  orderWindows: [{ name: '10S', windowMs: 10_000, ordersMax: 5 }],
  malformedPerMinuteMax: 5,
  refusalsBeforeBan: 3,
}

let node: NodeProcess
beforeAll(async () => {
  node = await startSandbox({ http: { trustedProxies: ['127.0.0.1'] }, limits })
})
afterAll(() => node.stop())

/** Sends a request as the client at `address`, through a trusted proxy. */
function from(address: string, method: string, path: string, fields: Fields = {}): Promise<Answer> {
  return node.alice.request(method, path, fields, { headers: { 'X-Forwarded-For': address } })
}

/**
 * Many times the limit of one window, so that it is exceeded even if the window ends several times during a
 * pause of the machine.
 */
const TIMES_MAX = 200

/** Repeats until an answer has this status; each new window restarts the count. */
async function untilStatus(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  for (let times = 0; times < TIMES_MAX; times++) {
    const answer = await ask()
    if (answer.status === status) return answer
  }
  throw new Error(`no answer with ${status} in ${TIMES_MAX}`)
}

function expectWait(answer: Answer, secondsMax: number): void {
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeInteger()
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(secondsMax)
}

describe('an address', () => {
  test('that sends too much waits (429), and one that continues is banned (418)', async () => {
    const ask = () => from('198.51.100.1', 'GET', '/api/v3/exchangeInfo')
    const first = await ask()
    expect(first.status).toBe(200)
    expect(first.headers.get('x-mbx-used-weight-1m')).toBe('20')
    const limited = await untilStatus(429, ask)
    expect(limited.body).toEqual(failure('0014', 'RATE_LIMITED'))
    expectWait(limited, 60)
    const banned = await untilStatus(418, ask)
    expect(banned.body).toEqual(failure('0014', 'BANNED'))
    expectWait(banned, 120)
    expect((await from('198.51.100.1', 'POST', '/api/v3/order')).status).toBe(418)
    expect((await from('198.51.100.2', 'GET', '/api/v3/exchangeInfo')).status).toBe(200)
  })

  test('that sends too many malformed requests is blocked (403)', async () => {
    const ask = () => from('198.51.100.3', 'GET', '/api/v3/depth')
    // The address is blocked for the rest of the minute.
    await inOneWindow(60_000, async () => {
      const blocked = await untilStatus(403, ask)
      expect(blocked.body).toEqual(failure('4001', 'WAF'))
      expect((await from('198.51.100.3', 'GET', '/api/v3/exchangeInfo')).status).toBe(403)
    })
    expect((await from('198.51.100.4', 'GET', '/api/v3/exchangeInfo')).status).toBe(200)
  })
})

test('an account that places too many orders waits (429), may cancel, and others continue', async () => {
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '100' }
  const placed = await from('198.51.100.5', 'POST', '/api/v3/order', order)
  expect(placed.headers.get('x-mbx-order-count-10s')).toMatch(/^[1-5]$/)
  const limited = await untilStatus(429, () => from('198.51.100.5', 'POST', '/api/v3/order', order))
  expect(limited.body).toEqual(failure('0014', 'ORDER_RATE_LIMITED'))
  expectWait(limited, 10)
  const { id } = placed.body.data
  expect((await from('198.51.100.5', 'DELETE', '/api/v3/order', { id })).status).toBe(200)
  expect((await node.bob.request('POST', '/api/v3/order', order)).status).toBe(200)
})

describe('requests that look like an attack are stopped (403) whatever the key', () => {
  const PATHS = ['/api/v3/..%2f..%2fetc/passwd', '/api/v3/%252e%252e%252forder', '/api/v3/order%00']
  for (const path of PATHS) {
    test(path, async () => {
      const answer = await from('198.51.100.6', 'GET', path)
      expect([answer.status, answer.body]).toEqual([403, failure('4001', 'WAF')])
    })
  }
  for (const value of ['<script>alert(1)</script>', '() { :; }; echo', "' or 1=1"]) {
    test(`User-Agent: ${value}`, async () => {
      const headers = { 'User-Agent': value }
      const { status, body } = await node.alice.request('GET', '/api/v3/order/active', {}, { headers })
      expect([status, body]).toEqual([403, failure('4001', 'WAF')])
    })
  }
  test('odd values of parameters are ordinary errors', async () => {
    for (const symbol of ['../../etc/passwd', '<script>', "' or 1=1"]) {
      const { status, body } = await from('198.51.100.7', 'GET', '/api/v3/depth', { symbol })
      expect([status, body]).toEqual([400, failure('4001', 'UNKNOWN_SYMBOL')])
    }
  })
})
