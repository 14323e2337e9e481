/** A freeze by the person, on real files: what it stops, and how it is lifted. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Browser, Rig } from '../customers.fixture.ts'
import type { SoftPasskey } from '../soft-passkey.fixture.ts'
import { endRests } from './rests.ts'

const HOUR_MS = 3_600_000
const MAIL = 'jo@example.org'
const ALL = ['TRADE', 'WITHDRAW', 'LOGIN']
let rig: Rig
let browser: Browser
let account: string
let passkey: SoftPasskey

beforeEach(async () => {
  rig = new Rig()
  browser = new Browser(rig)
  account = String((await browser.signUp(MAIL)).data.account)
  passkey = browser.passkey ?? expect.unreachable()
})
afterEach(() => rig.close())

const restricted = () => [...(rig.exchange.restrictions.get(account) ?? [])].toSorted()
const mailOf = (kind: string) => rig.mails().find((mail) => mail.kind === kind)

/** Lifts the freeze with the newest email, in a new browser. */
async function unfreeze(by: SoftPasskey = passkey) {
  const other = new Browser(rig)
  await other.get('config')
  await other.post('unfreeze/begin', { mail: MAIL })
  const { data } = await other.post('login/passkey/begin')
  const assertion = by.get(String(data.options))
  return other.post('unfreeze/confirm', { token: mailOf('UNFREEZE')?.token ?? '', assertion })
}

test('a freeze restricts everything, ends the sessions with their keys, and is in the history', async () => {
  expect((await browser.post('freeze')).status).toBe(200)
  expect(restricted()).toEqual(ALL.toSorted())
  expect(rig.exchange.keys.size).toBe(0)
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  expect(mailOf('FROZEN')?.to).toBe(MAIL)
})

test('the exchange is restricted before anything else changes: a freeze without it changes nothing', async () => {
  rig.exchange.isAway = true
  expect((await browser.post('freeze')).reason).toBe('CUSTOMERS_AWAY')
  rig.exchange.isAway = false
  expect(rig.exchange.keys.size).toBe(1)
  expect((await browser.get('me')).status).toBe(200)
})

test('a frozen account cannot be signed in to, and a person without a passkey of it learns nothing about it', async () => {
  await browser.post('freeze')
  const other = new Browser(rig)
  expect(await other.signIn(passkey)).toMatchObject({ status: 403, reason: 'ACCOUNT_FROZEN' })
  expect((await other.get('me')).reason).toBe('SESSION_NEEDED')
  expect(rig.exchange.keys.size).toBe(0)
})

test('a mail and a passkey together lift a freeze, and withdrawals rest for a day', async () => {
  await browser.post('freeze')
  expect((await unfreeze()).status).toBe(200)
  expect(restricted()).toEqual(['WITHDRAW'])
  expect((await new Browser(rig).signIn(passkey)).status).toBe(200)
  rig.nowMs += 24 * HOUR_MS - 60_000
  await endRests(rig.context)
  expect(restricted()).toEqual(['WITHDRAW'])
  rig.nowMs += 60_000
  await endRests(rig.context)
  expect(restricted()).toEqual([])
})

test('neither the mail nor a passkey alone lifts a freeze, nor a passkey of another person', async () => {
  const mallory = new Browser(rig)
  await mallory.signUp('mallory@example.org')
  await browser.post('freeze')
  expect((await unfreeze(mallory.passkey)).reason).toBe('LINK_INVALID')
  const other = new Browser(rig)
  await other.get('config')
  const { data } = await other.post('login/passkey/begin')
  const assertion = passkey.get(String(data.options))
  const wrong = await other.post('unfreeze/confirm', { token: 'A'.repeat(43), assertion })
  expect(wrong.reason).toBe('LINK_INVALID')
  expect(restricted()).toEqual(ALL.toSorted())
})

