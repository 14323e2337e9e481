/**
 * The requirements of each endpoint on a key (docs/reference/authentication.md): its own permission and
 * no other, and a signature where one is needed.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mayUse, PERMISSIONS } from '../../units/order-enums.ts'
import { type EndpointSample, SECURED_ENDPOINTS } from './endpoint-samples.fixture.ts'
import { type Fixture, openFixture, see, sign, type Trader } from './gateway.fixture.ts'
import { sendStrictForm } from './strict.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  // After the time for which a newly started node has no nonces.
  f.clock.time += 5_000
})
afterAll(() => f.stop())

/** The reason of a refusal; undefined if there was none. */
async function reasonOf(
  row: EndpointSample,
  trader: Trader | undefined,
  isSigned = true,
): Promise<string | undefined> {
  const query = `${row.extra}timestamp=${f.clock.time}`
  const headers: Record<string, string> = {}
  if (trader !== undefined) headers['X-Apikey'] = trader.apiKey
  if (trader !== undefined && isSigned) headers['X-Signature'] = sign(trader.secret, query)
  const { method, path } = row
  if (row.isStrict && trader !== undefined && isSigned)
    return (await sendStrictForm(f, method, `/api/v3${path}`, query, trader)).body.reason
  const seen = await see(await fetch(`${f.url}/api/v3${path}?${query}`, { method, headers }))
  return seen.body.reason
}

/** Refusals of requests that were authorized. */
const BEYOND = [
  'UNKNOWN_ORDER',
  'UNKNOWN_CLIENT_ORDER_ID',
  'UNKNOWN_ORDER_LIST',
  'UNKNOWN_WITHDRAWAL',
  'UNKNOWN_WITHDRAWAL_ADDRESS',
  'INSUFFICIENT_FUNDS',
  undefined,
]

for (const row of SECURED_ENDPOINTS) {
  test(`${row.method} ${row.path} asks for ${row.needs}, and no other permission is enough`, async () => {
    const others = PERMISSIONS.filter((permission) => !mayUse([permission], row.needs))
    const only = await f.createKey(f.alice.accountId, { permissions: [row.needs] })
    const without = await f.createKey(f.alice.accountId, { permissions: others })
    expect(BEYOND).toContain(await reasonOf(row, only))
    expect(await reasonOf(row, without)).toBe('PERMISSION_DENIED')
    expect(await reasonOf(row, undefined)).toBe('MISSING_API_KEY')
  })

  test(`${row.method} ${row.path} ${row.needs === 'USER_DATA' ? 'needs no' : 'needs a'} signature`, async () => {
    const key = await f.createKey(f.alice.accountId, { permissions: [row.needs] })
    const unsigned = await reasonOf(row, key, false)
    const stranger = await reasonOf(row, { ...key, secret: 'another' })
    if (row.needs === 'USER_DATA') expect([unsigned, stranger]).toEqual([undefined, undefined])
    else expect([unsigned, stranger]).toEqual(['MISSING_SIGNATURE', 'INVALID_SIGNATURE'])
  })
}

/** The endpoints of a bot that only reads; none changes anything. */
const READING = [
  'GET /account/commission',
  'GET /account/limits',
  'GET /allOrders',
  'GET /myTrades',
  'GET /openOrders',
  'GET /order',
  'GET /orderList',
]

test('a key with READ alone opens orders, fills, lists, commission and limits, and changes nothing', async () => {
  const reader = await f.createKey(f.alice.accountId, { permissions: ['READ'] })
  const opened = new Set<string>()
  for (const row of SECURED_ENDPOINTS) {
    const reason = await reasonOf(row, reader)
    if (BEYOND.includes(reason)) opened.add(`${row.method} ${row.path}`)
    else expect([row.path, reason]).toEqual([row.path, 'PERMISSION_DENIED'])
  }
  expect([...opened].sort()).toEqual(READING)
})

test('a key with TRADE opens all that a key with READ does', async () => {
  const trader = await f.createKey(f.alice.accountId, { permissions: ['TRADE'] })
  const rows = SECURED_ENDPOINTS.filter(({ needs }) => needs === 'READ')
  for (const row of rows) expect(BEYOND).toContain(await reasonOf(row, trader))
})
