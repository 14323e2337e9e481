/**
 * The store does not answer, at any of its calls: the request is refused with 503, the process continues, and
 * everything stored afterwards is complete. Transactions are also repeated, as PostgreSQL requires.
 */
import { Database } from 'bun:sqlite'
import { afterEach, expect, spyOn, test } from 'bun:test'
import { type Answered, type Browser, Rig, SESSION_KEY } from './customers.fixture.ts'
import { compareWithJournal, journalAllChanges } from './people/journal-marks.ts'
import type { SoftPasskey } from './soft-passkey.fixture.ts'
import { StoreAwayFault } from './store/sql.ts'
import { SqliteSql } from './store/sqlite.ts'

const JO = 'jo@example.org'
const METHODS = ['get', 'all', 'run'] as const

const spies: { mockRestore(): void }[] = []
const rigs: Rig[] = []
afterEach(() => {
  restore()
  for (const rig of rigs.splice(0)) rig.close()
})

function newRig(): Rig {
  const rig = new Rig()
  rigs.push(rig)
  return rig
}

function restore(): void {
  for (const spy of spies.splice(0)) spy.mockRestore()
}

/**
 * From call number `at` on, the store does not answer. Ends of transactions count as calls; `isStored`: a
 * transaction whose end is not confirmed is stored nevertheless. `isAway` of the result becomes true at that
 * call.
 */
function awayFrom(at: number, isStored: boolean): { isAway: boolean } {
  const state = { isAway: false }
  let calls = 0
  let depth = 0
  const call = (isEnd = false): void => {
    // With `isStored` only ends of transactions are counted.
    if (!state.isAway && (isStored && !isEnd ? 0 : ++calls) < at) return
    const isFirst = !state.isAway
    state.isAway = true
    if (!(isEnd && isFirst && isStored)) throw new StoreAwayFault('away')
  }
  for (const method of METHODS) {
    const real = SqliteSql.prototype[method] as (...values: unknown[]) => unknown
    spies.push(
      spyOn(SqliteSql.prototype, method as 'run').mockImplementation(function (this: SqliteSql, ...values) {
        call()
        return real.apply(this, values) as number
      }),
    )
  }
  const real = SqliteSql.prototype.atOnce
  spies.push(
    spyOn(SqliteSql.prototype, 'atOnce').mockImplementation(function <Result>(
      this: SqliteSql,
      work: () => Result,
    ): Result {
      if (depth > 0) return real.call(this, work) as Result
      depth++
      try {
        const before = state.isAway
        const result = real.call(this, () => {
          const done = work()
          call(true)
          return done
        }) as Result
        if (state.isAway && !before) throw new StoreAwayFault('not confirmed')
        return result
      } finally {
        depth--
      }
    } as never),
  )
  return state
}

type Operation = {
  readonly prepare?: (browser: Browser) => Promise<unknown>
  readonly act: (rig: Rig, browser: Browser) => Promise<Answered>
  /** After the operation the person cannot sign in. */
  readonly mayEnd?: true
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'sign in': { act: (rig, browser) => signIn(rig.browser(), browser.passkey) },
  'add a passkey': { act: (_, browser) => browser.addPasskey('laptop') },
  'end all sessions': {
    prepare: (browser) => browser.post('password/set', { password: 'x' }),
    act: (_, browser) => browser.post('session/end'),
  },
  freeze: { act: (_, browser) => browser.post('freeze'), mayEnd: true },
  erase: { act: (_, browser) => browser.postWithStepUp('erase'), mayEnd: true },
}

/** Returns the first answer that is not a success. */
async function signIn(browser: Browser, passkey: SoftPasskey | undefined): Promise<Answered> {
  const config = await browser.get('config')
  const begun = config.status === 200 ? await browser.post('login/passkey/begin') : config
  if (begun.status !== 200) return begun
  const assertion = passkey?.get(String(begun.data.options))
  return browser.post('login/passkey/finish', { assertion, sessionKey: SESSION_KEY })
}

/** Returns false if the operation makes fewer calls. */
async function refused(operation: Operation, at: number, isStored: boolean): Promise<boolean> {
  const rig = newRig()
  const browser = rig.browser()
  await browser.signUp(JO)
  await operation.prepare?.(browser)
  const first = browser.passkey
  const state = awayFrom(at, isStored)
  const answered = await operation.act(rig, browser)
  restore()
  if (!state.isAway) {
    expect(answered.status).toBe(200)
    return false
  }
  if (answered.status !== 200) expect([answered.status, answered.reason]).toEqual([503, 'CUSTOMERS_AWAY'])
  expect(rig.warnings.every(({ message }) => /did not answer|is older/.test(message))).toBe(true)
  // As the process does at intervals, and at its start.
  const { context } = rig
  await context.announcer.announceEnded()
  await journalAllChanges(context)
  expect(await compareWithJournal(context)).toMatchObject({ old: [], unknown: [] })
  expect(context.store.records.firstBroken()).toBeUndefined()
  const [account = ''] = rig.exchange.accounts
  const person = context.store.people.byAccount(account)
  expect(person === undefined).toBe(rig.exchange.markByAccount.get(account)?.isForgotten === true)
  expect(person === undefined ? [] : context.store.keys.owners()).toEqual(
    person === undefined ? [] : [person.owner],
  )
  if (operation.mayEnd === undefined)
    expect((await rig.browser().signIn(first ?? expect.unreachable())).status).toBe(200)
  return true
}

