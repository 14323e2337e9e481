/**
 * Two processes on one store: at every statement and every call to the exchange of an operation, the whole
 * operation of another process runs. Afterwards no link or code was used twice, and store and exchange agree.
 */
import { expect, spyOn, test } from 'bun:test'
import { ACCOUNT_ROWS } from '../contract/customers/endpoints.ts'
import { Browser, CONFIG } from './customers.fixture.ts'
import {
  type Beginning,
  begin,
  type Operation,
  type Outcome,
  repeatTransactions,
  run,
} from './interleaving.fixture.ts'
import { MailSender } from './mail/mail-sender.ts'
import type { MailOutcome, MailToSend } from './ports.ts'
import { factsOf } from './settled-facts.fixture.ts'
import {
  FROZEN,
  frozenScene,
  type Known,
  OPEN,
  openScene,
  RECOVERY,
  recoveryScene,
  SIGN_UP,
  signUpScene,
} from './two-processes.fixture.ts'

const SCENES = {
  open: { make: openScene, operations: OPEN, config: CONFIG },
  frozen: { make: frozenScene, operations: FROZEN, config: CONFIG },
  recovery: { make: recoveryScene, operations: RECOVERY, config: CONFIG },
  'sign-up': { make: signUpScene, operations: SIGN_UP, config: { ...CONFIG, signUp: 'APPROVAL' } },
} as const
type Scene = keyof typeof SCENES

const beginnings = new Map<Scene, Beginning<Known>>()
async function beginningOf(scene: Scene): Promise<Beginning<Known>> {
  const { make, config } = SCENES[scene]
  const known = beginnings.get(scene) ?? (await begin(make, config))
  beginnings.set(scene, known)
  return known
}

function operationOf(scene: Scene, name: string): Operation<Known> {
  const operations: Readonly<Record<string, Operation<Known>>> = SCENES[scene].operations
  return operations[name] ?? expect.unreachable()
}

/** The outcomes at each place. */
async function at(scene: Scene, first: string, second: string): Promise<readonly Outcome[]> {
  const beginning = await beginningOf(scene)
  const [one, other] = [operationOf(scene, first), operationOf(scene, second)]
  const outcomes: Outcome[] = []
  for (let place = 1; ; place++) {
    const outcome = await run({ beginning, first: one, second: other, facts: factsOf }, place)
    if (outcome === undefined) return outcomes
    expect([first, second, place, ...faultsIn(outcome)]).toEqual([first, second, place])
    outcomes.push(outcome)
  }
}

function faultsIn({ first, second, facts }: Outcome): readonly string[] {
  const faults = facts.split('\n').filter((line) => line.startsWith('FAULT'))
  return [...faults, ...[first, second].filter((end) => end.startsWith('500'))]
}

const isDone = (end: string) => /^20\d |^ok(?: true)?$/.test(end)

/** Pairs of which exactly one succeeds, however they are interleaved. */
const ONCE: readonly (readonly [scene: Scene, first: string, second: string])[] = [
  ['open', 'sign in with a password', 'sign in with a password'],
  ['open', 'remove the first passkey', 'remove the first passkey'],
  ['open', 'add a passkey', 'add a passkey there'],
  ['open', 'recover', 'recover'],
  ['open', 'recover', 'ask operators to recover'],
  ['open', 'change the mail', 'change the mail'],
  ['frozen', 'unfreeze', 'unfreeze'],
  ['frozen', 'operator: unfreeze', 'operator: unfreeze'],
  ['recovery', 'operator: reset', 'operator: reset by another'],
  ['sign-up', 'confirm the newer link', 'confirm the newer link'],
  ['sign-up', 'confirm the newer link', 'confirm the older link'],
  ['sign-up', 'come by invitation', 'come by the same invitation'],
  ['sign-up', 'operator: approve', 'operator: approve'],
  ['sign-up', 'operator: approve', 'operator: refuse'],
]

test.each(ONCE)(
  '%s: of "%s" and "%s" in two processes at most one succeeds',
  async (scene, first, second) => {
    const outcomes = await at(scene, first, second)
    expect(outcomes.length).toBeGreaterThan(0)
    const both = outcomes.filter((outcome) => isDone(outcome.first) && isDone(outcome.second))
    expect(both).toEqual([])
    expect(outcomes.some((outcome) => isDone(outcome.first) || isDone(outcome.second))).toBe(true)
  },
)

