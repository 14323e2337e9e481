/** Two operators for a person who has lost every way to sign in, on real files. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { CustomerQuestion } from '../../contract/customers/operator-questions.ts'
import { type Browser, Rig, SESSION_KEY } from '../customers.fixture.ts'
import { RESET_REST_MS } from '../factors/recovery.ts'
import { RECOVERY_WAITS_MS } from '../factors/recovery-requests.ts'
import { compareWithJournal } from '../people/journal-marks.ts'
import { answerOperator } from './answer-operator.ts'
import { changeDueMails, MAIL_WAITS_MS, RESET_LINK_MS } from './resetting.ts'
import { CHANGED_MAIL_MS } from './two-persons.ts'

const [JO, NEW] = ['jo@example.org', 'jo@example.com']
const HOLDERS = ['dan', 'eve', 'fay', 'gus']
let rig: Rig
let browser: Browser
let account: string
let madeMs: number

beforeEach(async () => {
  rig = new Rig()
  madeMs = rig.nowMs
  browser = rig.browser()
  account = String((await browser.signUp(JO)).data.account)
})
afterEach(() => rig.close())

function ask(question: CustomerQuestion, by: string, more: object = {}) {
  rig.nowMs++
  const request = { account, reason: 'identity shown', madeMs, holders: HOLDERS, ...more }
  return answerOperator(rig.context, question, { by, request } as never)
}
const tokenOf = (kind: string) => rig.mails().find((mail) => mail.kind === kind)?.token ?? ''
const isDone = (done: boolean) => ({ ok: true, result: { isDone: done } })

/** The recovery was requested with only the email address, long enough ago. */
async function asked(mail = JO): Promise<Browser> {
  const other = rig.browser()
  await other.get('config')
  await other.post('recover/begin', { mail })
  await other.post('recover/request', { token: tokenOf('RECOVER') })
  rig.nowMs += RECOVERY_WAITS_MS
  return other
}

test('two operators send a link that recovers the account, and neither answer has it', async () => {
  await browser.postWithStepUp('key/create', { name: 'laptop', end: 0 })
  const other = await asked()
  expect(await ask('requests', 'dan', { limit: 10 })).toMatchObject({ ok: true, result: [{ account }] })
  expect(await ask('reset', 'dan')).toMatchObject(isDone(false))
  expect(await ask('reset', 'dan')).toMatchObject(isDone(false))
  const done = await ask('reset', 'eve')
  expect(done).toMatchObject(isDone(true))
  const token = tokenOf('RESET')
  expect(JSON.stringify(done)).not.toContain(token)
  expect(rig.mails()[0]).toMatchObject({ kind: 'RESET', to: JO })
  expect(await other.post('reset/confirm', { token })).toMatchObject({ status: 200 })
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  expect(rig.exchange.ownKeys.map(({ isRevoked }) => isRevoked)).toEqual([true])
  const { people, keys, links } = rig.context.store
  const { owner } = people.byMail(keys.mailIndex(JO)) ?? expect.unreachable()
  expect(links.restsUntil(owner)).toBeGreaterThan(rig.nowMs + RESET_REST_MS - 60_000)
  expect([...(rig.exchange.restrictions.get(account) ?? [])]).toEqual(['WITHDRAW'])
  await other.register(SESSION_KEY)
  expect((await other.get('me')).data).toMatchObject({ account, mail: JO })
  const lost = browser.passkey ?? expect.unreachable()
  expect((await rig.browser().signIn(lost)).reason).toBe('CREDENTIALS_WRONG')
  expect((await other.post('reset/confirm', { token })).reason).toBe('LINK_INVALID')
})

test('a reset needs a request that is 48 hours old and that no session has stopped', async () => {
  expect(await ask('reset', 'dan')).toMatchObject({ ok: false, reason: 'NOT_READY', field: 'account' })
  await asked()
  rig.nowMs -= 60_000
  expect(await ask('reset', 'dan')).toMatchObject({ ok: false, reason: 'NOT_READY' })
  rig.nowMs += 60_000
  await ask('reset', 'dan')
  await rig.browser().signIn(browser.passkey ?? expect.unreachable())
  const owner = rig.browser()
  await owner.signIn(browser.passkey ?? expect.unreachable())
  await owner.post('recover/stop')
  expect(await ask('reset', 'eve')).toMatchObject({ ok: false, reason: 'NOT_READY' })
})

