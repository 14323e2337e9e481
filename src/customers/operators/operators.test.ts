/** Requests of operators about customers, on real files. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { CustomerQuestion, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import { Browser, Rig } from '../customers.fixture.ts'
import { answerOperator } from './answer-operator.ts'

const DAY_MS = 86_400_000
let rig: Rig

beforeEach(() => {
  rig = new Rig()
})
afterEach(() => rig.close())

/** The operator dan sends a request. */
function ask<Name extends CustomerQuestion>(name: Name, request: QuestionRequest<Name>) {
  return answerOperator(rig.context, name, { by: 'dan', request })
}

async function customer(mail: string): Promise<{ browser: Browser; account: string }> {
  const browser = new Browser(rig)
  const { data } = await browser.signUp(mail)
  return { browser, account: String(data.account) }
}

test('a list of customers has no personal data, and is read in pages', async () => {
  const accounts = [(await customer('jo@example.org')).account, (await customer('an@example.org')).account]
  const [first = '', second = ''] = accounts.toSorted()
  const row = { state: 'ACTIVE' as const, createdAt: expect.any(String), passkeys: 1, sessions: 1 }
  const all = await ask('list', { limit: 10 })
  expect(all).toEqual({
    ok: true,
    result: [
      { account: first, ...row },
      { account: second, ...row },
    ],
  })
  expect(JSON.stringify(all)).not.toContain('example')
  const rest = await ask('list', { limit: 10, after: first })
  expect(rest).toMatchObject({ result: [{ account: second }] })
  expect(await ask('list', { limit: 10, state: 'WAITING' })).toEqual({ ok: true, result: [] })
})

test('a customer is found by a part of the mail in any letter case, and sees the reason of the search', async () => {
  const { browser, account } = await customer('Jo.Miller@example.org')
  const other = await customer('an@example.com')
  const found = await ask('find', { part: 'o.mILL', reason: 'case 17' })
  expect(found).toEqual({
    ok: true,
    result: { customers: [{ account, state: 'ACTIVE', mail: 'Jo.Miller@example.org' }] },
  })
  const { data } = await browser.get('history')
  expect(data).toContainEqual(expect.objectContaining({ kind: 'LOOKED_AT', reason: 'case 17' }))
  expect(JSON.stringify(data)).not.toContain('dan')
  expect((await other.browser.get('history')).text).not.toContain('LOOKED_AT')
})

test('a view is shown to its customer after its delay, and to operators at once', async () => {
  const { browser, account } = await customer('jo@example.org')
  const terms = { reason: 'court order', shownInDays: 3 }
  await ask('show', { account, ...terms })
  expect((await browser.get('history')).text).not.toContain('LOOKED_AT')
  const events = await ask('events', { account, reason: 'audit' })
  const seenAt = new Date(rig.nowMs + 3 * DAY_MS).toISOString().slice(0, 10)
  expect(events).toMatchObject({
    result: expect.arrayContaining([
      expect.objectContaining({ by: 'dan', reason: 'court order', shownAt: expect.stringContaining(seenAt) }),
    ]),
  })
  rig.nowMs += 3 * DAY_MS
  const again = new Browser(rig)
  await again.signIn(browser.passkey ?? expect.unreachable())
  expect((await again.get('history')).text).toContain('court order')
})

test('a customer is shown with the origin of the sessions, and an unknown one is named', async () => {
  const { account } = await customer('jo@example.org')
  expect(await ask('show', { account, reason: 'case 17' })).toMatchObject({
    ok: true,
    result: {
      ...{ account, state: 'ACTIVE', mail: 'jo@example.org', language: 'en', termsVersion: 1 },
      signedInFrom: [{ device: '', network: '192.0.2.0/24' }],
    },
  })
  const unknown = `c-${'a'.repeat(26)}`
  expect(await ask('show', { account: unknown, reason: 'case 17' })).toEqual({
    ...{ ok: false, reason: 'UNKNOWN_ACCOUNT', field: 'account' },
    message: `account: there is no customer ${unknown}`,
  })
  expect(await ask('unknown', { accounts: [account, unknown] })).toEqual({ ok: true, result: [unknown] })
})

test('what can no longer be recorded is not shown', async () => {
  const { account } = await customer('jo@example.org')
  for (let look = 0; look < 200; look++) await ask('show', { account, reason: 'again' })
  const refusal = { ok: false, reason: 'TOO_MANY_LOOKS' }
  expect(await ask('show', { account, reason: 'again' })).toMatchObject(refusal)
  expect(await ask('find', { part: 'jo@', reason: 'again' })).toMatchObject(refusal)
  expect(await ask('events', { account, reason: 'again' })).toMatchObject(refusal)
})

test('a freeze by operators ends each session and its key', async () => {
  const { browser, account } = await customer('jo@example.org')
  expect(rig.exchange.keys.size).toBe(1)
  expect(await ask('frozen', { account })).toEqual({ ok: true, result: { ended: 1 } })
  expect(rig.exchange.keys.size).toBe(0)
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
})

test('numbers for metrics count persons by state, sessions and events, and have no personal data', async () => {
  const { browser } = await customer('jo@example.org')
  await browser.post('logout')
  const stranger = new Browser(rig)
  await stranger.begin('an@example.org')
  const answer = await ask('use', {})
  const events = { SIGNED_UP: 1, PASSKEY_ADDED: 1, SIGNED_IN: 1, SIGNED_OUT: 1, SIGN_IN_FAILED: 0 }
  expect(answer).toMatchObject({
    result: { people: { ACTIVE: 1, WAITING: 0 }, sessions: 0, signUps: 1, mails: 0, events },
  })
  expect(JSON.stringify(answer)).not.toContain('example')
})
