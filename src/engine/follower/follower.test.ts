import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MemoryHistory } from '../../../sim/memory/history.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import { plainList } from '../history/history.contract.ts'
import { HistoryFault, type HistoryStore, type HistoryTrade } from '../history/history.ts'
import { hexOf, JournalFault } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { Snapshot, SnapshotHead } from '../port/snapshots.ts'
import type { StateMachine } from '../port/state-machine.ts'
import { limit } from '../writer/commands.fixture.ts'
import { emptyStores, follow, openFollower, someTrading } from './follower.fixture.ts'
import { anyBatches, JournaledExchange, openMarkets, TRADERS } from './journaled-exchange.fixture.ts'
import { DEFAULT_FOLLOWER_LIMITS } from './limits.ts'
import type { FollowerNote } from './note.ts'
import { StateDivergedFault } from './snapshot-keeper.ts'

async function expectHistory(store: HistoryStore, source: JournaledExchange): Promise<void> {
  const { seq, hash } = source.journal.tail
  expect(await store.position()).toEqual({ seq, hash })
  for (const account of TRADERS) {
    const list = plainList(source.trades, account)
    const query = {
      accountId: account as AccountId,
      symbolId: undefined,
      page: 0,
      size: 1000,
      before: undefined,
    }
    expect(await store.trades(query)).toEqual({ items: list, total: list.length })
  }
  for (const symbol of [0, 1]) {
    const traded = source.trades.filter((trade) => trade.symbolId === symbol).map(({ trade }) => trade)
    expect(await store.recentTrades({ symbolId: symbol as SymbolId, limit: 1000, upTo: seq })).toEqual(
      traded.reverse(),
    )
  }
}

function expectStateHashes(heads: readonly SnapshotHead[], source: JournaledExchange): void {
  for (const { seq, stateHash } of heads) {
    expect(hexOf(stateHash)).toBe(hexOf(source.stateHashBySeq.get(seq) ?? new Uint8Array()))
  }
}

const small = fc.record({
  pullBytesMax: fc.integer({ min: 1, max: 10_000 }),
  pullPauseMs: fc.constant(1),
  snapshotCommands: fc.integer({ min: 1, max: 40 }),
  snapshotBytes: fc.integer({ min: 100, max: 5_000 }),
  waitingMax: fc.constant(10),
  compareEveryMs: fc.constant(1_000),
  compareBytesMax: fc.constant(1_000_000),
})

test('the random streams of these tests trade, across symbols and with themselves', async () => {
  const trades: HistoryTrade[] = []
  for (const batches of fc.sample(anyBatches, { numRuns: 40, seed: 1 })) {
    const source = new JournaledExchange()
    await source.write(openMarkets())
    for (const batch of batches) await source.write(batch)
    trades.push(...source.trades)
  }
  expect(trades.length).toBeGreaterThan(200)
  expect(trades.filter(({ symbolId }) => symbolId === 1).length).toBeGreaterThan(30)
  expect(trades.filter(({ maker, taker }) => maker.accountId === taker.accountId).length).toBeGreaterThan(50)
})

test('history and state hash are those of the live exchange, however pulls are cut', async () => {
  await fc.assert(
    fc.asyncProperty(anyBatches, small, async (batches, limits) => {
      const source = new JournaledExchange()
      const stores = emptyStores()
      await source.write(openMarkets())
      for (const batch of batches) await source.write(batch)
      expect(await follow(source, stores, { limits })).toBe(source.journal.tail.seq)
      await expectHistory(stores.history, source)
      const { heads } = await stores.snapshots.list()
      expect(heads[0]?.seq).toBe(source.journal.tail.seq)
      expectStateHashes(heads, source)
    }),
    { numRuns: 40 },
  )
})

test('a follower that is restarted again and again reaches the same history', async () => {
  await fc.assert(
    fc.asyncProperty(anyBatches, small, fc.array(fc.nat(100)), async (batches, limits, stops) => {
      const source = new JournaledExchange()
      const stores = emptyStores()
      await source.write(openMarkets())
      for (const batch of batches) await source.write(batch)
      const end = source.journal.tail.seq
      for (const stop of stops.sort((a, b) => a - b)) {
        await follow(source, stores, { limits }, Math.min(stop, end) as Seq)
      }
      await follow(source, stores, { limits })
      await expectHistory(stores.history, source)
      expectStateHashes((await stores.snapshots.list()).heads, source)
    }),
    { numRuns: 40 },
  )
})

