/** Links in mails: mailbox scanners fetch them without using them up. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ACCOUNT_ROWS, type AccountEndpoint } from '../contract/customers/endpoints.ts'
import { type Browser, Rig } from './customers.fixture.ts'
import { mailOf } from './mail/mail-texts.ts'

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

test('a link works after it was fetched twice', async () => {
  await browser.begin(JO)
  const [mail] = rig.mails()
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD'] as const) await browser.ask(method, 'signup/confirm')
  expect(await browser.post('signup/confirm', { token: mail?.token })).toMatchObject({ status: 200 })
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
