/**
 * Queries after an event: which accounts, from which source, and to whom the results go; and whose turn it is
 * to read missed events.
 */
import { expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { stillClock } from '../../../test/support/still-clock.ts'
import type { EventBatch, ExchangeEvent } from '../../core/events/event.ts'
import { UPDATES_KEPT_COMMANDS } from '../../engine/history/account-updates.ts'
import type { AccountUpdate, UpdatesAfter, UpdatesAnswer, UpdatesQuery } from '../../engine/port/ports.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { amount, type Seq, seq, timeMs } from '../../units/quantities.ts'
import type { RegistryView } from '../../views/registry.ts'
import type { Services } from '../trading/services.ts'
import { WorkLane } from '../trading/work-lane.ts'
import { FeedPayloads } from './feed-payloads.ts'
import { FeedReader } from './feed-reader.ts'
import { Feeds, TURN_MS } from './feeds.ts'
import { HeldMemory, type Holder } from './held-memory.ts'
import type { LiveReader } from './live-reader.ts'
import { SharedReadings } from './shared-readings.ts'

const ACCOUNTS = 10_000
const log = () => {}
const LOGGER = { debug: log, info: log, warn: log, error: log }

/** A history that answers when the test lets it answer. */
function feedsWithHistory() {
  const asked: { readonly query: UpdatesQuery; readonly answer: (answers: UpdatesAnswer[]) => void }[] = []
  const history = {
    updates: (query: UpdatesQuery) =>
      new Promise<readonly UpdatesAnswer[]>((resolve) => asked.push({ query, answer: resolve })),
  }
  const services = { history, market: { seq: seq(0) } } as unknown as Services
  const feeds = new Feeds({ services: () => services, lane: new WorkLane(), logger: LOGGER })
  return { feeds, asked }
}

class Reader implements LiveReader {
  readonly channel = 'orders'
  readonly told: number[] = []
  prepare(): undefined {}
  take({ seq }: AccountUpdate): void {
    this.told.push(seq)
  }
  fallBehind(): void {}
  end(): void {}
}

function batch(command: number, ...accounts: number[]): EventBatch {
  const events = accounts.map(
    (account): ExchangeEvent => ({
      kind: 'BalanceMoved',
      accountId: account as AccountId,
      assetId: 0 as AssetId,
    }),
  )
  return { seq: seq(command), time: timeMs(command), events }
}

function update(command: number, account: number): AccountUpdate {
  const accountId = account as AccountId
  return { seq: seq(command), time: timeMs(command), accountId, open: [], ended: [], fills: [], balances: [] }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('history is asked only for the followed accounts that a batch concerns, of ten thousand', async () => {
  using _ = stillClock()
  const { feeds, asked } = feedsWithHistory()
  const readers = Array.from({ length: ACCOUNTS }, (_, account) => {
    const reader = new Reader()
    feeds.enter(account as AccountId, 'orders')
    expect(feeds.join(account as AccountId, reader, seq(5))).toBe(true)
    return reader
  })
  feeds.publish(batch(6, 7, 9_999, 20_000))
  expect(asked.map(({ query }) => query)).toEqual([
    {
      accounts: [7, 9_999].map((account) => ({ accountId: account as AccountId, after: seq(5) })),
      atLeast: seq(6),
    },
  ])
  // Events in the meantime are queried together, once the query has been answered.
  feeds.publish(batch(7, 7))
  feeds.publish(batch(8, 8))
  expect(asked).toHaveLength(1)
  asked[0]?.answer([
    { updates: [update(6, 7)], upTo: seq(6) },
    { updates: [update(6, 9_999)], upTo: seq(6) },
  ])
  await turn()
  expect(asked[1]?.query).toEqual({
    accounts: [
      { accountId: 7 as AccountId, after: seq(6) },
      { accountId: 8 as AccountId, after: seq(7) },
    ],
    atLeast: seq(8),
  })
  const told = readers.flatMap((reader, account) => (reader.told.length > 0 ? [account] : []))
  expect(told).toEqual([7, 9_999])
})

test('an answer for subscribers that have left is not used for one that came since and needs more', async () => {
  const { feeds, asked } = feedsWithHistory()
  const account = 3 as AccountId
  const [first, second] = [new Reader(), new Reader()]
  feeds.enter(account, 'orders')
  feeds.join(account, first, seq(10))
  feeds.enter(account, 'orders')
  feeds.publish(batch(12, 3))
  feeds.leave(account, first)
  expect(feeds.join(account, second, seq(8))).toBe(true)
  asked[0]?.answer([{ updates: [update(12, 3)], upTo: seq(12) }])
  await turn()
  expect(second.told).toEqual([])
  expect(asked[1]?.query.accounts).toEqual([{ accountId: account, after: seq(8) }])
  asked[1]?.answer([{ updates: [update(9, 3), update(12, 3)], upTo: seq(12) }])
  await turn()
  expect([first.told, second.told]).toEqual([[], [9, 12]])
})

test('a subscriber that is behind the others has to catch up first', () => {
  const { feeds } = feedsWithHistory()
  const account = 3 as AccountId
  feeds.enter(account, 'orders')
  feeds.enter(account, 'orders')
  expect(feeds.join(account, new Reader(), seq(10))).toBe(true)
  expect(feeds.join(account, new Reader(), seq(9))).toBe(false)
  expect(feeds.join(account, new Reader(), seq(11))).toBe(true)
})

const [ALICE, BOB] = [1, 2] as readonly number[] as readonly [AccountId, AccountId]
/**
 * Feeds of an exchange at command `market.seq`; each question finds at most one update, of the newest
 * command.
 */
function feedsAt(start: Seq) {
  const market = { seq: start }
  const asked: UpdatesAfter[] = []
  let wake = (): void => {}
  const history = {
    updates: async ({ accounts }: UpdatesQuery) => {
      asked.push(...accounts)
      wake()
      return accounts.map(({ accountId }) => ({
        updates: [update(market.seq, accountId)],
        upTo: market.seq,
      }))
    },
  }
  const services = { market, history, journal: 'a' } as unknown as Services
  const feeds = new Feeds({ services: () => services, lane: new WorkLane(), logger: LOGGER })
  const publish = (command: Seq, accountId: AccountId): void => {
    market.seq = command
    feeds.publish(batch(command, accountId))
  }
  const untilAsked = async (times: number): Promise<void> => {
    while (asked.length < times) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { feeds, asked, publish, untilAsked }
}

test('accounts take turns at reading missed updates, however many reads one of them has waiting', async () => {
  const { feeds } = feedsAt(seq(1))
  const order: string[] = []
  const read = (name: string, accountId: AccountId) =>
    feeds.inTurn(accountId, async () => {
      order.push(name)
    })
  await Promise.all([read('A1', ALICE), read('A2', ALICE), read('A3', ALICE), read('B1', BOB)])
  expect(order).toEqual(['A1', 'A2', 'B1', 'A3'])
})

test('a subscriber to an account without changes for longer than updates are kept continues with the next change', async () => {
  const { feeds, asked, publish, untilAsked } = feedsAt(seq(1))
  const taken: Seq[] = []
  const reader: LiveReader = {
    channel: 'orders',
    prepare: () => undefined,
    take: (taking: AccountUpdate) => void taken.push(taking.seq),
    fallBehind: () => {},
    end: () => {},
  }
  feeds.enter(ALICE, 'orders')
  expect(feeds.join(ALICE, reader, seq(1))).toBe(true)
  publish(seq(2 * UPDATES_KEPT_COMMANDS), BOB)
  publish(seq(2 * UPDATES_KEPT_COMMANDS + 1), ALICE)
  await untilAsked(1)
  expect(asked).toEqual([{ accountId: ALICE, after: seq(2 * UPDATES_KEPT_COMMANDS) }])
  // Not yet answered: events that arrive in the meantime are not skipped.
  publish(seq(2 * UPDATES_KEPT_COMMANDS + 2), BOB)
  publish(seq(2 * UPDATES_KEPT_COMMANDS + 3), ALICE)
  await untilAsked(2)
  expect(asked[1]?.after).toBeLessThanOrEqual(seq(2 * UPDATES_KEPT_COMMANDS + 2))
  expect(taken[0]).toBeGreaterThan(2 * UPDATES_KEPT_COMMANDS)
})

test('a slow reader of an account without changes for a long time catches up on the next changes alone', async () => {
  const { feeds, asked, publish, untilAsked } = feedsAt(seq(1))
  const reader = new FeedReader({
    ...{ feeds, channel: 'balances', accountId: ALICE, since: seq(1) },
    output: { offer: () => false, ended: () => {}, left: () => {} },
    onCrash: (error) => {
      throw error
    },
  })
  const join = feeds.join.bind(feeds)
  await new Promise<void>((resolve) => {
    feeds.join = (...joining) => {
      resolve()
      return join(...joining)
    }
    reader.begin()
  })
  publish(seq(2 * UPDATES_KEPT_COMMANDS), BOB)
  publish(seq(2 * UPDATES_KEPT_COMMANDS + 1), ALICE)
  await untilAsked(3)
  expect(asked.map(({ after }) => after)).toEqual([
    seq(1),
    seq(2 * UPDATES_KEPT_COMMANDS),
    seq(2 * UPDATES_KEPT_COMMANDS),
  ])
  reader.close()
})

/** A reader to which sending takes longer than a turn may last. */
class BusyReader extends Reader {
  readonly #onTaken: (command: number) => void
  constructor(onTaken: (command: number) => void = () => {}) {
    super()
    this.#onTaken = onTaken
  }
  override take(taken: AccountUpdate): void {
    super.take(taken)
    const end = performance.now() + 2 * TURN_MS
    while (performance.now() < end);
    this.#onTaken(taken.seq)
  }
}

test('a long delivery leaves room for others between two readers', async () => {
  const { feeds, asked } = feedsWithHistory()
  const account = 3 as AccountId
  const order: string[] = []
  for (const name of ['first', 'second', 'third']) {
    const reader = new BusyReader(() => {
      order.push(name)
      if (name === 'first') setImmediate(() => order.push('another'))
    })
    feeds.enter(account, 'orders')
    feeds.join(account, reader, seq(5))
  }
  feeds.publish(batch(6, 3))
  asked[0]?.answer([{ updates: [update(6, 3)], upTo: seq(6) }])
  while (!order.includes('third')) await turn()
  expect(order.indexOf('another')).toBeLessThan(order.indexOf('third'))
})

test('a subscriber that joins during a long answer gets everything after what it has, or has to catch up first', async () => {
  const { feeds, asked } = feedsWithHistory()
  const account = 3 as AccountId
  const [late, behind] = [new Reader(), new Reader()]
  const joined: boolean[] = []
  const first = new BusyReader((command) => {
    if (command !== 7) return
    joined.push(feeds.join(account, behind, seq(5)), feeds.join(account, late, seq(6)))
    feeds.leave(account, late)
    feeds.leave(account, first)
    // Nothing is sent now: it would leave out earlier events.
    joined.push(feeds.join(account, behind, seq(5)), feeds.join(account, behind, seq(6)))
  })
  for (const _ of [first, late, behind]) feeds.enter(account, 'orders')
  feeds.join(account, first, seq(5))
  feeds.publish(batch(8, 3))
  asked[0]?.answer([{ updates: [update(6, 3), update(7, 3), update(8, 3)], upTo: seq(8) }])
  while (!behind.told.includes(8)) await turn()
  expect(joined).toEqual([false, true, false, true])
  expect([first.told, late.told, behind.told]).toEqual([[6, 7], [], [7, 8]])
})

const NONE = amount(0n)
const BALANCES = Array.from({ length: 1_234 }, (_, i) => ({
  assetId: 0 as AssetId,
  free: amount(BigInt(i)),
  locked: NONE,
  freeze: NONE,
  savings: NONE,
}))

test('a long update is encoded in pieces, with the text of a short one', async () => {
  const registry = { asset: () => ({ id: 0, code: 'BTC', fraction: 8 }) } as unknown as RegistryView
  const words = new FeedPayloads(registry)
  const [long, same] = [
    { ...update(6, 3), balances: BALANCES },
    { ...update(6, 3), balances: BALANCES },
  ]
  const lane = new WorkLane()
  const pieces = spyOn(lane, 'further')
  await words.prepare('balances', long, lane)
  expect(pieces).toHaveBeenCalledTimes(3)
  expect(words.prepare('balances', long, lane)).toBeUndefined()
  expect(words.prepare('balances', update(7, 3), lane)).toBeUndefined()
  expect(words.partsOf('balances', long)).toEqual(words.partsOf('balances', same))
  expect(words.partsOf('balances', long).join().match(/"BTC"/g)).toHaveLength(BALANCES.length)
})

test('subscriptions whose connections read nothing share a limit, and above it the one that has waited longest ends', async () => {
  const history = {
    updates: async () => [{ updates: [{ ...update(6, 3), balances: BALANCES }], upTo: seq(6) }],
  }
  const registry = { asset: () => ({ id: 0, code: 'BTC', fraction: 8 }) }
  const services = { history, journal: 'a', market: { seq: seq(6), registry } } as unknown as Services
  const rowsMax = 2.5 * BALANCES.length
  const heldBytesMax = rowsMax * 500
  const feeds = new Feeds({ services: () => services, lane: new WorkLane(), logger: LOGGER, heldBytesMax })
  const ended: string[] = []
  const start = (name: string): FeedReader => {
    const reader = new FeedReader({
      ...{ feeds, channel: 'balances', accountId: 3 as AccountId, since: seq(5) },
      output: {
        offer: () => false,
        ended: (_, { reason }) => ended.push(`${name} ${reason}`),
        left: () => {},
      },
      onCrash: (error) => {
        throw error
      },
    })
    reader.begin()
    return reader
  }
  const readers = ['first', 'second'].map(start)
  while (!readers.every(({ isWaiting }) => isWaiting)) await turn()
  start('third')
  while (ended.length === 0) await turn()
  expect(ended).toEqual(['first TOO_SLOW'])
  // Dropped entries make room for new ones.
  readers[1]?.close()
  const fourth = start('fourth')
  while (!fourth.isWaiting) await turn()
  expect(ended).toEqual(['first TOO_SLOW'])
})

test('connections that read nothing and keep most end first, however late they come', () => {
  const amounts = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 60 })), { maxLength: 60 })
  fc.assert(
    fc.property(amounts, (holds) => {
      const held = new HeldMemory(100)
      const kept = new Map<number, number>()
      const holders = Array.from({ length: 10 }, (_, who) => ({
        tooSlow: () => {
          expect(kept.get(who)).toBe(Math.max(...kept.values()))
          kept.delete(who)
        },
      }))
      for (const [who, bytes] of holds) {
        kept.delete(who)
        kept.set(who, bytes)
        if (!held.hold(holders[who] as Holder, bytes)) {
          expect(bytes).toBe(Math.max(...kept.values()))
          kept.delete(who)
        }
        expect([...kept.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(100)
      }
    }),
  )
})

test('updates that many subscribers of an account have missed are read once, and all get the same', async () => {
  const asked: Seq[] = []
  const long = [7, 9, 12].map((command) => update(command, 3))
  const shared = new SharedReadings(async (_, after) => {
    asked.push(after)
    return after < 12
      ? { updates: long.filter(({ seq }) => seq > after), upTo: seq(12) }
      : { updates: [], upTo: after }
  })
  for (let reader = 0; reader < 60; reader++) {
    expect(await shared.after(ALICE, seq(5))).toEqual({ updates: long, upTo: seq(12) })
    const later = (await shared.after(ALICE, seq(8))) as { readonly updates: readonly AccountUpdate[] }
    expect(later.updates.map((each) => long.indexOf(each))).toEqual([1, 2])
  }
  expect(asked).toEqual([seq(5)])
  await shared.after(BOB, seq(5))
  await shared.after(ALICE, seq(4))
  await shared.after(ALICE, seq(12))
  shared.forget(ALICE)
  await shared.after(ALICE, seq(4))
  expect(asked).toEqual([5, 5, 4, 12, 4].map(seq))
})
