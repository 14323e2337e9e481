import { expect, test } from 'bun:test'
import { startMemoryEngine } from '../../../sim/memory/engine.ts'
import { followedHistory } from '../../../sim/memory/followed-history.fixture.ts'
import { MemoryPlace } from '../../../sim/memory/journal.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { MemoryWitness } from '../../../sim/memory/witness.ts'
import type { Command } from '../../core/commands/command.ts'
import type { EventBatch } from '../../core/events/event.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import { account, limit, market } from '../../engine/writer/commands.fixture.ts'
import { FollowerHandle } from '../../transport/thread/follower-handle.ts'
import { historyClient } from '../../transport/thread/history-client.ts'
import type { SymbolId } from '../../units/ids.ts'
import { type Rate, seq, type TimeMs, timeMs } from '../../units/quantities.ts'
import { Subscribers } from './subscribers.ts'
import { ViewIntake } from './view-intake.ts'
import { type NodeViews, startNodeViews, startViews } from './views.ts'

const SYMBOL = 0 as SymbolId

const alive = new Promise<never>(() => {})

test('a batch is passed on once every view has applied it, and only once', async () => {
  const { port, stop } = await startMemoryEngine()
  const history = { recentTrades: async () => [] } as unknown as HistoryPort
  const given: (readonly [number, boolean])[] = []
  const views = await startViews(port, history)
  const { accounts, backOffice } = views
  views.batches.subscribe((batch) => {
    const hasEach = batch.events.every((event) => {
      if (event.kind === 'AccountCreated') return accounts.accountByName(event.account.name) !== undefined
      if (event.kind === 'FeeTierChanged') return backOffice.feeTierByName.has(event.feeTier.name)
      return true
    })
    given.push([batch.seq, hasEach && views.market.seq === batch.seq])
  })
  const operator = { actor: 'test', note: '' }
  const share = 50_000_000 as Rate
  const shares = { makerShare: share, takerShare: share }
  const tier: Command = { kind: 'SetFeeTier', operator, name: 'half', ...shares }
  const commands = [...market(), tier]
  for (const command of commands) await port.submit(command)
  expect(given).toEqual(commands.map((_, i) => [i + 1, true]))
  await stop()
})

test('views that restart with another engine of the same journal show what they would have shown with it from the beginning', async () => {
  const place = new MemoryPlace()
  const kept = { witness: new MemoryWitness(), snapshots: new MemorySnapshots() }
  const first = await startMemoryEngine({ journal: place.open(), ...kept })
  for (const command of market()) await first.port.submit(command)
  const views = await startViews(first.port, followedHistory(first.feed))
  const seen: string[] = []
  views.batches.subscribe(({ seq }) => seen.push(`batch ${seq}`))
  views.restarts.subscribe((seq) => seen.push(`restart ${seq}`))
  await first.port.submit(limit(3, 'SELL', 100, 5_000_000))
  const { registry } = views.market
  const { banByAddress } = views.backOffice
  const known = views.market.seq
  await first.stop()
  const second = await startMemoryEngine({ journal: place.open(), ...kept })
  const operator = { actor: 'test', note: '' }
  await second.port.submit(limit(3, 'SELL', 200, 5_000_000))
  await second.port.submit(limit(4, 'BUY', 100, 3_000_000))
  await second.port.submit(account('carol'))
  await second.port.submit({ kind: 'BanAddress', operator, address: '192.0.2.7', until: timeMs(9e15) })
  // Until they restart, they keep their data.
  expect(views.market.seq).toBe(known)
  await views.restart(second.port, followedHistory(second.feed))
  await second.port.submit(limit(4, 'BUY', 50, 3_000_000))
  const fresh = await startViews(second.port, followedHistory(second.feed))
  const shown = ({ market, accounts, backOffice }: NodeViews) => ({
    seq: market.seq,
    depth: market.depth(SYMBOL).levels('SELL').concat(market.depth(SYMBOL).levels('BUY')),
    trades: market.recentTrades(SYMBOL, 100),
    day: market.day(SYMBOL, market.time),
    assets: market.registry.assets(),
    accounts: accounts.accounts(100),
    bans: [...backOffice.banByAddress],
  })
  expect(shown(views)).toEqual(shown(fresh))
  expect(shown(views).trades).toHaveLength(1)
  // The objects from before the restart are still in use.
  expect(registry).toBe(views.market.registry)
  expect(banByAddress).toBe(views.backOffice.banByAddress)
  expect(seen).toEqual([`batch ${known}`, `restart ${known + 4}`, `batch ${known + 5}`])
  await second.stop()
})

test('views do not restart from a state before the one that they show', async () => {
  const ahead = await startMemoryEngine()
  for (const command of market()) await ahead.port.submit(command)
  const views = await startViews(ahead.port, followedHistory(ahead.feed))
  const behind = await startMemoryEngine()
  const fault = await views
    .restart(behind.port, followedHistory(behind.feed))
    .catch((error: unknown) => error)
  expect(fault).toMatchObject({ kind: 'ENGINE_DOWN' })
  expect(Number(views.market.seq)).toBe(market().length)
  for (const { stop } of [ahead, behind]) await stop()
})

