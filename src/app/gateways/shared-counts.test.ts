/** Shared counts of gateways, over real links: limits, bans, nonces, orders, use of keys. */
import { afterEach, expect, test } from 'bun:test'
import { until } from '../../../test/support/until.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { account, asset, credit, limit, symbol } from '../../engine/writer/commands.fixture.ts'
import { MemoryNonces } from '../../server/access/auth/memory-nonces.ts'
import { DEFAULT_LIMITS, type LimitsConfig } from '../../server/access/limits/limits-config.ts'
import type { OrderTerms } from '../../server/access/limits/order-limits.ts'
import type { Link } from '../../transport/link/asking/link-client.ts'
import { type LinkedEngine, startLinkedEngine } from '../../transport/link/linked-engine.fixture.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { CountHub } from './count-hub.ts'
import { SharedCounts } from './shared-counts.ts'

const NOW = 60_000_000 as TimeMs
const ALICE = 3 as AccountId
const ADDRESS = '192.0.2.7'
const LIMITS: LimitsConfig = {
  ...DEFAULT_LIMITS,
  weightPerMinuteMax: 10,
  refusalsBeforeBan: 2,
  malformedPerMinuteMax: 4,
  openingsPerMinuteMax: 6,
  orderWindows: [{ name: '10S', windowMs: 10_000, ordersMax: 3 }],
}
const METERS = {
  requests: 1,
  underWay: 0,
  refusals: [],
  secondsByEndpoint: [],
  stream: {
    ...{ connections: 0, rooms: 0, fallenBehind: 0, closedBehind: 0, pendingBytes: 0 },
    cutsByCause: {},
  },
  cpuSeconds: 0,
  residentBytes: 0,
  loopLag: { counts: [], sum: 0 },
}

let linked: LinkedEngine | undefined
afterEach(async () => {
  await linked?.stop()
  linked = undefined
})

type Gateway = {
  readonly counts: SharedCounts
  readonly link: Link
  /** Reports the counts; resolves when they have reached the other gateways. */
  report(): Promise<void>
}

async function start(count: number, limits = LIMITS, orderTerms: OrderTerms = () => undefined) {
  const now = () => NOW
  const seen: string[] = []
  const newHub = (): CountHub =>
    new CountHub({
      limits,
      orderTerms,
      nonces: new MemoryNonces(0),
      now,
      onServing: (gateway) => seen.push(`${gateway} serves`),
      onMeters: (gateway) => seen.push(`${gateway} has counted`),
      onGone: (gateway) => seen.push(`${gateway} is gone`),
    })
  const hub = newHub()
  let counting = hub
  /** Another engine leads, which has counted nothing. */
  const move = (): void => {
    counting = newHub()
  }
  const exchange = await startLinkedEngine({ openCounts: (gateway, send) => counting.open(gateway, send) })
  linked = exchange
  const gateways: Gateway[] = []
  const join = async (name: string): Promise<Gateway> => {
    let due = () => {}
    const scheduler = {
      later: (task: () => void, delayMs: number) => {
        if (delayMs === 100) due = task
        return () => {}
      },
    }
    const counts = new SharedCounts({ limits, gateways: count, now, meters: () => METERS, scheduler })
    const link = await exchange.link({ name })
    counts.join(link)
    const gateway = {
      counts,
      link,
      report: async () => {
        due()
        // After the report on its own link, and then after the others have received it.
        await link.untilFresh()
        await Promise.all(gateways.map((each) => each.link.untilFresh()))
      },
    }
    gateways.push(gateway)
    await link.untilFresh()
    return gateway
  }
  const all: Gateway[] = []
  for (let i = 1; i <= count; i++) all.push(await join(`gateway-${i}`))
  return { hub, exchange, all, join, seen, move, bans: () => counting.limitBans.list(NOW) }
}

/** The answer to an address that sends a request of this weight. */
function ask({ counts: { addresses } }: Gateway, weight: number): string {
  return addresses.admit(ADDRESS, addresses.use(ADDRESS, NOW), weight, NOW)?.reason ?? 'OK'
}

