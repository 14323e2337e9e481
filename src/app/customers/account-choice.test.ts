/** A gateway's choice of a customers process, including while one does not answer. */

import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { freePort } from '../../../test/support/free-port.ts'
import { until } from '../../../test/support/until.ts'
import { AccountChoice, orderOf } from './account-choice.ts'
import { OF_ADDRESS_MAX } from './address-places.ts'
import { CustomersPool } from './customers-pool.ts'
import { ADDRESS_HEADER, PROBE_PATH, SECRET_HEADER } from './order.ts'

const SECRET = 'a secret of gateways and the processes of customers'
const NAMES = ['a', 'b'] as const
type Name = (typeof NAMES)[number]
/** Longer than a test may take. */
const NEVER_MS = 3_600_000
const log = { debug() {}, info() {}, warn() {}, error() {} }

setDefaultTimeout(300_000)

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** A customers process as seen by a gateway. */
function started(name: Name, port = freePort()) {
  /** The addresses of clients. */
  const asked: (string | null)[] = []
  /** Answers are sent once this resolves. */
  let gate: Promise<unknown> = Promise.resolve()
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port },
    fetch: async (request) => {
      if (request.headers.get(SECRET_HEADER) !== SECRET)
        return new Response(null, { status: 403, headers: { [SECRET_HEADER]: 'unknown' } })
      await gate
      if (new URL(request.url).pathname === PROBE_PATH) return new Response(null, { status: 204 })
      asked.push(request.headers.get(ADDRESS_HEADER))
      return new Response(name, { headers: { 'Set-Cookie': `__Host-session=${name}.token; Secure` } })
    },
  })
  ends.push(() => void server.stop(true))
  return {
    asked,
    port: server.port ?? 0,
    stop: () => server.stop(true),
    freeze: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      ends.push(resolve)
    },
  }
}

function gatewayOf(ports: Readonly<Record<Name, number>>, secret = SECRET) {
  const processes = NAMES.map((name) => ({
    name,
    address: { host: '127.0.0.1', port: ports[name], tls: 'off' as const },
  }))
  // The time limit of a request is longer than a test may take: only a report about its process can end it.
  const pool = new CustomersPool(() => ({ processes, secret }), log, NEVER_MS)
  ends.push(() => pool.stop())
  const choice = new AccountChoice(pool)
  const ask = async (method: 'GET' | 'POST', cookie: string, address = '203.0.113.7') => {
    const request = new Request('http://localhost/account/v1/me', { method, headers: { cookie } })
    const body = method === 'POST' ? new TextEncoder().encode('{}') : undefined
    return choice.answer({ request, path: '/account/v1/me', body, address })
  }
  return { pool, ask }
}

test('a request goes to the process that its cookie names, with the address of the client', async () => {
  const [a, b] = [started('a'), started('b')]
  const { ask } = gatewayOf({ a: a.port, b: b.port })
  for (const name of NAMES) {
    const answer = await ask('POST', `other=1; __Host-session=${name}.abc`)
    expect([await answer.text(), answer.headers.get('set-cookie')]).toEqual([
      name,
      `__Host-session=${name}.token; Secure`,
    ])
  }
  expect(b.asked).toEqual(['203.0.113.7'])
})

test('without a name the same client goes to the same process, and different clients to both', () => {
  const first = (address: string) => orderOf(NAMES, '', address)[0]
  const addresses = Array.from({ length: 64 }, (_, number) => `203.0.113.${number}`)
  expect(new Set(addresses.map(first))).toEqual(new Set(NAMES))
  for (const address of addresses) expect(first(address)).toBe(first(address))
  // A name that no process has counts as no name.
  expect(orderOf(NAMES, '__Host-session=gone.abc', 'x')).toHaveLength(2)
  expect(orderOf(NAMES, '__Host-session=b.abc', 'x')).toEqual(['b', 'a'])
})

test('a process that has ended is skipped until it answers again; without any process the answer is 503 with a reason', async () => {
  const [a, b] = [started('a'), started('b')]
  const { pool, ask } = gatewayOf({ a: a.port, b: b.port })
  await until('both answer', () => pool.linked === 2)
  await a.stop()
  expect(await (await ask('POST', '__Host-session=a.abc')).text()).toBe('b')
  await b.stop()
  const away = await ask('GET', '__Host-session=a.abc')
  expect([away.status, away.headers.get('retry-after'), await away.json()]).toEqual([
    503,
    '1',
    expect.objectContaining({ status: false, reason: 'CUSTOMERS_AWAY' }),
  ])
  const again = started('a', a.port)
  await until('it is asked again', () => pool.linked === 1)
  expect(await (await ask('POST', '__Host-session=a.abc')).text()).toBe('a')
  expect(again.asked).toHaveLength(1)
})

test('a process that hangs fails only its own requests, and uses no place of another process', async () => {
  const [a, b] = [started('a'), started('b')]
  const { pool, ask } = gatewayOf({ a: a.port, b: b.port })
  await until('both answer', () => pool.linked === 2)
  a.freeze()
  const hanging = Array.from({ length: 80 }, (_, number) =>
    ask('POST', '__Host-session=a.abc', `203.0.113.${number}`),
  )
  expect(await (await ask('POST', '__Host-session=b.abc')).text()).toBe('b')
  const answers = await Promise.all(hanging)
  // Requests beyond its limit went to the other process at once.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(80 - 64)
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(64)
  expect(await (await ask('POST', '__Host-session=a.abc')).text()).toBe('b')
})

test('a process that does not know this secret is not asked', async () => {
  const [a, b] = [started('a'), started('b')]
  const { ask } = gatewayOf({ a: a.port, b: b.port }, 'another secret, which no process of customers has')
  expect((await ask('POST', '')).status).toBe(503)
  expect([...a.asked, ...b.asked]).toEqual([])
})

test('one address has a bounded number of requests in flight', async () => {
  const [a, b] = [started('a'), started('b')]
  const { ask } = gatewayOf({ a: a.port, b: b.port })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('GET', '__Host-session=a.abc')))
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused).toHaveLength(20 - OF_ADDRESS_MAX)
})
