/**
 * The private feed compared with HTTP for the same account: a client that reconnects receives everything that
 * it missed.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { UPDATE_PARTS_MAX } from '../../src/engine/history/account-updates.ts'
import type { Fixture } from '../../src/server/public/gateway.fixture.ts'
import { amount } from '../../src/units/quantities.ts'
import { type EntryClient, TRANSPORTS } from '../order-entry/support/entry-clients.ts'
import { openExchange } from '../order-entry/support/exchange.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { expectSameAsHttp, list, type Read } from './support/compare.ts'
import { CHANNELS, FeedFollower } from './support/follower.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const OPERATOR = { actor: 'test', note: '' }
const ROUNDS = 12
const ORDERS_A_ROUND = 12

async function open(): Promise<Fixture> {
  const f = await openExchange()
  cleanups.push(() => f.stop())
  return f
}

/** Orders of both traders, cancels, and transfers. */
async function trade(f: Fixture, random: () => number): Promise<void> {
  const placed: string[] = []
  for (let i = 0; i < ORDERS_A_ROUND; i++) {
    const isAlice = random() < 0.6
    const common = {
      symbol: 'BTC/USDT',
      side: random() < 0.5 ? 'BUY' : 'SELL',
      quantity: `0.${1 + Math.floor(random() * 9)}`,
    }
    const price = `${95 + Math.floor(random() * 10)}`
    const draw = random()
    const fields =
      draw < 0.6
        ? { ...common, type: 'LIMIT', price }
        : draw < 0.75
          ? { ...common, type: 'LIMIT', price, timeInForce: 'IOC' }
          : draw < 0.85
            ? { ...common, type: 'STOP_LOSS_LIMIT', price, stopPrice: price }
            : { ...common, type: 'LIMIT', price, selfTradePreventionMode: 'EXPIRE_MAKER' }
    const { body } = await f.place(isAlice ? f.alice : f.bob, fields)
    if (isAlice && body.status) placed.push(body.data.id)
    if (random() < 0.2 && placed.length > 0) {
      const id = placed[Math.floor(random() * placed.length)] as string
      await f.send('DELETE', '/api/v3/order', { id }, f.alice)
    }
  }
  const move = {
    kind: 'MoveBetweenBuckets',
    operator: OPERATOR,
    accountId: f.alice.accountId,
    asset: 'USDT',
  } as const
  const reference = String(random())
  await f.submit({
    ...move,
    from: 'free',
    to: 'freeze',
    amount: amount(BigInt(1 + Math.floor(random() * 9))),
    reference,
  })
}

const reading =
  (f: Fixture): Read =>
  async (path, fields) =>
    (await f.send('GET', `/api/v3/${path}`, fields, f.alice)).body

describe.each(TRANSPORTS)('over %s', (_, connect) => {
  async function connected(f: Fixture): Promise<EntryClient> {
    const client = await connect(f.url)
    cleanups.push(() => client.close())
    expect(await client.login(f.alice, f.clock.time)).toMatchObject({ status: 200 })
    return client
  }

  test('a client that is disconnected at random and comes back with the last number gets everything once, in order', async () => {
    const f = await open()
    const random = randomNumbers(17)
    const follower = new FeedFollower()
    let client = await connected(f)
    follower.follow(client)
    await follower.until('the state', () =>
      CHANNELS.every((channel) => follower.since[channel] !== undefined),
    )
    for (let round = 0; round < ROUNDS; round++) {
      await trade(f, random)
      // Some received messages are not read before the connection closes.
      follower.take(Math.floor(random() * 40))
      client.close()
      if (random() < 0.5) await trade(f, random)
      client = await connected(f)
      follower.follow(client, 'journal-of-a-test')
    }
    await trade(f, random)
    // The last command changes a balance, and nothing else of the account follows.
    const { seq } = f.services.market
    await follower.until('the last command', () => follower.since.balances === seq)
    const newest = (await list(reading(f), 'allOrders', 'orders')).length
    await follower.until('all orders', () => follower.orderById.size === newest)
    await follower.until('the last fill', () => follower.fills.length > 0)
    await expectSameAsHttp(reading(f), follower)
  })

  test('a replay of everything gives each command the same messages that its followers got', async () => {
    const f = await open()
    const live = new FeedFollower()
    const client = await connected(f)
    live.follow(client)
    await live.until('the state', () => CHANNELS.every((channel) => live.since[channel] !== undefined))
    const start = f.services.market.seq
    const random = randomNumbers(23)
    for (let i = 0; i < 5; i++) await trade(f, random)
    await live.until('the last command', () => live.since.balances === f.services.market.seq)
    const again = await connected(f)
    for (const channel of CHANNELS) again.send('subscribe', { channel, since: start })
    const told = (events: EntryClient['events']) =>
      events.filter(([event, payload]) => event !== 'subscribed' && 'time' in payload)
    await live.until('the replay', () => told(again.events).length === told(client.events).length)
    const ofChannel = (events: EntryClient['events'], channel: string) =>
      told(events).filter(([event]) => event === channel)
    for (const channel of CHANNELS) {
      const [first, ...rest] = ofChannel(client.events, channel)
      const [firstAgain, ...restAgain] = ofChannel(again.events, channel)
      expect(restAgain).toEqual(rest)
      expect({ ...firstAgain?.[1], prevSeq: 0 }).toEqual({ ...first?.[1], prevSeq: 0 } as never)
    }
  })

  test('a replay longer than an answer of the history arrives complete, though nothing happens meanwhile', async () => {
    const f = await open()
    const start = f.services.market.seq
    const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '50' }
    // Each is an order and a balance of one command, and so counts as three parts.
    const commands = Math.ceil(UPDATE_PARTS_MAX / 3) + 10
    for (let i = 0; i < commands; i++) expect((await f.place(f.alice, order)).status).toBe(200)
    const follower = new FeedFollower()
    for (const channel of CHANNELS) follower.since[channel] = start
    follower.follow(await connected(f))
    await follower.until('the last order', () => follower.since.orders === f.services.market.seq)
    expect(follower.orderById.size).toBe(commands)
  })
})
