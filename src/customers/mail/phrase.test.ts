import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, Rig } from '../customers.fixture.ts'
import type { MailToSend } from '../ports.ts'
import { MailSender } from './mail-sender.ts'

const PHRASE = 'seven blue herons'
const JO = 'jo@example.org'
let rig: Rig
let browser: Browser
let sent: MailToSend[]

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
  sent = []
  await browser.signUp(JO)
})
afterEach(() => rig.close())

const sendAll = async () => {
  rig.context.askedMails.write()
  const transport = {
    send: async (mail: MailToSend) => {
      sent.push(mail)
      return { kind: 'SENT' } as const
    },
  }
  await new MailSender(rig.context.store, transport, rig.context).sendDue()
}
const setPhrase = (phrase?: string) =>
  browser.postWithStepUp('phrase/set', phrase === undefined ? {} : { phrase })

test('every mail to a person begins with their phrase, also one that anyone can cause, and no other does', async () => {
  expect((await browser.post('phrase/set', { phrase: PHRASE })).reason).toBe('STEP_UP_NEEDED')
  expect(await setPhrase(PHRASE)).toMatchObject({ status: 200 })
  expect((await browser.get('me')).data.phrase).toBe(PHRASE)
  await browser.post('recover/begin', { mail: JO })
  await browser.begin(JO)
  await browser.begin('other@example.org')
  await sendAll()
  const withPhrase = (to: string) =>
    sent.filter((mail) => mail.to === to).map(({ text }) => text.includes(PHRASE))
  expect(withPhrase(JO)).toEqual([true, true])
  expect(withPhrase('other@example.org')).toEqual([false])
})

test('a mail to an address that is not yet confirmed does not have the phrase', async () => {
  await setPhrase(PHRASE)
  await browser.postWithStepUp('mail/change/begin', { mail: 'new@example.org' })
  await sendAll()
  expect(sent.filter(({ text }) => text.includes(PHRASE)).map(({ to }) => to)).not.toContain(
    'new@example.org',
  )
  expect(sent.map(({ to }) => to)).toContain('new@example.org')
})

test.each(['x'.repeat(61), ' spaces', 'see https://evil.example', 'a\u2028b', ''])(
  'the phrase %j is refused, and the refusal names the field',
  async (phrase) => {
    const refused = await browser.post('step-up/begin', { operation: 'phrase/set', values: { phrase } })
    expect(refused).toMatchObject({ status: 400, reason: 'INVALID_PARAMETER' })
    expect(refused.text).toContain('phrase')
  },
)

test('the phrase can be removed, is part of the exported data, and is in no file in plain text', async () => {
  await setPhrase(PHRASE)
  expect((await browser.get('export')).data.phrase).toBe(PHRASE)
  await setPhrase()
  expect((await browser.get('me')).data.phrase).toBeUndefined()
})