/** Pairs in which the second operation ends something that the first one is beginning. */
const ENDING: readonly (readonly [scene: Scene, first: string, second: string])[] = [
  ['open', 'sign in', 'end other sessions from there'],
  ['open', 'sign in', 'freeze by link'],
  ['open', 'sign in', 'remove the first passkey'],
  ['open', 'announce all keys', 'sign in'],
  ['open', 'announce all keys', 'end other sessions'],
  ['open', 'make a key', 'recover'],
  ['open', 'make a key', 'erase'],
  ['open', 'set the phrase', 'change the mail'],
  ['open', 'freeze', 'erase'],
  ['frozen', 'unfreeze', 'freeze by link'],
  ['recovery', 'end rests', 'freeze'],
  ['recovery', 'change due mails', 'stop the recovery'],
  ['sign-up', 'sweep', 'register the first passkey'],
]

test.each(ENDING)(
  '%s: "%s" and "%s" in two processes leave store and exchange with the same facts',
  async (scene, first, second) => {
    expect((await at(scene, first, second)).length).toBeGreaterThan(1)
  },
)

test('a mail is sent by one of two processes, wherever they meet', async () => {
  const sent: string[] = []
  const send: Operation<Known> = async ({ context: { store, config, world } }) => {
    const transport = {
      send: async ({ messageId }: MailToSend): Promise<MailOutcome> => {
        sent.push(messageId)
        return { kind: 'SENT' }
      },
    }
    const sender = new MailSender(store, transport, { config, world })
    return async () => {
      await sender.sendDue()
      return 'done'
    }
  }
  const it = { beginning: await beginningOf('open'), first: send, second: send, facts: factsOf }
  for (let place = 1; (await run(it, place)) !== undefined; place++) {
    expect(sent.length).toBeGreaterThan(5)
    expect(new Set(sent).size).toBe(sent.length)
    sent.length = 0
  }
})

test('a check that is made outside of its write is noticed', async () => {
  const careless: Operation<Known> = async ({ context: { store } }, { account }) => {
    const { owner } = store.people.byAccount(account) ?? expect.unreachable()
    return async () => {
      if (store.requests.recoveryAskedMs(owner) !== undefined) return 'asked before'
      store.requests.askRecovery(owner, 1)
      return 'ok'
    }
  }
  const beginning = await beginningOf('open')
  const outcomes = [1, 2].map((place) =>
    run({ beginning, first: careless, second: careless, facts: factsOf }, place),
  )
  expect((await Promise.all(outcomes)).map((outcome) => [outcome?.first, outcome?.second])).toEqual([
    ['asked before', 'ok'],
    ['ok', 'ok'],
  ])
})

const idle: Operation<Known> = async () => async () => 'nothing'

test.each(Object.keys(SCENES) as Scene[])(
  '%s: a transaction that the database repeats has the effect of one',
  async (scene) => {
    const beginning = await beginningOf(scene)
    for (const name of Object.keys(SCENES[scene].operations)) {
      const it = { beginning, first: operationOf(scene, name), second: idle, facts: factsOf }
      const once = await run(it, 'FIRST')
      const end = repeatTransactions()
      try {
        expect([name, await run(it, 'FIRST')]).toEqual([name, once])
      } finally {
        end()
      }
    }
  },
)

test('every endpoint of the account interface is among these operations', async () => {
  const asked = new Set<string>()
  const { ask } = Browser.prototype
  const spy = spyOn(Browser.prototype, 'ask').mockImplementation(function (this: Browser, ...request) {
    asked.add(request[1])
    return ask.apply(this, request)
  })
  try {
    for (const scene of Object.keys(SCENES) as Scene[]) {
      const beginning = await beginningOf(scene)
      for (const name of Object.keys(SCENES[scene].operations))
        await run({ beginning, first: operationOf(scene, name), second: idle, facts: factsOf }, 'FIRST')
    }
  } finally {
    spy.mockRestore()
  }
  expect(Object.keys(ACCOUNT_ROWS).filter((name) => !asked.has(name))).toEqual([])
})
