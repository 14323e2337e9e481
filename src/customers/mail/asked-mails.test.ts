/** Emails that anyone can request with an address alone. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, Rig } from '../customers.fixture.ts'
import { ASKED_MAX } from './asked-mails.ts'

const JO = 'jo@example.org'
let rig: Rig
let browser: Browser

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
  await browser.signUp(JO)
})
afterEach(() => rig.close())

const sent = (kind: string) => rig.mails().filter((mail) => mail.kind === kind).length

test('a request for a mail reads nothing from the store before it is answered', async () => {
  const { people } = rig.context.store
  const looks: string[] = []
  const byMail = people.byMail.bind(people)
  people.byMail = (index) => {
    looks.push('look')
    return byMail(index)
  }
  for (const path of ['recover/begin', 'unfreeze/begin'] as const)
    for (const mail of [JO, 'nobody@example.org'])
      expect(await browser.post(path, { mail })).toMatchObject({ status: 202 })
  expect(looks).toEqual([])
  expect([sent('RECOVER'), sent('UNFREEZE')]).toEqual([1, 1])
})

test('an address without an account causes the same writes to the disk as one with an account', async () => {
  const { store } = rig.context
  const { atOnce } = store
  let transactions = 0
  store.atOnce = <Result>(work: () => Result): Result => {
    transactions++
    return atOnce.call(store, work) as Result
  }
  const written = (): number => {
    rig.context.askedMails.write()
    return transactions
  }
  await browser.post('recover/begin', { mail: 'nobody@example.org' })
  expect(written()).toBe(1)
  await browser.post('recover/begin', { mail: JO })
  expect(written()).toBe(2)
  // No request is waiting.
  expect(written()).toBe(2)
  expect(sent('RECOVER')).toBe(1)
})

test('at most five mails of a kind go to an address per hour, and requests beyond the queue get the same answer', async () => {
  for (let n = 0; n < 7; n++) await browser.post('recover/begin', { mail: JO })
  expect(sent('RECOVER')).toBe(5)
  rig.nowMs += 3_600_001
  for (let n = 0; n < ASKED_MAX; n++) rig.context.askedMails.ask('RECOVER', `nobody${n}@example.org`)
  expect(await browser.post('recover/begin', { mail: JO })).toMatchObject({ status: 202 })
  expect(sent('RECOVER')).toBe(5)
})
