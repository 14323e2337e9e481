/**
 * A gateway of a cluster as a process, with real engines on a real database: the leader is killed, another
 * engine leads, and the gateway's clients keep their connections and have the same data as a client of a new
 * gateway.
 */
import { afterAll, expect, test } from 'bun:test'
import { plainEntry } from '../order-entry/support/entry-clients.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { BourseProcess, signed } from '../support/bourse-process.ts'
import { plainClient, type StreamClient, socketIoClient } from '../support/stream-clients.ts'
import { until, WAIT_MS_MAX } from '../support/until.ts'
import { ClusterProcesses, type EngineName } from './support/cluster-processes.ts'

const SYMBOL = 'BTC/USDT'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await discardServers()
}, 300_000)

type Key = { readonly apiKey: string; readonly secret: string }

/** Two engines, and two accounts with money and a key each. */
async function startCluster() {
  const cluster = await ClusterProcesses.create(await PostgresServer.start())
  ends.push(() => cluster.discard())
  await cluster.start('one')
  await cluster.start('two')
  await cluster.admin('asset/add', { code: 'BTC', name: 'Bitcoin', fraction: 8 })
  await cluster.admin('asset/add', { code: 'USDT', name: 'Tether', fraction: 8 })
  await cluster.admin('symbol/add', { symbol: SYMBOL, baseFraction: 8, quoteFraction: 2 })
  const keys: Key[] = []
  for (const account of ['alice', 'bob']) {
    await cluster.admin('account/add', { name: account })
    for (const asset of ['BTC', 'USDT']) {
      await cluster.admin('money/credit', {
        account,
        asset,
        amount: '1000000',
        reference: `${account}-${asset}`,
      })
    }
    const permissions = ['TRADE', 'USER_DATA', 'WALLET'] as const
    const { apiKey, secret } = await cluster.admin('key/add', { account, permissions })
    keys.push({ apiKey, secret: secret ?? '' })
  }
  const [alice, bob] = keys as [Key, Key]
  return { cluster, alice, bob }
}

async function startGateway({ file }: ClusterProcesses, name: string): Promise<string> {
  const gateway = new BourseProcess(['gateway', '--config', file, '--name', name, '--port', '0'])
  ends.push(() => gateway.end('SIGKILL'))
  const url = (): string | undefined => /^The gateway is ready at (.*)$/m.exec(gateway.out)?.[1]
  await until(`${name} is ready: ${gateway.err}`, () => url() !== undefined)
  return url() as string
}

const order = (side: string, price: string, quantity = '0.5') => ({
  ...{ symbol: SYMBOL, side, type: 'LIMIT', price, quantity },
})

/** Like `until`, for a fact that needs requests; requests may fail while no engine leads. */
async function untilAsked(what: string, fact: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS_MAX
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`not within ${WAIT_MS_MAX} ms: ${what}`)
    await Bun.sleep(10)
  }
}

const isStale = async (url: string, key: Key): Promise<boolean> => {
  const answer = await signed(url, key, 'GET', 'depth', { symbol: SYMBOL })
  return answer.headers.has('x-bourse-stale-ms')
}

/** Everything that a client can read, as text. */
async function answers(url: string, key: Key): Promise<string[]> {
  const texts: string[] = []
  for (const path of ['depth', 'trades', 'openOrders', 'myTrades', 'ticker/24hr'])
    texts.push(await (await signed(url, key, 'GET', path, { symbol: SYMBOL })).text())
  texts.push(await (await signed(url, key, 'GET', 'wallet/balance')).text())
  // The window of 24 hours moves during the other requests.
  return texts.map((text) => text.replace(/"(open|close)Time":\d+/g, ''))
}

function leaderOf(cluster: ClusterProcesses): EngineName {
  return cluster.role('one') === 'LEADING' ? 'one' : 'two'
}

test('clients of a gateway keep their connections while the leading engine is killed, and then have the same data as those of a new gateway', async () => {
  const { cluster, alice, bob } = await startCluster()
  const url = await startGateway(cluster, 'gateway-1')
  const clients: StreamClient[] = [
    await plainClient(`${url.replace('http', 'ws')}/ws`),
    await socketIoClient(url, { transports: ['polling', 'websocket'] }),
  ]
  for (const client of clients) {
    ends.push(() => client.close())
    client.send('join', SYMBOL)
  }
  await until('each client has its book', () => clients.every(({ book }) => book.snapshots >= 1))
  const [feed, session] = [await plainEntry(url), await plainEntry(url)]
  for (const client of [feed, session]) ends.push(() => client.close())
  expect((await feed.login(alice, Date.now(), { recvWindow: 60_000 })).status).toBe(200)
  feed.send('subscribe', { channel: 'orders' })
  const held = await session.login(bob, Date.now(), {
    recvWindow: 60_000,
    cancelOnDisconnect: true,
    graceMs: 60_000,
  })
  expect(held.status).toBe(200)
  for (const price of ['100', '101']) {
    expect((await signed(url, alice, 'POST', 'order', order('SELL', price))).status).toBe(200)
  }
  expect((await session.ask('order.place', order('BUY', '99'))).status).toBe(200)
  expect((await signed(url, bob, 'POST', 'order', order('BUY', '100', '0.2'))).status).toBe(200)

  const leader = leaderOf(cluster)
  await cluster.end(leader, 'SIGKILL')
  await untilAsked('the gateway says how old it is', () => isStale(url, alice))
  expect((await signed(url, alice, 'POST', 'order', order('SELL', '102'))).status).toBe(503)
  await until('the login whose orders end is over', () =>
    session.events.some(([event, payload]) => event === 'loggedOut' && payload.reason === 'NO_LEADER'),
  )
  await untilAsked('an order is taken again', async () => {
    const { status } = await signed(url, alice, 'POST', 'order', order('SELL', '103'))
    return status === 200
  })
  await until('each client has the whole book again', () => clients.every(({ book }) => book.snapshots >= 2))

  // Within its grace period the session continues, with its order.
  const resumed = await session.login(bob, Date.now(), {
    recvWindow: 60_000,
    ...{ cancelOnDisconnect: true, graceMs: 60_000 },
    session: held.body.data.session.session ?? held.body.data.session,
  })
  expect(resumed.status).toBe(200)
  const own = await (await signed(url, bob, 'GET', 'openOrders', { symbol: SYMBOL })).text()
  expect(own).toContain('99')

  // Later events reach the same clients, and the private feed missed nothing.
  expect((await signed(url, bob, 'POST', 'order', order('BUY', '101', '0.3'))).status).toBe(200)
  const fresh = await startGateway(cluster, 'gateway-2')
  const late = await plainClient(`${fresh.replace('http', 'ws')}/ws`)
  ends.push(() => late.close())
  late.send('join', SYMBOL)
  await until('a client of the new gateway has its book', () => late.book.snapshots >= 1)
  await until('all have one book', () => clients.every(({ book }) => book.text() === late.book.text()))
  for (const key of [alice, bob]) expect(await answers(url, key)).toEqual(await answers(fresh, key))
  const ordersFed = () =>
    feed.events
      .filter(([event]) => event === 'orders')
      .map(([, payload]) => payload as { readonly seq: number; readonly prevSeq?: number })
  await until('the feed has told of what came after the change of leaders', () => ordersFed().length > 4)
  const fed = ordersFed()
  for (const [i, { prevSeq }] of fed.slice(1).entries()) expect(prevSeq).toBe(fed[i]?.seq as number)
  expect(feed.isClosed).toBe(false)
}, 300_000)
