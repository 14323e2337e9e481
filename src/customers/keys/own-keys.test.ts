import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { OWN_KEY_LASTS_MS, OWN_KEYS_MAX } from '../../contract/customers/own-keys.ts'
import { type Browser, Rig } from '../customers.fixture.ts'
import { NOWHERE } from '../sessions/origin.ts'
import { endAllKeys } from './end-keys.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

const DAY_MS = 86_400_000

async function signedUp(mail = 'jo@example.org'): Promise<Browser> {
  const browser = rig.browser()
  await browser.signUp(mail)
  return browser
}

type Listed = { readonly apiKey: string; readonly name: string }

async function keysOf(browser: Browser): Promise<readonly Listed[]> {
  return (await browser.get('keys')).data as unknown as readonly Listed[]
}

function kindsOf(history: unknown): readonly string[] {
  return (history as readonly { readonly kind: string }[]).map(({ kind }) => kind)
}

test('a key that is requested with only a name may read, and expires by itself', async () => {
  const jo = await signedUp()
  const { status, data } = await jo.postWithStepUp('key/create', { name: 'laptop' })
  expect([status, data]).toMatchObject([200, { name: 'laptop', kind: 'HMAC', permissions: ['READ'] }])
  expect(data.secret).toMatch(/^f{64}$/)
  expect(Number(data.endsAt)).toBe(rig.nowMs + OWN_KEY_LASTS_MS)
  expect(await keysOf(jo)).toMatchObject([{ apiKey: data.apiKey, name: 'laptop' }])
  expect((await jo.get('keys')).text).not.toContain(String(data.secret))
  expect(kindsOf((await jo.get('history')).data)[0]).toBe('KEY_ADDED')
  rig.nowMs += OWN_KEY_LASTS_MS
  await jo.signIn(jo.passkey as NonNullable<typeof jo.passkey>)
  expect(await keysOf(jo)).toEqual([])
})

test('the text of a step-up says in both languages what a key may do, without names of the program', async () => {
  const jo = await signedUp()
  const textOf = async (values: object, language = 'en') => {
    const asked = { operation: 'key/create', values }
    const { data } = await jo.ask('POST', 'step-up/begin', asked, { 'accept-language': language })
    return String(data.text).split('\n')[0]
  }
  const end = Date.UTC(2027, 1, 3, 4, 5, 6)
  expect(await textOf({ name: 'my "bot"', end })).toBe(
    `Create the API key "my 'bot'", which may read orders. It works from any address, and expires at 2027-02-03 04:05:06 UTC. It uses the interface of this exchange and signs with a secret (HMAC).`,
  )
  const publicKey = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
  const pair = { publicKey, kind: 'ED25519', wire: 'BINANCE', end: 0, addresses: ['192.0.2.0/24'] }
  expect(await textOf({ name: 'bot', permissions: ['TRADE', 'READ'], ...pair })).toBe(
    `Create the API key "bot", which may trade, read orders. It works from only these addresses: 192.0.2.0/24, and does not expire. It uses the interface that is compatible with Binance and signs with your own key pair (Ed25519), whose public key is ${publicKey}.`,
  )
  expect(await textOf({ name: 'bot', end }, 'tr')).toBe(
    '"bot" adlı API anahtarını oluşturun: emirleri okuma izni vardır, her adresten kullanılabilir ve 2027-02-03 04:05:06 (UTC) tarihinde sona erer. Bu borsanın arayüzü ile çalışır, gizli bir anahtarla (HMAC) imzalar.',
  )
})

test('a key of a pair has no secret here', async () => {
  const jo = await signedUp()
  const publicKey = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
  const { data } = await jo.postWithStepUp('key/create', { name: 'bot', kind: 'ED25519', publicKey, end: 0 })
  expect(data).toMatchObject({ kind: 'ED25519', wire: 'BOURSE' })
  expect([data.secret, data.endsAt]).toEqual([undefined, undefined])
})

