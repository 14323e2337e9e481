import { afterEach, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { ACCOUNT_ROWS, type AccountEndpoint } from '../../contract/customers/endpoints.ts'
import { type Browser, Rig } from '../customers.fixture.ts'
import { SoftPasskey } from '../soft-passkey.fixture.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

const MINUTE_MS = 60_000

async function signedUp(mail = 'jo@example.org'): Promise<Browser> {
  const browser = rig.browser()
  await browser.signUp(mail)
  return browser
}

type Listed = { readonly id: string; readonly label: string }

async function passkeysOf(browser: Browser): Promise<readonly Listed[]> {
  return (await browser.get('me')).data.passkeys as readonly Listed[]
}

/** A person with three passkeys; the last one is in the browser. */
async function withThree(): Promise<{ readonly browser: Browser; readonly ids: readonly string[] }> {
  const browser = await signedUp()
  await browser.addPasskey('phone')
  await browser.addPasskey('key "on" the ring')
  return { browser, ids: (await passkeysOf(browser)).map(({ id }) => id) }
}

function remove(browser: Browser, id: string | undefined, token: unknown) {
  return browser.ask('POST', 'passkey/remove', { id }, { 'x-step-up': String(token) })
}

const NEEDING = (Object.keys(ACCOUNT_ROWS) as AccountEndpoint[]).filter(
  (name) => ACCOUNT_ROWS[name].stepUp !== undefined,
)
const DOING = NEEDING.filter((name) => ACCOUNT_ROWS[name].stepUp?.isReading !== true)

test('the challenge is the digest of the displayed text, and no two texts are the same', async () => {
  const { browser, ids } = await withThree()
  const asked = { operation: 'passkey/remove', values: { id: ids[2] } }
  const { data } = await browser.post('step-up/begin', asked)
  const text = String(data.text)
  expect(text).toStartWith(`Remove the passkey "key 'on' the ring" from your account.`)
  expect(data.challenge).toBe(createHash('sha256').update(text).digest('base64url'))
  expect(JSON.parse(String(data.options)).challenge).toBe(data.challenge)
  expect((await browser.post('step-up/begin', asked)).data.text).not.toBe(text)
  const turkish = await browser.ask('POST', 'step-up/begin', asked, { 'accept-language': 'tr' })
  expect(String(turkish.data.text)).toContain('geçiş anahtarını hesabınızdan kaldırın')
})

test('a step-up is good for its operation and its values alone', async () => {
  const { browser, ids } = await withThree()
  const { data } = await browser.stepUp('passkey/remove', { id: ids[0] })
  expect((await remove(browser, ids[1], data.stepUp)).reason).toBe('STEP_UP_NEEDED')
  // The token was used for something else and is no longer valid.
  expect((await remove(browser, ids[0], data.stepUp)).reason).toBe('STEP_UP_NEEDED')
  const other = await browser.stepUp('passkey/register/begin')
  expect((await remove(browser, ids[0], other.data.stepUp)).reason).toBe('STEP_UP_NEEDED')
  expect((await passkeysOf(browser)).map(({ id }) => id)).toEqual([...ids])
  const right = await browser.stepUp('passkey/remove', { id: ids[0] })
  expect((await remove(browser, ids[0], right.data.stepUp)).status).toBe(200)
  expect((await passkeysOf(browser)).map(({ id }) => id)).toEqual(ids.slice(1))
})

test('a step-up that is used twenty times at once succeeds once', async () => {
  const { browser, ids } = await withThree()
  const { data } = await browser.stepUp('passkey/remove', { id: ids[0] })
  const answers = await Promise.all(Array.from({ length: 20 }, () => remove(browser, ids[0], data.stepUp)))
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  expect(answers.filter(({ reason }) => reason === 'STEP_UP_NEEDED').length).toBe(19)
})

test('a challenge that is proved twenty times at once is proved once', async () => {
  const { browser, ids } = await withThree()
  const begun = await browser.post('step-up/begin', { operation: 'passkey/remove', values: { id: ids[0] } })
  const assertion = browser.passkey?.get(String(begun.data.options))
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => browser.post('step-up/finish', { assertion })),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  expect(answers.filter(({ reason }) => reason === 'CHALLENGE_EXPIRED').length).toBe(19)
})

test('challenge and token are good for a minute, in the session that asked', async () => {
  const { browser, ids } = await withThree()
  const other = rig.browser()
  await other.signIn(browser.passkey as SoftPasskey)
  const { data } = await browser.stepUp('passkey/remove', { id: ids[0] })
  expect((await remove(other, ids[0], data.stepUp)).reason).toBe('STEP_UP_NEEDED')
  rig.nowMs += MINUTE_MS
  expect((await remove(browser, ids[0], data.stepUp)).reason).toBe('STEP_UP_NEEDED')
  const begun = await browser.post('step-up/begin', { operation: 'passkey/remove', values: { id: ids[0] } })
  rig.nowMs += MINUTE_MS
  const assertion = browser.passkey?.get(String(begun.data.options))
  expect((await browser.post('step-up/finish', { assertion })).reason).toBe('CHALLENGE_EXPIRED')
})

