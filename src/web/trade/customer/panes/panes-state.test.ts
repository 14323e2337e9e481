import { beforeEach, expect, test } from 'bun:test'
import { signal } from '@preact/signals'
import type { SavedFile } from '../../../shared/save-file.ts'
import type { KeyState } from '../../key/key-holder.ts'
import { AccountError } from '../account-api.ts'
import { FactorsFlow } from './factors/factors-flow.ts'
import { KeysFlow } from './keys/keys-flow.ts'
import { OwnData } from './own-data.ts'
import { type Ending, PanesState } from './panes-state.ts'

const ME = {
  ...{ account: 'c-a', mail: 'jo@example.org', language: 'en', createdAt: 0 },
  ...{ passkeys: [{ id: 'p1', label: 'phone', createdAt: 0 }], hasPassword: false, recoveryCodes: 10 },
}

type Sent = readonly [path: string, body: object, stepUp: string | undefined]

/**
 * An exchange that answers from a table; a function in the table refuses, or answers depending on the body.
 */
class Exchange {
  readonly sent: Sent[] = []
  readonly answers: Record<string, unknown> = {
    me: ME,
    keys: [],
    'step-up/begin': { text: 'Do it.\n\nBourse · 1', challenge: 'c', options: '{}', lastsMs: 60_000 },
    'step-up/finish': { stepUp: 'word', lastsMs: 60_000 },
  }

  get = async (path: string): Promise<unknown> => this.#answer(path, {})

  post = async (path: string, body: object = {}, stepUp?: string): Promise<unknown> => {
    this.sent.push([path, body, stepUp])
    return this.#answer(path, body)
  }

  /** Refuses once. */
  refuse(path: string, reason: string): void {
    const answer = this.answers[path]
    this.answers[path] = () => {
      this.answers[path] = answer
      throw new AccountError(reason, `refused: ${reason}`)
    }
  }

  #answer(path: string, body: object): unknown {
    const answer = this.answers[path]
    return typeof answer === 'function' ? answer(body) : answer
  }
}

let exchange: Exchange
let endings: Ending[]
let forgotten: number
let panes: PanesState
/** The browser's answer to the request for a passkey. */
let assert: () => Promise<unknown>

beforeEach(() => {
  exchange = new Exchange()
  endings = []
  forgotten = 0
  assert = async () => ({ id: 'p1' })
  const held = { apiKey: `s-${'a'.repeat(26)}`, secret: {} as CryptoKey }
  const state = signal<KeyState>({ kind: 'held', key: held, isKept: true })
  const forget = async () => {
    forgotten++
  }
  panes = new PanesState({
    api: exchange,
    holder: { state, forget },
    onOver: (ending) => endings.push(ending),
    isSandbox: () => false,
    assert: () => assert(),
  })
})

/** Waits until the question of a step-up is displayed. */
async function asked(): Promise<void> {
  while (panes.stepUp.asked.value === undefined) await Promise.resolve()
}

const paths = () => exchange.sent.map(([path]) => path)

test('an operation is sent with the token of its own step-up, and with the values that the person has read', async () => {
  const removed = new FactorsFlow(panes).removePasskey({ id: 'p1' })
  await asked()
  expect(panes.stepUp.asked.value).toMatchObject({ text: 'Do it.\n\nBourse · 1', hasPasskey: true })
  expect(paths()).toEqual(['step-up/begin'])
  await panes.stepUp.withPasskey()
  expect(await removed).toBe(true)
  expect(exchange.sent).toEqual([
    ['step-up/begin', { operation: 'passkey/remove', values: { id: 'p1' } }, undefined],
    ['step-up/finish', { assertion: { id: 'p1' } }, undefined],
    ['passkey/remove', { id: 'p1' }, 'word'],
  ])
  expect(panes.stepUp.asked.value).toBeUndefined()
})

