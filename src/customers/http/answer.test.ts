import { afterEach, expect, test } from 'bun:test'
import { ACCOUNT_ROWS, type AccountEndpoint } from '../../contract/customers/endpoints.ts'
import { CONFIG, ORIGIN, Rig } from '../customers.fixture.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

const ENDPOINTS = Object.keys(ACCOUNT_ROWS) as AccountEndpoint[]

test.each(ENDPOINTS)('%s is accepted only with the method of its row', async (name) => {
  const { method } = ACCOUNT_ROWS[name]
  const other = method === 'GET' ? 'POST' : 'GET'
  expect((await rig.browser().ask(other, name)).reason).toBe('METHOD_NOT_ALLOWED')
})

test.each(ENDPOINTS)('%s answers only at the address that passkeys are bound to', async (name) => {
  const { method } = ACCOUNT_ROWS[name]
  for (const host of ['127.0.0.1:8080', 'localhost', 'localhost:8081', 'example.org'])
    expect((await rig.browser().ask(method, name, undefined, { host })).reason).toBe('WRONG_ADDRESS')
})

test('several addresses are served, and a page of one of them works with its own alone', async () => {
  rig.close()
  const other = 'https://trade.exchange.example'
  rig = new Rig({ ...CONFIG, origins: [ORIGIN, other] })
  const browser = rig.browser()
  const host = 'trade.exchange.example'
  expect((await browser.ask('GET', 'config', undefined, { host })).status).toBe(200)
  const body = { mail: 'jo@example.org', language: 'en', termsVersion: 1 }
  const begin = (headers: Record<string, string>) => browser.ask('POST', 'signup/begin', body, headers)
  expect((await begin({ host, origin: other })).status).toBe(202)
  expect((await begin({ host, origin: ORIGIN })).reason).toBe('FOREIGN_PAGE')
  expect((await begin({ origin: other })).reason).toBe('FOREIGN_PAGE')
})

test('every POST from a page of another origin is refused, whatever cookie the browser sends', async () => {
  const browser = rig.browser()
  await browser.signUp('jo@example.org')
  const foreign = [
    { origin: 'http://localhost:8081' },
    { origin: 'null' },
    { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
    { origin: ORIGIN, 'sec-fetch-site': 'same-site' },
    { 'x-csrf-token': '' },
    { 'x-csrf-token': 'A'.repeat(43) },
  ]
  const posts = ENDPOINTS.filter((name) => ACCOUNT_ROWS[name].method === 'POST')
  for (const name of posts) {
    for (const headers of foreign) {
      const { reason } = await browser.ask('POST', name, {}, headers)
      expect([name, headers, reason]).toEqual([name, headers, 'FOREIGN_PAGE'])
    }
  }
  expect((await browser.get('me')).status).toBe(200)
})

test.each(ENDPOINTS.filter((name) => ACCOUNT_ROWS[name].access !== 'ANYBODY'))(
  '%s needs a session',
  async (name) => {
    const browser = rig.browser()
    await browser.get('config')
    expect((await browser.ask(ACCOUNT_ROWS[name].method, name, {})).reason).toBe('SESSION_NEEDED')
  },
)

test.each(ENDPOINTS.filter((name) => ACCOUNT_ROWS[name].access === 'SESSION'))(
  '%s is refused to a person who has only confirmed a mail',
  async (name) => {
    const browser = rig.browser()
    await browser.begin('jo@example.org')
    await browser.confirm('jo@example.org')
    expect((await browser.ask(ACCOUNT_ROWS[name].method, name, {})).reason).toBe('SESSION_NEEDED')
  },
)

test('a refusal of a body names what is wrong in it', async () => {
  const browser = rig.browser()
  await browser.get('config')
  const right = { mail: 'jo@example.org', language: 'en', termsVersion: 1 }
  const wrong: [object, string, string][] = [
    [{ ...right, mail: undefined }, 'MISSING_PARAMETER', 'mail'],
    [{ ...right, mail: 'jo' }, 'INVALID_PARAMETER', 'mail'],
    [{ ...right, mail: `${'a'.repeat(65)}@example.org` }, 'INVALID_PARAMETER', 'mail'],
    [{ ...right, mail: 'jo@exa mple.org' }, 'INVALID_PARAMETER', 'mail'],
    [{ ...right, mail: 'jo@example.org\r\nBcc: al@example.org' }, 'INVALID_PARAMETER', 'mail'],
    [{ ...right, language: 'de' }, 'INVALID_PARAMETER', 'language'],
    [{ ...right, termsVersion: 1.5 }, 'INVALID_PARAMETER', 'termsVersion'],
    [{ ...right, name: 'x' }, 'INVALID_PARAMETER', 'name'],
    [[], 'INVALID_PARAMETER', 'body'],
  ]
  for (const [body, reason, name] of wrong) {
    const answered = await browser.post('signup/begin', body)
    expect([answered.reason, answered.text.includes(name)]).toEqual([reason, true])
  }
  expect((await browser.post('signup/begin', { ...right, termsVersion: 2 })).reason).toBe('TERMS_CHANGED')
  expect(rig.mails()).toEqual([])
})

test('a cookie from before a sign-in opens nothing after it', async () => {
  const browser = rig.browser()
  await browser.get('config')
  const planted = browser.cookie
  await browser.signUp('jo@example.org')
  const thief = rig.browser()
  thief.cookie = planted
  expect((await thief.get('me')).reason).toBe('SESSION_NEEDED')
})

test('sign-up that is closed is refused, and sends nothing', async () => {
  rig.close()
  rig = new Rig({ ...rig.config, signUp: 'CLOSED' })
  expect((await rig.browser().begin('jo@example.org')).reason).toBe('SIGNUP_CLOSED')
  expect(rig.mails()).toEqual([])
})
