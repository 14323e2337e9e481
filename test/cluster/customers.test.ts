/**
 * Customers of a cluster, as processes: people sign up and sign in through any gateway, and trade through any
 * other with the key of their session, while customers processes and engines are killed.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SmallMailServer } from '../../src/app/customers/small-mail-server.fixture.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { answered, Customer } from '../support/customer.ts'
import { WAIT_MS_MAX } from '../support/until.ts'
import { ClusterProcesses } from './support/cluster-processes.ts'
import { list } from './support/drill.ts'
import { signUpByMail, siteOf } from './support/people.ts'

setDefaultTimeout(600_000)

const mails = new SmallMailServer()
let cluster: ClusterProcesses
/** The server of the customer store; the journal is on another server. */
let people: PostgresServer

beforeAll(async () => {
  const [mailPort, server] = [await mails.start(), await PostgresServer.start()]
  people = await PostgresServer.start()
  cluster = await ClusterProcesses.create(server, { customers: { mailPort, server: people } })
  await cluster.start('one')
  await list(cluster)
  for (const name of ['two', 'gateway-1', 'gateway-2', 'a', 'b'] as const) await cluster.start(name)
})

afterAll(async () => {
  await cluster?.discard()
  await discardServers()
  mails.stop()
})

const at = (gateway: 'gateway-1' | 'gateway-2') => siteOf(cluster, gateway)

/**
 * Signs up a person of this name; undefined if a customers process was unavailable in between, so that a
 * request to it may or may not be done.
 */
async function signedUp(mail: string): Promise<Customer | undefined> {
  const customer = new Customer(at('gateway-1'))
  const made = await signUpByMail(customer, mail, mails, cluster).catch((cause: unknown) => {
    if (String(cause).includes('CUSTOMERS_AWAY')) return undefined
    throw cause
  })
  if (made === undefined || made.reason === 'CUSTOMERS_AWAY') return undefined
  expect(made).toMatchObject({ status: 200 })
  return customer
}

/**
 * Signs up with one address after the other, until a sign-up in which the customers processes were available
 * throughout.
 */
async function signUp(name: string): Promise<Customer & { readonly mail: string }> {
  for (let attempt = 1; ; attempt++) {
    const mail = `${name}-${attempt}@example.org`
    const customer = await signedUp(mail)
    if (customer !== undefined) return Object.assign(customer, { mail })
  }
}

const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '100' } as const

/** The client itself repeats a request after a 503. */
const openOrders = (customer: Customer, gateway: 'gateway-1' | 'gateway-2') =>
  customer.trader(cluster.urlOf(gateway), WAIT_MS_MAX).openOrders({})

/**
 * The reason of a request that was not answered with 200 within two seconds. A request refused with 401 is
 * not repeated.
 */
async function refusal(customer: Customer, gateway: 'gateway-1' | 'gateway-2'): Promise<string | undefined> {
  try {
    await customer.trader(cluster.urlOf(gateway), 2_000).openOrders({})
    return undefined
  } catch (cause) {
    return (cause as { readonly reason?: string }).reason ?? String(cause)
  }
}

/** Repeats a request until `isDone` returns true; resolves with the reasons of the refusals before that. */
async function untilIs(
  isDone: (reason: string | undefined) => boolean,
  ask: () => Promise<string | undefined>,
) {
  const seen = new Set<string>()
  for (const endMs = performance.now() + WAIT_MS_MAX; performance.now() < endMs; await Bun.sleep(20)) {
    const reason = await ask()
    if (isDone(reason)) return [...seen]
    if (reason !== undefined) seen.add(reason)
  }
  throw new Error(`${[...seen]}: ${cluster.said}`)
}

const isServed = (reason: string | undefined): boolean => reason === undefined
const isAway = (reason: string | undefined): boolean => reason === 'CUSTOMERS_AWAY'
const meAt = (customer: Customer) => async () => (await customer.ask('GET', 'me')).reason

