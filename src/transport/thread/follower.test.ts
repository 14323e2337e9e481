import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MemoryEngine, startMemoryEngine } from '../../../sim/memory/engine.ts'
import type { EventBatch } from '../../core/events/event.ts'
import type { FollowerLimits } from '../../engine/follower/limits.ts'
import type { EngineFault } from '../../engine/port/fault.ts'
import type { TradeQuery } from '../../engine/port/ports.ts'
import { limit, market } from '../../engine/writer/commands.fixture.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import { serveBatches } from './follower-feed.ts'
import { FollowerFault, FollowerHandle } from './follower-handle.ts'
import type { FollowerWorkerStart } from './follower-worker.fixture.ts'
import { type HistoryClient, historyClient } from './history-client.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-follower-'))
afterAll(() => rmSync(root, { recursive: true }))

type Node = {
  readonly worker: Worker
  readonly handle: FollowerHandle
  readonly history: HistoryClient
  killed: boolean
}

let engine: MemoryEngine
let seq = 0 as Seq
let nodes: Node[] = []
let files = 0

beforeEach(async () => {
  engine = await startMemoryEngine()
  seq = 0 as Seq
  await engine.port.follow((batch: EventBatch) => {
    seq = batch.seq
  })
  await Promise.all(market().map((command) => engine.port.submit(command)))
})

afterEach(async () => {
  await Promise.all(nodes.map(kill))
  nodes = []
  await engine.stop()
})

/** Ends the thread at any point; resolves when it has released its files. */
async function kill(node: Node): Promise<void> {
  if (node.killed) return
  node.killed = true
  const closed = new Promise((resolve) => node.worker.addEventListener('close', resolve, { once: true }))
  node.worker.terminate()
  await closed
}

type Start = Partial<Pick<FollowerWorkerStart, 'path' | 'journalEnd' | 'beginsOnRequest'>> & {
  readonly limits?: Partial<FollowerLimits>
  readonly answerTimeoutMs?: number
}

/** A follower in a thread of its own, connected to the engine of this thread. */
function startFollower(start: Start = {}): Node {
  const worker = new Worker(new URL('./follower-worker.fixture.ts', import.meta.url).href)
  const [control, feed, questions] = [new MessageChannel(), new MessageChannel(), new MessageChannel()]
  serveBatches(feed.port1, engine.feed)
  const handle = new FollowerHandle(control.port1, () => {})
  const history = historyClient(questions.port1, {
    inFlightMax: 1_000,
    answerTimeoutMs: start.answerTimeoutMs ?? 20_000,
  })
  const message = {
    control: control.port2,
    feed: feed.port2,
    questions: questions.port2,
    path: start.path ?? join(root, `${++files}.sqlite`),
    journalEnd: start.journalEnd ?? seq,
    beginsOnRequest: start.beginsOnRequest ?? false,
    limits: start.limits ?? {},
  } satisfies FollowerWorkerStart
  worker.postMessage(message, [control.port2, feed.port2, questions.port2])
  const node = { worker, handle, history, killed: false }
  nodes.push(node)
  return node
}

const mine = (accountId: number, atLeast: Seq): TradeQuery => ({
  accountId: accountId as AccountId,
  symbolId: undefined,
  page: 0,
  size: 1000,
  before: undefined,
  atLeast,
})

async function trade(): Promise<void> {
  await engine.port.submit(limit(3, 'SELL', 100, 5_000_000))
  await engine.port.submit(limit(4, 'BUY', 100, 5_000_000))
}

test('history shows at least the command that the question names', async () => {
  const { history } = startFollower()
  for (let round = 1; round <= 50; round++) {
    await trade()
    const page = await history.trades(mine(3, seq))
    expect(page.total).toBe(round)
    expect((await history.recentTrades({ symbolId: 0 as SymbolId, limit: 1000, upTo: seq })).length).toBe(
      round,
    )
  }
})

test('recent trades end with the asked command although history has gone on', async () => {
  const { history } = startFollower()
  await trade()
  const before = seq
  await trade()
  expect(await history.recentTrades({ symbolId: 0 as SymbolId, limit: 10, upTo: seq })).toHaveLength(2)
  expect(await history.recentTrades({ symbolId: 0 as SymbolId, limit: 10, upTo: before })).toHaveLength(1)
})

test('a follower asked to finish applies everything, and the next one continues from there', async () => {
  const path = join(root, 'kept.sqlite')
  const first = startFollower({ path })
  await first.handle.started
  await trade()
  expect(await first.handle.finish(seq)).toBe(seq)
  const late = await first.history.trades(mine(3, seq)).catch((cause: unknown) => cause)
  expect((late as EngineFault).kind).toBe('STOPPING')
  await trade()
  const second = startFollower({ path })
  expect(await second.handle.started).toBeGreaterThanOrEqual(seq - 2)
  expect((await second.history.trades(mine(4, seq))).total).toBe(2)
})