test.each(Object.entries(OPERATIONS))(
  'a store that is unavailable from any call of "%s" on refuses it with 503, and keeps no half of it',
  async (_, operation) => {
    let points = 0
    for (const isStored of [false, true])
      for (let at = 1; await refused(operation, at, isStored); at++) {
        points++
        for (const rig of rigs.splice(0)) rig.close()
      }
    expect(points).toBeGreaterThan(5)
  },
)

test('a sign-up that the store did not confirm is answered with 503, and continues with its cookie or a new link', async () => {
  const rig = newRig()
  const browser = rig.browser()
  await browser.begin(JO)
  rig.mails()
  const token = rig.mails()[0]?.token
  // Tries each end of a transaction, up to the one that stores the confirmation.
  for (let at = 1; ; at++) {
    await browser.get('config')
    const state = awayFrom(at, true)
    const answered = await browser.post('signup/confirm', { token })
    restore()
    if (!state.isAway) break
    expect(answered.reason).toBe('CUSTOMERS_AWAY')
    if (rig.context.store.people.countByState().CONFIRMED === 1) break
  }
  await browser.get('config')
  expect((await browser.register(SESSION_KEY)).status).toBe(200)
})

test('requests for mails, and failed sign-ins, wait for the store', async () => {
  const rig = newRig()
  await rig.browser().signUp(JO)
  const other = rig.browser()
  await other.get('config')
  expect((await other.post('recover/begin', { mail: JO })).status).toBe(202)
  const [person] = rig.context.store.people.after('', 1)
  rig.context.store.records.noteLater(
    person?.owner ?? '',
    'SIGN_IN_FAILED',
    { device: '', network: '' },
    rig.nowMs,
  )
  awayFrom(1, false)
  expect(() => rig.context.askedMails.write()).toThrow(StoreAwayFault)
  expect(() => rig.context.store.records.flush()).toThrow(StoreAwayFault)
  restore()
  expect(rig.mails().filter(({ kind }) => kind === 'RECOVER')).toHaveLength(1)
  const history = rig.context.store.records.historyOf(person?.owner ?? '', 10)
  expect(history.filter(({ kind }) => kind === 'SIGN_IN_FAILED')).toHaveLength(1)
})

test('a file that another program has locked, or whose disk is full, counts as an unavailable store', () => {
  const rig = newRig()
  const file = `${rig.directory}/customers.sqlite`
  const mine = new Database(file)
  const sql = new SqliteSql(mine)
  const other = new Database(file)
  other.run('BEGIN IMMEDIATE')
  expect(() => sql.run("INSERT INTO fact VALUES ('a', 'b')")).toThrow(StoreAwayFault)
  expect(() => sql.atOnce(() => 1)).toThrow(StoreAwayFault)
  other.run('ROLLBACK')
  mine.run('PRAGMA max_page_count = 1')
  const fill = () => {
    for (let i = 0; i < 1_000; i++) sql.run('INSERT INTO fact VALUES (?, ?)', `f${i}`, 'x'.repeat(1_000))
  }
  expect(fill).toThrow('SQLITE_FULL')
  expect(fill).toThrow(StoreAwayFault)
  expect(() => sql.run('SELECT nothing')).not.toThrow(StoreAwayFault)
  expect(() => sql.run('SELECT nothing')).toThrow()
  other.close()
  sql.close()
})

/** Undoes each transaction and runs it again. */
function repeatTransactions(): void {
  const real = SqliteSql.prototype.atOnce
  const undo = new Error('undone')
  let isWithin = false
  spies.push(
    spyOn(SqliteSql.prototype, 'atOnce').mockImplementation(function (this: SqliteSql, work: () => unknown) {
      if (isWithin) return real.call(this, work)
      isWithin = true
      try {
        real.call(this, () => {
          work()
          throw undo
        })
      } catch (cause) {
        if (cause !== undo) throw cause
      }
      try {
        return real.call(this, work)
      } finally {
        isWithin = false
      }
    } as never),
  )
}

test('the current session, ended by its id in a transaction that is repeated, has ended', async () => {
  const rig = newRig()
  const browser = rig.browser()
  await browser.signUp(JO)
  const { data } = await browser.get('sessions')
  const [session] = data as unknown as readonly { readonly id: string }[]
  repeatTransactions()
  const { cookie } = browser
  expect((await browser.post('session/end', { id: session?.id })).status).toBe(200)
  restore()
  browser.cookie = cookie
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
  expect(rig.exchange.keys.size).toBe(0)
})

test('a confirmation in a browser of another person ends that session, also if its transaction is repeated', async () => {
  const rig = newRig()
  const browser = rig.browser()
  await browser.signUp(JO)
  const { cookie } = browser
  await browser.begin('ann@example.org')
  rig.mails()
  repeatTransactions()
  expect((await browser.confirm('ann@example.org')).status).toBe(200)
  restore()
  const [jo] = rig.context.store.people.after('', 10).filter(({ state }) => state === 'ACTIVE')
  expect(rig.context.store.sessions.of(jo?.owner ?? '')).toEqual([])
  browser.cookie = cookie
  expect((await browser.get('me')).reason).toBe('SESSION_NEEDED')
})