test.each([
  ['permissions', { permissions: ['WITHDRAW'] }],
  ['permissions', { permissions: [] }],
  ['permissions', { permissions: ['READ', 'READ'] }],
  ['name', { name: ' laptop' }],
  ['name', { name: 'x'.repeat(41) }],
  ['addresses', { addresses: ['everywhere'] }],
  ['addresses', { addresses: Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`) }],
  ['end', { end: 1 }],
  ['publicKey', { kind: 'ED25519' }],
  ['publicKey', { kind: 'HMAC', publicKey: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=' }],
  ['publicKey', { publicKey: `-----BEGIN PRIVATE KEY-----${'A'.repeat(64)}-----END PRIVATE KEY-----` }],
] as const)('a wrong %s is named, and makes no key', async (field, wrong) => {
  const jo = await signedUp()
  const asked = { operation: 'key/create', values: { name: 'laptop', ...wrong } }
  const { status, text } = await jo.post('step-up/begin', asked)
  expect([status, text]).toEqual([400, expect.stringContaining(field)])
  expect(rig.exchange.ownKeys).toEqual([])
})

test.each(['publicKey', 'addresses'] as const)('a %s that the exchange refuses is named', async (why) => {
  const jo = await signedUp()
  rig.exchange.refusesKeys = why
  const { status, text } = await jo.postWithStepUp('key/create', { name: 'laptop' })
  expect([status, text]).toEqual([400, expect.stringContaining(why)])
})

test('no person sees or ends a key of another', async () => {
  const [jo, al] = [await signedUp(), await signedUp('al@example.org')]
  const { data } = await jo.postWithStepUp('key/create', { name: 'laptop' })
  expect(await keysOf(al)).toEqual([])
  expect((await al.post('key/end', { apiKey: data.apiKey })).reason).toBe('NO_SUCH_KEY')
  expect(await keysOf(jo)).toHaveLength(1)
  expect((await jo.post('key/end', { apiKey: data.apiKey })).status).toBe(200)
  expect(await keysOf(jo)).toEqual([])
  expect(kindsOf((await jo.get('history')).data)[0]).toBe('KEY_ENDED')
})

test('names and addresses are encrypted, and after a start the exchange gets the addresses of the existing keys', async () => {
  const jo = await signedUp()
  const bound = { addresses: ['192.0.2.0/24', '2001:db8::1'] }
  const kept = await jo.postWithStepUp('key/create', { name: 'laptop of jo', ...bound })
  const ended = await jo.postWithStepUp('key/create', { name: 'phone', ...bound })
  await jo.postWithStepUp('key/create', { name: 'anywhere' })
  await jo.post('key/end', { apiKey: ended.data.apiKey })
  const db = new Database(`${rig.directory}/customers.sqlite`)
  const rows = JSON.stringify(db.query('SELECT * FROM own_key').all())
  db.close()
  expect(rows).not.toContain('laptop')
  expect(rows).not.toContain('192.0.2')
  rig.exchange.addressLists.clear()
  rig.restart()
  await rig.context.announcer.announceAll()
  expect([...rig.exchange.addressLists]).toEqual([[String(kept.data.apiKey), bound.addresses]])
})

test('a person makes a bounded number of keys in a day, including ended ones', async () => {
  const jo = await signedUp()
  for (let made = 0; made < OWN_KEYS_MAX; made++) {
    const { status, data } = await jo.postWithStepUp('key/create', { name: `bot ${made}` })
    expect(status).toBe(200)
    await jo.post('key/end', { apiKey: data.apiKey })
  }
  expect((await jo.postWithStepUp('key/create', { name: 'one more' })).reason).toBe('TOO_MANY_KEYS')
  rig.nowMs += DAY_MS
  await jo.signIn(jo.passkey as NonNullable<typeof jo.passkey>)
  expect((await jo.postWithStepUp('key/create', { name: 'one more' })).status).toBe(200)
})

test('a key whose creation was interrupted has no name, and can be ended; all keys end at once', async () => {
  const jo = await signedUp()
  await jo.postWithStepUp('key/create', { name: 'laptop' })
  const account = rig.exchange.accounts[0] ?? ''
  await rig.exchange.addKey(account, {
    ...{ permissions: ['READ'], addresses: [], endsMs: undefined, publicKey: undefined, wire: 'BOURSE' },
  })
  expect((await keysOf(jo)).map(({ name }) => name)).toEqual(['', 'laptop'])
  const person = rig.context.store.people.byMail(rig.context.store.keys.mailIndex('jo@example.org'))
  if (person === undefined) throw new Error('jo is not there')
  await endAllKeys(rig.context, person, NOWHERE)
  expect(await keysOf(jo)).toEqual([])
})

test('while the exchange does not answer, keys are neither listed nor made', async () => {
  const jo = await signedUp()
  rig.exchange.isAway = true
  expect((await jo.get('keys')).reason).toBe('CUSTOMERS_AWAY')
  expect((await jo.postWithStepUp('key/create', { name: 'laptop' })).reason).toBe('CUSTOMERS_AWAY')
  rig.exchange.isAway = false
  expect(await keysOf(jo)).toEqual([])
})