test('a complete history answers questions before the follower is asked to begin', async () => {
  const path = join(root, 'whole.sqlite')
  await trade()
  const first = startFollower({ path })
  await first.handle.finish(seq)
  await kill(first)
  const { handle, history } = startFollower({ path, beginsOnRequest: true })
  expect(await handle.started).toBe(seq)
  expect((await history.trades(mine(3, seq))).total).toBe(1)
  await trade()
  handle.begin()
  expect((await history.trades(mine(3, seq))).total).toBe(2)
})

test('a follower that is to finish before it was asked to begin applies everything', async () => {
  const path = join(root, 'reported.sqlite')
  await trade()
  const first = startFollower({ path })
  await first.handle.finish(seq)
  await kill(first)
  const { handle } = startFollower({ path, beginsOnRequest: true })
  await handle.started
  await trade()
  expect(await handle.finish(seq)).toBe(seq)
})

test('a history that is behind does not wait to be asked', async () => {
  await trade()
  const { history } = startFollower({ beginsOnRequest: true })
  expect((await history.trades(mine(3, seq))).total).toBe(1)
})

test('a follower killed at any moment loses and repeats nothing', async () => {
  const path = join(root, 'killed.sqlite')
  for (let round = 1; round <= 8; round++) {
    const node = startFollower({ path })
    if (round % 2 === 0) await node.handle.started
    await Promise.all(Array.from({ length: 20 }, trade))
    await kill(node)
  }
  const { history } = startFollower({ path })
  const maker = await history.trades(mine(3, seq))
  const numbers = maker.items.map((item) => item.tradeNumber as number)
  expect(maker.total).toBe(160)
  expect(numbers).toEqual(Array.from({ length: 160 }, (_, i) => 160 - i))
})

test('a question about a command that does not come is OVERLOADED after the timeout, and in flight until it comes', async () => {
  const { history } = startFollower({ answerTimeoutMs: 50 })
  const fault = await history.trades(mine(3, (seq + 1) as Seq)).catch((cause: unknown) => cause)
  expect((fault as EngineFault).kind).toBe('OVERLOADED')
  expect(history.inFlight).toBe(1)
  await trade()
  while (history.inFlight > 0) await new Promise(setImmediate)
})

test('more questions than may wait are OVERLOADED at once', async () => {
  const { history, handle } = startFollower({ limits: { waitingMax: 2 } })
  await handle.started
  const future = (seq + 2) as Seq
  const asked = [0, 1, 2, 3].map(() => history.trades(mine(3, future)))
  const refused = await Promise.all(asked.slice(2).map((one) => one.catch((cause: unknown) => cause)))
  expect(refused.map((fault) => (fault as EngineFault).kind)).toEqual(['OVERLOADED', 'OVERLOADED'])
  await trade()
  expect((await Promise.all(asked.slice(0, 2))).map((page) => page.total)).toEqual([1, 1])
})

test('a follower that cannot start says why, and its history is ENGINE_DOWN', async () => {
  const path = join(root, 'ahead.sqlite')
  const first = startFollower({ path })
  await first.handle.finish(seq)
  const { handle, history } = startFollower({ path, journalEnd: (seq - 1) as Seq })
  const failure = await handle.started.catch((cause: unknown) => cause)
  expect(failure).toBeInstanceOf(FollowerFault)
  expect((failure as FollowerFault).fault).toBe('HistoryFault')
  expect((failure as FollowerFault).message).toContain('the journal ends at')
  const fault = await history.trades(mine(3, 0 as Seq)).catch((cause: unknown) => cause)
  expect((fault as EngineFault).kind).toBe('ENGINE_DOWN')
})

test('a follower whose engine is lost ends by a fault, and questions are answered ENGINE_DOWN', async () => {
  const { handle, history } = startFollower()
  await handle.started
  const asked = history.trades(mine(3, (seq + 5) as Seq)).catch((cause: unknown) => cause)
  handle.engineLost()
  const failure = await handle.ended.catch((cause: unknown) => cause)
  expect((failure as FollowerFault).message).toContain('the engine has stopped')
  expect(((await asked) as EngineFault).kind).toBe('ENGINE_DOWN')
})

test('a client that is closed rejects everything that waits and all later requests', async () => {
  const { history } = startFollower()
  const asked = history.trades(mine(3, (seq + 5) as Seq)).catch((cause: unknown) => cause)
  history.close('ENGINE_DOWN')
  const later = await history.trades(mine(3, seq)).catch((cause: unknown) => cause)
  expect(((await asked) as EngineFault).kind).toBe('ENGINE_DOWN')
  expect((later as EngineFault).kind).toBe('ENGINE_DOWN')
})
