/** Admission of persons by invitation and by approval, on real files. */
import { afterEach, expect, test } from 'bun:test'
import type { CustomerQuestion, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import type { SignUpMode } from '../../contract/customers/sign-up.ts'
import { type Answered, Browser, CONFIG, Rig, SESSION_KEY } from '../customers.fixture.ts'
import { sweepSignUps } from '../people/sign-up.ts'
import { answerOperator } from './answer-operator.ts'

const DAY_MS = 86_400_000
let rig: Rig
afterEach(() => rig.close())

function opened(signUp: SignUpMode): void {
  rig = new Rig({ ...CONFIG, signUp })
}

async function ask<Name extends CustomerQuestion>(name: Name, request: QuestionRequest<Name>) {
  return (await answerOperator(rig.context, name, { by: 'dan', request })) as {
    ok: boolean
    reason?: string
    result: Record<string, unknown>
  }
}

async function invite(terms: Partial<QuestionRequest<'invite'>> = {}): Promise<string> {
  return String((await ask('invite', { uses: 1, days: 14, ...terms })).result.code)
}

async function begin(browser: Browser, mail: string, invitation?: string): Promise<Answered> {
  await browser.get('config')
  const terms = { mail, language: 'en', termsVersion: 1 }
  return browser.post('signup/begin', invitation === undefined ? terms : { ...terms, invitation })
}

/** Runs all steps; returns the answer to the passkey. */
async function comeIn(mail: string, invitation?: string, browser = new Browser(rig)): Promise<Answered> {
  const begun = await begin(browser, mail, invitation)
  if (begun.status !== 202) return begun
  await browser.confirm(mail)
  return browser.register(SESSION_KEY)
}

test('each mode determines who may sign up, and config shows it', async () => {
  const answers: unknown[] = []
  for (const mode of ['OPEN', 'APPROVAL', 'INVITATION', 'CLOSED'] as const) {
    opened(mode)
    const browser = new Browser(rig)
    const { data } = await browser.get('config')
    answers.push([data.signUp, (await comeIn('jo@example.org', undefined, browser)).reason ?? 'in'])
    answers.push([mode, rig.exchange.accounts.length])
    if (mode !== 'CLOSED') rig.close()
  }
  expect(answers).toEqual([
    ...[
      ['OPEN', 'in'],
      ['OPEN', 1],
      ['APPROVAL', 'in'],
      ['APPROVAL', 0],
    ],
    ...[
      ['INVITATION', 'INVITATION_INVALID'],
      ['INVITATION', 0],
      ['CLOSED', 'SIGNUP_CLOSED'],
      ['CLOSED', 0],
    ],
  ])
})

test('an invitation is good for a number of people, counted when they have signed up, and an unfinished sign-up uses nothing', async () => {
  opened('INVITATION')
  const code = await invite({ uses: 2 })
  expect(code).toMatch(/^[\w-]{22}$/)
  await begin(new Browser(rig), 'unfinished@example.org', code)
  expect((await comeIn('an@example.org', code)).status).toBe(200)
  expect((await comeIn('jo@example.org', code)).status).toBe(200)
  expect((await comeIn('third@example.org', code)).reason).toBe('INVITATION_INVALID')
  expect(rig.exchange.accounts.length).toBe(2)
})

test('an invitation for one person that several use at once admits one of them', async () => {
  opened('INVITATION')
  const code = await invite()
  const browsers = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const browser = new Browser(rig)
      await begin(browser, `p${index}@example.org`, code)
      await browser.confirm(`p${index}@example.org`)
      return browser
    }),
  )
  const answers = await Promise.all(browsers.map((browser) => browser.register(SESSION_KEY)))
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  expect(answers.filter(({ reason }) => reason === 'INVITATION_INVALID').length).toBe(4)
})

