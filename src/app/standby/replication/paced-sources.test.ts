import { expect, test } from 'bun:test'
import { startMemoryEngine } from '../../../../sim/memory/engine.ts'
import { MemorySnapshots } from '../../../../sim/memory/snapshots.ts'
import { sizeOf } from '../../../engine/port/journal.ts'
import type { Snapshot } from '../../../engine/port/snapshots.ts'
import { account, market } from '../../../engine/writer/commands.fixture.ts'
import { seq, type TimeMs } from '../../../units/quantities.ts'
import { pacedSources, type SourcePace } from './paced-sources.ts'

const RATE = 1_000_000

/** Time that advances only while it is awaited. */
async function paced(changes: Partial<SourcePace> = {}) {
  const memory = await startMemoryEngine()
  for (const command of market()) await memory.port.submit(command)
  const snapshots = new MemorySnapshots()
  let nowMs = 0
  const pace: SourcePace = {
    ...{ bytesPerSecond: RATE, burstBytes: 1, hashEveryMs: 1_000, hashedBytesMax: 10_000, waitingMax: 2 },
    scheduler: {
      later: (task, delayMs) => {
        nowMs += delayMs
        queueMicrotask(task)
        return () => {}
      },
    },
    now: () => nowMs,
    ...changes,
  }
  const sources = pacedSources({ feed: memory.feed, snapshots }, pace)
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { ...sources, memory, stored: snapshots, now: () => nowMs, pass }
}

function snapshotOf(bytes: number): Snapshot {
  const end = { position: 1, epoch: 0, seq: seq(1), time: 1 as TimeMs }
  return {
    ...end,
    journalHash: new Uint8Array(32),
    stateHash: new Uint8Array(32),
    payload: new Uint8Array(bytes),
  }
}

test('a peer that asks for the journal and its snapshot again and again gets a limited number of bytes a second', async () => {
  const { feed, snapshots, memory, stored, now } = await paced()
  await stored.save(snapshotOf(100_000))
  const newest = await snapshots.newest()
  let bytes = 0
  for (let i = 0; i < 20; i++) {
    const batches = await feed.next(seq(0), 1_000_000)
    bytes += batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
    if (newest !== undefined) bytes += (await snapshots.piece(newest.head, 0, 100_000))?.length ?? 0
  }
  await memory.stop()
  expect(bytes / RATE).toBeGreaterThan(2)
  // The wait for the last answer has not happened yet.
  expect(now()).toBeGreaterThanOrEqual((1_000 * (bytes - 100_000)) / RATE - 1)
})

test('questions with short answers are not free', async () => {
  const { feed, memory, now } = await paced()
  for (let i = 0; i < 1_000; i++) await feed.quarantined()
  await memory.stop()
  expect(now()).toBeGreaterThan(3_900)
})

test('the state hash is given at intervals, and never for a large state', async () => {
  const { feed, memory, stored, pass } = await paced()
  const end = seq(market().length)
  expect(await feed.stateHash(end)).toBeInstanceOf(Uint8Array)
  expect(await feed.stateHash(end)).toBeUndefined()
  pass(1_000)
  expect(await feed.stateHash(end)).toBeInstanceOf(Uint8Array)
  pass(1_000)
  await stored.save(snapshotOf(10_001))
  expect(await feed.stateHash(end)).toBeUndefined()
  await memory.stop()
})

test('no more questions for batches wait for the engine than are allowed', async () => {
  const { feed, memory } = await paced()
  const end = market().length
  const waits = [feed.next(seq(end), 1), feed.next(seq(end), 2)]
  await expect(feed.next(seq(end), 3)).rejects.toMatchObject({ kind: 'OVERLOADED' })
  await memory.port.submit(account('late'))
  await Promise.all(waits)
  expect((await feed.next(seq(end), 3)).length).toBe(1)
  await memory.stop()
})
