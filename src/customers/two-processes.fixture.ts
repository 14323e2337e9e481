/** Operations of processes on one store, and the states in which they begin. */

import type { AccountEndpoint } from '../contract/customers/endpoints.ts'
import type { CustomerQuestion } from '../contract/customers/operator-questions.ts'
import { isAway } from './away.ts'
import { type Answered, type Browser, CONFIG, ORIGIN, type Rig, SESSION_KEY } from './customers.fixture.ts'
import { RECOVERY_WAITS_MS } from './factors/recovery-requests.ts'
import { endRests } from './freezes/rests.ts'
import { REST_MS } from './freezes/unfreeze.ts'
import type { Operation } from './interleaving.fixture.ts'
import { answerOperator } from './operators/answer-operator.ts'
import { changeDueMails, MAIL_WAITS_MS } from './operators/resetting.ts'
import { journalHeadOfDay } from './operators/trail.ts'
import { compareWithJournal, journalAllChanges } from './people/journal-marks.ts'
import { SoftPasskey } from './soft-passkey.fixture.ts'
import { sweep } from './sweep.ts'

export const JO = 'jo@example.org'
const NEW = 'jo@example.com'
const PASSWORD = 'correct horse battery'
const HOLDERS = ['dan', 'eve', 'fay']

/** Values that the operations of a scene need. */
export type Known = {
  readonly account: string
  /** Two browsers in which the person has signed in, with a passkey each. */
  readonly here: Browser
  readonly there: Browser
  readonly passkeys: readonly [SoftPasskey, SoftPasskey]
  readonly codes: readonly string[]
  readonly apiKey: string
  readonly madeMs: number
  readonly tokenOf: (kind: string, at?: number) => string
  readonly invitation: string
}

function whenAway(cause: unknown): 'away' {
  if (!isAway(cause)) throw cause
  return 'away'
}

const said = ({ status, reason }: Pick<Answered, 'status' | 'reason'>): string => `${status} ${reason ?? ''}`

function must(answered: Answered): Answered {
  if (answered.status >= 300) throw new Error(`${answered.status} ${answered.reason}`)
  return answered
}

type Make = (known: Known, rig: Rig) => Browser

const here: Make = ({ here }, rig) => here.at(rig)
const there: Make = ({ there }, rig) => there.at(rig)
const stranger: Make = (_, rig) => rig.browser()

/** A request of a browser that needs no preparation. */
function post(
  who: Make,
  path: AccountEndpoint,
  body: (known: Known) => object = () => ({}),
): Operation<Known> {
  return async (rig, known) => {
    const browser = who(known, rig)
    await browser.get('config')
    return async () => said(await browser.post(path, body(known)))
  }
}

function get(path: AccountEndpoint): Operation<Known> {
  return async (rig, known) => async () => said(await here(known, rig).get(path))
}

/** A request with a step-up that was finished before. */
function postStepped(
  who: Make,
  path: AccountEndpoint,
  body: (known: Known) => object = () => ({}),
): Operation<Known> {
  return async (rig, known) => {
    const browser = who(known, rig)
    const { data } = must(await browser.stepUp(path, body(known)))
    return async () =>
      said(await browser.ask('POST', path, body(known), { 'x-step-up': String(data.stepUp) }))
  }
}

function signIn(which: 0 | 1): Operation<Known> {
  return async (rig, known) => {
    const browser = rig.browser()
    await browser.get('config')
    const { data } = await browser.post('login/passkey/begin')
    const assertion = known.passkeys[which].get(String(data.options))
    return async () =>
      said(await browser.post('login/passkey/finish', { assertion, sessionKey: SESSION_KEY }))
  }
}

function addPasskey(who: Make): Operation<Known> {
  return async (rig, known) => {
    const browser = who(known, rig)
    const { data } = must(await browser.postWithStepUp('passkey/register/begin'))
    const attestation = new SoftPasskey(ORIGIN, CONFIG.rpId).create(String(data.options))
    return async () => said(await browser.post('passkey/register/finish', { attestation, label: 'new' }))
  }
}