test('an invitation for one address works for no other, and ends after its days or when an operator ends it', async () => {
  opened('INVITATION')
  const bound = await invite({ mail: 'Jo@example.org' })
  expect((await begin(new Browser(rig), 'an@example.org', bound)).reason).toBe('INVITATION_INVALID')
  expect((await begin(new Browser(rig), 'jo@EXAMPLE.org', bound)).status).toBe(202)
  const short = await invite({ days: 1 })
  const made = await ask('invite', { uses: 9, days: 9 })
  await ask('uninvite', { id: String(made.result.id) })
  const ended = String(made.result.code)
  expect((await begin(new Browser(rig), 'an@example.org', ended)).reason).toBe('INVITATION_INVALID')
  rig.nowMs += DAY_MS
  expect((await begin(new Browser(rig), 'an@example.org', short)).reason).toBe('INVITATION_INVALID')
})

test('a list of invitations has neither codes nor addresses', async () => {
  opened('INVITATION')
  const code = await invite({ mail: 'jo@example.org', uses: 3 })
  const list = await ask('invitations', { limit: 10 })
  expect(list.result).toMatchObject([{ uses: 0, usesMax: 3, isForOneAddress: true, by: 'dan' }])
  expect(JSON.stringify(list)).not.toContain(code)
  expect(JSON.stringify(list)).not.toContain('example')
  expect((await ask('uninvite', { id: '0'.repeat(16) })).reason).toBe('UNKNOWN_INVITATION')
})

test('a person who waits for approval has no account and is not signed in, until an operator approves', async () => {
  opened('APPROVAL')
  const browser = new Browser(rig)
  const { data } = await comeIn('jo@example.org', undefined, browser)
  const account = String(data.account)
  expect(data).toEqual({ account, isWaiting: true, recoveryCodes: expect.any(Array) })
  const passkey = browser.passkey ?? expect.unreachable()
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  expect(await new Browser(rig).signIn(passkey)).toMatchObject({ status: 403, reason: 'APPROVAL_AWAITED' })
  // The person is kept, and the address is taken.
  rig.nowMs += 3 * DAY_MS
  sweepSignUps(rig.context)
  await begin(new Browser(rig), 'jo@example.org')
  expect(rig.mails()[0]?.kind).toBe('HAVE_ACCOUNT')
  expect(await ask('list', { limit: 10, state: 'WAITING' })).toMatchObject({ result: [{ account }] })
  const approved = await ask('approve', { account, reason: 'documents seen' })
  expect(approved).toMatchObject({ ok: true, result: { account, state: 'ACTIVE' } })
  expect(rig.exchange.accounts).toEqual([account])
  expect(rig.mails()[0]?.kind).toBe('APPROVED')
  const again = new Browser(rig)
  expect((await again.signIn(passkey)).status).toBe(200)
  expect((await again.get('history')).text).toContain('documents seen')
  expect((await ask('approve', { account, reason: 'twice' })).reason).toBe('NOT_WAITING')
})

test('an approval that the exchange did not answer is retried by itself', async () => {
  opened('APPROVAL')
  const account = String((await comeIn('jo@example.org')).data.account)
  rig.exchange.isAway = true
  await expect(ask('approve', { account, reason: 'yes' })).rejects.toThrow('the exchange is away')
  rig.exchange.isAway = false
  rig.restart()
  await rig.context.openings.goOn()
  expect(rig.exchange.accounts).toEqual([account])
})

test('an invited person needs no approval', async () => {
  opened('APPROVAL')
  const answer = await comeIn('jo@example.org', await invite())
  expect(answer.data.isWaiting).toBeUndefined()
  expect(rig.exchange.accounts.length).toBe(1)
})

test('a refused person is erased, is informed by mail, and may sign up again', async () => {
  opened('APPROVAL')
  const browser = new Browser(rig)
  const account = String((await comeIn('jo@example.org', undefined, browser)).data.account)
  expect(await ask('refuse', { account })).toEqual({ ok: true, result: { refused: true } })
  expect((await ask('list', { limit: 10 })).result).toEqual([] as never)
  expect(rig.mails().map(({ kind, to }) => [kind, to])).toEqual([['REFUSED', 'jo@example.org']])
  const passkey = browser.passkey ?? expect.unreachable()
  expect((await new Browser(rig).signIn(passkey)).reason).toBe('CREDENTIALS_WRONG')
  expect((await comeIn('jo@example.org')).data.isWaiting).toBe(true)
  rig.nowMs += 8 * DAY_MS
  sweepSignUps(rig.context)
  expect(rig.mails().filter(({ kind }) => kind === 'REFUSED')).toEqual([])
})
