/**
 * Operations on customers at the admin server, with a customers process that records the questions it is
 * asked.
 */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { CustomerAnswer, CustomerAsked } from '../../../contract/customers/operator-questions.ts'
import { SessionKeys } from '../../access/auth/session-keys.ts'
import { CUSTOMERS_TOKEN, openAdminFixture } from '../admin.fixture.ts'
import type { CustomerControl } from '../context.ts'
import { CustomerBudget } from './customer-budget.ts'

const CUSTOMER = `c-${'a'.repeat(26)}`
const asked: [question: string, asked: CustomerAsked][] = []
let answer: CustomerAnswer | undefined

const control: CustomerControl = {
  sessionKeys: new SessionKeys(() => 0),
  budget: new CustomerBudget(),
  onOpened: async () => {},
  mails: async () => [],
  ask: async (question, given) => {
    asked.push([question, given])
    return answer as never
  },
}
const server = await openAdminFixture(undefined, undefined, undefined, control)
afterAll(() => server.stop())
await server.done('account/add', { name: CUSTOMER }, CUSTOMERS_TOKEN)

beforeEach(() => {
  asked.length = 0
  answer = undefined
})

test('a freeze of a customer is in the journal before the customers process learns of it, and without the process too', async () => {
  const done = await server.done('customer/freeze', { account: CUSTOMER, actor: 'eve', note: 'case 17' })
  const restrictions = ['TRADE', 'WITHDRAW', 'LOGIN']
  expect(done).toEqual({ account: CUSTOMER, restrictions, sessionsEnded: false })
  expect(asked).toEqual([['frozen', { by: 'local:eve', request: { account: CUSTOMER } }]])
  answer = { ok: true, result: { ended: 2 } }
  expect(await server.done('customer/freeze', { account: CUSTOMER })).toMatchObject({ sessionsEnded: true })
  expect(await server.done('audit/list', { kind: 'ChangeRestrictions' })).toMatchObject([
    { actor: 'local:operator' },
    { actor: 'local:eve', note: 'case 17' },
  ])
})

test('a customer is listed with the restrictions of each source', async () => {
  const known = { account: CUSTOMER, state: 'ACTIVE', createdAt: '', passkeys: 1, sessions: 0 } as const
  answer = { ok: true, result: [known] }
  expect(await server.done('customer/list')).toEqual([
    { ...known, operatorRestrictions: ['TRADE', 'WITHDRAW', 'LOGIN'], customerRestrictions: [] },
  ])
})

test('personal data needs a right of its own, and the request a reason', async () => {
  await server.done('role/set', { name: 'reader', rights: ['read', 'read.accounts', 'customers.read'] })
  const tokenOf = async (name: string, role: string) =>
    ((await server.done('token/add', { name, role })) as { token: string }).token
  const [support, reader] = [await tokenOf('sue', 'SUPPORT'), await tokenOf('dan', 'reader')]
  const reason = { reason: 'case 17' }
  for (const [operation, request] of [
    ['customer/find', { part: 'jo@', ...reason }],
    ['customer/show', { account: CUSTOMER, ...reason }],
    ['customer/events', { account: CUSTOMER, ...reason }],
  ] as const) {
    answer = { ok: true, result: { account: CUSTOMER } as never }
    expect(await server.error(operation, request, support)).toMatchObject({ reason: 'ROLE_NOT_ALLOWED' })
    expect(await server.error(operation, { ...request, reason: undefined }, reader)).toMatchObject({
      ...{ reason: 'INVALID_FIELD', field: 'reason' },
    })
    expect(asked).toEqual([])
    await server.done(operation, request, reader)
    expect(asked.splice(0)).toMatchObject([[operation.split('/')[1], { by: 'dan', request }]])
  }
})

test('a refusal of the customers process reaches the operator, and so does its absence', async () => {
  const request = { account: CUSTOMER, reason: 'case 17' }
  answer = { ok: false, reason: 'UNKNOWN_ACCOUNT', field: 'account', message: 'there is none' }
  expect(await server.error('customer/show', request)).toMatchObject({
    ...{ status: 404, reason: 'UNKNOWN_ACCOUNT', field: 'account', message: 'there is none' },
  })
  answer = undefined
  expect(await server.error('customer/show', request)).toMatchObject({ status: 404, reason: 'NO_CUSTOMERS' })
})

