import { afterEach, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, Rig } from '../customers.fixture.ts'
import { answerOperator } from '../operators/answer-operator.ts'
import type { SoftPasskey } from '../soft-passkey.fixture.ts'
import { compareWithJournal, journalAllChanges } from './journal-marks.ts'

const MAIL = 'Jo.Doe@example.org'
const rigs: Rig[] = []
afterEach(() => {
  for (const rig of rigs.splice(0)) rig.close()
})

async function signedUp() {
  const rig = new Rig()
  rigs.push(rig)
  const browser = rig.browser()
  await browser.signUp(MAIL)
  const account = rig.exchange.accounts[0] ?? ''
  return { rig, browser, account, passkey: browser.passkey as SoftPasskey }
}

/**
 * Copies the files in their present state; `restore` puts them back and starts with them, as after restoring
 * a backup.
 */
function copyOf(rig: Rig) {
  const copy = `${rig.directory}-copy`
  const files = () => readdirSync(rig.directory).filter((name) => !name.endsWith('.sock'))
  rig.context.store.close()
  cpSync(rig.directory, copy, { recursive: true })
  rig.reopen()
  return async () => {
    rig.context.store.close()
    for (const name of files()) rmSync(join(rig.directory, name))
    cpSync(copy, rig.directory, { recursive: true })
    rmSync(copy, { recursive: true })
    rig.reopen()
    const compared = await compareWithJournal(rig.context)
    await rig.context.announcer.announceAll()
    return compared
  }
}

const status = async (browser: Browser) => (await browser.get('me')).status

test('a store from before a removed passkey admits no passkey or session of that person', async () => {
  const { rig, browser, account, passkey } = await signedUp()
  const first = browser.passkey
  await browser.addPasskey()
  const [removed] = rig.context.store.people.passkeys(
    rig.context.store.people.byAccount(account)?.owner ?? '',
  )
  const restore = copyOf(rig)
  expect((await browser.postWithStepUp('passkey/remove', { id: removed?.id })).status).toBe(200)
  expect(rig.exchange.markByAccount.get(account)?.epoch).toBe(2)
  expect(await restore()).toEqual({ erased: 0, old: [account], unknown: [] })
  expect(await status(browser)).toBe(401)
  for (const one of [first, passkey])
    expect((await rig.browser().signIn(one as SoftPasskey)).reason).toBe('CREDENTIALS_WRONG')
  expect([...rig.exchange.keys.values()].filter((key) => key.account === account)).toEqual([])
})

test('a store from before a changed password admits neither the earlier nor the later one', async () => {
  const rig = new Rig()
  rigs.push(rig)
  const browser = rig.browser()
  const [earlier, later] = ['correct horse battery', 'staple of another horse']
  await browser.begin(MAIL)
  await browser.confirm(MAIL)
  await browser.registerPassword(earlier)
  const account = rig.exchange.accounts[0] ?? ''
  const restore = copyOf(rig)
  rig.nowMs += 60_000
  await browser.post('step-up/begin', { operation: 'password/set', values: { password: later } })
  const { data } = await browser.post('step-up/finish', { password: earlier, code: browser.code() })
  const token = { 'x-step-up': String(data.stepUp) }
  expect((await browser.ask('POST', 'password/set', { password: later }, token)).status).toBe(200)
  expect((await restore()).old).toEqual([account])
  for (const password of [earlier, later]) {
    rig.nowMs += 60_000
    const other = rig.browser()
    other.totpSecret = browser.totpSecret
    expect((await other.signInWithPassword(MAIL, password)).reason).toBe('CREDENTIALS_WRONG')
  }
})

test('a store from before an ended session does not admit it', async () => {
  const { rig, browser, account, passkey } = await signedUp()
  const other = rig.browser()
  await other.signIn(passkey)
  const restore = copyOf(rig)
  expect(await status(other)).toBe(200)
  await browser.post('session/end')
  expect(await status(other)).toBe(401)
  expect((await restore()).old).toEqual([account])
  expect(await status(other)).toBe(401)
  expect(rig.exchange.keys.size).toBe(0)
})

test('a store as new as the journal continues, and sign-ins and sign-outs are not counted', async () => {
  const { rig, browser, account, passkey } = await signedUp()
  const other = rig.browser()
  await other.signIn(passkey)
  await other.post('logout')
  expect(rig.exchange.markByAccount.get(account)?.epoch).toBe(0)
  rig.restart()
  expect(await compareWithJournal(rig.context)).toEqual({ erased: 0, old: [], unknown: [] })
  expect(await status(browser)).toBe(200)
})

test('a change whose answer was lost is counted once, and the store that has it is not an old one', async () => {
  const { rig, browser, account, passkey } = await signedUp()
  await rig.browser().signIn(passkey)
  const raise = rig.exchange.raiseEpoch.bind(rig.exchange)
  rig.exchange.raiseEpoch = async (...asked) => {
    await raise(...asked)
    rig.exchange.isAway = true
    return raise(...asked)
  }
  expect((await browser.post('session/end')).reason).toBe('CUSTOMERS_AWAY')
  rig.exchange.isAway = false
  rig.exchange.raiseEpoch = raise
  rig.restart()
  expect((await compareWithJournal(rig.context)).old).toEqual([])
  await journalAllChanges(rig.context)
  expect(rig.exchange.markByAccount.get(account)?.epoch).toBe(1)
  expect(rig.context.store.marks.of(account)).toMatchObject({ epoch: 1, wanted_epoch: null })
})