test('a follower applies what is written while it follows', async () => {
  const source = new JournaledExchange()
  const stores = emptyStores()
  const reached: number[] = []
  const follower = await openFollower(source, stores, { onAdvance: (seq) => reached.push(seq) })
  const running = follower.run()
  await source.write(openMarkets())
  await source.write([limit(3, 'SELL', 100, 5_000_000), limit(4, 'BUY', 100, 5_000_000)])
  follower.finish(source.journal.tail.seq)
  expect(await running).toBe(source.journal.tail.seq)
  expect(reached.at(0)).toBe(0)
  expect(reached.at(-1)).toBe(source.journal.tail.seq)
  await expectHistory(stores.history, source)
})

test('a follower that keeps up pulls when it is due; one that is behind does not wait for that', async () => {
  const source = await someTrading()
  let pauses = 0
  const due = Promise.withResolvers<void>()
  const untilDue = (): Promise<void> => {
    pauses++
    return due.promise
  }
  // Two of its small batches fill a pull of 2,500 bytes, although their data is far smaller.
  for (const pullBytesMax of [1, 2_500]) {
    await follow(source, emptyStores(), { untilDue, limits: { ...DEFAULT_FOLLOWER_LIMITS, pullBytesMax } })
    expect(pauses).toBe(0)
  }
  const advances: Seq[] = []
  const keptUp = Promise.withResolvers<void>()
  const onAdvance = (seq: Seq): void => {
    advances.push(seq)
    if (seq === before) keptUp.resolve()
  }
  const before = source.journal.tail.seq
  const follower = await openFollower(source, emptyStores(), { untilDue, onAdvance })
  const running = follower.run()
  await keptUp.promise
  await source.write([limit(3, 'SELL', 100, 5_000_000)])
  await source.write([limit(4, 'BUY', 100, 5_000_000)])
  const after = source.journal.tail.seq
  follower.finish(after)
  expect([pauses, follower.position]).toEqual([1, before])
  due.resolve()
  expect(await running).toBe(after)
  // Both commits came in one pull, and the follower does not pause at the end.
  expect([pauses, advances.slice(-2)]).toEqual([1, [before, after]])
})

test('each trade names the very command that caused it, not its batch', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  await source.write([
    limit(3, 'SELL', 100, 2_000_000),
    limit(4, 'BUY', 100, 1_000_000),
    limit(4, 'BUY', 100, 1_000_000),
  ])
  await follow(source, stores)
  const end = source.journal.tail.seq
  const upTo = async (seq: number): Promise<number> =>
    (await stores.history.recentTrades({ symbolId: 0 as SymbolId, limit: 10, upTo: seq as Seq })).length
  expect([await upTo(end), await upTo(end - 1), await upTo(end - 2)]).toEqual([4, 3, 2])
})

test('an engine that stops cleanly ends the follower, with a snapshot', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  const follower = await openFollower(source, stores)
  const caughtUp = Promise.withResolvers<void>()
  const running = follower.run()
  const poll = setInterval(() => follower.position === source.journal.tail.seq && caughtUp.resolve(), 1)
  await caughtUp.promise
  clearInterval(poll)
  source.stop()
  expect(await running).toBe(source.journal.tail.seq)
  expect((await stores.snapshots.list()).heads[0]?.seq).toBe(source.journal.tail.seq)
})

test('deleted history is rebuilt, and the state meets the hashes of the snapshots on the way', async () => {
  const source = await someTrading()
  const { snapshots } = emptyStores()
  await follow(source, { history: new MemoryHistory(), snapshots })
  const end = source.journal.tail.seq
  const stores = { history: new MemoryHistory(), snapshots }
  const notes: FollowerNote[] = []
  await follow(source, stores, { notes })
  await expectHistory(stores.history, source)
  expect(notes).toEqual([{ kind: 'StateHashConfirmed', seq: end }])
})

test('two replays that reach different states stop the follower', async () => {
  const source = await someTrading()
  const other = new JournaledExchange()
  await other.write(openMarkets())
  await other.write([
    limit(3, 'SELL', 100, 5_000_000),
    limit(4, 'BUY', 99, 3_000_000),
    limit(4, 'BUY', 98, 1),
  ])
  const stores = emptyStores()
  const place = { ...source.journal.tail, journalHash: source.journal.tail.hash }
  const payload = other.exchange.encodeSnapshot()
  await stores.snapshots.save({ ...place, payload, stateHash: sha256([payload]) })
  await expect(follow(source, stores)).rejects.toBeInstanceOf(StateDivergedFault)
})

test('a snapshot of an older layout of the same state is no difference', async () => {
  const source = await someTrading()
  const { snapshots } = emptyStores()
  await follow(source, { history: new MemoryHistory(), snapshots })
  const [head] = (await snapshots.list()).heads
  const snapshot = await snapshots.load(head as SnapshotHead)
  if ('problem' in snapshot) throw new Error(snapshot.problem)
  await snapshots.save({ ...snapshot, stateHash: new Uint8Array(32) })
  const notes: FollowerNote[] = []
  await follow(source, { history: new MemoryHistory(), snapshots }, { notes })
  expect(notes.map((note) => note.kind)).toEqual(['StateHashConfirmed'])
})

