/**
 * The customers process is killed at every call to the exchange, before and after the exchange has carried it
 * out: after the next start no person is locked out, everything that was ended stays ended, and store and
 * journal agree.
 */
import { expect, test } from 'bun:test'
import { type Browser, Rig } from './customers.fixture.ts'
import { endRests } from './freezes/rests.ts'
import { compareWithJournal, journalAllChanges } from './people/journal-marks.ts'
import type { ExchangeAccess } from './ports.ts'

const JO = 'jo@example.org'
const NEVER = new Promise<never>(() => {})

/** Calls go to the exchange, until the one at which the process is killed. */
function dyingAt(
  exchange: ExchangeAccess,
  at: number,
  isAfter: boolean,
  onDeath: () => void,
): ExchangeAccess {
  let calls = 0
  return new Proxy(exchange, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        const isDeath = ++calls === at
        if (isDeath && !isAfter) onDeath()
        if (calls >= at && !(isDeath && isAfter)) return NEVER
        const result = await method.apply(target, args)
        if (!isDeath) return result
        onDeath()
        return NEVER
      }
    },
  })
}

/** Does what the process does at its start. */
async function start(rig: Rig): Promise<void> {
  const { context } = rig
  expect(await compareWithJournal(context)).toMatchObject({ old: [], unknown: [] })
  await context.announcer.announceAll()
  await context.openings.goOn()
  await endRests(context)
  await journalAllChanges(context)
}

type Operation = {
  readonly prepare?: (rig: Rig, browser: Browser) => Promise<unknown>
  readonly act: (rig: Rig, browser: Browser, prepared: unknown) => Promise<unknown>
  /** After the operation the person is erased, or locked out on purpose. */
  readonly mayEnd?: true
}

const token = (rig: Rig, kind: string): string => rig.mails().find((mail) => mail.kind === kind)?.token ?? ''

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'sign in': { act: (rig, browser) => rig.browser().signIn(browser.passkey ?? expect.unreachable()) },
  'sign out': { act: (_, browser) => browser.post('logout') },
  'end other sessions': {
    prepare: (rig, browser) => rig.browser().signIn(browser.passkey ?? expect.unreachable()),
    act: (_, browser) => browser.post('session/end'),
  },
  'add a passkey': { act: (_, browser) => browser.addPasskey('laptop') },
  'make a key': { act: (_, browser) => browser.postWithStepUp('key/create', { name: 'bot', end: 0 }) },
  'end a key': {
    prepare: async (_, browser) => (await browser.postWithStepUp('key/create', { name: 'bot', end: 0 })).data,
    act: (_, browser, made) => browser.post('key/end', { apiKey: (made as { apiKey: string }).apiKey }),
  },
  freeze: { act: (_, browser) => browser.post('freeze'), mayEnd: true },
  'change the mail': {
    prepare: (_, browser) => browser.postWithStepUp('mail/change/begin', { mail: 'jo@example.com' }),
    act: (rig, browser) => browser.post('mail/change/confirm', { token: token(rig, 'MAIL_CHANGE') }),
  },
  recover: {
    prepare: async (rig, browser) => {
      const { data } = await browser.postWithStepUp('recovery-codes/new')
      await browser.post('recover/begin', { mail: JO })
      // The emails are written before the process is replaced.
      rig.mails()
      return data.recoveryCodes
    },
    act: async (rig, _, codes) => {
      const other = rig.browser()
      await other.get('config')
      const [code] = codes as readonly string[]
      return other.post('recover/confirm', { token: token(rig, 'RECOVER'), code })
    },
  },
  erase: { act: (_, browser) => browser.postWithStepUp('erase'), mayEnd: true },
}

/** Returns false if the operation makes fewer calls. */
async function killed(operation: Operation, at: number, isAfter: boolean): Promise<boolean> {
  const rig = new Rig()
  try {
    const browser = rig.browser()
    await browser.signUp(JO)
    const account = rig.exchange.accounts[0] ?? ''
    const prepared = await operation.prepare?.(rig, browser)
    const death = Promise.withResolvers<'DEAD'>()
    rig.outside = dyingAt(rig.exchange, at, isAfter, () => death.resolve('DEAD'))
    rig.takeOutside()
    const end = await Promise.race([operation.act(rig, browser, prepared), death.promise])
    if (end !== 'DEAD') return false
    rig.outside = rig.exchange
    rig.restart()
    await start(rig)
    const { store } = rig.context
    const person = store.people.byAccount(account)
    const sessions = person === undefined ? [] : store.sessions.of(person.owner)
    const names = sessions.flatMap(({ key_name }) => (key_name === null ? [] : [key_name]))
    expect([...rig.exchange.keys.keys()].toSorted()).toEqual(names.toSorted())
    const mark = rig.exchange.markByAccount.get(account)
    expect(person === undefined).toBe(mark?.isForgotten === true)
    if (person === undefined) return true
    expect([store.marks.of(account)?.epoch, store.marks.of(account)?.wanted_epoch]).toEqual([
      mark?.epoch,
      null,
    ])
    const restrictions = rig.exchange.restrictions.get(account) ?? new Set<string>()
    if (restrictions.has('LOGIN')) {
      expect(sessions).toEqual([])
      expect(rig.mails().filter(({ kind }) => kind === 'FROZEN')).toHaveLength(1)
    }
    // Blocked withdrawals are unblocked automatically.
    if (restrictions.has('WITHDRAW') && !restrictions.has('LOGIN'))
      expect(store.links.restsUntil(person.owner)).toBeDefined()
    if (operation.mayEnd === undefined) {
      const again = await rig.browser().signIn(browser.passkey ?? expect.unreachable())
      expect(again.status).toBe(200)
    }
    return true
  } finally {
    rig.close()
  }
}

test.each(Object.entries(OPERATIONS))(
  'a kill at any call of "%s" leaves store and journal with the same facts',
  async (_, operation) => {
    let points = 0
    for (const isAfter of [false, true]) for (let at = 1; await killed(operation, at, isAfter); at++) points++
    expect(points).toBeGreaterThan(1)
  },
)
