/** Links in emails: mailbox scanners fetch them without using them up. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ACCOUNT_ROWS, type AccountEndpoint } from '../contract/customers/endpoints.ts'
import { type Browser, Rig } from './customers.fixture.ts'
import { RECOVERY_WAITS_MS } from './factors/recovery-requests.ts'
import { mailOf } from './mail/mail-texts.ts'
import { answerOperator } from './operators/answer-operator.ts'

const JO = 'jo@example.org'
let rig: Rig
let browser: Browser

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
})
afterEach(() => rig.close())

const WITH_TOKEN = (Object.keys(ACCOUNT_ROWS) as AccountEndpoint[]).filter(
  (name) => 'token' in ACCOUNT_ROWS[name].fields,
)

test('every endpoint that takes the token of a link is a POST, and GET and HEAD of it do nothing', async () => {
  expect(WITH_TOKEN.length).toBeGreaterThan(5)
  for (const name of WITH_TOKEN) {
    expect([name, ACCOUNT_ROWS[name].method]).toEqual([name, 'POST'])
    for (const method of ['GET', 'HEAD'] as const)
      expect([name, (await browser.ask(method, name)).reason]).toEqual([name, 'METHOD_NOT_ALLOWED'])
  }
})

const mailOfKind = (kind: string) => rig.mails().find((mail) => mail.kind === kind)
const assertion = async (by: Browser) => {
  const { data } = await by.post('login/passkey/begin')
  return browser.passkey?.get(String(data.options))
}
/** A browser that is not signed in. */
async function stranger(): Promise<Browser> {
  const other = rig.browser()
  await other.get('config')
  return other
}

/** For each link: how its email is requested, and how its page uses it. */
const LINKS: Readonly<
  Record<string, () => Promise<{ by: Browser; endpoint: AccountEndpoint; body: object }>>
> = {
  'that opens an account': async () => {
    const by = await stranger()
    await by.begin('al@example.org')
    return { by, endpoint: 'signup/confirm', body: { token: mailOfKind('CONFIRM')?.token } }
  },
  'that freezes': async () => {
    await browser.addPasskey('phone')
    const token = mailOfKind('FACTORS_CHANGED')?.freeze
    return { by: await stranger(), endpoint: 'freeze/link', body: { token } }
  },
  'that lifts a freeze': async () => {
    await browser.post('freeze')
    const by = await stranger()
    await by.post('unfreeze/begin', { mail: JO })
    const body = { token: mailOfKind('UNFREEZE')?.token, assertion: await assertion(by) }
    return { by, endpoint: 'unfreeze/confirm', body }
  },
  'of a new address': async () => {
    await browser.postWithStepUp('mail/change/begin', { mail: 'jo@example.com' })
    const token = mailOfKind('MAIL_CHANGE')?.token
    return { by: browser, endpoint: 'mail/change/confirm', body: { token } }
  },
  'of a recovery': async () => {
    const { data } = await browser.postWithStepUp('recovery-codes/new')
    const by = await stranger()
    await by.post('recover/begin', { mail: JO })
    const [code] = data.recoveryCodes as readonly string[]
    return { by, endpoint: 'recover/confirm', body: { token: mailOfKind('RECOVER')?.token, code } }
  },
  'that asks operators': async () => {
    const by = await stranger()
    await by.post('recover/begin', { mail: JO })
    return { by, endpoint: 'recover/request', body: { token: mailOfKind('RECOVER')?.token } }
  },
  'that two operators have sent': async () => {
    const madeMs = rig.nowMs
    const { data } = await browser.get('me')
    const by = await stranger()
    await by.post('recover/begin', { mail: JO })
    await by.post('recover/request', { token: mailOfKind('RECOVER')?.token })
    rig.nowMs += RECOVERY_WAITS_MS
    const request = { account: data.account, reason: 'identity shown', madeMs, holders: ['dan', 'eve'] }
    for (const operator of ['dan', 'eve'])
      await answerOperator(rig.context, 'reset', { by: operator, request } as never)
    return { by, endpoint: 'reset/confirm', body: { token: mailOfKind('RESET')?.token } }
  },
}

const used = new Set<AccountEndpoint>()

test.each(Object.entries(LINKS))('a link %s works after it was fetched twice', async (_, mailed) => {
  await browser.signUp(JO)
  const { by, endpoint, body } = await mailed()
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD'] as const) await by.ask(method, endpoint)
  expect((await by.post(endpoint, body)).status).toBeLessThan(300)
  used.add(endpoint)
})

test('each endpoint that takes the token of a link is one of these', () => {
  expect([...used].toSorted()).toEqual(WITH_TOKEN.toSorted())
})

test('no link of a mail has its token before the fragment', async () => {
  await browser.signUp(JO)
  await browser.post('recover/begin', { mail: JO })
  await browser.post('unfreeze/begin', { mail: JO })
  await browser.postWithStepUp('mail/change/begin', { mail: 'jo@example.com' })
  await browser.begin('al@example.org')
  const links = rig.mails().flatMap((each) => [...mailOf(each, rig.config).text.matchAll(/https?:\S+/g)])
  expect(links.length).toBeGreaterThan(6)
  for (const [link] of links) {
    const { pathname, search } = new URL(link)
    expect([pathname, search]).toEqual(['/', ''])
  }
})