test('a follower that fails while the views wait for its history ends the start, with its own cause', async () => {
  const { port, stop } = await startMemoryEngine()
  for (const command of market()) await port.submit(command)
  const control = new MessageChannel()
  const questions = new MessageChannel()
  const follower = new FollowerHandle(control.port1, () => {})
  const history = historyClient(questions.port1)
  control.port2.postMessage({ kind: 'started', seq: 0 })
  // The follower fails while the first question is unanswered.
  questions.port2.onmessage = () => follower.lose('its thread ended')
  const starting = startNodeViews({ engine: { port, ended: alive }, follower, history })
  const fault = await starting.catch((error: unknown) => error)
  expect(fault).toMatchObject({ name: 'FollowerFault', message: 'its thread ended' })
  const later = await history
    .recentTrades({ symbolId: 0 as SymbolId, limit: 1, upTo: seq(0) })
    .catch((error: unknown) => error)
  expect(later).toMatchObject({ kind: 'ENGINE_DOWN' })
  for (const { port1, port2 } of [control, questions]) for (const end of [port1, port2]) end.close()
  await stop()
})

test('a follower or an engine that fails before the follower has started ends the start as well', async () => {
  const { port, stop } = await startMemoryEngine()
  const history = historyClient(new MessageChannel().port1)
  const cause = new Error('gone')
  const dead = Promise.reject(cause)
  for (const [follower, ended] of [
    [dead, alive],
    [alive, dead],
  ] as const) {
    const threads = { engine: { port, ended }, follower: { started: alive, ended: follower }, history }
    expect(await startNodeViews(threads).catch((error: unknown) => error)).toBe(cause)
  }
  await stop()
})

/** The market data of BTC/USDT at a gateway. */
function shownBy({ market, accounts }: NodeViews) {
  const depth = market.depth(SYMBOL)
  return {
    seq: market.seq,
    levels: [depth.levels('SELL'), depth.levels('BUY')],
    trades: market.recentTrades(SYMBOL, 1_000),
    day: market.day(SYMBOL, timeMs(market.time + 1)),
    newest: accounts.accountByName('newest') !== undefined,
  }
}

test('views that start at any moment, while orders flow, show what those show that were there from the beginning', async () => {
  const { port, feed, stop } = await startMemoryEngine()
  const history = followedHistory(feed)
  const first = await startViews(port, history)
  for (const command of market()) await port.submit(command)
  for (let round = 0; round < 12; round++) {
    const flow: Promise<unknown>[] = []
    let isStarting = true
    const starting = startViews(port, history).finally(() => {
      isStarting = false
    })
    for (let i = 0; isStarting || i < 20; i++) {
      const side = i % 2 === 0 ? 'SELL' : 'BUY'
      flow.push(port.submit(limit(3 + (i % 2), side, 100 + ((i * 7 + round) % 5), 1_000 + i)))
      if (i % (round + 1) === 0) await new Promise(setImmediate)
    }
    const late = await starting
    flow.push(port.submit(account(`newest${round === 0 ? '' : round}`)))
    await Promise.all(flow)
    expect(shownBy(late)).toEqual(shownBy(first))
  }
  expect(shownBy(first).day.count).toBeGreaterThan(100)
  await stop()
})

test('views whose history knows commands that have not arrived yet are ready once these have arrived', async () => {
  const { port, feed, stop } = await startMemoryEngine()
  for (const command of market()) await port.submit(command)
  const history = followedHistory(feed)
  const held: EventBatch[] = []
  let give = (_: EventBatch): void => {}
  const late: EnginePort = Object.assign(Object.create(port), {
    follow: (listener: (batch: EventBatch) => void) => {
      give = listener
      return port.follow((batch) => held.push(batch))
    },
  })
  const asked = Promise.withResolvers<void>()
  const candles: HistoryPort['candles'] = async (query) => {
    await port.submit(limit(3, 'SELL', 100, 1_000))
    await port.submit(limit(4, 'BUY', 100, 1_000))
    asked.resolve()
    return history.candles({ ...query, atLeast: seq(market().length + 2) })
  }
  let stands = false
  const starting = startViews(late, { ...history, candles }).then((views) => {
    stands = true
    return views
  })
  await asked.promise
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(stands).toBe(false)
  for (const batch of held) give(batch)
  expect((await starting).market.day(SYMBOL, timeMs(Date.now() + 1_000)).count).toBe(1)
  await stop()
})

test('views that cannot keep what arrives while they start say so, and keep nothing more', async () => {
  const [batches, passed] = [new Subscribers<EventBatch>(), new Subscribers<TimeMs>()]
  const given: number[] = []
  batches.subscribe((batch) => given.push(batch.seq))
  const intake = new ViewIntake(batches, passed, 2)
  const event = { kind: 'AssetHalted' } as unknown as EventBatch['events'][number]
  for (const number of [1, 2, 3, 4]) intake.batch({ seq: seq(number), time: timeMs(1), events: [event] })
  const fault = await intake.open(seq(4), seq(0)).catch((cause: unknown) => cause)
  expect(fault).toMatchObject({
    kind: 'OVERLOADED',
    message: 'more than 2 events arrived before the views were built',
  })
  expect(given).toEqual([])
})
