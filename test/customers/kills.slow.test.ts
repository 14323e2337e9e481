/**
 * SIGKILL of the customers process, of the node, or of both, at named points of the real processes.
 * Afterwards, a customer who was signed in trades without a new sign-in, a person who was signing out is
 * signed out, and the interrupted operation is done completely or not at all. One victim per point, in turn;
 * `CUSTOMERS_KILLS=all`: each victim at each point.
 */
import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress, AdminOperation } from '../../src/contract/admin/admin.ts'
import type { AdminMail } from '../../src/contract/admin/customers.ts'
import { adminResult } from '../browser/support/admin.ts'
import { BourseProcess, dataDirectory } from '../support/bourse-process.ts'
import { answered, Customer } from '../support/customer.ts'
import { freePort } from '../support/free-port.ts'
import { FROM_SOURCES } from '../support/program.ts'
import { until, WAIT_MS_MAX } from '../support/until.ts'
import { type KillPoint, VICTIMS, type Victim } from './kill-point.ts'

setDefaultTimeout(600_000)

const PRELOAD = path.join(import.meta.dir, 'kill-point.ts')
const [RUNTIME = '', ...SOURCES] = FROM_SOURCES
const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '10000' } as const

const { path: data, remove } = dataDirectory()
const killFile = `${data}.kill`
const port = freePort()
const url = `http://127.0.0.1:${port}`
let node: BourseProcess

async function start(): Promise<void> {
  const program = [RUNTIME, '--preload', PRELOAD, ...SOURCES]
  const args = ['sandbox', '--port', `${port}`, '--data', data, '--limits', 'off']
  node = new BourseProcess(args, { KILL_POINT: killFile }, [], program)
  await node.ready
  await answered(() => newCustomer().ask('GET', 'config'))
}

function operate<Result>(operation: AdminOperation, body: object = {}): Promise<Result> {
  const address = JSON.parse(readFileSync(path.join(data, 'admin.json'), 'utf8')) as AdminAddress
  return adminResult(address, operation, body) as Promise<Result>
}

const place = {
  url,
  admin: (...words: readonly string[]) => operate<unknown>(words.join('/') as AdminOperation),
}
const newCustomer = (of?: Customer) => new Customer(place, of?.passkey)

async function trade(customer: Customer): Promise<void> {
  const trader = customer.trader(url, WAIT_MS_MAX)
  const { order } = await trader.newOrder(BUY)
  await trader.cancelOrder({ id: order.id })
}

async function expectEnded(customer: Customer): Promise<void> {
  expect((await answered(() => customer.ask('GET', 'me'))).reason).toBe('SESSION_NEEDED')
  const asked = customer.trader(url, WAIT_MS_MAX).openOrders({})
  await expect(asked).rejects.toMatchObject({ reason: 'INVALID_API_KEY' })
}

async function expectSignsIn(customer: Customer): Promise<Customer> {
  const again = newCustomer(customer)
  expect(await answered(() => again.signIn())).toMatchObject({ status: 200 })
  await trade(again)
  return again
}

/** Names of session keys that the exchange accepts, and those that the store has. */
async function keyNames(): Promise<readonly (readonly string[])[]> {
  const known = await operate<readonly { readonly name: string }[]>('session/list', { limit: 200 })
  const db = new Database(path.join(data, 'customers/customers.sqlite'), { readonly: true })
  try {
    const sql = 'SELECT key_name AS name FROM session WHERE key_name IS NOT NULL'
    const stored = db.query<{ readonly name: string }, []>(sql).all()
    return [known, stored].map((keys) => keys.map(({ name }) => name).toSorted())
  } finally {
    db.close()
  }
}

const mailsTo = async (mail: string, kind: string) =>
  (await operate<readonly AdminMail[]>('mail/list')).filter((each) => each.to === mail && each.kind === kind)

type Scene = { readonly person: Customer; readonly mail: string; readonly leaver: Customer }
type Point = Omit<KillPoint, 'victim'> & {
  /** By default, a person signs up. The result is passed to the other functions. */
  readonly prepare?: (scene: Scene) => Promise<unknown>
  readonly act: (scene: Scene, prepared: unknown) => Promise<unknown>
  readonly holds: (scene: Scene, prepared: unknown) => Promise<void>
}