test('a search takes at least three characters', async () => {
  expect(await server.error('customer/find', { part: 'jo', reason: 'case 17' })).toMatchObject({
    ...{ reason: 'INVALID_FIELD', field: 'part' },
  })
})

test('neither the search terms of operators nor their reasons are in a log', async () => {
  answer = { ok: true, result: { customers: [] } }
  await server.done('customer/find', { part: 'secretname@', reason: 'because of secrecy' })
  const logged = JSON.stringify(server.logged)
  expect(logged).not.toContain('secretname')
  expect(logged).not.toContain('secrecy')
})

test('texts that look like personal data are listed by place, and so are lost accounts of customers', async () => {
  expect(await server.done('account/add', { name: 'jo@example.org' })).toMatchObject({
    warnings: ['it looks like an email address: the journal keeps it permanently'],
  })
  expect(await server.done('account/add', { name: 'maker' })).toMatchObject({ warnings: [] })
  const remark = 'call +90 532 123 45 67'
  await server.done('account/note', { account: 'maker', fields: ['from=192.0.2.7', 'desk=7.5'], remark })
  await server.done('key/add', { account: 'maker', label: 'home of an@example.com' })
  answer = { ok: true, result: [CUSTOMER] }
  expect(await server.done('customer/check')).toEqual({
    findings: [
      { account: CUSTOMER, place: 'STORE', looksLike: 'a customer whose data is lost' },
      { account: 'jo@example.org', place: 'NAME', looksLike: 'an email address' },
      { account: 'maker', place: 'FIELD', looksLike: 'an IP address' },
      { account: 'maker', place: 'REMARK', looksLike: 'a phone number' },
      { account: 'maker', place: 'KEY_LABEL', looksLike: 'an email address' },
    ].toSorted((a, b) => Number(a.place === 'STORE') - Number(b.place === 'STORE')),
  })
})

test('lifting a freeze of a customer needs a named token, and the customers process learns who else may approve', async () => {
  const request = { account: CUSTOMER, reason: 'identity shown' }
  expect(await server.error('customer/unfreeze', request)).toMatchObject({ reason: 'NAMED_TOKEN_NEEDED' })
  await server.done('role/set', { name: 'safety', rights: ['customers.reset'] })
  const tokenOf = async (name: string) =>
    ((await server.done('token/add', { name, role: 'safety' })) as { token: string }).token
  const [ann] = [await tokenOf('ann'), await tokenOf('bea'), await tokenOf('cid')]
  await server.done('token/revoke', { name: 'cid' })
  const isDone = { isDone: false, askedBy: 'ann', askedAt: '' }
  answer = { ok: true, result: isDone }
  expect(await server.done('customer/unfreeze', request, ann)).toEqual(isDone)
  const madeMs = expect.any(Number)
  expect(asked).toEqual([
    ['unfreeze', { by: 'ann', request: { ...request, madeMs, holders: ['ann', 'bea'] } }],
  ])
})

test('the erasure of a customer is journaled once, and continues while the customers process is unavailable', async () => {
  const own = `c-${'e'.repeat(26)}`
  await server.done('account/add', { name: own }, CUSTOMERS_TOKEN)
  const erase = () => server.done('customer/erase', { account: own, actor: 'eve', note: 'case 18' })
  expect(await erase()).toEqual({ account: own, erased: false })
  answer = { ok: true, result: { erased: true } }
  expect(await erase()).toEqual({ account: own, erased: true })
  expect(await server.error('customer/raise', { account: own, epoch: 1 }, CUSTOMERS_TOKEN)).toMatchObject({
    reason: 'UNKNOWN_ACCOUNT',
  })
  const { marks } = (await server.done('customer/marks', {}, CUSTOMERS_TOKEN)) as {
    readonly marks: readonly { readonly account: string; readonly forgotten: boolean }[]
  }
  expect(marks.find(({ account }) => account === own)).toMatchObject({ epoch: 0, forgotten: true })
})
