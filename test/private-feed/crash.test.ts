/**
 * The private feed of a node that is killed, stopped, or loses its history: a client that reconnects receives
 * everything once.
 */
import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { type EntryClient, plainEntry, socketIoEntry } from '../order-entry/support/entry-clients.ts'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
  signed,
} from '../support/bourse-process.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { until } from '../support/until.ts'
import { expectSameAsHttp, list, type Read } from './support/compare.ts'
import { CHANNELS, FeedFollower } from './support/follower.ts'

const ORDERS = 60

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

const start = () => sandbox(data, '--limits', 'off')

/** How a node ends, and what happens to its directory before the restart. */
const ENDS = [
  ['SIGKILL', () => {}],
  ['SIGTERM', () => {}],
  ['SIGKILL', () => rmSync(path.join(data, 'history.sqlite'))],
] as const

function accounts(): { readonly url: string; readonly alice: Credentials; readonly bob: Credentials } {
  const { baseUrl, accounts: both } = readSandbox(data)
  const [alice, bob] = both as [Credentials, Credentials]
  return { url: baseUrl, alice, bob }
}

const read: Read = async (path, fields) => {
  const { url, alice } = accounts()
  return (await signed(url, alice, 'GET', path, fields)).json()
}

async function loggedIn(
  key: Credentials,
  connect: (url: string) => Promise<EntryClient> = plainEntry,
): Promise<EntryClient> {
  const client = await connect(accounts().url)
  expect(await client.login(key, Date.now(), { recvWindow: 60_000 })).toMatchObject({ status: 200 })
  return client
}

/** Sends orders of both accounts; those in flight when the node ends may have been accepted or not. */
async function trade(random: () => number, isAnswered: boolean): Promise<void> {
  const { alice, bob } = accounts()
  const clients = [await loggedIn(alice), await loggedIn(bob)] as const
  for (let i = 0; i < ORDERS; i++) {
    const client = random() < 0.5 ? clients[0] : clients[1]
    const [side, price] = [random() < 0.5 ? 'BUY' : 'SELL', `${95 + Math.floor(random() * 10)}`]
    client.send('order.place', i, { symbol: 'BTC/USDT', side, type: 'LIMIT', quantity: '0.001', price })
  }
  const answers = (): number => clients.reduce((sum, client) => sum + client.answers.length - 1, 0)
  await until('answers', () => answers() >= (isAnswered ? ORDERS : ORDERS / 2))
}

test('over a kill, a stop and the loss of the history everything is sent once, in order, including what was in flight', async () => {
  const random = randomNumbers(5)
  node = await start()
  const follower = new FeedFollower()
  let client = await loggedIn(accounts().alice)
  follower.follow(client)
  await follower.until('the state', () => CHANNELS.every((channel) => follower.since[channel] !== undefined))
  const journal = journalOf(client)
  for (const [signal, after] of ENDS) {
    await trade(random, signal === 'SIGTERM')
    follower.take(Math.floor(random() * 60))
    await node.end(signal)
    after()
    node = await start()
    client = await loggedIn(accounts().alice, random() < 0.5 ? plainEntry : socketIoEntry)
    follower.follow(client, journal)
  }
  await trade(random, true)
  const placed = (await list(read, 'allOrders', 'orders')).length
  const filled = (await list(read, 'myTrades', 'fills')).length
  await follower.until(
    'the end',
    () => follower.orderById.size === placed && follower.fills.length === filled,
  )
  // A command that changes all three channels: once it has arrived, everything before it has.
  const { url, alice } = accounts()
  const taking = {
    symbol: 'BTC/USDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.001',
    price: '104',
    timeInForce: 'IOC',
  }
  await signed(url, alice, 'POST', 'order', taking)
  await follower.until('the last order', () => follower.orderById.size === placed + 1)
  await follower.until('its balances', () => (follower.since.balances ?? 0) >= (follower.since.orders ?? 0))
  // The last order's own fills count too: the channels come one after the other.
  const filledAtEnd = (await list(read, 'myTrades', 'fills')).length
  await follower.until('its fills', () => follower.fills.length >= filledAtEnd)
  await expectSameAsHttp(read, follower)
  expect(follower.fills.length).toBeGreaterThan(20)

  client.send('subscribe', { channel: 'fills', since: 1, journal: 'f'.repeat(32) })
  client.send('subscribe', { channel: 'fills', since: 2 ** 40, journal })
  await until('both are refused', () => client.events.filter(([event]) => event === 'error').length === 2)
  const reasons = client.events.filter(([event]) => event === 'error').map(([, { reason }]) => reason)
  expect(reasons).toEqual(['UNKNOWN_JOURNAL', 'UNKNOWN_JOURNAL'])
}, 300_000)

function journalOf(client: EntryClient): string {
  const [, message] = client.events.find(([, payload]) => 'journal' in payload) as [
    string,
    { journal: string },
  ]
  return message.journal
}