test('a passkey is renamed without confirmation', async () => {
  const flow = new FactorsFlow(panes)
  flow.showRename({ id: 'p1', label: 'phone', createdAt: 1 })
  expect([flow.step.value, flow.renamed.value?.label]).toEqual(['RENAME', 'phone'])
  expect(await flow.renamePasskey({ id: 'p1' }, 'blue security key')).toBe(true)
  expect(exchange.sent).toEqual([['passkey/rename', { id: 'p1', label: 'blue security key' }, undefined]])
  expect([flow.step.value, panes.done.value]).toEqual(['LIST', 'The passkey has been renamed.'])
  flow.showRename({ id: 'p1', label: 'phone', createdAt: 1 })
  flow.show('LIST')
  expect(flow.renamed.value).toBeUndefined()
})

test('a step-up that is closed sends nothing, and shows nothing', async () => {
  const removed = new FactorsFlow(panes).removePasskey({ id: 'p1' })
  await asked()
  panes.stepUp.leave(panes.stepUp.asked.value)
  expect(await removed).toBe(false)
  expect(paths()).toEqual(['step-up/begin'])
  expect([panes.problem.value, panes.done.value, panes.isBusy.value]).toEqual(['', '', false])
})

test('a dialog that closes late leaves a newer question open', async () => {
  const first = new FactorsFlow(panes).removePasskey({ id: 'p1' })
  await asked()
  const old = panes.stepUp.asked.value
  panes.stepUp.leave(old)
  await first
  const second = new FactorsFlow(panes).removePasskey({ id: 'p1' })
  await asked()
  panes.stepUp.leave(old)
  expect(panes.stepUp.asked.value).toBeDefined()
  await panes.stepUp.withPasskey()
  expect(await second).toBe(true)
})

test('an expired question is asked again, and its new text is shown', async () => {
  const removed = new FactorsFlow(panes).removePasskey({ id: 'p1' })
  await asked()
  exchange.refuse('step-up/finish', 'CHALLENGE_EXPIRED')
  await panes.stepUp.withPasskey()
  expect(panes.stepUp.asked.value).toMatchObject({ isAgain: true })
  expect(panes.stepUp.problem.value).toBe('refused: CHALLENGE_EXPIRED')
  expect(paths()).toEqual(['step-up/begin', 'step-up/finish', 'step-up/begin'])
  await panes.stepUp.withPassword('four unrelated kettles', '123456')
  expect(await removed).toBe(true)
  expect(exchange.sent).toContainEqual([
    'step-up/finish',
    { password: 'four unrelated kettles', code: '123456' },
    undefined,
  ])
})

test('a passkey that the browser did not use leaves the question as it is', async () => {
  const removed = new FactorsFlow(panes).removePasskey({ id: 'p1' })
  await asked()
  const before = panes.stepUp.asked.value
  assert = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  await panes.stepUp.withPasskey()
  expect(panes.stepUp.asked.value).toBe(before)
  expect(panes.stepUp.problem.value).toBe('The passkey was not used. Try again.')
  panes.stepUp.leave(before)
  expect(await removed).toBe(false)
})

test('a session that ends during a step-up ends once', async () => {
  const removed = new FactorsFlow(panes).removePasskey({ id: 'p1' })
  await asked()
  exchange.refuse('step-up/finish', 'SESSION_NEEDED')
  await panes.stepUp.withPasskey()
  expect(await removed).toBe(false)
  expect(endings).toEqual(['OVER'])
})

test('a person without a passkey is asked for the password', async () => {
  exchange.answers.me = { ...ME, passkeys: [], hasPassword: true }
  const made = new FactorsFlow(panes).newCodes()
  await asked()
  expect(panes.stepUp.asked.value).toMatchObject({ hasPasskey: false, hasPassword: true })
  panes.stepUp.leave(panes.stepUp.asked.value)
  await made
})

test('a late request for the history is locked, and opens with a step-up of its own', async () => {
  exchange.answers['step-up/finish'] = { lastsMs: 300_000 }
  exchange.answers.history = []
  exchange.refuse('history', 'STEP_UP_NEEDED')
  await panes.load('history')
  expect(panes.history.value).toEqual({ kind: 'LOCKED' })
  const unlocked = panes.unlockHistory()
  await asked()
  await panes.stepUp.withPasskey()
  expect(await unlocked).toBe(true)
  expect(panes.history.value).toEqual({ kind: 'THERE', value: [] })
})

