import { afterEach, expect, spyOn, test } from 'bun:test'
import { type Browser, Rig, SESSION_KEY } from '../customers.fixture.ts'
import { ExchangeFault } from '../ports.ts'
import { RECOVERY_REST_MS } from './recovery.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

const JO = 'jo@example.org'

async function signedUp() {
  const browser = rig.browser()
  const { data } = await browser.signUp(JO)
  return { browser, codes: data.recoveryCodes as readonly string[] }
}

async function asked(mail = JO): Promise<{ readonly browser: Browser; readonly token: string }> {
  const browser = rig.browser()
  await browser.get('config')
  await browser.post('recover/begin', { mail })
  return { browser, token: rig.mails().find(({ kind }) => kind === 'RECOVER')?.token ?? 'A'.repeat(43) }
}

test('mail and a recovery code end all sessions, and a new passkey replaces every other credential', async () => {
  const { browser, codes } = await signedUp()
  const lost = browser.passkey ?? expect.unreachable()
  const { browser: other, token } = await asked()
  const confirmed = await other.post('recover/confirm', {
    token,
    code: codes[3]?.toUpperCase().replaceAll('-', ' '),
  })
  expect(confirmed.data).toMatchObject({ state: 'SIGNUP' })
  expect([(await browser.get('me')).reason, rig.exchange.keys.size]).toEqual(['SESSION_NEEDED', 0])
  const owner = rig.context.store.people.byMail(rig.context.store.keys.mailIndex(JO))?.owner ?? ''
  expect(rig.context.store.links.restsUntil(owner)).toBeGreaterThan(rig.nowMs + RECOVERY_REST_MS - 60_000)
  const { data } = await other.register(SESSION_KEY)
  expect((data.recoveryCodes as string[]).length).toBe(10)
  expect((await other.get('me')).data).toMatchObject({ mail: JO, hasPassword: false, recoveryCodes: 10 })
  expect((await rig.browser().signIn(lost)).reason).toBe('CREDENTIALS_WRONG')
  expect((await rig.browser().signIn(other.passkey ?? expect.unreachable())).status).toBe(200)
  expect(rig.exchange.accounts.length).toBe(1)
})

test('the passkey of a recovery may come from a device that has one of the account', async () => {
  const { browser, codes } = await signedUp()
  const further = await browser.postWithStepUp('passkey/register/begin', {})
  expect(JSON.parse(String(further.data.options)).excludeCredentials).toHaveLength(1)
  const { browser: other, token } = await asked()
  await other.post('recover/confirm', { token, code: codes[0] })
  const { data } = await other.post('passkey/register/begin')
  expect(JSON.parse(String(data.options)).excludeCredentials).toEqual([])
})

test('a recovery ends the API keys of the account: one that a thief has made no longer works', async () => {
  const { browser, codes } = await signedUp()
  await browser.postWithStepUp('key/create', { name: 'laptop', end: 0 })
  const { browser: other, token } = await asked()
  expect(rig.exchange.ownKeys.map(({ isRevoked }) => isRevoked)).toEqual([false])
  await other.post('recover/confirm', { token, code: codes[0] })
  expect(rig.exchange.ownKeys.map(({ isRevoked }) => isRevoked)).toEqual([true])
})

test('mail alone opens nothing, nor does a code alone, and neither sets another credential', async () => {
  const { codes } = await signedUp()
  const { browser, token } = await asked()
  const wrong = await browser.post('recover/confirm', { token, code: 'a'.repeat(16) })
  expect(wrong.reason).toBe('CREDENTIALS_WRONG')
  const alone = await browser.post('recover/confirm', { token: 'A'.repeat(43), code: codes[0] })
  expect(alone.reason).toBe('LINK_INVALID')
  expect((await browser.post('recover/confirm', { token, code: codes[0] })).status).toBe(200)
  expect((await browser.post('password/set', { password: 'tarantula viaduct 9' })).reason).toBe(
    'SESSION_NEEDED',
  )
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
})

test('a recovery that is confirmed twenty times at once succeeds once', async () => {
  const { codes } = await signedUp()
  const { token } = await asked()
  const browsers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const browser = rig.browser()
      await browser.get('config')
      return browser
    }),
  )
  const answers = await Promise.all(
    browsers.map((each) => each.post('recover/confirm', { token, code: codes[0] })),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
})

test('an address without an account gets the same answer as any other, and no mail; one with an account at most five', async () => {
  await signedUp()
  const texts = new Set<string>()
  for (const mail of [...Array<string>(8).fill(JO), 'al@example.org']) {
    const browser = rig.browser()
    await browser.get('config')
    const { status, text } = await browser.post('recover/begin', { mail })
    texts.add(`${status} ${text}`)
  }
  expect(texts.size).toBe(1)
  const mails = rig.mails().filter(({ kind }) => kind === 'RECOVER')
  expect(mails.map(({ to }) => to)).toEqual(Array(5).fill(JO))
})

test('a recovery link is good for half an hour', async () => {
  const { codes } = await signedUp()
  const { browser, token } = await asked()
  rig.nowMs += 30 * 60_000
  expect((await browser.post('recover/confirm', { token, code: codes[0] })).reason).toBe('LINK_INVALID')
})

test('the new codes of a recovery are shown, also if the exchange refuses the sign-in that follows', async () => {
  for (const cause of ['frozen', 'away'] as const) {
    const owner = rig.browser()
    const address = `${cause}@example.org`
    const { data } = await owner.signUp(address)
    const [code] = data.recoveryCodes as readonly string[]
    const other = rig.browser()
    await other.get('config')
    await other.post('recover/begin', { mail: address })
    const token = rig.mails().find(({ kind, to }) => kind === 'RECOVER' && to === address)?.token
    expect((await other.post('recover/confirm', { token, code })).status).toBe(200)
    if (cause === 'frozen')
      await rig.exchange.restrict(String(data.account), { added: ['LOGIN'], removed: [] })
    const openSession = spyOn(rig.exchange, 'openSession')
    if (cause === 'away') openSession.mockRejectedValueOnce(new ExchangeFault('no answer'))
    const registered = await other.register(SESSION_KEY)
    openSession.mockRestore()
    expect(registered).toMatchObject({ status: 200, data: { account: data.account } })
    expect(registered.data.signedIn).toBeUndefined()
    expect(registered.data.recoveryCodes).toHaveLength(10)
    expect((await other.get('me')).reason).toBe('SESSION_NEEDED')
  }
})