test('a snapshot of another journal is reported and replaced', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  const payload = new JournaledExchange().exchange.encodeSnapshot()
  const place = { ...source.journal.tail, journalHash: new Uint8Array(32) }
  await stores.snapshots.save({ ...place, payload, stateHash: sha256([payload]) })
  const notes: FollowerNote[] = []
  await follow(source, stores, { notes })
  expect(notes[0]).toMatchObject({ kind: 'SnapshotDamaged', problem: 'it was made from another journal' })
  expectStateHashes((await stores.snapshots.list()).heads, source)
})

test('a snapshot that is no longer readable is reported and replaced', async () => {
  const source = await someTrading()
  const { snapshots } = emptyStores()
  const place = { ...source.journal.tail, journalHash: source.journal.tail.hash }
  await snapshots.save({ ...place, payload: new Uint8Array([255]), stateHash: new Uint8Array(32) })
  const stores = { history: new MemoryHistory(), snapshots }
  const notes: FollowerNote[] = []
  await follow(source, stores, { notes })
  expect(notes.map((note) => note.kind)).toEqual(['SnapshotDamaged', 'SnapshotSaved'])
  expectStateHashes((await stores.snapshots.list()).heads, source)
  await expectHistory(stores.history, source)
})

test('a damaged snapshot is skipped and reported', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  await follow(source, stores)
  const [head] = (await stores.snapshots.list()).heads
  const snapshot = await stores.snapshots.load(head as SnapshotHead)
  if ('problem' in snapshot) throw new Error(snapshot.problem)
  await stores.snapshots.save({ ...snapshot, payload: snapshot.payload.slice(0, -1) })
  await source.write([limit(3, 'BUY', 90, 2_000_000)])
  const notes: FollowerNote[] = []
  await follow(source, stores, { notes })
  expect(notes[0]).toMatchObject({ kind: 'SnapshotDamaged' })
  await expectHistory(stores.history, source)
})

test('quarantined commands are refused, not applied', async () => {
  const source = new JournaledExchange()
  const stores = emptyStores()
  await source.write(openMarkets())
  source.quarantined.add((source.journal.tail.seq + 2) as Seq)
  await source.write([
    limit(3, 'SELL', 100, 5_000_000),
    limit(4, 'BUY', 100, 3_000_000),
    limit(4, 'BUY', 100, 1_000_000),
  ])
  await follow(source, stores)
  expect(source.trades).toHaveLength(1)
  await expectHistory(stores.history, source)
  expectStateHashes((await stores.snapshots.list()).heads, source)
})

test('history ahead of the journal halts the start until an operator accepts the journal', async () => {
  const longer = await someTrading()
  const stores = emptyStores()
  await follow(longer, stores)
  const shorter = new JournaledExchange()
  await shorter.write(openMarkets())
  const fault = await openFollower(shorter, stores).catch((cause: unknown) => cause)
  expect(fault).toBeInstanceOf(HistoryFault)
  expect((fault as HistoryFault).kind).toBe('AHEAD_OF_JOURNAL')
  expect((fault as HistoryFault).message).toContain('history reaches command 13, the journal ends at 10')
  const notes: FollowerNote[] = []
  await follow(shorter, { ...stores, snapshots: new MemorySnapshots() }, { acceptJournalTail: true, notes })
  expect(notes[0]).toEqual({ kind: 'HistoryDropped', seq: 13 as Seq })
  await expectHistory(stores.history, shorter)
})

test('history made from another journal of the same length is detected', async () => {
  const source = await someTrading()
  const { history } = emptyStores()
  await history.append([], { seq: source.journal.tail.seq, hash: new Uint8Array(32).fill(7) })
  const fault = await follow(source, { history, snapshots: new MemorySnapshots() }).catch(
    (cause: unknown) => cause,
  )
  expect((fault as HistoryFault).kind).toBe('AHEAD_OF_JOURNAL')
  expect((fault as HistoryFault).message).toContain('history was made from 0707070707070707')
})

test('history that ends inside a batch is of another journal', async () => {
  const source = await someTrading()
  const { history, snapshots } = emptyStores()
  await history.append([], { seq: 3 as Seq, hash: new Uint8Array(32) })
  await expect(follow(source, { history, snapshots })).rejects.toThrow('in the middle of batch 1 to 10')
})