/** The answer to an address that opens a connection of the stream. */
const open = ({ counts }: Gateway): string => counts.addresses.chargeOpening(ADDRESS, NOW)?.reason ?? 'OK'

const used = ({ counts }: Gateway) => counts.addresses.use(ADDRESS, NOW)

test('between two reports an address may use its limit once with each gateway, and nothing after them', async () => {
  const { all } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  expect([ask(first, 10), ask(second, 10)]).toEqual(['OK', 'OK'])
  await first.report()
  await second.report()
  expect([used(first).weight, used(second).weight]).toEqual([20, 20])
  expect([ask(first, 1), ask(second, 1)]).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
})

test('weight, answers with 429 and malformed requests are summed once, however often they are reported', async () => {
  const { all, join } = await start(3)
  const [first, second, third] = all as [Gateway, Gateway, Gateway]
  ask(first, 4)
  first.counts.addresses.noteMalformed(used(first))
  await first.report()
  await first.report()
  ask(second, 3)
  ask(second, 9)
  await second.report()
  await third.report()
  const sums = { weight: 7, refusals: 1, malformed: 1, openings: 0 }
  expect([first, second, third].map(used)).toEqual([sums, sums, sums])
  const late = await join('gateway-4')
  expect(used(late)).toEqual(sums)
})

test('stream connections that an address opens at all gateways are summed, and a later gateway knows of them', async () => {
  const { all, join } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  expect([open(first), open(first), open(second)]).toEqual(['OK', 'OK', 'OK'])
  await first.report()
  await second.report()
  await first.report()
  expect([used(first).openings, used(second).openings]).toEqual([3, 3])
  expect([open(second), open(second), open(second), open(second)].at(-1)).toBe('RATE_LIMITED')
  await second.report()
  const late = await join('gateway-3')
  expect([open(first), used(late).openings, open(late)]).toEqual(['RATE_LIMITED', 6, 'RATE_LIMITED'])
})

test('a gateway without a link allows an address its share of the connections', async () => {
  const { all } = await start(2)
  const [first] = all as [Gateway]
  first.link.close()
  await first.link.lost
  await until('the part holds', () =>
    [open(first), open(first), open(first), open(first)].includes('RATE_LIMITED'),
  )
  expect(used(first).openings).toBe(3)
})

test('a report of an earlier version, which has no openings, counts as one of zero openings', async () => {
  const { all } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  const minute = Math.floor(NOW / 60_000)
  const report = { kind: 'report', minute, addresses: [[ADDRESS, 2, 0, 0]], bans: [], keys: [] }
  first.link.sendCount(new TextEncoder().encode(JSON.stringify(report)))
  await first.report()
  expect([used(second).weight, used(second).openings, open(second)]).toEqual([2, 0, 'OK'])
})

test('an address banned at one gateway is banned at all, including later ones, until the ban is lifted', async () => {
  const { all, hub, join } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  const banned: string[] = []
  second.counts.addresses.onBanned = (address) => banned.push(address)
  expect([10, 1, 1, 1].map((weight) => ask(first, weight)).at(-1)).toBe('BANNED')
  expect(ask(second, 1)).toBe('OK')
  await first.report()
  const late = await join('gateway-3')
  expect([ask(second, 1), ask(late, 1), banned]).toEqual(['BANNED', 'BANNED', [ADDRESS]])
  // Both gateways count answers with 429 from zero, and neither reports that as a decrease.
  expect([used(first).refusals, used(second).refusals, used(late).refusals]).toEqual([0, 0, 0])
  expect(hub.limitBans.list(NOW)).toEqual([{ address: ADDRESS, until: (NOW + LIMITS.banMsMin) as TimeMs }])
  expect(hub.limitBans.lift(ADDRESS)).toBe(true)
  for (const gateway of [first, second, late]) await gateway.report()
  expect(await Promise.race([first.link.lost, 'open'])).toBe('open')
  expect([first, second, late].map((each) => ask(each, 1))).not.toContain('BANNED')
  expect(hub.limitBans.lift(ADDRESS)).toBe(false)
})

