/**
 * What each endpoint asks of a key (docs/reference/http.md#authentication): its own permission, no other in its place, and a
 * signature where one is due.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PERMISSIONS } from '../../units/order-words.ts'
import { type EndpointSample, SECURED_ENDPOINTS } from './endpoint-samples.fixture.ts'
import { type Fixture, openFixture, see, sign, type Trader } from './gateway.fixture.ts'
import { sendStrictForm } from './strict.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  // Past the time for which a node that has just started knows no nonces.
  f.clock.time += 5_000
})
afterAll(() => f.stop())

/** The reason of a refusal; undefined: there was none. */
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

/** Refusals of those that were authorized. */
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
    const others = PERMISSIONS.filter((permission) => permission !== row.needs)
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