function unfreeze(): Operation<Known> {
  return async (rig, { passkeys, tokenOf }) => {
    const browser = rig.browser()
    await browser.get('config')
    const { data } = await browser.post('login/passkey/begin')
    const assertion = passkeys[0].get(String(data.options))
    return async () => said(await browser.post('unfreeze/confirm', { token: tokenOf('UNFREEZE'), assertion }))
  }
}

function confirmAndRegister(at: number): Operation<Known> {
  return async (rig, { tokenOf }) => {
    const browser = rig.browser()
    await browser.get('config')
    must(await browser.post('signup/confirm', { token: tokenOf('CONFIRM', at) }))
    const { data } = must(await browser.post('passkey/register/begin'))
    const attestation = new SoftPasskey(ORIGIN, CONFIG.rpId).create(String(data.options))
    return async () =>
      said(await browser.post('passkey/register/finish', { attestation, sessionKey: SESSION_KEY }))
  }
}

function operator(
  question: CustomerQuestion,
  by = 'eve',
  more: (known: Known) => object = () => ({}),
): Operation<Known> {
  return async (rig, known) => async () => {
    rig.nowMs++
    const { account, madeMs } = known
    const request = { account, reason: 'case 17', madeMs, holders: HOLDERS, ...more(known) }
    const found = await answerOperator(rig.context, question, { by, request } as never).catch(whenAway)
    if (found === 'away') return found
    if (found === undefined) return 'none'
    if (!found.ok) return found.reason
    const { isDone } = found.result as { readonly isDone?: boolean }
    return isDone === undefined ? 'ok' : `ok ${isDone}`
  }
}

function timer(work: (rig: Rig) => unknown): Operation<Known> {
  return async (rig) => async () => {
    try {
      await work(rig)
    } catch (cause) {
      if (!isAway(cause)) throw cause
      return 'away'
    }
    return 'done'
  }
}

async function person(rig: Rig): Promise<Omit<Known, 'tokenOf' | 'invitation'>> {
  const here = rig.browser()
  must(await here.signUp(JO))
  const first = here.passkey
  const madeMs = rig.nowMs
  const account = rig.exchange.accounts[0] ?? ''
  must(await here.addPasskey('second'))
  const second = here.passkey
  if (first === undefined || second === undefined) throw new Error('there is no passkey')
  must(await here.postWithStepUp('password/set', { password: PASSWORD }))
  here.totpSecret = String(must(await here.postWithStepUp('totp/begin')).data.secret)
  must(await here.post('totp/finish', { code: here.code() }))
  rig.nowMs += 60_000
  const codes = must(await here.postWithStepUp('recovery-codes/new')).data.recoveryCodes as readonly string[]
  const key = { name: 'bot', addresses: ['192.0.2.0/24'], end: 0 }
  const apiKey = String(must(await here.postWithStepUp('key/create', key)).data.apiKey)
  const there = rig.browser()
  there.passkey = second
  must(await there.signIn(second))
  return { account, here, there, passkeys: [first, second], codes, apiKey, madeMs }
}

function tokensOf(rig: Rig): Known['tokenOf'] {
  const mails = rig.mails()
  return (kind, at = 0) => {
    const mail = mails.filter((each) => each.kind === kind)[at]
    return (kind === 'FROZEN' || kind === 'FACTORS_CHANGED' ? mail?.freeze : mail?.token) ?? ''
  }
}

async function ask(rig: Rig, question: CustomerQuestion, by: string, request: object): Promise<void> {
  rig.nowMs++
  const found = await answerOperator(rig.context, question, { by, request } as never)
  if (found?.ok !== true) throw new Error(`${question}: ${JSON.stringify(found)}`)
}

/** An account with everything that a person can have. */
export async function openScene(rig: Rig): Promise<Known> {
  const made = await person(rig)
  const { here } = made
  must(await here.postWithStepUp('mail/change/begin', { mail: NEW }))
  for (const path of ['recover/begin', 'unfreeze/begin'] as const) must(await here.post(path, { mail: JO }))
  return { ...made, tokenOf: tokensOf(rig), invitation: '' }
}