test('a flipped byte in transit is found and nothing of it applied', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  const feed = source.feed((batch) => {
    if (batch.firstSeq !== 11) return batch
    const data = batch.data.slice()
    data[9] = (data[9] ?? 0) ^ 1
    return { ...batch, data }
  })
  const fault = await follow(source, stores, { feed }).catch((cause: unknown) => cause)
  expect(fault).toBeInstanceOf(JournalFault)
  expect((fault as JournalFault).kind).toBe('DAMAGED')
  expect((await stores.history.position()).seq as number).toBe(0)
})

test('the follower waits while the storage is full, and nothing is lost', async () => {
  const source = await someTrading()
  const { snapshots } = emptyStores()
  let failures = 2
  const history = new (class extends MemoryHistory {
    override async append(...parameters: Parameters<MemoryHistory['append']>): Promise<void> {
      if (failures > 0) throw new HistoryFault('STORAGE_FULL', `no room, ${failures--}`)
      return super.append(...parameters)
    }
  })()
  const notes: FollowerNote[] = []
  const follower = await openFollower(source, { history, snapshots }, { notes })
  const caughtUp = Promise.withResolvers<void>()
  const poll = setInterval(() => follower.position === source.journal.tail.seq && caughtUp.resolve(), 1)
  const running = follower.run()
  await caughtUp.promise
  clearInterval(poll)
  follower.finish(source.journal.tail.seq)
  await running
  expect(notes.map((note) => note.kind)).toEqual(['StorageFull', 'StorageFull', 'SnapshotSaved'])
  await expectHistory(history, source)
})

test('a snapshot without a free descriptor is postponed, retried no more often than that, and made once there is one', async () => {
  const source = await someTrading()
  const { history, snapshots } = emptyStores()
  let tries = 0
  let isLeft = false
  const lacking = new (class extends MemorySnapshots {
    override async save(snapshot: Snapshot): Promise<void> {
      tries++
      if (!isLeft) throw new JournalFault('NO_DESCRIPTORS', 'too many open files')
      return snapshots.save(snapshot)
    }
  })()
  const notes: FollowerNote[] = []
  const limits = { ...DEFAULT_FOLLOWER_LIMITS, snapshotCommands: 32, snapshotBytes: 1, pullBytesMax: 1 }
  const follower = await openFollower(source, { history, snapshots: lacking }, { notes, limits })
  const caughtUp = Promise.withResolvers<void>()
  const poll = setInterval(() => follower.position === source.journal.tail.seq && caughtUp.resolve(), 1)
  const running = follower.run()
  // One command per batch: a snapshot would be due after each.
  for (let i = 0; i < 40; i++) await source.write([limit(4, 'BUY', 50, 1_000)])
  await caughtUp.promise
  clearInterval(poll)
  expect(tries).toBeGreaterThan(1)
  expect(tries).toBeLessThanOrEqual(Math.ceil(source.journal.tail.seq / 2))
  expect(new Set(notes.map(({ kind }) => kind))).toEqual(new Set(['SnapshotPutOff']))
  isLeft = true
  follower.finish(source.journal.tail.seq)
  await running
  expect(notes.at(-1)?.kind).toBe('SnapshotSaved')
  expect((await snapshots.list()).heads[0]?.seq).toBe(source.journal.tail.seq)
})

test('a history that cannot be flushed postpones the snapshot until the next is due', async () => {
  const source = await someTrading()
  const { snapshots } = emptyStores()
  let isBusy = true
  const history = new (class extends MemoryHistory {
    override async flush(): Promise<void> {
      if (isBusy) throw new HistoryFault('BUSY', 'somebody reads')
      return super.flush()
    }
  })()
  const notes: FollowerNote[] = []
  await follow(source, { history, snapshots }, { notes })
  expect(notes).toEqual([{ kind: 'SnapshotPutOff', message: 'somebody reads' }])
  expect((await snapshots.list()).heads).toEqual([])
  isBusy = false
  await source.write([limit(4, 'BUY', 101, 1_000_000)])
  await follow(source, { history, snapshots }, { notes })
  expect(notes.map(({ kind }) => kind)).toEqual(['SnapshotPutOff', 'SnapshotSaved'])
})

test('a start takes no copy of accounts and books: there may be millions', async () => {
  const thrifty = (machine: StateMachine): StateMachine => {
    machine.bootstrap = () => {
      throw new Error('everything is copied')
    }
    return machine
  }
  const factory = {
    empty: () => thrifty(ANY_EXCHANGES.empty()),
    fromSnapshot: (payload: Uint8Array) => thrifty(ANY_EXCHANGES.fromSnapshot(payload)),
  }
  const source = await someTrading()
  const stores = emptyStores()
  await follow(source, stores, { factory })
  await follow(source, stores, { factory })
  await expectHistory(stores.history, source)
})