test('a lifted ban does not come back through answers with 429 that another gateway had counted before', async () => {
  const { all, hub } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  expect([10, 1, 1].map((weight) => ask(second, weight)).at(-1)).toBe('RATE_LIMITED')
  expect([10, 1, 1, 1].map((weight) => ask(first, weight)).at(-1)).toBe('BANNED')
  await second.report()
  await first.report()
  expect(hub.limitBans.lift(ADDRESS)).toBe(true)
  for (const gateway of all) await gateway.report()
  expect(all.map(used).map(({ refusals }) => refusals)).toEqual([0, 0])
  expect(all.map((each) => ask(each, 1))).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
  for (const gateway of all) await gateway.report()
  expect(all.map(used).map(({ refusals }) => refusals)).toEqual([2, 2])
})

test('a gateway without a link allows its share of the limits beside what was used before, and all of them again with the next link', async () => {
  const { all, exchange } = await start(2)
  const [first] = all as [Gateway, Gateway]
  expect(ask(first, 6)).toBe('OK')
  first.link.close()
  await first.link.lost
  await until('what was used before is set aside', () => used(first).weight === 0)
  // A client that used more than this share while there was a link is neither refused nor banned for it.
  expect([ask(first, 3), ask(first, 3), used(first)]).toEqual([
    'OK',
    'RATE_LIMITED',
    { weight: 3, refusals: 1, malformed: 0, openings: 0 },
  ])
  const again = await exchange.link({ name: 'gateway-1' })
  first.counts.join(again)
  await again.untilFresh()
  expect([used(first).weight, ask(first, 1), ask(first, 1)]).toEqual([9, 'OK', 'RATE_LIMITED'])
})

test('a nonce that one gateway has seen is refused as repeated at every other', async () => {
  const { all } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  const use = {
    ...{ apiKey: 'key', accountId: ALICE, nonce: 'n-1', now: NOW },
    ...{ timestamp: NOW, acceptableUntil: NOW + 5_000 },
  }
  const verdicts = await Promise.all([first, second, first].map(({ counts }) => counts.nonces.take(use)))
  expect(verdicts.map(({ kind }) => kind).toSorted()).toEqual(['FRESH', 'REPEATED', 'REPEATED'])
  first.link.close()
  const rejected = await Promise.resolve(first.counts.nonces.take(use)).catch(
    (fault: EngineFault) => fault.kind,
  )
  expect(rejected).toBe('ENGINE_DOWN')
})

test('a signature that opened one endpoint at a gateway opens no other at any gateway, and the same one again', async () => {
  const { all } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  const use = {
    ...{ apiKey: 'key', accountId: ALICE, nonce: 'ab12', now: NOW },
    ...{ timestamp: NOW, acceptableUntil: NOW + 5_000 },
  }
  const take = async ({ counts }: Gateway, opens: string): Promise<string> =>
    (await counts.nonces.take({ ...use, opens })).kind
  expect([await take(first, 'READING'), await take(second, 'READING')]).toEqual(['FRESH', 'FRESH'])
  expect([await take(second, 'DELETE /x'), await take(first, 'DELETE /x')]).toEqual(['REPEATED', 'REPEATED'])
})

/** Opens a market, and an account with money. */
async function list({ engine }: LinkedEngine): Promise<void> {
  for (const command of [asset('BTC'), asset('USDT'), symbol('BTC', 'USDT'), account('alice')])
    await engine.submit(command)
  await engine.submit(credit(ALICE, 'BTC', 10n ** 12n, 'funds'))
}

function place(
  { counts, link }: Pick<Gateway, 'counts' | 'link'>,
  orders = 1,
  charge = counts.orders.chargeOf(ALICE, NOW, orders),
) {
  return link.engine.submit(limit(ALICE, 'SELL', 100, 1), undefined, charge).then(
    ({ kind }) => kind,
    (fault: unknown) => (fault instanceof EngineFault ? fault.kind : fault),
  )
}

const known = ({ counts }: Pick<Gateway, 'counts'>) => counts.orders.uses(ALICE, NOW)[0]?.used