/** A frozen account, and a first operator who wants to lift the freeze. */
export async function frozenScene(rig: Rig): Promise<Known> {
  const made = await person(rig)
  const { here, account, madeMs } = made
  must(await here.post('freeze'))
  await here.get('config')
  for (const path of ['recover/begin', 'unfreeze/begin'] as const) must(await here.post(path, { mail: JO }))
  await ask(rig, 'unfreeze', 'dan', { account, reason: 'case 17', madeMs, holders: HOLDERS })
  return { ...made, tokenOf: tokensOf(rig), invitation: '' }
}

/**
 * A recovery was requested from operators; the waiting times of an email address set by two operators and of
 * a period without withdrawals are over.
 */
export async function recoveryScene(rig: Rig): Promise<Known> {
  const made = await person(rig)
  const { here, there, account, madeMs, passkeys } = made
  const both = { account, reason: 'case 17', madeMs, holders: ['gus', 'hal', ...HOLDERS] }
  must(await here.post('recover/begin', { mail: JO }))
  must(await here.post('recover/request', { token: tokensOf(rig)('RECOVER') }))
  for (const by of ['gus', 'hal']) await ask(rig, 'mail', by, { ...both, mail: 'other@example.com' })
  rig.context.store.links.rest(rig.context.store.people.byAccount(account)?.owner ?? '', rig.nowMs + REST_MS)
  await rig.exchange.restrict(account, { added: ['WITHDRAW'], removed: [] })
  rig.nowMs += Math.max(RECOVERY_WAITS_MS, MAIL_WAITS_MS, REST_MS)
  for (const [n, browser] of [here, there].entries()) {
    browser.cookie = undefined
    must(await browser.signIn(passkeys[n] ?? passkeys[0]))
  }
  // Gateways end unused keys by themselves; the fake exchange does not.
  const { store } = rig.context
  sweep(rig.context)
  for (const name of rig.exchange.keys.keys())
    if (!store.sessions.keysAfter('', 100).some((each) => each.name === name)) rig.exchange.keys.delete(name)
  await ask(rig, 'reset', 'dan', both)
  await ask(rig, 'mail', 'dan', { ...both, mail: NEW })
  return { ...made, tokenOf: tokensOf(rig), invitation: '' }
}

/**
 * Two unused links of one address, an invitation for one person that two use, and a person who waits for
 * approval.
 */
export async function signUpScene(rig: Rig): Promise<Known> {
  const waiting = rig.browser()
  must(await waiting.signUp('wa@example.org'))
  const account = rig.context.store.people.after('', 1, 'WAITING')[0]?.account ?? ''
  const made = await answerOperator(rig.context, 'invite', { by: 'dan', request: { uses: 1, days: 14 } })
  const { code, id } = (made as { readonly result: { readonly code: string; readonly id: string } }).result
  for (const mail of ['a@example.org', 'b@example.org']) {
    const browser = rig.browser()
    await browser.get('config')
    const terms = { mail, language: 'en', termsVersion: 1, invitation: code }
    must(await browser.post('signup/begin', terms))
  }
  for (let i = 0; i < 2; i++) must(await rig.browser().begin('nu@example.org'))
  const nobody = rig.browser()
  const passkeys = [new SoftPasskey(ORIGIN, CONFIG.rpId), new SoftPasskey(ORIGIN, CONFIG.rpId)] as const
  const none = { here: nobody, there: nobody, passkeys, codes: [], apiKey: '', madeMs: rig.nowMs }
  return { ...none, account, tokenOf: tokensOf(rig), invitation: id }
}

const token =
  (kind: string) =>
  ({ tokenOf }: Known) => ({ token: tokenOf(kind) })
const idOf = (passkey: SoftPasskey) => passkey.id.toString('base64url')
const recover = ({ tokenOf, codes }: Known) => ({ token: tokenOf('RECOVER'), code: codes[0] })
const beginSignUp = { mail: 'nu@example.org', language: 'en', termsVersion: 1 }

