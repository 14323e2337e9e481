/** People at two processes that share a store in PostgreSQL: they sign up at one, and use the other too. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { type Answered, CONFIG, Rig } from '../../src/customers/customers.fixture.ts'
import { compareWithJournal, journalAllChanges } from '../../src/customers/people/journal-marks.ts'
import type { SoftPasskey } from '../../src/customers/soft-passkey.fixture.ts'
import { emptyCustomers, makeCustomers, openStore } from './support/customers.ts'
import { eventually } from './support/eventually.ts'
import { discardServers, PostgresServer } from './support/server.ts'

const server = await PostgresServer.start()
await makeCustomers(server)
afterAll(discardServers)

const JO = 'jo@example.org'
const PASSWORD = 'a long pass phrase of jo'
/** Timeout of stores whose server freezes: long enough for a machine that pauses. */
const TIMEOUT_MS = 4_000

let first: Rig
let second: Rig
beforeEach(async () => {
  await emptyCustomers(server)
  first = new Rig(CONFIG, () => openStore(server, { timeoutMs: TIMEOUT_MS }))
  second = new Rig(CONFIG, () => openStore(server, { timeoutMs: TIMEOUT_MS }))
  second.outside = first.exchange
  second.takeOutside()
})
afterEach(() => {
  first.close()
  second.close()
})

const passkeyOf = (browser: { readonly passkey: SoftPasskey | undefined }) => browser.passkey as SoftPasskey
const reasonOf = async (answered: Promise<Answered>) => {
  const { status, reason } = await answered
  return reason ?? status
}

test('a person who has signed up at one process signs in at the other, and sessions end at both', async () => {
  const browser = first.browser()
  expect(await reasonOf(browser.signUp(JO))).toBe(200)
  const other = second.browser()
  expect(await reasonOf(other.signIn(passkeyOf(browser)))).toBe(200)
  // The cookie of one process is valid at the other.
  const moved = second.browser()
  moved.cookie = browser.cookie
  expect((await moved.get('me')).data.mail).toBe(JO)
  expect(await reasonOf(other.post('session/end'))).toBe(200)
  expect(await reasonOf(browser.get('me'))).toBe('SESSION_NEEDED')
  expect(first.exchange.keys.size).toBe(1)
  expect(await reasonOf(other.get('me'))).toBe(200)
})

test('a removed passkey, a used code and an erased person are so at both processes', async () => {
  const browser = first.browser()
  await browser.signUp(JO)
  const removed = passkeyOf(browser)
  expect(await reasonOf(browser.addPasskey('laptop'))).toBe(200)
  const { data } = await browser.get('me')
  const [oldest] = data.passkeys as readonly { readonly id: string }[]
  expect(await reasonOf(browser.postWithStepUp('passkey/remove', { id: oldest?.id }))).toBe(200)
  expect(await reasonOf(second.browser().signIn(removed))).toBe('CREDENTIALS_WRONG')
  expect(await reasonOf(browser.postWithStepUp('password/set', { password: PASSWORD }))).toBe(200)
  const codes = (await browser.postWithStepUp('recovery-codes/new')).data.recoveryCodes as readonly string[]
  await browser.post('recover/begin', { mail: JO })
  const token = first.mails().find(({ kind }) => kind === 'RECOVER')?.token
  const recovering = second.browser()
  await recovering.get('config')
  expect(await reasonOf(recovering.post('recover/confirm', { token, code: codes[0] }))).toBe(200)
  expect(await reasonOf(recovering.register())).toBe(200)
  expect(await reasonOf(first.browser().signIn(passkeyOf(browser)))).toBe('CREDENTIALS_WRONG')
  expect(await reasonOf(recovering.signIn(passkeyOf(recovering)))).toBe(200)
  expect(await reasonOf(recovering.postWithStepUp('erase'))).toBe(200)
  expect(await reasonOf(first.browser().signIn(passkeyOf(recovering)))).toBe('CREDENTIALS_WRONG')
  expect(first.context.store.keys.owners()).toEqual([])
  expect(first.context.store.records.firstBroken()).toBeUndefined()
  expect(await compareWithJournal(second.context)).toMatchObject({ erased: 0, old: [], unknown: [] })
})

test('while the database is frozen each request is answered with 503, and afterwards the person signs in', async () => {
  const browser = first.browser()
  await browser.signUp(JO)
  server.freeze()
  try {
    for (const endpoint of ['me', 'sessions', 'history', 'keys'] as const)
      expect(await reasonOf(browser.get(endpoint))).toBe('CUSTOMERS_AWAY')
    expect(await reasonOf(browser.post('freeze'))).toBe('CUSTOMERS_AWAY')
  } finally {
    server.thaw()
  }
  await eventually('the store answers', async () => (await browser.get('me')).status === 200)
  await eventually(
    'the person signs in',
    async () => (await first.browser().signIn(passkeyOf(browser))).status === 200,
  )
  await journalAllChanges(first.context)
  expect(first.warnings.every(({ message }) => message === 'the customer store did not answer')).toBe(true)
})
