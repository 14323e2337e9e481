import { afterEach, expect, test } from 'bun:test'
import { ORIGIN, Rig } from '../../customers/customers.fixture.ts'
import { GIVE_UP_MS, MailSender, WAITING_MAX } from '../../customers/mail/mail-sender.ts'
import { SmallMailServer } from './small-mail-server.fixture.ts'
import { SmtpTransport } from './smtp-transport.ts'

let rig = new Rig()
let server = new SmallMailServer()
afterEach(() => {
  server.stop()
  server = new SmallMailServer()
  rig.close()
  rig = new Rig()
})

const JO = 'jo@example.org'

async function sending(): Promise<MailSender> {
  const port = await server.start()
  const transport = new SmtpTransport({ host: '127.0.0.1', port, from: 'no-reply@exchange.example' })
  const { store, config, world } = rig.context
  return new MailSender(store, transport, { config: { ...config, rpId: 'exchange.example' }, world })
}

const states = () => rig.mails().map(({ state }) => state)
const idsOf = (mails: readonly string[]) => mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1])

test('a mail is sent once, in the language of its recipient, with one Message-ID', async () => {
  const sender = await sending()
  const browser = rig.browser()
  await browser.get('config')
  await browser.post('signup/begin', { mail: JO, language: 'tr', termsVersion: 1 })
  await sender.sendDue()
  await sender.sendDue()
  expect(server.taken.length).toBe(1)
  const [mail = ''] = server.taken
  expect(mail).toContain(`To: ${JO}`)
  expect(mail).toContain('<no-reply@exchange.example>')
  expect(mail).toContain('Auto-Submitted: auto-generated')
  expect(mail).toContain('Content-Language: tr')
  expect(idsOf([mail])).toEqual([`<${rig.mails()[0]?.id}@exchange.example>`])
  expect(states()).toEqual(['SENT'])
})

test('a mail that the server does not accept now is sent later, and dropped after a day', async () => {
  const sender = await sending()
  await rig.browser().begin(JO)
  server.answers = { RCPT: '451 greylisted' }
  await sender.sendDue()
  expect([states(), server.taken.length]).toEqual([['WAITING'], 0])
  server.answers = {}
  await sender.sendDue()
  expect(server.taken.length).toBe(0)
  rig.nowMs += 60_000
  await sender.sendDue()
  expect([states(), server.taken.length]).toEqual([['SENT'], 1])
  await rig.browser().begin('al@example.org')
  server.answers = { RCPT: '451 greylisted' }
  await sender.sendDue()
  rig.nowMs += GIVE_UP_MS
  await sender.sendDue()
  expect(states()[0]).toBe('BOUNCED')
})

test('a mail that the server refuses permanently is not sent again, and the next one is sent', async () => {
  const sender = await sending()
  await rig.browser().begin('no-such@example.org')
  server.answers = { RCPT: '550 no such user' }
  await sender.sendDue()
  server.answers = {}
  await rig.browser().begin(JO)
  rig.nowMs += 3_600_000
  await sender.sendDue()
  expect(states()).toEqual(['SENT', 'BOUNCED'])
  expect(server.taken.length).toBe(1)
})

test('a mail whose answer was lost is sent again under the same Message-ID, and says so', async () => {
  const sender = await sending()
  await rig.browser().begin(JO)
  server.answers = { MESSAGE: 'HANG UP' }
  await sender.sendDue()
  expect(states()).toEqual(['SENDING'])
  server.answers = {}
  rig.nowMs += 60_000
  await sender.sendDue()
  const [first, second] = server.taken
  const ids = idsOf(server.taken)
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  expect([first?.includes('reached you before'), second?.includes('reached you before')]).toEqual([
    false,
    true,
  ])
  expect(states()).toEqual(['SENT'])
})

test('a server without TLS is given neither a password nor the mail that would need one', async () => {
  const port = await server.start()
  const transport = new SmtpTransport({
    host: '127.0.0.1',
    port,
    from: 'no-reply@exchange.example',
    user: 'jo',
    passwordFile: import.meta.path,
  })
  const outcome = await transport.send({ ...SAID, to: JO })
  expect(outcome.kind).toBe('LATER')
  expect(server.commands).not.toContain('AUTH')
  expect(server.taken).toEqual([])
})

test('an unreadable password file and an unreachable server are retried later', async () => {
  const from = 'no-reply@exchange.example'
  const away = new SmtpTransport({ host: '127.0.0.1', port: 1, from })
  const unreadable = new SmtpTransport({
    host: '127.0.0.1',
    port: 1,
    from,
    user: 'jo',
    passwordFile: '/nowhere',
  })
  for (const transport of [away, unreadable])
    expect((await transport.send({ ...SAID, to: JO })).kind).toBe('LATER')
})

test('a full queue refuses sign-ups, and accepts security mails, which are sent first', async () => {
  rig.close()
  rig = new Rig({ ...rig.config, isSandbox: false })
  const browser = rig.browser()
  await browser.signUp(JO)
  const { records, keys } = rig.context.store
  const { owner, key } = keys.newOwner()
  const details = { to: 'al@example.org', language: 'en', token: '' } as const
  rig.context.store.atOnce(() => {
    for (let n = records.mailsWaiting(); n < WAITING_MAX; n++)
      records.addMail({ owner, kind: 'CONFIRM', at_ms: rig.nowMs }, details, key)
  })
  expect((await rig.browser().begin('an@example.org')).reason).toBe('TOO_MANY_SIGNUPS')
  expect((await browser.addPasskey('phone')).status).toBe(200)
  expect(records.mailDue(rig.nowMs)).toMatchObject({ kind: 'FACTORS_CHANGED', to: JO })
})

const SAID = { messageId: '<1@exchange.example>', fromName: ORIGIN, subject: 's', text: 't', language: 'en' }
