import { afterEach, expect, spyOn, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Rig, SESSION_KEY } from '../customers.fixture.ts'
import { ExchangeFault } from '../ports.ts'
import { LINK_MS, SIGN_UP_MS, sweepSignUps } from './sign-up.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

const JO = 'jo@example.org'

test('a person signs up with a mail and a passkey, and is signed in with a key of the session', async () => {
  const browser = rig.browser()
  const begun = await browser.begin(JO)
  expect([begun.status, rig.exchange.accounts]).toEqual([202, []])
  expect((await browser.confirm(JO)).data).toMatchObject({ state: 'SIGNUP' })
  expect((await browser.get('config')).data).toMatchObject({ state: 'SIGNUP' })
  const { data } = await browser.register(SESSION_KEY)
  const signedIn = data.signedIn as { readonly sessionKeyName: string; readonly permissions: string[] }
  expect(rig.exchange.accounts).toEqual([String(data.account)])
  expect(String(data.account)).toMatch(/^c-[a-z2-7]{26}$/)
  expect(signedIn.permissions).toEqual(['TRADE', 'WALLET', 'USER_DATA'])
  expect(rig.exchange.keys.get(signedIn.sessionKeyName)?.account).toBe(String(data.account))
  expect((await browser.get('me')).data).toMatchObject({ mail: JO, account: data.account, language: 'en' })
})

test('an address that has an account gets the same answer as any other, and its owner gets another mail', async () => {
  await rig.browser().signUp(JO)
  const [known, unknown] = [
    await rig.browser().begin('JO@example.org'),
    await rig.browser().begin('al@example.org'),
  ]
  expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
  expect(
    rig
      .mails()
      .map(({ kind, to }) => `${kind} ${to}`)
      .slice(0, 2),
  ).toEqual(['CONFIRM al@example.org', 'HAVE_ACCOUNT JO@example.org'])
  // The token in the email to an address that has an account gives no access.
  expect((await rig.browser().begin('x@example.org')).status).toBe(202)
  const browser = rig.browser()
  await browser.get('config')
  expect((await browser.confirm('JO@example.org')).reason).toBe('LINK_INVALID')
})

test('a link is good once and for half an hour', async () => {
  const browser = rig.browser()
  await browser.begin(JO)
  const token = rig.mails()[0]?.token ?? ''
  expect((await browser.post('signup/confirm', { token })).status).toBe(200)
  expect((await browser.post('signup/confirm', { token })).reason).toBe('LINK_INVALID')
  await browser.begin('late@example.org')
  rig.nowMs += LINK_MS
  expect((await browser.confirm('late@example.org')).reason).toBe('LINK_INVALID')
})

test('what an attacker began for an address opens nothing once its owner has confirmed it', async () => {
  const [attacker, owner] = [rig.browser(), rig.browser()]
  await attacker.begin(JO)
  await attacker.confirm(JO)
  const options = await attacker.post('passkey/register/begin')
  expect(options.status).toBe(200)
  await owner.begin(JO)
  await owner.confirm(JO)
  expect((await attacker.register(SESSION_KEY)).reason).toBe('SESSION_NEEDED')
  expect((await attacker.get('me')).reason).toBe('SESSION_NEEDED')
  expect((await owner.register(SESSION_KEY)).status).toBe(200)
  expect(rig.exchange.accounts.length).toBe(1)
})

test('no address gets more than five mails an hour, and the answer is the same', async () => {
  const answers = []
  for (let i = 0; i < 8; i++) answers.push((await rig.browser().begin(JO)).text)
  expect([new Set(answers).size, rig.mails().length]).toEqual([1, 5])
  rig.nowMs += 3_600_001
  await rig.browser().begin(JO)
  expect(rig.mails().length).toBe(6)
})

test('an account that could not be opened is opened by the next start, under the same name', async () => {
  const browser = rig.browser()
  await browser.begin(JO)
  await browser.confirm(JO)
  rig.exchange.isAway = true
  expect((await browser.register(SESSION_KEY)).reason).toBe('CUSTOMERS_AWAY')
  const [pending] = rig.context.store.people.pending()
  rig.restart()
  expect(rig.context.openings.goOn()).rejects.toBeInstanceOf(ExchangeFault)
  rig.exchange.isAway = false
  await rig.context.openings.goOn()
  expect(rig.exchange.accounts).toEqual([pending?.account ?? ''])
  expect(rig.context.store.people.pending()).toEqual([])
  const passkey = browser.passkey
  if (passkey === undefined) throw new Error('expected a passkey')
  expect((await rig.browser().signIn(passkey)).status).toBe(200)
})

test('an account is opened once, if its owner signs in while a start opens it', async () => {
  rig.exchange.isAway = true
  await rig.browser().signUp('jo@example.org')
  rig.exchange.isAway = false
  const opens = spyOn(rig.exchange, 'openAccount')
  const { openings, store } = rig.context
  const [person] = store.people.pending()
  await Promise.all([openings.goOn(), openings.open(person ?? expect.unreachable())])
  expect([opens.mock.calls.length, store.people.pending()]).toEqual([1, []])
})

test('an opening that the exchange refuses delays no other person’s', async () => {
  rig.exchange.isAway = true
  for (const name of ['jo', 'al', 'bo']) await rig.browser().signUp(`${name}@example.org`)
  rig.exchange.isAway = false
  const pending = rig.context.store.people.pending().map(({ account }) => account)
  const [first = ''] = pending
  rig.exchange.refused.add(first)
  await expect(rig.context.openings.goOn()).rejects.toThrow('LIMIT_REACHED')
  expect([pending.length, rig.exchange.accounts]).toEqual([3, pending.slice(1)])
  rig.exchange.refused.clear()
  await rig.context.openings.goOn()
  expect(rig.exchange.accounts).toHaveLength(3)
})

test('an unfinished sign-up is erased, with its key', async () => {
  await rig.browser().begin('first@example.org')
  const browser = rig.browser()
  await browser.begin(JO)
  await browser.confirm(JO)
  rig.nowMs += Math.max(LINK_MS, SIGN_UP_MS) + 1
  sweepSignUps(rig.context)
  expect(rig.mails()).toEqual([])
  expect(rig.context.store.people.byMail(rig.context.store.keys.mailIndex(JO))).toBeUndefined()
})

test('neither mail nor device is stored in plain text', async () => {
  const browser = rig.browser()
  await browser.ask('GET', 'config', undefined, { 'user-agent': 'Mozilla Firefox/1' })
  await browser.signUp('someone-rare@example.org')
  const files = readdirSync(rig.directory).map((name) => readFileSync(join(rig.directory, name), 'latin1'))
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) {
    expect(file).not.toContain('someone-rare')
    expect(file).not.toContain('192.0.2')
  }
})
