import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, compared, Rig, SESSION_KEY } from '../customers.fixture.ts'
import { BUSY, Passwords, WAITING_MAX } from './passwords.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

const JO = 'jo@example.org'
const PASSWORD = 'tarantula viaduct 9'
const OTHER = 'mavi kuzine yedi saat'
const STEP_MS = 30_000

async function withPassword(mail = JO): Promise<Browser> {
  const browser = rig.browser()
  await browser.begin(mail)
  await browser.confirm(mail)
  await browser.registerPassword(PASSWORD)
  return browser
}

/** Another person's browser, with the same authenticator app at hand. */
function elsewhere(browser: Browser): Browser {
  const other = rig.browser()
  other.totpSecret = browser.totpSecret
  return other
}

test('a person signs up and in with a password and an authenticator app, without a passkey', async () => {
  const browser = rig.browser()
  await browser.begin(JO)
  await browser.confirm(JO)
  expect((await browser.post('totp/begin')).status).toBe(200)
  expect((await browser.post('totp/finish', { code: '000000' })).reason).toBe('PASSWORD_NEEDED')
  const { data } = await browser.registerPassword(PASSWORD)
  expect((data.recoveryCodes as string[]).length).toBe(10)
  expect(rig.exchange.accounts).toEqual([String(data.account)])
  expect((await browser.get('me')).data).toMatchObject({ hasPassword: true, recoveryCodes: 10, passkeys: [] })
  rig.nowMs += STEP_MS
  const other = elsewhere(browser)
  expect((await other.signInWithPassword('JO@example.org', PASSWORD)).status).toBe(200)
  expect((await other.get('me')).data).toMatchObject({ mail: JO })
})

test('a code of an app is good once, and none before it is, even if twenty arrive at once', async () => {
  const browser = await withPassword()
  rig.nowMs += 2 * STEP_MS
  const others = Array.from({ length: 20 }, () => elsewhere(browser))
  const code = browser.code()
  for (const [n, other] of others.entries()) other.address = `198.51.${n}.1`
  const answers = await Promise.all(others.map((other) => other.signInWithPassword(JO, PASSWORD, code)))
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  expect(answers.filter(({ status }) => status === 401 || status === 429).length).toBe(19)
  rig.nowMs += 60 * STEP_MS
  const [now, next] = [browser.code(), browser.code(1)]
  expect((await elsewhere(browser).signInWithPassword(JO, PASSWORD, next)).status).toBe(200)
  expect((await elsewhere(browser).signInWithPassword(JO, PASSWORD, now)).reason).toBe('CREDENTIALS_WRONG')
})

test('no answer distinguishes an address with an account from one without: the same answer after the same work', async () => {
  const browser = await withPassword()
  rig.nowMs += STEP_MS
  const asked = [
    [JO, OTHER, browser.code()],
    [JO, PASSWORD, '000000'],
    [JO, PASSWORD, undefined],
    ['al@example.org', PASSWORD, browser.code()],
    ['al@example.org', OTHER, '000000'],
    ['al@example.org', OTHER, undefined],
  ] as const
  const seen = []
  for (const [mail, password, code] of asked) {
    const other = rig.browser()
    await other.get('config')
    const before = compared.count
    const body = { mail, password, ...(code === undefined ? {} : { code }), sessionKey: SESSION_KEY }
    const { status, text } = await other.post('login/password', body)
    seen.push({ status, text, compared: compared.count - before, device: other.device })
  }
  expect(seen).toEqual(Array(6).fill(seen[0]))
  expect(seen[0]).toMatchObject({ status: 401, compared: 1, device: undefined })
})

test('attempts for an address with an account and for one without are refused after the same number', async () => {
  await withPassword()
  const reasonsOf = async (mail: string, network: number) => {
    const reasons: (string | undefined)[] = []
    for (let n = 0; n < 12; n++) {
      const browser = rig.browser()
      browser.address = `198.51.${network}.${n}`
      reasons.push((await browser.signInWithPassword(mail, `${OTHER} ${mail} ${n}`, '000000')).reason)
    }
    return reasons
  }
  const [known, unknown] = [await reasonsOf(JO, 1), await reasonsOf('al@example.org', 2)]
  expect(known).toEqual([...Array(10).fill('CREDENTIALS_WRONG'), 'TOO_MANY_FAILURES', 'TOO_MANY_FAILURES'])
  expect(unknown).toEqual(known)
})

test('an owner signs in from a known browser while a stranger tries without end, and by passkey in any case', async () => {
  const browser = await withPassword()
  await browser.post('logout')
  for (let n = 0; n < 15; n++) await rig.browser().signInWithPassword(JO, `${OTHER} ${n}`, '000000')
  rig.nowMs += STEP_MS
  const stranger = await elsewhere(browser).signInWithPassword(JO, PASSWORD)
  expect(stranger.reason).toBe('TOO_MANY_FAILURES')
  expect((await browser.signInWithPassword(JO, PASSWORD)).status).toBe(200)
  const failed = (await browser.get('history')).data as unknown as { readonly kind: string }[]
  expect(failed.filter(({ kind }) => kind === 'SIGN_IN_FAILED').length).toBe(10)
})