test('a change that the exchange has not received is counted later', async () => {
  const { rig, browser, account, passkey } = await signedUp()
  const other = rig.browser()
  await other.signIn(passkey)
  rig.exchange.isAway = true
  expect((await browser.post('session/end')).reason).toBe('CUSTOMERS_AWAY')
  // The change takes effect at once.
  expect(await status(other)).toBe(401)
  rig.exchange.isAway = false
  await journalAllChanges(rig.context)
  expect(rig.exchange.markByAccount.get(account)?.epoch).toBe(1)
})

test('a change that the exchange refuses blocks no other person’s', async () => {
  const { rig, account } = await signedUp()
  const other = rig.browser()
  await other.signUp('ben@example.org')
  const accounts = [account, ...rig.exchange.accounts.filter((each) => each !== account)]
  const [marks, store] = [rig.exchange.markByAccount, rig.context.store]
  for (const refused of accounts) {
    for (const each of accounts) store.marks.want(store.people.byAccount(each)?.owner ?? '')
    const mark = { ...(marks.get(refused) ?? { epoch: 0, isForgotten: false }) }
    marks.delete(refused)
    await expect(journalAllChanges(rig.context)).rejects.toThrow('UNKNOWN_ACCOUNT')
    expect(store.marks.wanted().map(({ account: left }) => left)).toEqual([refused])
    marks.set(refused, mark)
    await journalAllChanges(rig.context)
    expect(store.marks.wanted()).toEqual([])
  }
})

test('a customer in the journal who is missing in the store is named', async () => {
  const { rig } = await signedUp()
  rig.exchange.markByAccount.set('c-lost', { epoch: 0, isForgotten: false })
  expect((await compareWithJournal(rig.context)).unknown).toEqual(['c-lost'])
})

/** The texts as they are in a file, and in the encodings in which they could be hidden there. */
function formsOf(text: string): readonly Buffer[] {
  const raw = Buffer.from(text)
  const digest = createHash('sha256').update(raw).digest()
  const base64 = raw.toString('base64').slice(0, -4)
  return [raw, Buffer.from(base64), Buffer.from(text, 'utf16le'), digest, Buffer.from(digest.toString('hex'))]
}

function foundIn(rig: Rig, texts: readonly string[]): readonly string[] {
  return readdirSync(rig.directory).flatMap((name) => {
    const bytes = readFileSync(join(rig.directory, name))
    return texts
      .filter((text) => formsOf(text).some((form) => bytes.includes(form)))
      .map((text) => `${name}: ${text}`)
  })
}

test('an erasure leaves nothing of a person in any file, and an older copy of the store is erased at its start', async () => {
  const { rig, browser, account, passkey } = await signedUp()
  const { store } = rig.context
  const person = store.people.byAccount(account)
  const owner = person?.owner ?? ''
  // Writes more data about the same address.
  await rig.browser().begin(MAIL)
  const exported = await browser.get('export')
  expect(exported.data).toMatchObject({ account, mail: MAIL, termsVersion: 1 })
  expect(exported.data.history).toBeArray()
  const restore = copyOf(rig)
  expect((await browser.postWithStepUp('erase', {})).status).toBe(200)
  const index = Buffer.from(person?.mail_index ?? '').toString('latin1')
  const [key, credential] = [account, passkey.id.toString('base64url')]
  const texts = [MAIL, MAIL.toLowerCase(), 'Jo.Doe', '192.0.2.0/24', credential]
  const gone = () => {
    expect(foundIn(rig, texts)).toEqual([])
    for (const name of readdirSync(rig.directory))
      expect([name, readFileSync(join(rig.directory, name)).toString('latin1').includes(index)]).toEqual([
        name,
        false,
      ])
    expect(rig.context.store.people.byAccount(key)).toBeUndefined()
    expect(rig.context.store.keys.keyOf(owner)).toBeUndefined()
    expect(rig.mails()).toEqual([])
  }
  gone()
  expect(await status(browser)).toBe(401)
  expect(rig.exchange.keys.size).toBe(0)
  expect((await rig.browser().signIn(passkey)).reason).toBe('CREDENTIALS_WRONG')
  expect(rig.exchange.markByAccount.get(account)?.isForgotten).toBe(true)
  expect(rig.context.store.records.firstBroken()).toBeUndefined()
  expect(await restore()).toEqual({ erased: 1, old: [], unknown: [] })
  gone()
  expect(await compareWithJournal(rig.context)).toEqual({ erased: 0, old: [], unknown: [] })
})

test.each(['by the person', 'by an operator'])(
  'an erasure %s ends the API keys of the account',
  async (by) => {
    const { rig, browser, account } = await signedUp()
    await browser.postWithStepUp('key/create', { name: 'laptop', end: 0 })
    if (by === 'by the person') await browser.postWithStepUp('erase', {})
    else await answerOperator(rig.context, 'erased', { by: 'local:eve', request: { account } })
    expect(rig.exchange.ownKeys.map(({ isRevoked }) => isRevoked)).toEqual([true])
  },
)

test('an operator erases a customer whose erasure is journaled, and a repeat finds nothing', async () => {
  const { rig, browser, account } = await signedUp()
  await rig.exchange.forget(account)
  for (let times = 0; times < 2; times++)
    expect(await answerOperator(rig.context, 'erased', { by: 'local:eve', request: { account } })).toEqual({
      ...{ ok: true, result: { erased: true } },
    })
  expect(foundIn(rig, [MAIL])).toEqual([])
  expect(await status(browser)).toBe(401)
  expect(rig.exchange.keys.size).toBe(0)
})

test('an erasure needs a step-up, and a connection to the journal', async () => {
  const { rig, browser, account } = await signedUp()
  expect((await browser.post('erase')).reason).toBe('STEP_UP_NEEDED')
  rig.exchange.isAway = true
  expect((await browser.postWithStepUp('erase', {})).reason).toBe('CUSTOMERS_AWAY')
  expect(rig.context.store.people.byAccount(account)).toBeDefined()
})
