/** Cookies with several processes: each begins with the name of the process that answered. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, CONFIG, Rig, SESSION_KEY } from '../customers.fixture.ts'

let one: Rig
let other: Rig
beforeEach(() => {
  one = new Rig({ ...CONFIG, processName: 'one' })
  other = one.beside({ ...CONFIG, processName: 'customers-2' })
})
afterEach(() => {
  other.leave()
  one.close()
})

const nameIn = ({ cookie = '' }: Browser) =>
  /^__Host-session=([a-z0-9-]*)\.[A-Za-z0-9_-]{43}$/.exec(cookie)?.[1]

test('a session works at every process, and its browser returns to the one that answered last', async () => {
  const browser = one.browser()
  await browser.signUp('jo@example.org')
  expect(nameIn(browser)).toBe('one')
  const elsewhere = browser.at(other)
  expect((await elsewhere.get('me')).data).toMatchObject({ mail: 'jo@example.org' })
  expect(nameIn(elsewhere)).toBe('customers-2')
  expect((await elsewhere.post('logout')).status).toBe(200)
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
})

test('a sign-in that one process has begun starts again at another one', async () => {
  const owner = one.browser()
  await owner.signUp('jo@example.org')
  const passkey = owner.passkey ?? expect.unreachable()
  const browser = one.browser()
  await browser.get('config')
  const { data } = await browser.post('login/passkey/begin')
  const assertion = passkey.get(String(data.options))
  const elsewhere = browser.at(other)
  const body = { assertion, sessionKey: SESSION_KEY }
  expect((await elsewhere.post('login/passkey/finish', body)).reason).toBe('CHALLENGE_EXPIRED')
  expect((await elsewhere.signIn(passkey)).status).toBe(200)
})

test('a step-up belongs to the process that requested it, and to one operation there', async () => {
  const browser = one.browser()
  await browser.signUp('jo@example.org')
  const { data } = await browser.stepUp('recovery-codes/new')
  const header = { 'x-step-up': String(data.stepUp) }
  const elsewhere = browser.at(other)
  expect((await elsewhere.ask('POST', 'recovery-codes/new', {}, header)).reason).toBe('STEP_UP_NEEDED')
  expect((await browser.ask('POST', 'recovery-codes/new', {}, header)).status).toBe(200)
  expect((await browser.ask('POST', 'recovery-codes/new', {}, header)).reason).toBe('STEP_UP_NEEDED')
})

test('a cookie in another form belongs to no one', async () => {
  const browser = one.browser()
  await browser.signUp('jo@example.org')
  const [, token = ''] = (browser.cookie ?? '').split('.')
  for (const value of [
    token,
    `.${token}`,
    `ONE.${token}`,
    `one.two.${token}`,
    `${'a'.repeat(64)}.${token}`,
  ]) {
    browser.cookie = `__Host-session=${value}`
    expect([value, (await browser.get('me')).reason]).toEqual([value, 'SESSION_NEEDED'])
  }
  browser.cookie = `__Host-session=any.${token}`
  expect((await browser.get('me')).status).toBe(200)
})

test('a single process sets cookies without a name, and accepts none with one', async () => {
  const alone = one.beside(CONFIG)
  const browser = alone.browser()
  await browser.signUp('ann@example.org')
  expect(browser.cookie).toMatch(/^__Host-session=[A-Za-z0-9_-]{43}$/)
  browser.cookie = browser.cookie?.replace('=', '=one.')
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  alone.leave()
})

test('the daily limits apply to each process', async () => {
  const browser = one.browser()
  await browser.signUp('jo@example.org')
  const { owner } = one.context.store.people.pending()[0] ?? { owner: 'jo' }
  for (const { context } of [one, other]) {
    for (let n = 0; n < 10; n++) expect(context.dayLimits.take(owner, 'recoveries')).toBeUndefined()
    expect(context.dayLimits.take(owner, 'recoveries')?.reason).toBe('DAY_LIMIT_REACHED')
  }
})