test('a person signs up through one gateway and trades through another one', async () => {
  const jo = await signUp('jo')
  const trader = jo.trader(cluster.urlOf('gateway-2'), WAIT_MS_MAX)
  const credit = { account: jo.account, asset: 'USDT', amount: '1000', reference: 'jo', note: 'test' }
  await cluster.admin('money/credit', credit)
  const { order } = await trader.newOrder(BUY)
  expect((await openOrders(jo, 'gateway-1')).map(({ id }) => id)).toEqual([order.id])
  expect((await answered(() => jo.ask('GET', 'me'))).data).toMatchObject({ mail: jo.mail })
  // An operator sends the request to the leading engine, which forwards it to one of the processes.
  const listed = await cluster.admin('customer/list', { limit: 10 })
  expect(listed).toContainEqual(expect.objectContaining({ account: jo.account, sessions: 1 }))
})

test('a process of customers is killed: sessions go on through the other one, and sign-ins begin there', async () => {
  const jo = await signUp('kept')
  for (const name of ['a', 'b'] as const) {
    await cluster.end(name, 'SIGKILL')
    const seen = await untilIs(isServed, meAt(jo))
    expect(seen.filter((each) => each !== 'CUSTOMERS_AWAY')).toEqual([])
    const again = new Customer(at('gateway-2'), jo.passkey)
    expect(await answered(() => again.signIn())).toMatchObject({ status: 200 })
    expect(await openOrders(again, 'gateway-1')).toEqual([])
    await cluster.start(name)
  }
})

test('the leading engine is killed: a session key is refused only with 503, and accepted again by the next one', async () => {
  const jo = await signUp('leader')
  await openOrders(jo, 'gateway-1')
  const leader = cluster.role('one') === 'LEADING' ? 'one' : 'two'
  await cluster.end(leader, 'SIGKILL')
  const both = await Promise.all(
    (['gateway-1', 'gateway-2'] as const).map((gateway) => untilIs(isServed, () => refusal(jo, gateway))),
  )
  for (const seen of both) expect(seen).not.toContain('INVALID_API_KEY')
  expect(await answered(() => jo.ask('GET', 'me'))).toMatchObject({ status: 200 })
  await cluster.start(leader)
})

test('a sign-out in the middle of kills ends the session permanently, at every gateway', async () => {
  const jo = await signUp('leaves')
  await openOrders(jo, 'gateway-2')
  const leaving = jo.ask('POST', 'logout').catch(() => undefined)
  await cluster.end('a', 'SIGKILL')
  const answer = await leaving
  if (answer?.status !== 200) await answered(() => jo.ask('POST', 'logout'))
  await cluster.start('a')
  for (const gateway of ['gateway-1', 'gateway-2'] as const)
    await untilIs(
      (reason) => reason === 'INVALID_API_KEY',
      () => refusal(jo, gateway),
    )
  const leader = cluster.role('one') === 'LEADING' ? 'one' : 'two'
  await cluster.end(leader, 'SIGKILL')
  for (const gateway of ['gateway-1', 'gateway-2'] as const) {
    const seen = await untilIs(
      (reason) => reason === 'INVALID_API_KEY',
      async () => (await refusal(jo, gateway)) ?? 'ACCEPTED',
    )
    expect(seen).not.toContain('ACCEPTED')
  }
  await cluster.start(leader)
})

test('without any customers process, and without their database, signed-in people continue to trade', async () => {
  const jo = await signUp('trades')
  const tradesOn = async (): Promise<void> => {
    for (const gateway of ['gateway-1', 'gateway-2'] as const) await openOrders(jo, gateway)
  }
  people.freeze()
  await untilIs(isAway, meAt(jo))
  await tradesOn()
  // The problems of each process, as operators see them.
  const lacks = async () =>
    (await cluster.admin('metrics/show', {})).cluster?.customers.flatMap((one) => one.lacks)
  await untilIs(isServed, async () => ((await lacks())?.includes('STORE') ? undefined : 'NOT_SEEN'))
  people.thaw()
  await untilIs(isServed, meAt(jo))
  await untilIs(isServed, async () => ((await lacks())?.length === 0 ? undefined : 'STILL_SEEN'))
  for (const name of ['a', 'b'] as const) await cluster.end(name, 'SIGKILL')
  const away = await fetch(`${cluster.urlOf('gateway-1')}/account/v1/config`)
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1'])
  await tradesOn()
  for (const name of ['a', 'b'] as const) await cluster.start(name)
  await untilIs(isServed, meAt(jo))
})
