/** Ended rows are removed: the store does not grow with time. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, Rig } from './customers.fixture.ts'
import { FREEZE_LINKS_MAX, SECURITY_MAILS_PER_HOUR } from './mail/security-mail.ts'
import { sweep } from './sweep.ts'

const DAY_MS = 86_400_000
const JO = 'jo@example.org'
let rig: Rig
let browser: Browser

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
  await browser.signUp(JO)
})
afterEach(() => rig.close())

const owner = () => {
  const { people, keys } = rig.context.store
  return people.byMail(keys.mailIndex(JO)) ?? expect.unreachable()
}
const rows = () => rig.context.store.ownKeys.of(owner().owner).length
const create = (values: object) => browser.postWithStepUp('key/create', { name: 'bot', ...values })

test('a key that has ended, by its owner or by itself, is kept for a day and then removed', async () => {
  const ended = String((await create({ end: 0 })).data.apiKey)
  await create({ end: rig.nowMs + 60_000 })
  await create({ end: 0 })
  await browser.post('key/end', { apiKey: ended })
  rig.nowMs += DAY_MS - 60_000
  sweep(rig.context)
  expect(rows()).toBe(3)
  rig.nowMs += 180_000
  sweep(rig.context)
  expect(rows()).toBe(1)
})

test.each([
  ['made another one', () => create({ end: 0 }), 1],
  ['looked at the list', () => browser.get('keys'), 0],
] as const)(
  'a key that an operator has ended is removed a day after its owner has %s',
  async (_, look, left) => {
    await create({ end: 0 })
    const [first] = rig.exchange.ownKeys
    if (first === undefined) expect.unreachable()
    first.isRevoked = true
    rig.nowMs += 1
    await look()
    expect(rows()).toBe(left + 1)
    rig.nowMs += DAY_MS + 1
    sweep(rig.context)
    expect(rows()).toBe(left)
  },
)

test('the exchange does not get the addresses of an expired key', async () => {
  const addresses = ['192.0.2.0/24']
  const { data } = await create({ end: 0, addresses })
  await create({ end: rig.nowMs + 60_000, addresses })
  rig.nowMs += 60_000
  rig.exchange.addressLists.clear()
  await rig.context.announcer.announceAll()
  expect([...rig.exchange.addressLists.keys()]).toEqual([String(data.apiKey)])
})

test('a person gets a bounded number of security mails per hour, and the last one says so', async () => {
  const token = () => rig.mails().find(({ freeze }) => freeze !== undefined)?.freeze ?? ''
  await browser.postWithStepUp('recovery-codes/new')
  for (let n = 0; n < SECURITY_MAILS_PER_HOUR + 5; n++) await browser.post('freeze/link', { token: token() })
  const mails = rig.mails().filter(({ kind }) => kind === 'FROZEN' || kind === 'FACTORS_CHANGED')
  expect(mails.length).toBe(SECURITY_MAILS_PER_HOUR)
  expect(mails.map(({ isLast }) => isLast === true)).toEqual(mails.map((_, index) => index === 0))
  // An email that a person needs to regain access is sent nevertheless.
  await browser.post('recover/begin', { mail: JO })
  expect(rig.mails()[0]?.kind).toBe('RECOVER')
  rig.nowMs += 3_600_001
  await browser.post('freeze/link', { token: token() })
  expect(rig.mails()[0]?.kind).toBe('FROZEN')
})

test('a person has a bounded number of links that freeze', async () => {
  const { links } = rig.context.store
  const { owner: id } = owner()
  for (let n = 0; n < FREEZE_LINKS_MAX + 10; n++) {
    const token_digest = new Uint8Array(32).fill(n & 255)
    token_digest[1] = n >> 8
    links.add({ token_digest, owner: id, kind: 'FREEZE', created_ms: n, expires_ms: rig.nowMs + DAY_MS })
  }
  await browser.postWithStepUp('recovery-codes/new')
  expect(links.countSince(id, 'FREEZE', 0)).toBe(FREEZE_LINKS_MAX)
})