test('a link that lifts a freeze is good once, and void after another freeze', async () => {
  await browser.post('freeze')
  await unfreeze()
  const used = mailOf('UNFREEZE')?.token ?? ''
  const again = new Browser(rig)
  await again.signIn(passkey)
  await again.post('freeze')
  const other = new Browser(rig)
  await other.get('config')
  const { data } = await other.post('login/passkey/begin')
  const assertion = passkey.get(String(data.options))
  expect((await other.post('unfreeze/confirm', { token: used, assertion })).reason).toBe('LINK_INVALID')
  expect(restricted()).toEqual(ALL.toSorted())
})

test('the link of a security mail freezes and opens nothing', async () => {
  await browser.post('freeze')
  await unfreeze()
  const freeze = mailOf('UNFROZEN')?.freeze ?? ''
  const stranger = new Browser(rig)
  await stranger.get('config')
  expect((await stranger.post('freeze/link', { token: freeze })).status).toBe(200)
  expect(restricted()).toEqual(ALL.toSorted())
  expect((await stranger.get('me')).reason).toBe('SESSION_NEEDED')
  expect((await stranger.post('unfreeze/confirm', { token: freeze, assertion: {} })).status).not.toBe(200)
  expect((await stranger.post('signup/confirm', { token: freeze })).reason).toBe('LINK_INVALID')
  rig.nowMs += 31 * 24 * HOUR_MS
  expect((await stranger.post('freeze/link', { token: freeze })).reason).toBe('LINK_INVALID')
})

test('a request to lift a freeze does not reveal whether an address has an account', async () => {
  const stranger = new Browser(rig)
  await stranger.get('config')
  const known = await stranger.post('unfreeze/begin', { mail: MAIL })
  const unknown = await stranger.post('unfreeze/begin', { mail: 'nobody@example.org' })
  expect([known.status, known.text]).toEqual([202, unknown.text])
  expect(unknown.status).toBe(202)
})

test('a withdrawal pause whose end the exchange refuses does not delay the end of others', async () => {
  const accounts = [account]
  await browser.post('freeze')
  await unfreeze()
  const other = new Browser(rig)
  accounts.push(String((await other.signUp('al@example.org')).data.account))
  const { links, people } = rig.context.store
  links.rest(people.byAccount(accounts[1] ?? '')?.owner ?? '', rig.nowMs + 24 * HOUR_MS)
  await rig.exchange.restrict(accounts[1] ?? '', { added: ['WITHDRAW'], removed: [] })
  rig.nowMs += 25 * HOUR_MS
  for (const refused of accounts) {
    rig.exchange.refused.add(refused)
    await expect(endRests(rig.context)).rejects.toThrow('LIMIT_REACHED')
    const others = accounts.filter((each) => each !== refused)
    for (const each of others) expect([...(rig.exchange.restrictions.get(each) ?? [])]).toEqual([])
    rig.exchange.refused.clear()
    for (const each of accounts) {
      links.rest(people.byAccount(each)?.owner ?? '', rig.nowMs)
      await rig.exchange.restrict(each, { added: ['WITHDRAW'], removed: [] })
    }
  }
})

test('a freeze that begins before a withdrawal pause is over holds, whatever comes first', async () => {
  await browser.post('freeze')
  await unfreeze()
  const again = new Browser(rig)
  await again.signIn(passkey)
  rig.nowMs += 24 * HOUR_MS
  const other = new Browser(rig)
  await other.get('config')
  const token = mailOf('UNFROZEN')?.freeze ?? ''
  await Promise.all([endRests(rig.context), other.post('freeze/link', { token })])
  await endRests(rig.context)
  expect(restricted()).toEqual(ALL.toSorted())
})

test('a freeze that was not finished is completed by a repeat, and an unfinished lift leaves the account frozen', async () => {
  await browser.post('freeze')
  rig.exchange.isAway = true
  expect((await unfreeze()).reason).toBe('CUSTOMERS_AWAY')
  rig.exchange.isAway = false
  expect(restricted()).toEqual(ALL.toSorted())
  rig.restart()
  expect((await unfreeze()).status).toBe(200)
  expect(restricted()).toEqual(['WITHDRAW'])
})
