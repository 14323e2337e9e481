import { expect, test } from 'bun:test'
import { startMemoryEngine } from '../../drivers/memory/engine.ts'
import { market } from '../../engine/commands.fixture.ts'
import { sizeOf } from '../../engine/journal.ts'
import { seq } from '../../units/quantities.ts'
import { type PacedFeedOptions, pacedFeed } from './paced-feed.ts'

/** Time that passes only where somebody waits for it. */
async function paced(options: Partial<PacedFeedOptions> = {}) {
  const memory = await startMemoryEngine()
  for (const command of market()) await memory.port.submit(command)
  let nowMs = 0
  const feed = pacedFeed({
    feed: memory.feed,
    bytesPerSecond: 1_000_000,
    burstBytes: 1,
    hashEveryMs: 1_000,
    isStateSmall: async () => true,
    scheduler: {
      later: (task, delayMs) => {
        nowMs += delayMs
        queueMicrotask(task)
        return () => {}
      },
    },
    now: () => nowMs,
    ...options,
  })
  return { feed, memory, now: () => nowMs, pass: (ms: number) => (nowMs += ms) }
}

test('whoever asks for the whole journal again and again gets so many bytes a second', async () => {
  const { feed, memory, now } = await paced()
  let bytes = 0
  for (let i = 0; i < 50; i++) {
    const batches = await feed.next(seq(0), 1_000_000)
    bytes += batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
  }
  await memory.stop()
  expect(bytes / 1_000_000).toBeGreaterThan(0.1)
  // Of the last answer nothing has been waited for yet.
  expect(now()).toBeGreaterThanOrEqual((bytes * 49) / 50 / 1_000 - 1)
})

test('the hash of the state is given once in a while, and never of a large one', async () => {
  const { feed, memory, pass } = await paced()
  const end = seq(market().length)
  expect(await feed.stateHash(end)).toBeInstanceOf(Uint8Array)
  expect(await feed.stateHash(end)).toBeUndefined()
  pass(1_000)
  expect(await feed.stateHash(end)).toBeInstanceOf(Uint8Array)
  await memory.stop()
  const large = await paced({ isStateSmall: async () => false })
  expect(await large.feed.stateHash(end)).toBeUndefined()
  await large.memory.stop()
})