/** The operations that a process does by itself. */
const TIMERS: Readonly<Record<string, Operation<Known>>> = {
  sweep: timer(({ context }) => sweep(context)),
  start: timer(({ context }) => compareWithJournal(context)),
  'announce all keys': timer(({ context }) => context.announcer.announceAll()),
  'end rests': timer(({ context }) => endRests(context)),
  'change due mails': timer(({ context }) => changeDueMails(context)),
  'journal changes': timer(({ context }) => journalAllChanges(context)),
  'head of the trail': timer(({ context }) => journalHeadOfDay(context)),
}

const asked =
  (path: 'recover/begin' | 'unfreeze/begin'): Operation<Known> =>
  async (rig) => {
    const browser = rig.browser()
    await browser.get('config')
    return async () => {
      const end = said(await browser.post(path, { mail: JO }))
      rig.context.askedMails.write()
      return end
    }
  }

const freezeLink = post(stranger, 'freeze/link', token('FACTORS_CHANGED'))

export const OPEN: Readonly<Record<string, Operation<Known>>> = {
  ...TIMERS,
  me: get('me'),
  keys: get('keys'),
  sessions: get('sessions'),
  history: get('history'),
  export: get('export'),
  'sign in': signIn(0),
  'sign in elsewhere': signIn(1),
  'sign in with a password': async (rig, { here }) => {
    const browser = rig.browser()
    browser.totpSecret = here.totpSecret
    await browser.get('config')
    const body = { mail: JO, password: PASSWORD, code: browser.code(), sessionKey: SESSION_KEY }
    return async () => said(await browser.post('login/password', body))
  },
  'sign out': post(here, 'logout'),
  'sign out there': post(there, 'logout'),
  'end other sessions': post(here, 'session/end'),
  'end other sessions from there': post(there, 'session/end'),
  freeze: post(here, 'freeze'),
  'freeze by link': freezeLink,
  'ask to unfreeze': asked('unfreeze/begin'),
  'begin a step-up': post(here, 'step-up/begin', () => ({ operation: 'erase' })),
  'finish a step-up': async (rig, known) => {
    const browser = here(known, rig)
    const { data } = must(await browser.post('step-up/begin', { operation: 'erase' }))
    const assertion = known.passkeys[0].get(String(data.options))
    return async () => said(await browser.post('step-up/finish', { assertion }))
  },
  'add a passkey': addPasskey(here),
  'add a passkey there': addPasskey(there),
  'remove the first passkey': postStepped(here, 'passkey/remove', ({ passkeys }) => ({
    id: idOf(passkeys[0]),
  })),
  'remove the second passkey': postStepped(here, 'passkey/remove', ({ passkeys }) => ({
    id: idOf(passkeys[1]),
  })),
  'rename a passkey': post(here, 'passkey/rename', ({ passkeys }) => ({
    id: idOf(passkeys[1]),
    label: 'other',
  })),
  'set a password': postStepped(here, 'password/set', () => ({ password: 'another long phrase 7' })),
  'remove the password': postStepped(here, 'password/remove'),
  'begin an app': postStepped(here, 'totp/begin'),
  'finish an app': async (rig, known) => {
    const browser = here(known, rig)
    browser.totpSecret = String(must(await browser.postWithStepUp('totp/begin')).data.secret)
    return async () => said(await browser.post('totp/finish', { code: browser.code() }))
  },
  'new recovery codes': postStepped(here, 'recovery-codes/new'),
  'ask to recover': asked('recover/begin'),
  recover: post(stranger, 'recover/confirm', recover),
  'ask operators to recover': post(stranger, 'recover/request', token('RECOVER')),
  erase: postStepped(here, 'erase'),
  'make a key': postStepped(here, 'key/create', () => ({ name: 'new', end: 0 })),
  'end a key': post(here, 'key/end', ({ apiKey }) => ({ apiKey })),
  'ask for another mail': postStepped(here, 'mail/change/begin', () => ({ mail: 'third@example.com' })),
  'change the mail': post(here, 'mail/change/confirm', token('MAIL_CHANGE')),
  'set the phrase': postStepped(here, 'phrase/set', () => ({ phrase: 'blue door' })),
  'operator: list': operator('list', 'eve', () => ({ limit: 10 })),
  'operator: find': operator('find', 'eve', () => ({ part: 'jo' })),
  'operator: show': operator('show'),
  'operator: events': operator('events'),
  'operator: frozen': operator('frozen'),
  'operator: erased': async (rig, known) => {
    // The erasure is journaled first.
    const erased = await operator('erased')(rig, known)
    return async () => {
      await rig.exchange.forget(known.account)
      return erased()
    }
  },
  'operator: export': operator('export'),
  'operator: unknown': operator('unknown', 'eve', ({ account }) => ({ accounts: [account] })),
  'operator: use': operator('use'),
  'operator: trail': operator('trail', 'eve', () => ({ number: 1 })),
}