test('a credential of another person, or for another challenge, proves nothing, and is in the history', async () => {
  const [jo, al] = [await signedUp(), await signedUp('al@example.org')]
  expect((await jo.stepUp('passkey/register/begin', {}, al.passkey)).reason).toBe('STEP_UP_REFUSED')
  const stranger = new SoftPasskey('http://localhost:8080', 'localhost')
  expect((await jo.stepUp('passkey/register/begin', {}, stranger)).reason).toBe('STEP_UP_REFUSED')
  const earlier = await jo.post('step-up/begin', { operation: 'passkey/register/begin' })
  const assertion = jo.passkey?.get(String(earlier.data.options))
  await jo.post('step-up/begin', { operation: 'passkey/register/begin' })
  expect((await jo.post('step-up/finish', { assertion })).reason).toBe('STEP_UP_REFUSED')
  const kinds = (await jo.get('history')).data as unknown as { readonly kind: string }[]
  expect(kinds.slice(0, 3).map(({ kind }) => kind)).toEqual(Array(3).fill('STEP_UP_FAILED'))
})

test.each(DOING)('%s is refused to a session without a step-up', async (name) => {
  const browser = await signedUp()
  const { method, fields } = ACCOUNT_ROWS[name]
  const known: Readonly<Record<string, unknown>> = {
    ...{ id: 'AAAA', password: 'tarantula viaduct 9', name: 'laptop', mail: 'jo@example.com' },
  }
  const body = Object.fromEntries(Object.keys(fields).map((field) => [field, known[field]]))
  for (const headers of [{}, { 'x-step-up': '' }, { 'x-step-up': 'A'.repeat(43) }])
    expect((await browser.ask(method, name, body, headers)).reason).toBe('STEP_UP_NEEDED')
})

test('only an operation that needs a step-up is accepted, with valid values', async () => {
  const browser = await signedUp()
  for (const operation of ['logout', 'no/such', 'constructor'])
    expect((await browser.post('step-up/begin', { operation })).text).toContain('operation')
  const asked = { operation: 'passkey/remove', values: { id: 'AAAA', more: 1 } }
  expect((await browser.post('step-up/begin', asked)).text).toContain('more')
  const absent = { operation: 'passkey/remove', values: { id: 'AAAA' } }
  expect((await browser.post('step-up/begin', absent)).reason).toBe('NO_SUCH_PASSKEY')
})

test('the history is read for five minutes after a sign-in, or after a step-up for reading', async () => {
  const browser = await signedUp()
  expect((await browser.get('history')).status).toBe(200)
  rig.nowMs += 5 * MINUTE_MS
  expect((await browser.get('history')).reason).toBe('STEP_UP_NEEDED')
  expect((await browser.stepUp('history')).data).toEqual({ lastsMs: 5 * MINUTE_MS })
  rig.nowMs += 4 * MINUTE_MS
  expect((await browser.get('history')).status).toBe(200)
  rig.nowMs += MINUTE_MS
  expect((await browser.get('history')).reason).toBe('STEP_UP_NEEDED')
})

test('a passkey that was added signs in, one that was removed does not, and other sessions end', async () => {
  const browser = await signedUp()
  const first = browser.passkey as SoftPasskey
  const other = rig.browser()
  await other.signIn(first)
  expect((await browser.addPasskey('phone')).status).toBe(200)
  expect([(await other.get('me')).reason, (await browser.get('me')).status]).toEqual(['SESSION_NEEDED', 200])
  expect((await rig.browser().signIn(browser.passkey as SoftPasskey)).status).toBe(200)
  const [{ id } = { id: '' }] = await passkeysOf(browser)
  expect((await browser.postWithStepUp('passkey/remove', { id })).status).toBe(200)
  expect((await rig.browser().signIn(first)).reason).toBe('CREDENTIALS_WRONG')
  expect(rig.exchange.keys.size).toBe(1)
})

test('the last passkey stays, and one of another person cannot be removed', async () => {
  const [jo, al] = [await signedUp(), await signedUp('al@example.org')]
  const [own, foreign] = [await passkeysOf(jo), await passkeysOf(al)]
  expect((await jo.postWithStepUp('passkey/remove', { id: own[0]?.id })).reason).toBe('LAST_FACTOR')
  const asked = { operation: 'passkey/remove', values: { id: foreign[0]?.id } }
  expect((await jo.post('step-up/begin', asked)).reason).toBe('NO_SUCH_PASSKEY')
  expect((await passkeysOf(al)).length).toBe(1)
})

test('an account has at most ten passkeys', async () => {
  const browser = await signedUp()
  for (let i = 1; i < 10; i++) expect((await browser.addPasskey()).status).toBe(200)
  expect((await browser.addPasskey()).reason).toBe('TOO_MANY_PASSKEYS')
})
