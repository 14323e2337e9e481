/**
 * A cluster with customers is upgraded while people sign up, sign in and trade: its processes are replaced in
 * the order of docs/cluster-operations.md#rolling-upgrade. The newer build has newer tables for customers,
 * and both builds use them for a while.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SmallMailServer } from '../../src/app/customers/small-mail-server.fixture.ts'
import { CUSTOMERS_FORMS } from '../../src/customers/store/postgres/schema.ts'
import { ClusterProcesses, type ProcessName } from '../cluster/support/cluster-processes.ts'
import { list } from '../cluster/support/drill.ts'
import { signUpByMail, siteOf } from '../cluster/support/people.ts'
import { ADMINISTRATOR, discardServers, PostgresServer } from '../postgres/support/server.ts'
import { BourseProcess } from '../support/bourse-process.ts'
import { buildExecutable, writeNextTree } from '../support/builds.ts'
import { type Answered, answered, Customer } from '../support/customer.ts'
import { WAIT_MS_MAX } from '../support/until.ts'

const LIMIT_MS = 300_000
const directory = mkdtempSync(path.join(tmpdir(), 'bourse-customers-upgrade-'))
const inside = (name: string): string => path.join(directory, name)
/** Commands that start each build. */
const [TODAYS, NEWER] = [[inside('todays')], [inside('newer')]] as const
const NEWER_VERSION = '99.0.0'

const mails = new SmallMailServer()
let cluster: ClusterProcesses

/**
 * Writes the current tree with newer rules, another version, and an additional column in the table of
 * persons.
 */
function writeTree(tree: string): void {
  writeNextTree(tree)
  const edit = (name: string, found: RegExp, replacement: string): void => {
    const file = path.join(tree, name)
    const text = readFileSync(file, 'utf8')
    if (!found.test(text)) throw new Error(`expected ${found} in ${file}`)
    writeFileSync(file, text.replace(found, replacement))
  }
  edit('package.json', /"version": "[^"]+"/, `"version": "${NEWER_VERSION}"`)
  edit(
    'src/customers/store/schema.ts',
    /\n {2}\],\n\}/,
    "\n    'ALTER TABLE person ADD COLUMN later TEXT',$&",
  )
}

beforeAll(async () => {
  writeTree(inside('tree'))
  await buildExecutable(TODAYS[0])
  await buildExecutable(NEWER[0], inside('tree'))
  const mailPort = await mails.start()
  const [server, people] = [await PostgresServer.start(), await PostgresServer.start()]
  cluster = await ClusterProcesses.create(server, {
    customers: { mailPort, server: people },
    settings: { limits: { isEnabled: false } },
  })
}, LIMIT_MS)
afterAll(async () => {
  await cluster?.discard()
  await discardServers()
  mails.stop()
  rmSync(directory, { recursive: true, force: true })
}, LIMIT_MS)

const at = (gateway: 'gateway-1' | 'gateway-2') => siteOf(cluster, gateway)

/**
 * Refusals that a person may get while a process is unavailable, or another process answers: the person
 * begins again.
 */
const AGAIN = ['CUSTOMERS_AWAY', 'CHALLENGE_EXPIRED', 'SESSION_NEEDED']

/** The refusal of a step; without a status if the step was not answered. */
function reasonOf(cause: unknown): Pick<Answered, 'status' | 'reason'> {
  const reason = AGAIN.find((each) => String(cause).includes(each))
  if (reason === undefined) throw cause
  return { status: 503, reason }
}

/**
 * Signs up, at the process `comesTo` if that is given: a busy machine may have left the process out for a
 * short time.
 */
async function signUp(name: string, comesTo?: string): Promise<Customer> {
  for (const endMs = performance.now() + WAIT_MS_MAX; performance.now() < endMs; ) {
    const customer = new Customer(at('gateway-1'))
    if (comesTo !== undefined) customer.comeTo(comesTo)
    const mail = `${name}-${mails.taken.length}@example.org`
    const { status, reason = '' } = await signUpByMail(customer, mail, mails, cluster).catch(reasonOf)
    if (status === 200 && (comesTo === undefined || customer.process === comesTo)) return customer
    if (status !== 200 && !AGAIN.includes(reason))
      throw new Error(`${name}: ${status} ${reason}: ${cluster.said}`)
  }
  throw new Error(`${name} was not signed up at ${comesTo}: ${cluster.said}`)
}

async function signInAt(name: string, { passkey }: Customer): Promise<Customer> {
  for (const endMs = performance.now() + WAIT_MS_MAX; performance.now() < endMs; ) {
    const customer = new Customer(at('gateway-2'), passkey)
    customer.comeTo(name)
    const { status, reason = '' } = await customer.signIn().catch(reasonOf)
    if (status === 200 && customer.process === name) return customer
    if (status !== 200 && !AGAIN.includes(reason)) throw new Error(`${status} ${reason}: ${cluster.said}`)
  }
  throw new Error(`nobody was signed in at ${name}: ${cluster.said}`)
}

/** Uses a session without a pause, and records all refusals. */
class Using {
  readonly refusals = new Map<string, number>()
  #served = 0
  #isOver = false
  readonly #done: Promise<unknown>

