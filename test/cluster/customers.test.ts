/**
 * Customers of a cluster, as processes: people sign up and sign in through any gateway, and trade through any
 * other one with the key of their session. Processes of customers and engines are killed meanwhile.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SmallMailServer } from '../../src/app/customers/small-mail-server.fixture.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { answered, Customer } from '../support/customer.ts'
import { WAIT_MS_MAX } from '../support/until.ts'
import { ClusterProcesses } from './support/cluster-processes.ts'
import { list } from './support/drill.ts'

setDefaultTimeout(600_000)

const mails = new SmallMailServer()
let cluster: ClusterProcesses

beforeAll(async () => {
  const customers = { mailPort: await mails.start() }
  cluster = await ClusterProcesses.create(await PostgresServer.start(), { customers })
  await cluster.start('one')
  await list(cluster)
  for (const name of ['gateway-1', 'gateway-2', 'a'] as const) await cluster.start(name)
})

afterAll(async () => {
  await cluster?.discard()
  await discardServers()
  mails.stop()
})

/** The text of the newest mail with a link to confirm. */
async function confirmation(to: string): Promise<string> {
  for (const endMs = performance.now() + WAIT_MS_MAX; performance.now() < endMs; await Bun.sleep(20)) {
    const mail = mails.taken.findLast((each) => each.includes(`To: ${to}`)) ?? ''
    // Quoted-printable (RFC 2045, 6.7).
    const text = mail.replaceAll('=\n', '').replaceAll('=3D', '=')
    if (text.includes('#confirm=')) return text
  }
  throw new Error(`no mail to ${to} came: ${cluster.said}`)
}

const at = (gateway: 'gateway-1' | 'gateway-2') => ({
  url: cluster.urlOf(gateway),
  admin: async () => Promise.reject(new Error('the mails of a cluster are sent')),
})

async function signUp(mail: string): Promise<Customer> {
  const customer = new Customer(at('gateway-1'))
  expect(await answered(() => customer.begin(mail))).toMatchObject({ status: 202 })
  const token = /#confirm=([\w-]{43})/.exec(await confirmation(mail))?.[1]
  expect(await customer.ask('POST', 'signup/confirm', { token })).toMatchObject({ status: 200 })
  expect(await customer.register()).toMatchObject({ status: 200 })
  return customer
}

test('a person signs up through one gateway and trades through another one', async () => {
  const jo = await signUp('jo@example.org')
  const trader = jo.trader(cluster.urlOf('gateway-2'), WAIT_MS_MAX)
  expect(await trader.openOrders({})).toEqual([])
  expect((await answered(() => jo.ask('GET', 'me'))).data).toMatchObject({ mail: 'jo@example.org' })
})