test('orders of an account that were counted under another leader are still in its windows, and count once', async () => {
  const windows = [{ name: '10S', windowMs: 10_000, ordersMax: 5 }]
  const { all, exchange, move } = await start(2, { ...LIMITS, orderWindows: windows })
  await list(exchange)
  const [first, second] = all as [Gateway, Gateway]
  expect([await place(first), await place(second), await place(first)]).toEqual(
    Array(3).fill('OrderAccepted'),
  )
  expect([known(first), known(second)]).toEqual([3, 2])
  move()
  const join = async ({ counts }: Gateway) => {
    const link = await exchange.link({ name: 'again' })
    const [sendCount, onCount] = [link.sendCount.bind(link), link.onCount.bind(link)]
    counts.join({ sendCount, onCount, lost: link.lost, welcome: { epoch: link.welcome.epoch + 1 } })
    return { counts, link }
  }
  // The first one has a lower count of orders, and places one before the other count arrives.
  const again = await join(second)
  expect([await place(again), known(again)]).toEqual(['OrderAccepted', 3])
  const other = await join(first)
  expect([await place(other), known(other)]).toEqual(['OrderAccepted', 5])
  expect([await place(again), await place(other)]).toEqual(['ORDER_RATE_LIMITED', 'ORDER_RATE_LIMITED'])
})

test('orders of an account are counted with the command, whichever gateway accepts it, and one too many is not carried out', async () => {
  const { all, exchange } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  await list(exchange)
  const pair = ({ counts }: Gateway) => counts.orders.chargeOf(ALICE, NOW, 2)
  const both = (gateway: Gateway, charge = pair(gateway)) =>
    Promise.all([place(gateway, 2, charge), place(gateway, 2, charge)])
  expect(await both(first)).toEqual(['OrderAccepted', 'OrderAccepted'])
  expect(known(first)).toBe(2)
  // Two of one request do not both fit, so neither is carried out.
  expect(await both(second)).toEqual(['ORDER_RATE_LIMITED', 'ORDER_RATE_LIMITED'])
  expect(known(second)).toBe(2)
  expect([await place(second), known(second)]).toEqual(['OrderAccepted', 3])
  expect(await place(first)).toBe('ORDER_RATE_LIMITED')
  expect([await place(second), second.counts.orders.hasLeft(ALICE, NOW)]).toEqual([
    'ORDER_RATE_LIMITED',
    false,
  ])
  expect(second.counts.orders.refusalOf(ALICE, NOW, 1).reason).toBe('ORDER_RATE_LIMITED')
  const { total } = await exchange.engine.ask('openOrders', {
    accountId: ALICE,
    symbolId: undefined,
    after: undefined,
  })
  expect(total).toBe(3)
  // One of the counted orders turns out not to have been placed: another one may take its place.
  first.counts.orders.giveBack(ALICE, NOW)
  await first.link.untilFresh()
  expect(await place(second)).toBe('OrderAccepted')
})

test('an account whose terms allow more orders has them at every gateway, and they add up to the same limit', async () => {
  const windows = [{ name: '10S', windowMs: 10_000, ordersMax: 2 }]
  const terms: OrderTerms = (id) => (id === ALICE ? { times: 2, until: 0 as TimeMs } : undefined)
  const { all, exchange } = await start(2, { ...LIMITS, orderWindows: windows }, terms)
  const [first, second] = all as [Gateway, Gateway]
  for (const { counts } of all) counts.orders.heed(terms)
  await list(exchange)
  expect([await place(first), await place(second), await place(first)]).toEqual(
    Array(3).fill('OrderAccepted'),
  )
  expect(first.counts.orders.hasLeft(ALICE, NOW)).toBe(true)
  expect(await place(second)).toBe('OrderAccepted')
  expect([await place(first), second.counts.orders.hasLeft(ALICE, NOW)]).toEqual([
    'ORDER_RATE_LIMITED',
    false,
  ])
})

