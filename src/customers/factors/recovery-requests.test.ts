/** Recovery with only the email address gives no access, and asks operators. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, Rig } from '../customers.fixture.ts'
import { RECOVERY_WAITS_MS } from './recovery-requests.ts'

const JO = 'jo@example.org'
let rig: Rig
let browser: Browser

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
  await browser.signUp(JO)
})
afterEach(() => rig.close())

const kinds = () => rig.mails().map(({ kind }) => kind)
async function requested() {
  const other = rig.browser()
  await other.get('config')
  await other.post('recover/begin', { mail: JO })
  const token = rig.mails().find(({ kind }) => kind === 'RECOVER')?.token ?? ''
  return { other, token, answer: await other.post('recover/request', { token }) }
}

test('the link of the mail alone sends a request to operators, notifies the owner, and opens nothing', async () => {
  const { other, token, answer } = await requested()
  expect(answer.data.readyAt).toBe(rig.nowMs + RECOVERY_WAITS_MS)
  expect(kinds()[0]).toBe('RECOVERY_ASKED')
  expect((await other.get('me')).reason).toBe('SESSION_NEEDED')
  expect((await browser.get('me')).data.recoveryAskedAt).toBe(rig.nowMs - 2)
  expect(rig.exchange.restrictions.size).toBe(0)
  // The link is used up; a repeat with another one does not start over.
  expect((await other.post('recover/request', { token })).reason).toBe('LINK_INVALID')
  const again = await requested()
  expect(again.answer.data.readyAt).toBe(answer.data.readyAt as number)
})

test('any session of the account stops it, and that is notified too', async () => {
  await requested()
  const other = rig.browser()
  await other.signIn(browser.passkey ?? expect.unreachable())
  expect(await other.post('recover/stop')).toMatchObject({ status: 200 })
  expect((await browser.get('me')).data.recoveryAskedAt).toBeUndefined()
  expect(kinds()[0]).toBe('RECOVERY_STOPPED')
  // There is nothing to stop, so no email is sent.
  const before = kinds().length
  await other.post('recover/stop')
  expect(kinds().length).toBe(before)
})

test('an unknown link requests nothing', async () => {
  expect((await browser.post('recover/request', { token: 'A'.repeat(43) })).reason).toBe('LINK_INVALID')
})