test('passwords are hashed one at a time, 32 wait, and one more is refused at once', async () => {
  let atOnce = 0
  let most = 0
  const gate = Promise.withResolvers<void>()
  const slow = {
    hash: async (password: string) => password,
    verify: async (password: string, hash: string) => {
      most = Math.max(most, ++atOnce)
      await gate.promise
      atOnce--
      return password === hash
    },
  }
  const passwords = new Passwords(slow, () => 'of no person')
  const asked = Array.from({ length: WAITING_MAX + 1 }, (_, n) =>
    passwords.verify('a', n % 2 === 0 ? 'a' : undefined, false),
  )
  expect(await passwords.verify('a', 'a', false)).toBe(BUSY)
  gate.resolve()
  expect(await Promise.all(asked)).toEqual(asked.map((_, n) => n % 2 === 0))
  expect([most, await passwords.verify('a', 'a', false)]).toEqual([1, true])
})

test('a browser that has signed in before waits only for the running hash, in a queue with a limit of its own', async () => {
  const began: string[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const slow = {
    hash: async (password: string) => password,
    verify: async (password: string) => {
      began.push(password)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return true
    },
  }
  const passwords = new Passwords(slow, () => 'of no person')
  const names = (kind: string) => Array.from({ length: WAITING_MAX }, (_, n) => `${kind} ${n}`)
  const [running, strangers, owners] = [['running'], names('stranger'), names('owner')]
  const asked = [...running, ...strangers].map((name) => passwords.verify(name, 'hash', false))
  const known = owners.map((name) => passwords.verify(name, 'hash', true))
  expect(
    await Promise.all([false, true].map((isKnown) => passwords.verify('late', 'hash', isKnown))),
  ).toEqual([BUSY, BUSY])
  for (let n = 0; n < asked.length + known.length; n++) {
    while (gates[n] === undefined) await Promise.resolve()
    expect(began.length).toBe(n + 1)
    gates[n]?.resolve()
  }
  await Promise.all([...asked, ...known])
  expect(began).toEqual([...running, ...owners, ...strangers])
})

test('a full queue of passwords is 503, and passkeys and known browsers go on', async () => {
  const browser = rig.browser()
  await browser.signUp(JO)
  const asked = Array.from({ length: WAITING_MAX + 1 }, () =>
    rig.context.passwords.verify('a', undefined, false),
  )
  const busy = await rig.browser().signInWithPassword(JO, PASSWORD, '000000')
  expect([busy.status, busy.reason]).toEqual([503, 'PASSWORDS_BUSY'])
  if (browser.passkey === undefined) throw new Error('expected a passkey')
  expect((await rig.browser().signIn(browser.passkey)).status).toBe(200)
  // The queue of known browsers has room.
  expect(await rig.context.passwords.verify('a', undefined, true)).toBe(false)
  await Promise.all(asked)
})

test('a common password of twelve characters is refused', async () => {
  const browser = rig.browser()
  await browser.begin(JO)
  await browser.confirm(JO)
  expect((await browser.post('password/set', { password: 'short' })).text).toContain('12 to 200')
  expect((await browser.post('password/set', { password: 'Password12345' })).reason).toBe('PASSWORD_COMMON')
})

test('a changed password ends other sessions, and the earlier one no longer signs in', async () => {
  const browser = await withPassword()
  rig.nowMs += STEP_MS
  const other = elsewhere(browser)
  await other.signInWithPassword(JO, PASSWORD)
  rig.nowMs += STEP_MS
  const begun = await browser.post('step-up/begin', {
    operation: 'password/set',
    values: { password: OTHER },
  })
  expect(String(begun.data.text)).not.toContain(OTHER)
  const proved = await browser.post('step-up/finish', { password: PASSWORD, code: browser.code() })
  const token = { 'x-step-up': String(proved.data.stepUp) }
  expect((await browser.ask('POST', 'password/set', { password: `${OTHER}!` }, token)).reason).toBe(
    'STEP_UP_NEEDED',
  )
  rig.nowMs += STEP_MS
  await browser.post('step-up/begin', { operation: 'password/set', values: { password: OTHER } })
  const again = await browser.post('step-up/finish', { password: PASSWORD, code: browser.code() })
  const right = { 'x-step-up': String(again.data.stepUp) }
  expect((await browser.ask('POST', 'password/set', { password: OTHER }, right)).status).toBe(200)
  expect([(await other.get('me')).reason, (await browser.get('me')).status]).toEqual(['SESSION_NEEDED', 200])
  rig.nowMs += STEP_MS
  expect((await elsewhere(browser).signInWithPassword(JO, PASSWORD)).reason).toBe('CREDENTIALS_WRONG')
  expect((await elsewhere(browser).signInWithPassword(JO, OTHER)).status).toBe(200)
})

test('a step-up by password takes a code that was not used before, and counts its failures', async () => {
  const browser = await withPassword()
  const prove = async (password: string, code: string) => {
    await browser.post('step-up/begin', { operation: 'recovery-codes/new' })
    return (await browser.post('step-up/finish', { password, code })).reason
  }
  // The code that confirmed the app is not valid again.
  expect(await prove(PASSWORD, browser.code())).toBe('STEP_UP_REFUSED')
  for (let n = 0; n < 9; n++) expect(await prove(OTHER, '000000')).toBe('STEP_UP_REFUSED')
  rig.nowMs += STEP_MS
  expect(await prove(PASSWORD, browser.code())).toBe('TOO_MANY_FAILURES')
})

test('a passkey and a password replace each other, and the last way to sign in stays', async () => {
  const browser = await withPassword()
  rig.nowMs += STEP_MS
  await browser.post('step-up/begin', { operation: 'password/remove' })
  const proved = await browser.post('step-up/finish', { password: PASSWORD, code: browser.code() })
  const token = { 'x-step-up': String(proved.data.stepUp) }
  expect((await browser.ask('POST', 'password/remove', {}, token)).reason).toBe('LAST_FACTOR')
  const other = rig.browser()
  await other.signUp('al@example.org')
  const [{ id }] = (await other.get('me')).data.passkeys as [{ readonly id: string }]
  const begun = await other.postWithStepUp('totp/begin')
  other.totpSecret = String(begun.data.secret)
  expect((await other.post('totp/finish', { code: other.code() })).status).toBe(200)
  // An app without a password does not allow signing in.
  expect((await other.postWithStepUp('passkey/remove', { id })).reason).toBe('LAST_FACTOR')
  expect((await other.postWithStepUp('password/set', { password: OTHER })).status).toBe(200)
  expect((await other.postWithStepUp('passkey/remove', { id })).status).toBe(200)
  rig.nowMs += STEP_MS
  expect((await elsewhere(other).signInWithPassword('al@example.org', OTHER)).status).toBe(200)
})

test('a password and an app that were set before the owner confirmed the mail open nothing', async () => {
  const attacker = rig.browser()
  await attacker.begin(JO)
  await attacker.confirm(JO)
  await attacker.post('password/set', { password: PASSWORD })
  const { data } = await attacker.post('totp/begin')
  attacker.totpSecret = String(data.secret)
  const owner = rig.browser()
  await owner.begin(JO)
  await owner.confirm(JO)
  expect((await attacker.post('totp/finish', { code: attacker.code() })).reason).toBe('SESSION_NEEDED')
  expect((await owner.register(SESSION_KEY)).status).toBe(200)
  expect((await owner.get('me')).data).toMatchObject({ hasPassword: false })
  expect((await attacker.signInWithPassword(JO, PASSWORD)).reason).toBe('CREDENTIALS_WRONG')
})

test('the secret of an app allows five wrong codes, and lasts ten minutes', async () => {
  const browser = rig.browser()
  await browser.signUp(JO)
  const begin = async () => {
    const { data } = await browser.postWithStepUp('totp/begin')
    browser.totpSecret = String(data.secret)
  }
  await begin()
  for (let n = 0; n < 5; n++)
    expect((await browser.post('totp/finish', { code: browser.code(9) })).reason).toBe('CODE_WRONG')
  expect((await browser.post('totp/finish', { code: browser.code() })).reason).toBe('CHALLENGE_EXPIRED')
  await begin()
  rig.nowMs += 10 * 60_000
  expect((await browser.post('totp/finish', { code: browser.code() })).reason).toBe('CHALLENGE_EXPIRED')
})

test('recovery codes are shown once, kept as digests, and good once even if twenty come at once', async () => {
  const browser = rig.browser()
  const { data } = await browser.signUp(JO)
  const first = data.recoveryCodes as readonly string[]
  expect(new Set(first).size).toBe(10)
  for (const code of first) expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/)
  const renewed = (await browser.postWithStepUp('recovery-codes/new')).data.recoveryCodes as readonly string[]
  const person = rig.context.store.people.byMail(rig.context.store.keys.mailIndex(JO))
  const owner = person?.owner ?? ''
  const plain = (code = '') => code.replaceAll('-', '')
  const use = (code: string) => rig.context.store.factors.useRecoveryCode(owner, code)
  expect(first.map(plain).map(use)).toEqual(Array(10).fill(false))
  const uses = await Promise.all(Array.from({ length: 20 }, async () => use(plain(renewed[0]))))
  expect(uses.filter(Boolean).length).toBe(1)
  expect((await browser.get('me')).data.recoveryCodes).toBe(9)
  const files = readdirSync(rig.directory).map((name) => readFileSync(join(rig.directory, name), 'latin1'))
  for (const file of files) for (const code of renewed) expect(file).not.toContain(plain(code))
})

test('neither password nor secret is stored in plain text', async () => {
  const browser = await withPassword()
  const db = new Database(join(rig.directory, 'customers.sqlite'))
  const sealed = db.query('SELECT sealed FROM password UNION ALL SELECT sealed FROM totp').values()
  db.close()
  expect(sealed.length).toBe(2)
  const text = sealed.map(([bytes]) => Buffer.from(bytes as Uint8Array).toString('latin1')).join()
  expect([text.includes('argon2'), text.includes(browser.totpSecret)]).toEqual([false, false])
})