  constructor(customer: Customer) {
    const trades = (['gateway-1', 'gateway-2'] as const).map((gateway) => {
      const trader = customer.trader(cluster.urlOf(gateway), 1)
      return () => trader.openOrders({})
    })
    const asks = [...trades, () => this.#me(customer)]
    this.#done = Promise.all(asks.map((ask) => this.#repeat(ask)))
  }

  /** Resolves once each of the three uses was served again. */
  async untilServed(): Promise<void> {
    const wanted = this.#served + 9
    for (const endMs = performance.now() + WAIT_MS_MAX; this.#served < wanted; await Bun.sleep(5))
      if (performance.now() > endMs)
        throw new Error(`not served: ${JSON.stringify([...this.refusals])} ${cluster.said}`)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
  }

  async #me(customer: Customer): Promise<void> {
    const { status, reason } = await customer.ask('GET', 'me')
    if (status !== 200) throw Object.assign(new Error(), { status, reason })
  }

  async #repeat(ask: () => Promise<unknown>): Promise<void> {
    for (; !this.#isOver; await Bun.sleep(10)) {
      try {
        await ask()
        this.#served++
      } catch (cause) {
        const { status, reason } = cause as { readonly status?: number; readonly reason?: string }
        const said = reason === undefined ? 'UNANSWERED' : `${status} ${reason}`
        this.refusals.set(said, (this.refusals.get(said) ?? 0) + 1)
      }
    }
  }
}

/** Restarts a process with another program, as a service manager does. */
async function replace(using: Using, name: ProcessName, program: readonly string[]): Promise<void> {
  expect([name, await cluster.end(name, 'SIGTERM')]).toEqual([name, 0])
  await cluster.start(name, program)
  await using.untilServed()
}

/** A start that ends by itself; resolves with its error output. */
async function refusedStart(name: ProcessName, program: readonly string[]): Promise<string> {
  const said = await cluster.start(name, program).then(
    () => 'it has started',
    (cause: unknown) => String(cause),
  )
  expect(await cluster.process(name).exited()).toBe(1)
  return said
}

test('people sign up, sign in and trade before, while and after a cluster goes to a newer build with newer tables', async () => {
  const { length: version } = CUSTOMERS_FORMS.store.steps
  for (const name of ['one', 'two', 'gateway-1', 'gateway-2', 'a', 'b'] as const)
    await cluster.start(name, TODAYS)
  await list(cluster)
  const before = await signUp('before')
  const using = new Using(before)
  await using.untilServed()

  const [follows, leads] =
    cluster.role('one') === 'LEADING' ? (['two', 'one'] as const) : (['one', 'two'] as const)
  for (const name of [follows, leads]) await replace(using, name, NEWER)
  const engines = await signUp('engines')

  // The tables are older than the program: the program reports that, and the other process serves.
  expect(await cluster.end('a', 'SIGTERM')).toBe(0)
  expect(await refusedStart('a', NEWER)).toContain(
    `expected version ${version + 1} of the schema bourse_customers, found ${version}: update it first`,
  )
  const alone = await signUp('alone', 'b')
  const line = ['customers', 'init', '--config', cluster.file, '--admin-user', ADMINISTRATOR]
  const init = new BourseProcess(line, {}, [], NEWER)
  expect([await init.exited(), init.out]).toEqual([
    0,
    expect.stringContaining(
      `schema bourse_customers: updated from version ${version}, version ${version + 1}`,
    ),
  ])

  // Both builds use the newer tables.
  await cluster.start('a', NEWER)
  const atNewer = await signInAt('b', await signUp('newer', 'a'))
  const atTodays = await signInAt('a', await signUp('todays', 'b'))
  // A new passkey ends the other sessions of its person.
  for (const customer of [atNewer, atTodays]) await customer.addPasskey()
  expect(await cluster.end('b', 'SIGTERM')).toBe(0)
  expect(await refusedStart('b', TODAYS)).toContain(
    `found ${version + 1}: it was created by a later version of the program`,
  )
  await cluster.start('b', NEWER)
  await using.untilServed()
  for (const name of ['gateway-1', 'gateway-2'] as const) await replace(using, name, NEWER)
  const after = await signUp('after')
  await using.stop()

  // Each of these refusals is temporary: there is no 401, which would end the session in the page.
  expect([...using.refusals.keys()].filter((said) => !/^(503 |UNANSWERED$)/.test(said))).toEqual([])
  for (const customer of [before, engines, alone, atNewer, atTodays, after]) {
    expect(await answered(() => customer.ask('GET', 'me'))).toMatchObject({ status: 200 })
    expect(await customer.trader(cluster.urlOf('gateway-2'), WAIT_MS_MAX).openOrders({})).toEqual([])
    const again = new Customer(at('gateway-2'), customer.passkey)
    expect(await answered(() => again.signIn())).toMatchObject({
      status: 200,
      data: { account: customer.account },
    })
  }
  const shown = (await cluster.admin('metrics/show', {})).cluster?.customers
  expect(shown?.map(({ name, state, version: build }) => [name, state, build])).toEqual([
    ['a', 'ANSWERS', NEWER_VERSION],
    ['b', 'ANSWERS', NEWER_VERSION],
  ])
  const { findings } = await cluster.admin('customer/check', {})
  expect(findings.filter(({ place }) => place === 'STORE')).toEqual([])
  expect(await cluster.stop()).toEqual([0, 0, 0, 0, 0, 0])
}, 600_000)
