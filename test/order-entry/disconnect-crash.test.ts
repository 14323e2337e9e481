/**
 * kill -9 while logins cancel on disconnect: the grace period of each session starts again with the restarted
 * node, which ends the orders of sessions that were not resumed
 * (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import { afterAll, expect, test } from 'bun:test'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
  signed,
} from '../support/bourse-process.ts'
import { type EntryClient, type Params, plainEntry } from './support/entry-clients.ts'

const GRACE_MS = 1_500
const TIMEOUT_MS = 300_000

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

async function loggedIn(account: Credentials, more: Params) {
  const client = await plainEntry(readSandbox(data).baseUrl)
  const { status, body } = await client.login(account, Date.now(), {
    recvWindow: 60_000,
    cancelOnDisconnect: true,
    ...more,
  })
  expect([status, body.reason]).toEqual([200, undefined])
  return { client, session: body.data.session as string, resumed: body.data.resumed as boolean }
}

async function placed(client: EntryClient, price: string): Promise<string> {
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price }
  const { status, body } = await client.ask('order.place', order)
  expect(status).toBe(200)
  return body.data.id
}

test(
  'after a kill every session has its grace from the restart of the service, and a resumed one keeps its orders',
  async () => {
    node = await sandbox(data, '--limits', 'off')
    const [ann, ben] = readSandbox(data).accounts as [Credentials, Credentials]
    const gone = await loggedIn(ann, { graceMs: GRACE_MS })
    const back = await loggedIn(ben, { graceMs: 60_000 })
    const [annOrder, benOrder] = [await placed(gone.client, '100'), await placed(back.client, '101')]
    await node.end('SIGKILL')
    // The grace period would be over long before the node is available again.
    const killedAt = Date.now()
    while (Date.now() <= killedAt + GRACE_MS) await Bun.sleep(20)
    node = await sandbox(data, '--limits', 'off')
    const order = async (who: Credentials, orderId: string) => {
      const response = await signed(readSandbox(data).baseUrl, who, 'GET', 'order', { orderId })
      const { data: shown } = (await response.json()) as { data: unknown }
      return shown as { status: string; endReason?: string; updatedAt: number; createdAt: number }
    }
    const resumed = await loggedIn(ben, { graceMs: 60_000, session: back.session })
    expect([resumed.session, resumed.resumed]).toEqual([back.session, true])
    let ended = await order(ann, annOrder)
    while (ended.status === 'NEW') ended = await order(ann, annOrder)
    expect([ended.status, ended.endReason]).toEqual(['CANCELED', 'DISCONNECT'])
    expect(ended.updatedAt).toBeGreaterThan(killedAt + 2 * GRACE_MS)
    expect((await order(ben, benOrder)).status).toBe('NEW')
    // A planned stop and no grace: the orders end at once, whenever the client reconnects.
    const atOnce = await loggedIn(ann, { graceMs: 0 })
    const last = await placed(atOnce.client, '102')
    expect(await node.end('SIGTERM')).toBe(0)
    node = await sandbox(data, '--limits', 'off')
    let lastOrder = await order(ann, last)
    while (lastOrder.status === 'NEW') lastOrder = await order(ann, last)
    expect(lastOrder.endReason).toBe('DISCONNECT')
    expect((await order(ben, benOrder)).status).toBe('NEW')
    expect(await node.end('SIGTERM')).toBe(0)
    // Replayed from its first command, the journal reaches the state of the snapshots and the history.
    const verified = new BourseProcess(['verify', '--data', data, '--json'])
    expect([await verified.exited(), verified.err]).toEqual([0, ''])
  },
  TIMEOUT_MS,
)
