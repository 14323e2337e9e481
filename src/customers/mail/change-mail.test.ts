/** Changing the email address, on real files. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, Rig } from '../customers.fixture.ts'
import { REST_MS } from '../freezes/unfreeze.ts'
import { sweep } from '../sweep.ts'

const [OLD, NEW] = ['jo@example.org', 'jo@example.com']
let rig: Rig
let browser: Browser

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
  await browser.signUp(OLD)
})
afterEach(() => rig.close())

const tokenTo = (to: string) => rig.mails().find((mail) => mail.to === to)?.token ?? ''
const begin = (mail = NEW) => browser.postWithStepUp('mail/change/begin', { mail })
const account = () => rig.exchange.accounts[0] ?? ''

test('the new address counts once its link is confirmed in a session: other sessions end, and withdrawals pause', async () => {
  const other = rig.browser()
  await other.signIn(browser.passkey ?? expect.unreachable())
  expect(await begin()).toMatchObject({ status: 202 })
  expect((await browser.get('me')).data.mail).toBe(OLD)
  expect(await browser.post('mail/change/confirm', { token: tokenTo(NEW) })).toMatchObject({ status: 200 })
  expect((await browser.get('me')).data.mail).toBe(NEW)
  expect((await other.get('me')).reason).toBe('SESSION_NEEDED')
  expect([...(rig.exchange.restrictions.get(account()) ?? [])]).toEqual(['WITHDRAW'])
  expect(rig.exchange.markByAccount.get(account())?.epoch).toBe(1)
  const told = rig.mails().filter(({ to }) => to === OLD)
  expect(told.map(({ kind }) => kind)).toEqual(['MAIL_CHANGED', 'MAIL_CHANGE_ASKED'])
  // The old address can no longer recover the account, and the new one can.
  for (const mail of [OLD, NEW]) await browser.post('recover/begin', { mail })
  expect(
    rig
      .mails()
      .filter(({ kind }) => kind === 'RECOVER')
      .map(({ to }) => to),
  ).toEqual([NEW])
  const { people, keys, links } = rig.context.store
  const { owner } = people.byMail(keys.mailIndex(NEW)) ?? expect.unreachable()
  expect(links.restsUntil(owner)).toBeGreaterThan(rig.nowMs + REST_MS - 60_000)
})

test('the link opens nothing without a session of the same account, after half an hour, or a second time', async () => {
  await begin()
  const token = tokenTo(NEW)
  const [stranger, somebody] = [rig.browser(), rig.browser()]
  await stranger.get('config')
  expect((await stranger.post('mail/change/confirm', { token })).reason).toBe('SESSION_NEEDED')
  await somebody.signUp('eve@example.org')
  expect((await somebody.post('mail/change/confirm', { token })).reason).toBe('LINK_INVALID')
  rig.nowMs += 31 * 60_000
  expect((await browser.post('mail/change/confirm', { token })).reason).toBe('LINK_INVALID')
  await begin()
  const later = tokenTo(NEW)
  const answers = [await browser.post('mail/change/confirm', { token: later })]
  answers.push(await browser.post('mail/change/confirm', { token: later }))
  expect(answers.map(({ status }) => status)).toEqual([200, 400])
})

test('20 confirmations at once change the address once', async () => {
  await begin()
  const token = tokenTo(NEW)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => browser.post('mail/change/confirm', { token })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(rig.exchange.markByAccount.get(account())?.epoch).toBe(1)
})

test('an address that has an account gets the same answer and a mail that says so, and is not taken over', async () => {
  const other = rig.browser()
  await other.signUp('taken@example.org')
  const [free, taken] = [await begin(), await begin('taken@example.org')]
  expect(taken.text).toBe(free.text)
  const [mail] = rig.mails().filter(({ to }) => to === 'taken@example.org')
  expect(mail?.kind).toBe('HAVE_ACCOUNT')
  expect((await browser.post('mail/change/confirm', { token: mail?.token })).reason).toBe('LINK_INVALID')
  // An address that is taken between the email and the use of its link.
  await begin('later@example.org')
  const token = tokenTo('later@example.org')
  await rig.browser().signUp('later@example.org')
  expect((await browser.post('mail/change/confirm', { token })).reason).toBe('LINK_INVALID')
})

test('a change needs a step-up for this very address, and at most five an hour are accepted', async () => {
  expect((await browser.post('mail/change/begin', { mail: NEW })).reason).toBe('STEP_UP_NEEDED')
  const { data } = await browser.stepUp('mail/change/begin', { mail: NEW })
  const more = { 'x-step-up': String(data.stepUp) }
  const other = await browser.ask('POST', 'mail/change/begin', { mail: 'eve@example.org' }, more)
  expect(other.reason).toBe('STEP_UP_NEEDED')
  for (let n = 0; n < 7; n++) await begin(`n${n}@example.org`)
  expect(rig.mails().filter(({ kind }) => kind === 'MAIL_CHANGE')).toHaveLength(5)
  rig.nowMs += 3 * 3_600_000
  sweep(rig.context)
  await begin()
  expect(rig.mails().filter(({ kind }) => kind === 'MAIL_CHANGE')).toHaveLength(6)
})

test('while the exchange does not answer, the address stays unchanged', async () => {
  await begin()
  rig.exchange.isAway = true
  expect((await browser.post('mail/change/confirm', { token: tokenTo(NEW) })).reason).toBe('CUSTOMERS_AWAY')
  rig.exchange.isAway = false
  expect((await browser.get('me')).data.mail).toBe(OLD)
})
