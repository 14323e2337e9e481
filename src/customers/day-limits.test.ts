/** One person cannot use up the daily limits that all customers share. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, Rig } from './customers.fixture.ts'
import { PERSON_DAY_MAX } from './day-limits.ts'
import type { SoftPasskey } from './soft-passkey.fixture.ts'

const DAY_MS = 86_400_000
/** `CUSTOMER_DAY_MAX` of the exchange, whose code this process does not import. */
const OF_ALL = { keys: 400_000, changes: 20_000, restrictions: 20_000 }
let rig: Rig
let browser: Browser
let passkey: SoftPasskey

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
  await browser.signUp('jo@example.org')
  passkey = browser.passkey ?? expect.unreachable()
})
afterEach(() => rig.close())

const owner = () => {
  const { people, keys } = rig.context.store
  return people.byMail(keys.mailIndex('jo@example.org'))?.owner ?? expect.unreachable()
}

test('a person who signs in and ends sessions in a loop is refused until midnight, and others are not', async () => {
  const spent = { status: 429, reason: 'DAY_LIMIT_REACHED' }
  for (let n = 0; n < PERSON_DAY_MAX.signIns; n++) {
    expect((await browser.signIn(passkey)).status).toBe(200)
    expect((await browser.post('session/end')).status).toBe(200)
  }
  const keys = rig.exchange.keys.size
  const last = rig.browser()
  const refusal = await last.signIn(passkey)
  expect(refusal).toMatchObject(spent)
  expect(refusal.text).toContain('100 times today')
  expect(refusal.text).toContain('00:00 UTC')
  expect([rig.exchange.keys.size, (await last.get('me')).reason]).toEqual([keys, 'SESSION_NEEDED'])
  // The current session continues, and may end others.
  expect((await browser.post('session/end')).status).toBe(200)
  expect((await rig.browser().signUp('ann@example.org')).status).toBe(200)
  rig.nowMs += DAY_MS
  expect((await last.signIn(passkey)).status).toBe(200)
})

test('changes of sign-in methods beyond the limit are refused before anything changes', async () => {
  const { store, dayLimits } = rig.context
  for (let n = 0; n < PERSON_DAY_MAX.changes; n++) dayLimits.take(owner(), 'changes')
  const codes = store.factors.recoveryCodesLeft(owner())
  const epoch = rig.exchange.markByAccount.get(rig.exchange.accounts[0] ?? '')?.epoch
  expect(await browser.postWithStepUp('recovery-codes/new')).toMatchObject({
    reason: 'DAY_LIMIT_REACHED',
  })
  expect(store.factors.recoveryCodesLeft(owner())).toBe(codes)
  expect(rig.exchange.markByAccount.get(rig.exchange.accounts[0] ?? '')?.epoch).toBe(epoch ?? -1)
  expect((await browser.post('freeze')).status).toBe(200)
})

test('one person has at most a hundredth of the limit of all customers together', () => {
  const { signIns, changes, recoveries, unfreezes } = PERSON_DAY_MAX
  // Changes include the ends of the sessions of the day before; each recovery makes two changes.
  expect(changes + 2 * recoveries + signIns + 20).toBeLessThanOrEqual(OF_ALL.changes / 100)
  expect(signIns + recoveries + 1).toBeLessThanOrEqual(OF_ALL.keys / 100)
  expect(3 * (unfreezes + recoveries + 1)).toBeLessThanOrEqual(OF_ALL.restrictions / 100)
})
