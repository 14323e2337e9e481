/**
 * The powers of an attacker who controls the customers' process: the operations that its token permits, and
 * no others (docs/security-customers.md#threats).
 */
import { afterAll, expect, test } from 'bun:test'
import { ADMIN_OPERATIONS, OPERATION_ROWS } from '../../../contract/admin/admin.ts'
import { timeMs } from '../../../units/quantities.ts'
import { SessionKeys } from '../../access/auth/session-keys.ts'
import { CUSTOMERS_TOKEN, openAdminFixture } from '../admin.fixture.ts'
import type { CustomerControl } from '../context.ts'
import { requestOf } from '../requests.fixture.ts'
import { CUSTOMER_DAY_MAX, CustomerBudget } from './customer-budget.ts'

const DAY_MS = 86_400_000
const customer = (letter: string) => `c-${letter.repeat(26)}`
const CUSTOMER = customer('a')
const KEY = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex')
const keyText = (letter: string, account: string) =>
  `s-${letter.repeat(26)} ${account} ${KEY.toString('hex')} 60000`

/**
 * All operations that the process needs. A row added here gives an attacker who controls the process more
 * power.
 */
const ALLOWED = [
  'account/add',
  'account/note',
  'session/open',
  'session/end',
  'customer/restrict',
  'customer/head',
  'customer/newest-head',
  'customer/raise',
  'customer/forget',
  'customer/marks',
  'own-key/list',
  'own-key/add',
  'own-key/end',
  'own-key/addresses',
]

const budget = new CustomerBudget()
const control: CustomerControl = {
  sessionKeys: new SessionKeys(() => 0),
  budget,
  onOpened: async () => {},
  mails: async () => [],
  ask: async () => undefined,
}
const server = await openAdminFixture(undefined, undefined, undefined, control)
afterAll(() => server.stop())
await server.done('account/add', { name: 'house-maker' })
await server.done('account/add', { name: CUSTOMER }, CUSTOMERS_TOKEN)

test('the token opens the operations that the process needs, and no others', async () => {
  const forbidden = ADMIN_OPERATIONS.filter((operation) => !ALLOWED.includes(operation))
  expect(forbidden.length).toBeGreaterThanOrEqual(40)
  const before = (await server.engine.port.follow(() => {})).seq
  for (const operation of forbidden) {
    const request = requestOf(operation, { account: CUSTOMER, name: CUSTOMER })
    expect([operation, await server.error(operation, request, CUSTOMERS_TOKEN)]).toMatchObject([
      operation,
      { status: 403, reason: expect.stringMatching(/^(?:ROLE_NOT_ALLOWED|OWN_TOKEN_NEEDED)$/) },
    ])
  }
  expect((await server.engine.port.follow(() => {})).seq).toBe(before)
  for (const operation of ALLOWED)
    expect([operation, OPERATION_ROWS[operation as 'account/add'].rights.length]).toEqual([operation, 1])
})

test('an account that the customers process has not opened does not exist for it', async () => {
  const [unknown, malformed] = ['UNKNOWN_ACCOUNT', 'INVALID_FIELD']
  const house = { account: 'house-maker' }
  for (const [operation, request, reason] of [
    ['account/note', { ...house, remark: 'mine' }, unknown],
    ['customer/restrict', { ...house, added: ['LOGIN'], removed: [] }, malformed],
    ['customer/restrict', { account: customer('x'), added: ['LOGIN'], removed: [] }, unknown],
    ['session/open', { keys: [keyText('b', customer('x'))] }, unknown],
    ['session/open', { keys: [keyText('b', 'house-maker')] }, malformed],
    ['own-key/list', house, unknown],
    ['own-key/add', { ...house, permissions: ['READ'] }, unknown],
    ['own-key/add', { account: CUSTOMER, permissions: ['WITHDRAW'] }, malformed],
    ['own-key/add', { account: CUSTOMER, permissions: ['READ'], addresses: ['300.1.1.1'] }, malformed],
    ['own-key/end', { ...house, apiKey: 'a'.repeat(64) }, unknown],
    ['account/add', { name: 'other' }, malformed],
  ] as const)
    expect([operation, await server.error(operation, request, CUSTOMERS_TOKEN)]).toMatchObject([
      operation,
      { reason },
    ])
})