export const FROZEN: Readonly<Record<string, Operation<Known>>> = {
  ...TIMERS,
  unfreeze: unfreeze(),
  'sign in': signIn(0),
  'freeze by link': freezeLink,
  'ask to unfreeze': asked('unfreeze/begin'),
  recover: post(stranger, 'recover/confirm', recover),
  'operator: unfreeze': operator('unfreeze'),
  'operator: unfreeze as the first': operator('unfreeze', 'dan'),
  'operator: erased': OPEN['operator: erased'] as Operation<Known>,
}

export const RECOVERY: Readonly<Record<string, Operation<Known>>> = {
  ...TIMERS,
  'stop the recovery': post(here, 'recover/stop'),
  freeze: post(here, 'freeze'),
  erase: postStepped(here, 'erase'),
  'ask for another mail': postStepped(here, 'mail/change/begin', () => ({ mail: 'third@example.com' })),
  'add a passkey': addPasskey(here),
  'confirm a reset': async (rig, known) => {
    const browser = rig.browser()
    await browser.get('config')
    const { account, madeMs } = known
    const request = { account, reason: 'case 17', madeMs, holders: ['gus', 'hal', ...HOLDERS] }
    for (const by of ['dan', 'fay']) await ask(rig, 'reset', by, request)
    const token = tokensOf(rig)('RESET')
    return async () => said(await browser.post('reset/confirm', { token }))
  },
  'operator: reset': operator('reset', 'eve', () => ({ holders: ['gus', 'hal', ...HOLDERS] })),
  'operator: reset by another': operator('reset', 'fay', () => ({ holders: ['gus', 'hal', ...HOLDERS] })),
  'operator: mail': operator('mail', 'eve', () => ({ mail: NEW, holders: ['gus', 'hal', ...HOLDERS] })),
  'operator: another mail': operator('mail', 'fay', () => ({
    mail: 'x@example.com',
    holders: ['gus', 'hal', ...HOLDERS],
  })),
  'operator: requests': operator('requests', 'eve', () => ({ limit: 10 })),
}

export const SIGN_UP: Readonly<Record<string, Operation<Known>>> = {
  ...TIMERS,
  'begin a sign-up': post(stranger, 'signup/begin', () => beginSignUp),
  'confirm the newer link': post(stranger, 'signup/confirm', ({ tokenOf }) => ({
    token: tokenOf('CONFIRM'),
  })),
  'confirm the older link': post(stranger, 'signup/confirm', ({ tokenOf }) => ({
    token: tokenOf('CONFIRM', 1),
  })),
  'register the first passkey': confirmAndRegister(0),
  'come by invitation': confirmAndRegister(2),
  'come by the same invitation': confirmAndRegister(3),
  'operator: approve': operator('approve'),
  'operator: refuse': operator('refuse'),
  'operator: invite': operator('invite', 'eve', () => ({ uses: 1, days: 1 })),
  'operator: invitations': operator('invitations', 'eve', () => ({ limit: 10 })),
  'operator: end the invitation': operator('uninvite', 'eve', ({ invitation }) => ({ id: invitation })),
}