test('a first password is followed by the app, and a later one is not', async () => {
  await panes.load('me')
  const factors = new FactorsFlow(panes)
  const set = async () => {
    const done = factors.setPassword('four unrelated kettles')
    await asked()
    await panes.stepUp.withPasskey()
    await done
  }
  await set()
  expect(factors.step.value).toBe('APP')
  exchange.answers.me = { ...ME, hasPassword: true }
  await panes.load('me')
  await set()
  expect(factors.step.value).toBe('LIST')
})

test('the secret of a key is shown until it is saved, and is stored nowhere afterwards', async () => {
  const own = new KeysFlow(panes, () => 0)
  exchange.answers['key/create'] = { apiKey: 'k', name: 'bot', secret: 'hidden' }
  own.begin()
  await own.create()
  expect([own.draftProblem.value, paths()]).toEqual(['name', []])
  own.set({ name: 'bot' })
  expect(own.draftProblem.value).toBeUndefined()
  const created = own.create()
  await asked()
  await panes.stepUp.withPasskey()
  await created
  expect([own.step.value, own.made.value?.secret]).toEqual(['MADE', 'hidden'])
  own.saved()
  expect([own.step.value, own.made.value, own.draft.value.name]).toEqual(['LIST', undefined, ''])
})

test('a refused key keeps what was typed', async () => {
  const own = new KeysFlow(panes, () => 0)
  own.begin()
  own.set({ name: 'bot' })
  exchange.refuse('key/create', 'TOO_MANY_KEYS')
  const created = own.create()
  await asked()
  await panes.stepUp.withPasskey()
  await created
  expect([own.step.value, own.draft.value.name]).toEqual(['FORM', 'bot'])
  expect(panes.problem.value).toBe('refused: TOO_MANY_KEYS')
})

test('a late request for an export needs a step-up, and is saved under the name of the account', async () => {
  const files: SavedFile[] = []
  exchange.answers.export = { account: 'c-a', mail: 'jo@example.org' }
  exchange.refuse('export', 'STEP_UP_NEEDED')
  const saved = new OwnData(panes, (file) => files.push(file)).save()
  await asked()
  await panes.stepUp.withPasskey()
  expect(await saved).toBe(true)
  expect(files.map(({ name }) => name)).toEqual(['c-a.json'])
  expect(JSON.parse(files[0]?.parts.join('') ?? '')).toEqual({ account: 'c-a', mail: 'jo@example.org' })
})

test('a freeze and an erasure end the session, and the page forgets its key', async () => {
  expect(await new FactorsFlow(panes).freeze()).toBe(true)
  const erased = new OwnData(panes).erase()
  await asked()
  await panes.stepUp.withPasskey()
  expect(await erased).toBe(true)
  expect([endings, forgotten]).toEqual([['FROZEN', 'ERASED'], 2])
})

test('two actions do not run at the same time', async () => {
  const first = panes.endOtherSessions()
  expect(await panes.endSession('0'.repeat(16))).toBe(false)
  exchange.answers.sessions = []
  expect(await first).toBe(true)
  expect(paths()).toEqual(['session/end'])
})

test('another email address is requested with a step-up that shows it, and the form closes', async () => {
  const own = new OwnData(panes)
  own.show('MAIL')
  const sent = own.changeMail('new@example.org')
  await asked()
  await panes.stepUp.withPasskey()
  expect(await sent).toBe(true)
  expect(exchange.sent).toContainEqual(['mail/change/begin', { mail: 'new@example.org' }, 'word'])
  expect([own.form.value, panes.done.value]).toEqual([
    undefined,
    'A link is on its way to the new address. Open it in this browser within 30 minutes.',
  ])
})

test('a phrase can be set, and removed by an empty one', async () => {
  const own = new OwnData(panes)
  const set = async (phrase: string | undefined) => {
    const done = own.setPhrase(phrase)
    await asked()
    await panes.stepUp.withPasskey()
    await done
    return panes.done.value
  }
  expect(await set('blue herons')).toBe('The phrase is set: every email to you begins with it.')
  expect(await set(undefined)).toBe('The phrase has been removed.')
  expect(exchange.sent.filter(([path]) => path === 'phrase/set').map(([, body]) => body)).toEqual([
    { phrase: 'blue herons' },
    {},
  ])
})