test('the process makes and ends keys of its accounts alone, and the journal gets no addresses of them', async () => {
  const account = CUSTOMER
  const asked = { account, permissions: ['READ'], addresses: ['192.0.2.0/24'], wire: 'BOURSE' }
  const made = (await server.done('own-key/add', asked, CUSTOMERS_TOKEN)) as Record<string, string>
  expect(made).toMatchObject({ permissions: ['READ'], addresses: ['192.0.2.0/24'], label: '' })
  expect(made.secret).toMatch(/^[0-9a-f]{64}$/)
  const { apiKey } = made
  const kept = { apiKey, addresses: ['kept-by-customers'], label: '' }
  expect(await server.done('key/list', { account })).toMatchObject([kept])
  expect(await server.done('own-key/list', { account }, CUSTOMERS_TOKEN)).toMatchObject([kept])
  // An operator changes the other terms of the key, and does not see its addresses.
  expect(await server.done('key/set', { apiKey, permissions: ['TRADE'] })).toMatchObject(kept)
  const foreign = (await server.done('key/add', { account: 'house-maker' })) as Record<string, string>
  expect(
    await server.error('own-key/end', { account, apiKey: foreign.apiKey }, CUSTOMERS_TOKEN),
  ).toMatchObject({ reason: 'UNKNOWN_API_KEY' })
  const ended = await server.done('own-key/end', { account, apiKey }, CUSTOMERS_TOKEN)
  expect(ended).toMatchObject({ enabled: false, revoked: true })
})

test('the process adds and lifts the customer’s restrictions, and lifts none of operators', async () => {
  const account = CUSTOMER
  const all = ['TRADE', 'WITHDRAW', 'LOGIN']
  await server.done('account/restrict', { account, restrictions: ['WITHDRAW'] })
  const added = await server.done('customer/restrict', { account, added: all, removed: [] }, CUSTOMERS_TOKEN)
  expect(added).toEqual({ account, customerRestrictions: all })
  // Changes nothing, so it is neither journaled nor counted.
  const repeated = { account, added: all, removed: [] }
  expect(await server.done('customer/restrict', repeated, CUSTOMERS_TOKEN)).toEqual(added)
  const lifted = await server.done('customer/restrict', { account, added: [], removed: all }, CUSTOMERS_TOKEN)
  expect(lifted).toEqual({ account, customerRestrictions: [] })
  expect(await server.done('account/show', { account })).toMatchObject({
    ...{ restrictions: ['WITHDRAW'], operatorRestrictions: ['WITHDRAW'], customerRestrictions: [] },
  })
  expect(await server.error('customer/restrict', { account, added: all, removed: [] })).toMatchObject({
    status: 403,
  })
})

test('the head of the trail is journaled as a note, for the process alone, and its number and hash are checked', async () => {
  const head = { number: 1200, hash: 'ab'.repeat(32) }
  expect(await server.error('customer/head', head)).toMatchObject({ status: 403 })
  for (const wrong of [{ ...head, number: 0 }, { ...head, hash: 'AB'.repeat(32) }, { hash: head.hash }])
    expect(await server.error('customer/head', wrong, CUSTOMERS_TOKEN)).toMatchObject({ status: 400 })
  const newest = () => server.done('customer/newest-head', {}, CUSTOMERS_TOKEN)
  expect(await newest()).toEqual({ head: null })
  expect(await server.done('customer/head', head, CUSTOMERS_TOKEN)).toEqual({ number: 1200 })
  expect(await newest()).toEqual({ head })
  const later = { number: 1300, hash: 'cd'.repeat(32) }
  for (let n = 1; n < 24; n++) await server.done('customer/head', later, CUSTOMERS_TOKEN)
  expect(await newest()).toEqual({ head: later })
  expect(await server.error('customer/newest-head', {})).toMatchObject({ status: 403 })
  expect(await server.error('customer/head', head, CUSTOMERS_TOKEN)).toMatchObject({
    reason: 'CUSTOMERS_DAY_LIMIT',
  })
})

test('accounts, keys and restrictions of one day are limited, and the next day starts again', async () => {
  expect(CUSTOMER_DAY_MAX).toEqual({
    ...{ accounts: 10_000, keys: 400_000, ownKeys: 10_000, restrictions: 20_000, changes: 20_000, heads: 24 },
  })
  const day = timeMs(1_800_000_000_000)
  // One account, two changes of restrictions, one key and no session were counted above.
  for (const [kind, left] of [
    ['accounts', 9_999],
    ['keys', 400_000],
    ['ownKeys', 9_999],
    ['restrictions', 19_998],
  ] as const) {
    expect([kind, budget.take(kind, left + 1, day)]).toEqual([kind, false])
    expect([kind, budget.take(kind, left, day)]).toEqual([kind, true])
  }
  const refusal = { status: 429, reason: 'CUSTOMERS_DAY_LIMIT' }
  const account = CUSTOMER
  for (const [operation, request] of [
    ['account/add', { name: customer('b') }],
    ['session/open', { keys: [keyText('b', account)] }],
    ['own-key/add', { account, permissions: ['READ'] }],
    ['customer/restrict', { account, added: ['TRADE'], removed: [] }],
  ] as const)
    expect([operation, await server.error(operation, request, CUSTOMERS_TOKEN)]).toMatchObject([
      operation,
      refusal,
    ])
  // An existing account is found again, so that a start of the process can continue.
  await server.done('account/add', { name: CUSTOMER }, CUSTOMERS_TOKEN)
  expect(budget.take('accounts', 1, timeMs(day + DAY_MS))).toBe(true)
})