test('reports of a gateway about keys and about itself are collected, and so is its end', async () => {
  const { all, hub, seen } = await start(1)
  const [only] = all as [Gateway]
  only.counts.keyUse.note('key', NOW)
  only.counts.serving()
  await only.report()
  expect(hub.keyUse.lastUsed('key')).toBe(NOW)
  only.link.close()
  await until('its end is known', () => seen.includes('gateway-1 is gone'))
  expect(seen).toEqual(['gateway-1 serves', 'gateway-1 has counted', 'gateway-1 is gone'])
})

/** Counts that no gateway sends: of an invalid form, and figures that would return used weight. */
const REPORT = { kind: 'report', minute: NOW / 60_000, addresses: [], bans: [], keys: [] }
test.each([
  ['{"kind":"report"}'],
  ['no JSON'],
  ...[
    { ...REPORT, addresses: [[ADDRESS, -1, 0, 0]] },
    { ...REPORT, addresses: [[ADDRESS, 0, -1, 0]] },
    { ...REPORT, addresses: [[ADDRESS, 0, 0, 0.5]] },
    { ...REPORT, bans: [[ADDRESS, NOW, -1]] },
    { ...REPORT, orders: [[ALICE, NOW, [-1]]] },
    { kind: 'giveBack', accountId: -1, at: NOW },
  ].map((message) => [JSON.stringify(message)]),
])('the message %s, which is not a count, closes its link', async (message) => {
  const { all } = await start(1)
  const [only] = all as [Gateway]
  only.link.sendCount(new TextEncoder().encode(message))
  expect((await only.link.lost).kind).toBe('BAD_FRAME')
})

test('an address that has sent only malformed requests is reported to the other gateways too', async () => {
  const { all } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  first.counts.addresses.noteMalformed(used(first))
  await first.report()
  await second.report()
  expect(used(second)).toEqual({ weight: 0, refusals: 0, malformed: 1, openings: 0 })
})

test('an address that both ends have forgotten is reported again, and no more of them are known than are counted', async () => {
  const { all } = await start(2, { ...LIMITS, entriesMax: 2 })
  const [first, second] = all as [Gateway, Gateway]
  const weightOf = ({ counts }: Gateway, address: string) => counts.addresses.use(address, NOW).weight
  const charge = ({ counts: { addresses } }: Gateway, address: string) =>
    addresses.charge(address, addresses.use(address, NOW), 2, NOW)
  for (const address of ['a', 'b', 'c']) {
    charge(first, address)
    await first.report()
  }
  // The first address was forgotten on both sides: no sum includes its earlier use any more.
  charge(first, 'a')
  await first.report()
  expect(weightOf(second, 'a')).toBe(2)
  expect(weightOf(second, 'c')).toBe(2)
})

test('under another leader earlier counts are summed once, not once for each gateway', async () => {
  const { all, exchange, move, bans } = await start(2)
  const [first, second] = all as [Gateway, Gateway]
  const again: Link[] = []
  expect([ask(first, 3), ask(second, 2)]).toEqual(['OK', 'OK'])
  await first.report()
  await second.report()
  expect([used(first).weight, used(second).weight]).toEqual([5, 5])
  first.counts.addresses.ban('a', { until: (NOW + 1_000) as TimeMs, durationMs: 1_000 }, NOW)
  move()
  expect(bans()).toEqual([])
  for (const { counts } of [first, second]) {
    const link = await exchange.link({ name: 'again' })
    const [sendCount, onCount] = [link.sendCount.bind(link), link.onCount.bind(link)]
    counts.join({ sendCount, onCount, lost: link.lost, welcome: { epoch: link.welcome.epoch + 1 } })
    await link.untilFresh()
    again.push(link)
  }
  for (let turn = 0; turn < 2; turn++) {
    for (const gateway of [first, second]) {
      await gateway.report()
      for (const link of again) await link.untilFresh()
      for (const link of again) await link.untilFresh()
    }
  }
  expect([used(first).weight, used(second).weight]).toEqual([5, 5])
  // Operators see bans that were made while another engine led, and can lift them.
  expect(bans()).toEqual([{ address: 'a', until: (NOW + 1_000) as TimeMs }])
  expect(second.counts.addresses.bans(NOW)).toEqual([...bans()])
})
