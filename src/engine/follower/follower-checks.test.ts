/**
 * A follower's checks besides following: its state against the engine's, and the journal before its start.
 */
import { expect, test } from 'bun:test'
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import type { Batch } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { account, limit } from '../writer/commands.fixture.ts'
import { emptyStores, follow, openFollower, someTrading } from './follower.fixture.ts'
import { DEFAULT_FOLLOWER_LIMITS } from './limits.ts'
import type { FollowerNote } from './note.ts'
import { StateDivergedFault } from './snapshot-keeper.ts'

test('a state that the engine has too is confirmed, once at each place', async () => {
  const source = await someTrading()
  const notes: FollowerNote[] = []
  const follower = await openFollower(source, emptyStores(), { notes })
  follower.finish(source.journal.tail.seq)
  await follower.run()
  await follower.compareWithEngine()
  await follower.compareWithEngine()
  const seq = source.journal.tail.seq
  expect(notes.filter(({ kind }) => kind === 'EngineConfirmed')).toEqual([{ kind: 'EngineConfirmed', seq }])
})

test('a follower whose state differs from the engine’s ends with StateDivergedFault, and nothing is built on it', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  const feed = { ...source.feed(), stateHash: async () => new Uint8Array(32) }
  const reached = Promise.withResolvers<void>()
  const onAdvance = (seq: Seq): void => {
    if (seq === source.journal.tail.seq) reached.resolve()
  }
  const follower = await openFollower(source, stores, { feed, onAdvance })
  const run = follower.run()
  await reached.promise
  await follower.compareWithEngine()
  expect(await run.catch((fault: unknown) => fault)).toBeInstanceOf(StateDivergedFault)
  expect((await stores.snapshots.list()).heads).toEqual([])
})

test('the engine is not asked where it is ahead or the state is large, and a follower continues without', async () => {
  const source = await someTrading()
  const ahead = await openFollower(source, emptyStores())
  await ahead.compareWithEngine()
  let asked = 0
  const feed = {
    ...source.feed(),
    stateHash: async () => {
      asked++
      return undefined
    },
  }
  const limits = { ...DEFAULT_FOLLOWER_LIMITS, compareBytesMax: 10 }
  const large = await openFollower(source, emptyStores(), { feed, limits })
  large.finish(source.journal.tail.seq)
  await large.run()
  await large.compareWithEngine()
  expect(asked).toBe(0)
})

/** Counts how often any machine's state is encoded. */
function countingFactory() {
  const found = { encodings: 0 }
  const counted = (machine: StateMachine): StateMachine => {
    const encode = machine.encodeSnapshot.bind(machine)
    machine.encodeSnapshot = () => {
      found.encodings++
      return encode()
    }
    return machine
  }
  const factory: StateMachineFactory = {
    empty: () => counted(ANY_EXCHANGES.empty()),
    fromSnapshot: (payload) => counted(ANY_EXCHANGES.fromSnapshot(payload)),
  }
  return { factory, found }
}

test('a state that was too large to compare is not encoded again until a snapshot measures it anew', async () => {
  const source = await someTrading()
  const resting = Array.from({ length: 40 }, (_, i) => limit(4, 'BUY', 90, 1_000 + i))
  const { length: smallBytes } = source.exchange.encodeSnapshot()
  await source.write(resting)
  const largeSeq = source.journal.tail.seq
  const asked: Seq[] = []
  const feed: BatchFeed = {
    ...source.feed(),
    stateHash: async (seq) => {
      asked.push(seq)
      return source.stateHashBySeq.get(seq)
    },
  }
  const { factory, found } = countingFactory()
  const limits = { ...DEFAULT_FOLLOWER_LIMITS, compareBytesMax: smallBytes + 200, snapshotCommands: 60 }
  const untilLarge = Promise.withResolvers<void>()
  const onAdvance = (seq: Seq): void => {
    if (seq === largeSeq) untilLarge.resolve()
  }
  const follower = await openFollower(source, emptyStores(), { feed, factory, limits, onAdvance })
  const running = follower.run()
  await untilLarge.promise
  for (let minute = 0; minute < 3; minute++) await follower.compareWithEngine()
  expect([found.encodings, asked]).toEqual([1, []])

  // One order matches all resting ones; this number of commands makes a snapshot due.
  await source.write([limit(3, 'SELL', 90, 100_000), ...Array.from({ length: 20 }, () => account(''))])
  const smallSeq = source.journal.tail.seq
  follower.finish(smallSeq)
  await running
  await follower.compareWithEngine()
  expect(asked).toEqual([smallSeq])
})

test('damage before the place where a start begins is reported, and the follower continues', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  await follow(source, stores)
  const { seq } = source.journal.tail
  const isOld = (batch: { readonly firstSeq: number }): boolean => batch.firstSeq === 1
  for (const [change, expected] of [
    [(batch: Batch) => batch, { kind: 'JournalConfirmed', seq }],
    [
      (batch: Batch) => (isOld(batch) ? { ...batch, data: batch.data.map((byte) => byte ^ 1) } : batch),
      { kind: 'JournalDamaged', message: expect.stringContaining('batch 1 to') },
    ],
  ] as const) {
    const notes: FollowerNote[] = []
    const limits = { ...DEFAULT_FOLLOWER_LIMITS, pullBytesMax: 1 }
    const follower = await openFollower(source, stores, { notes, limits, feed: source.feed(change) })
    while (await follower.checkChain()) {
      // A piece at a time, as the follower's host does.
    }
    expect(notes).toEqual([expected as FollowerNote])
  }
})

test('an engine that has ended ends the check of the old part without an error, and a busy one is asked again', async () => {
  const source = await someTrading()
  const stores = emptyStores()
  await follow(source, stores)
  for (const [kind, isMore] of [
    ['STOPPING', false],
    ['ENGINE_DOWN', false],
    ['OVERLOADED', true],
  ] as const) {
    const notes: FollowerNote[] = []
    const next = () => Promise.reject(new EngineFault(kind, kind))
    const follower = await openFollower(source, stores, { notes, feed: { ...source.feed(), next } })
    expect([kind, await follower.checkChain(), notes]).toEqual([kind, isMore, []])
  }
})
