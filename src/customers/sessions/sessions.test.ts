import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { Rig, SESSION_KEY } from '../customers.fixture.ts'
import type { SoftPasskey } from '../soft-passkey.fixture.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

async function signedUp(mail = 'jo@example.org') {
  const browser = rig.browser()
  const { data } = await browser.signUp(mail)
  const { sessionKeyName: name } = data.signedIn as { readonly sessionKeyName: string }
  return { browser, name, passkey: browser.passkey as SoftPasskey }
}

test('a sign-in has a new cookie, and a key of its own', async () => {
  const { passkey, name } = await signedUp()
  const browser = rig.browser()
  await browser.get('config')
  const before = browser.cookie
  const { status, data } = await browser.signIn(passkey)
  expect([status, browser.cookie === before, data.sessionKeyName === name]).toEqual([200, false, false])
  expect(rig.exchange.keys.size).toBe(2)
  const list = (await browser.get('sessions')).data as unknown as {
    readonly isThis: boolean
    readonly network: string
  }[]
  expect(list.map(({ isThis, network }) => [isThis, network])).toEqual([
    [true, '192.0.2.0/24'],
    [false, '192.0.2.0/24'],
  ])
})

test('an assertion is good once, in the browser that asked, and for five minutes', async () => {
  const { passkey } = await signedUp()
  const [browser, other] = [rig.browser(), rig.browser()]
  await Promise.all([browser.get('config'), other.get('config')])
  const { data } = await browser.post('login/passkey/begin')
  const assertion = passkey.get(String(data.options))
  const body = { assertion, sessionKey: SESSION_KEY }
  expect((await other.post('login/passkey/finish', body)).reason).toBe('CHALLENGE_EXPIRED')
  expect((await browser.post('login/passkey/finish', body)).status).toBe(200)
  expect((await browser.post('login/passkey/finish', body)).reason).toBe('CHALLENGE_EXPIRED')
  const late = await other.post('login/passkey/begin')
  const again = { assertion: passkey.get(String(late.data.options)), sessionKey: SESSION_KEY }
  rig.nowMs += 5 * 60_000
  expect((await other.post('login/passkey/finish', again)).reason).toBe('CHALLENGE_EXPIRED')
})

test('an unknown passkey and a wrong one get the same answer', async () => {
  const { passkey } = await signedUp()
  const stranger = await signedUp('al@example.org')
  const browser = rig.browser()
  await browser.get('config')
  const unlike = async (change: (assertion: Record<string, unknown>) => void) => {
    const { data } = await browser.post('login/passkey/begin')
    const assertion = passkey.get(String(data.options))
    change(assertion)
    return (await browser.post('login/passkey/finish', { assertion, sessionKey: SESSION_KEY })).text
  }
  const texts = [
    await unlike((assertion) => {
      assertion.id = 'AAAA'
      assertion.rawId = 'AAAA'
    }),
    await unlike((assertion) => {
      assertion.id = Buffer.from(stranger.passkey.id).toString('base64url')
      assertion.rawId = assertion.id
    }),
    await unlike((assertion) => {
      ;(assertion.response as Record<string, string>).signature = 'AAAA'
    }),
    await unlike((assertion) => {
      assertion.response = {}
    }),
  ]
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toContain('CREDENTIALS_WRONG')
})

test('a logout ends the key at the exchange before it is answered, and after a kill in between', async () => {
  const { browser, name, passkey } = await signedUp()
  expect((await browser.post('logout')).status).toBe(200)
  expect([rig.exchange.keys.has(name), (await browser.get('me')).reason]).toEqual([false, 'SESSION_NEEDED'])
  const other = rig.browser()
  const { data } = await other.signIn(passkey)
  rig.exchange.isAway = true
  expect((await other.post('logout')).reason).toBe('CUSTOMERS_AWAY')
  expect((await other.get('me')).reason).toBe('SESSION_NEEDED')
  rig.restart()
  rig.exchange.isAway = false
  await rig.context.announcer.announceAll()
  expect(rig.exchange.keys.has(String(data.sessionKeyName))).toBe(false)
})

test('a start announces every running key, however many there are', async () => {
  const { browser, passkey } = await signedUp()
  for (let i = 0; i < 25; i++) await rig.browser().signIn(passkey)
  const before = [...rig.exchange.keys.keys()].sort()
  // The oldest sessions have ended: a person has at most 20.
  expect(before.length).toBe(20)
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  rig.exchange.keys.clear()
  rig.restart()
  await rig.context.announcer.announceAll()
  expect([...rig.exchange.keys.keys()].sort()).toEqual(before)
})

test('all other sessions end at once, or a single one', async () => {
  const { browser, passkey } = await signedUp()
  const [second, third] = [rig.browser(), rig.browser()]
  await second.signIn(passkey)
  await third.signIn(passkey)
  const list = (await second.get('sessions')).data as unknown as {
    readonly id: string
    readonly isThis: boolean
  }[]
  const id = list.find(({ isThis }) => isThis)?.id ?? ''
  expect((await browser.post('session/end', { id })).status).toBe(200)
  expect((await second.get('me')).reason).toBe('SESSION_NEEDED')
  expect((await browser.post('session/end')).status).toBe(200)
  expect([(await third.get('me')).reason, (await browser.get('me')).status]).toEqual(['SESSION_NEEDED', 200])
  expect(rig.exchange.keys.size).toBe(1)
})

test('no person ends a session of another', async () => {
  const [jo, al] = [await signedUp(), await signedUp('al@example.org')]
  const list = (await al.browser.get('sessions')).data as unknown as { readonly id: string }[]
  await jo.browser.post('session/end', { id: list[0]?.id ?? '' })
  expect((await al.browser.get('me')).status).toBe(200)
})

test('a session ends unused after half a day, and after a week in any case', async () => {
  const { browser } = await signedUp()
  for (let hours = 0; hours < 7 * 24; hours += 11) {
    expect([hours, (await browser.get('me')).status]).toEqual([hours, 200])
    rig.nowMs += 11 * 3_600_000
  }
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  const other = rig.browser()
  await other.signIn(browser.passkey as SoftPasskey)
  rig.nowMs += 12 * 3_600_000
  expect((await other.get('me')).reason).toBe('SESSION_NEEDED')
})

test('the history says what has happened, and its chain shows what was removed', async () => {
  const { browser, passkey } = await signedUp()
  await rig.browser().signIn(passkey)
  const list = (await browser.get('history')).data as unknown as { readonly kind: string }[]
  expect(list.map(({ kind }) => kind)).toEqual(['SIGNED_IN', 'SIGNED_IN', 'SIGNED_UP', 'PASSKEY_ADDED'])
  expect(rig.context.store.records.firstBroken()).toBeUndefined()
  const db = new Database(`${rig.directory}/customers.sqlite`)
  db.run('DELETE FROM trail WHERE number = 2')
  db.close()
  expect(rig.context.store.records.firstBroken()).toBe(3)
})