test('a sent link can be stopped too, and expires after a day', async () => {
  const other = await asked()
  await ask('reset', 'dan')
  await ask('reset', 'eve')
  const token = tokenOf('RESET')
  const owner = rig.browser()
  await owner.signIn(browser.passkey ?? expect.unreachable())
  await owner.post('recover/stop')
  expect((await other.post('reset/confirm', { token })).reason).toBe('LINK_INVALID')
  await asked()
  await ask('reset', 'dan')
  await ask('reset', 'eve')
  rig.nowMs += RESET_LINK_MS
  expect((await other.post('reset/confirm', { token: tokenOf('RESET') })).reason).toBe('LINK_INVALID')
})

test('a lost mail address is changed after 7 days, and the operators who changed it do not reset the account', async () => {
  const change = { mail: NEW }
  expect(await ask('mail', 'dan', change)).toMatchObject(isDone(false))
  // A different address is a different request.
  expect(await ask('mail', 'eve', { mail: 'other@example.com' })).toMatchObject(isDone(false))
  expect(await ask('mail', 'dan', change)).toMatchObject(isDone(false))
  expect(await ask('mail', 'eve', change)).toMatchObject(isDone(true))
  expect(rig.mails()[0]).toMatchObject({ kind: 'MAIL_BY_OPERATORS', to: JO })
  expect((await browser.get('me')).data.mailDueAt).toBeGreaterThan(rig.nowMs)
  await changeDueMails(rig.context)
  expect((await browser.get('me')).data.mail).toBe(JO)
  rig.nowMs += MAIL_WAITS_MS
  await changeDueMails(rig.context)
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  expect(rig.exchange.markByAccount.get(account)?.epoch).toBe(1)
  const other = await asked(NEW)
  for (const by of ['dan', 'eve'])
    expect(await ask('reset', by)).toMatchObject({ ok: false, reason: 'CHANGED_MAIL' })
  await ask('reset', 'fay')
  expect(await ask('reset', 'gus')).toMatchObject(isDone(true))
  expect(rig.mails()[0]?.to).toBe(NEW)
  expect(await other.post('reset/confirm', { token: tokenOf('RESET') })).toMatchObject({ status: 200 })
  rig.nowMs += CHANGED_MAIL_MS
  await asked(NEW)
  expect(await ask('reset', 'dan')).toMatchObject(isDone(false))
})

test('a session stops a change of the mail by operators, and an address that is taken or malformed is refused', async () => {
  await ask('mail', 'dan', { mail: NEW })
  await ask('mail', 'eve', { mail: NEW })
  await browser.post('recover/stop')
  rig.nowMs += MAIL_WAITS_MS
  await changeDueMails(rig.context)
  const { people, keys } = rig.context.store
  expect([JO, NEW].map((mail) => people.byMail(keys.mailIndex(mail)) !== undefined)).toEqual([true, false])
  await rig.browser().signUp('taken@example.org')
  for (const mail of ['taken@example.org', JO, 'no address'])
    expect(await ask('mail', 'dan', { mail })).toMatchObject({
      ok: false,
      reason: 'MAIL_TAKEN',
      field: 'mail',
    })
})

test('a person whose store is an older copy comes back by a reset', async () => {
  const mark = rig.exchange.markByAccount.get(account) ?? expect.unreachable()
  mark.epoch = 5
  expect((await compareWithJournal(rig.context)).old).toEqual([account])
  const lost = browser.passkey ?? expect.unreachable()
  expect((await rig.browser().signIn(lost)).reason).toBe('CREDENTIALS_WRONG')
  const other = await asked()
  await ask('reset', 'dan')
  await ask('reset', 'eve')
  await other.post('reset/confirm', { token: tokenOf('RESET') })
  await other.register(SESSION_KEY)
  expect((await other.get('me')).status).toBe(200)
  expect((await rig.browser().signIn(lost)).reason).toBe('CREDENTIALS_WRONG')
  expect((await rig.browser().signIn(other.passkey ?? expect.unreachable())).status).toBe(200)
  expect((await compareWithJournal(rig.context)).old).toEqual([])
})

test('an export by operators has everything that the person’s own has, counts as a view, and is in the history with its reason', async () => {
  await browser.postWithStepUp('phrase/set', { phrase: 'blue herons' })
  await browser.postWithStepUp('key/create', { name: 'laptop', end: 0 })
  const answer = await ask('export', 'dan')
  expect(answer).toMatchObject({
    ok: true,
    result: {
      account,
      mail: JO,
      phrase: 'blue herons',
      keys: [{ name: 'laptop' }],
      passkeys: [{}],
      sessions: [{}],
    },
  })
  const kinds = (await browser.get('history')).data as unknown as { kind: string; reason?: string }[]
  expect(kinds[0]).toMatchObject({ kind: 'LOOKED_AT', reason: 'identity shown' })
  expect(await ask('export', 'dan', { account: `c-${'z'.repeat(26)}` })).toMatchObject({
    reason: 'UNKNOWN_ACCOUNT',
  })
})