const confirmed = async ({ person, mail }: Scene): Promise<void> => {
  await person.begin(mail)
  const [confirm] = await mailsTo(mail, 'CONFIRM')
  await person.ask('POST', 'signup/confirm', { token: /#confirm=([\w-]{43})/.exec(confirm?.text ?? '')?.[1] })
}

/** The account is opened once, with the money of the sandbox, whichever process was killed. */
const opened: Pick<Point, 'prepare' | 'act' | 'holds'> = {
  prepare: confirmed,
  act: ({ person }) => person.register(),
  holds: async ({ person }) => {
    const again = await expectSignsIn(person)
    expect(await again.trader().walletBalance({})).toEqual(await bystander.trader().walletBalance({}))
  },
}

const signedIn: Pick<Point, 'act' | 'holds'> = {
  act: ({ person }) => newCustomer(person).signIn(),
  holds: async ({ person }) => {
    await trade(person)
    await expectSignsIn(person)
  },
}

const signedOut: Pick<Point, 'act' | 'holds'> = {
  act: ({ person }) => person.ask('POST', 'logout'),
  holds: async ({ person }) => {
    await expectEnded(person)
    await expectSignsIn(person)
  },
}

const KEY = { name: 'bot' }
const keysOf = async (person: Customer) =>
  (await answered(() => person.ask('GET', 'keys'))).data as unknown as readonly {
    readonly apiKey: string
    readonly name: string
  }[]

const passkeyAdded: Pick<Point, 'prepare' | 'act' | 'holds'> = {
  prepare: ({ person }) => withSession(person),
  act: async ({ person }) => {
    const { data: begun } = await person.askWithStepUp('passkey/register/begin')
    const attestation = newCustomer().passkey.create(String(begun.options))
    return person.ask('POST', 'passkey/register/finish', { attestation, label: 'phone' })
  },
  holds: async ({ person }, other) => {
    const { data: me } = await answered(() => person.ask('GET', 'me'))
    expect(me.passkeys).toHaveLength(2)
    await trade(person)
    await expectEnded(other as Customer)
  },
}

async function withSession(of: Customer): Promise<Customer> {
  const other = newCustomer(of)
  expect((await answered(() => other.signIn())).status).toBe(200)
  return other
}

const POINTS: Readonly<Record<string, Point>> = {
  'sign-up, before the account is journaled': { operation: 'account/add', isAfter: false, ...opened },
  'sign-up, the account journaled and not active': { operation: 'account/add', isAfter: true, ...opened },
  'sign-in, the session stored and its key unknown': {
    ...{ operation: 'session/open', isAfter: false, ...signedIn },
  },
  'sign-in, the key known and nothing answered': {
    ...{ operation: 'session/open', isAfter: true, ...signedIn },
  },
  'sign-out, stored and not yet told to the exchange': {
    ...{ operation: 'session/end', isAfter: false, ...signedOut },
  },
  'sign-out, told to the exchange and not answered': {
    ...{ operation: 'session/end', isAfter: true, ...signedOut },
  },
  'a step-up used, and its key not made': {
    ...{ operation: 'own-key/list', isAfter: false },
    prepare: ({ person }) => person.stepUp('key/create', KEY),
    act: ({ person }, stepUp) => person.ask('POST', 'key/create', KEY, { 'X-Step-Up': String(stepUp) }),
    holds: async ({ person }, stepUp) => {
      expect(await keysOf(person)).toEqual([])
      const again = await person.ask('POST', 'key/create', KEY, { 'X-Step-Up': String(stepUp) })
      expect(again.reason).toBe('STEP_UP_NEEDED')
      expect((await person.askWithStepUp('key/create', KEY)).status).toBe(200)
    },
  },
  'a key in the journal, and its name not stored': {
    ...{ operation: 'own-key/add', isAfter: true },
    act: ({ person }) => person.askWithStepUp('key/create', KEY),
    holds: async ({ person }) => {
      const [key, ...others] = await keysOf(person)
      // The customers process outlives the node for long enough to store the name.
      expect(['', KEY.name]).toContain(key?.name ?? 'no key')
      expect(others).toEqual([])
      expect((await person.ask('POST', 'key/end', { apiKey: key?.apiKey })).status).toBe(200)
      expect(await keysOf(person)).toEqual([])
    },
  },
  'a freeze in the journal, and the sessions not ended': {
    ...{ operation: 'customer/restrict', isAfter: true },
    act: ({ person }) => person.ask('POST', 'freeze'),
    holds: async ({ person, mail }) => {
      await expectEnded(person)
      expect((await newCustomer(person).signIn()).reason).toBe('ACCOUNT_FROZEN')
      expect(await mailsTo(mail, 'FROZEN')).toHaveLength(1)
    },
  },
  'a passkey stored, and its change not journaled': {
    ...{ operation: 'customer/raise', isAfter: false, ...passkeyAdded },
  },
  'a change journaled, and not answered': { operation: 'customer/raise', isAfter: true, ...passkeyAdded },
  'an erasure begun, and not journaled': {
    ...{ operation: 'customer/forget', isAfter: false },
    act: ({ person }) => person.askWithStepUp('erase'),
    holds: async ({ person }) => {
      const again = await expectSignsIn(person)
      expect((await again.askWithStepUp('erase')).status).toBe(200)
      expect((await newCustomer(person).signIn()).reason).toBe('CREDENTIALS_WRONG')
    },
  },
  'an erasure journaled, and the person still stored': {
    ...{ operation: 'customer/forget', isAfter: true },
    act: ({ person }) => person.askWithStepUp('erase'),
    holds: async ({ person, mail }) => {
      await expectEnded(person)
      expect((await newCustomer(person).signIn()).reason).toBe('CREDENTIALS_WRONG')
      expect(await mailsTo(mail, 'CONFIRM')).toEqual([])
    },
  },
  'an email queued, and not sent': {
    ...{ operation: 'session/end', isAfter: false },
    prepare: ({ person, mail }) => person.begin(mail),
    act: ({ leaver }) => leaver.ask('POST', 'logout'),
    holds: async (scene) => {
      const [mail, ...others] = await mailsTo(scene.mail, 'CONFIRM')
      expect([mail === undefined, others]).toEqual([false, []])
      const token = /#confirm=([\w-]{43})/.exec(mail?.text ?? '')?.[1]
      expect((await scene.person.ask('POST', 'signup/confirm', { token })).status).toBe(200)
      expect((await scene.person.register()).status).toBe(200)
      await trade(scene.person)
    },
  },
}

const NAMES = Object.keys(POINTS)
const CASES = NAMES.flatMap((name, i) => {
  const victims = process.env.CUSTOMERS_KILLS === 'all' ? VICTIMS : VICTIMS.filter((_, v) => v === i % 3)
  return victims.map((victim): readonly [Victim, string] => [victim, name])
})

const bystander = newCustomer()
const leaving = newCustomer()
const tookMs: number[] = []
let scenes = 0

beforeAll(async () => {
  await start()
  await bystander.signUp('bystander@example.org')
  await leaving.signUp('leaver@example.org')
})

afterEach(() => rmSync(killFile, { force: true }))
afterAll(async () => {
  await node.end('SIGTERM')
  remove()
})

test.each(CASES)(
  '%s killed at "%s": others continue to trade, and nothing is half done',
  async (victim, name) => {
    const { operation, isAfter, prepare, act, holds } = POINTS[name] ?? expect.unreachable()
    const mail = `p${++scenes}@example.org`
    const scene = { person: newCustomer(), mail, leaver: await withSession(leaving) }
    const isNew = prepare === confirmed || (operation === 'session/end' && prepare !== undefined)
    if (!isNew) expect((await scene.person.signUp(mail)).status).toBe(200)
    const prepared = await prepare?.(scene)
    writeFileSync(killFile, JSON.stringify({ operation, isAfter, victim } satisfies KillPoint))
    const acting = act(scene, prepared)
    const leaving_ = scene.leaver.ask('POST', 'logout')
    const [, left] = await Promise.allSettled([acting, leaving_])
    await until('the point was reached', () => !existsSync(killFile))
    const killedMs = performance.now()
    if (victim !== 'PROCESS') {
      await node.exited()
      await start()
    }
    await trade(bystander)
    tookMs.push(Math.round(performance.now() - killedMs))
    expect((await answered(() => bystander.ask('GET', 'me'))).status).toBe(200)
    if (left.status === 'rejected' || left.value.status !== 200)
      await answered(() => scene.leaver.ask('POST', 'logout'))
    await expectEnded(scene.leaver)
    await holds(scene, prepared)
    const [known, stored] = await keyNames()
    expect(known).toEqual(stored ?? [])
  },
)

test('after all kills store and journal know the same customers, and the trail is whole', async () => {
  expect(tookMs).toHaveLength(CASES.length)
  console.log(`first order after a kill: ${tookMs.join(', ')} ms`)
  expect(await operate('customer/check')).toEqual({ findings: [] })
  expect(await operate('customer/trail')).toMatchObject({ broken: null })
})
