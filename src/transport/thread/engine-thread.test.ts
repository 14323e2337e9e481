import { afterAll, afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Balance } from '../../core/questions/view.ts'
import { enginePortContract } from '../../engine/port/engine-port.contract.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { account, limit, market } from '../../engine/writer/commands.fixture.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import { ThreadEngine, type ThreadEngineOptions } from './engine-client.ts'
import { type EngineWorkerStart, POISON } from './engine-worker.fixture.ts'
import { FeedClient } from './follower-feed.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-thread-'))
let directories = 0
const workers: Worker[] = []

afterEach(() => {
  for (const worker of workers.splice(0)) worker.terminate()
})
afterAll(() => rmSync(root, { recursive: true }))

function newDirectory(): string {
  return join(root, `${++directories}`)
}

type Started = { engine: ThreadEngine; feed: FeedClient; worker: Worker }

function start(directory: string, options: ThreadEngineOptions = {}): Started {
  const worker = new Worker(new URL('./engine-worker.fixture.ts', import.meta.url).href)
  workers.push(worker)
  const engine = new MessageChannel()
  const feed = new MessageChannel()
  const message: EngineWorkerStart = { port: engine.port2, feed: feed.port2, directory }
  worker.postMessage(message, [engine.port2, feed.port2])
  const client = new ThreadEngine(engine.port1, options)
  worker.addEventListener('close', () => client.lose('the worker has ended'))
  return { engine: client, feed: new FeedClient(feed.port1), worker }
}

async function faultKindOf(promise: Promise<unknown>): Promise<string> {
  const cause = await promise.then(
    () => 'no fault',
    (cause: unknown) => cause,
  )
  return cause instanceof EngineFault || cause instanceof JournalFault ? cause.kind : String(cause)
}

// `expect(...).rejects` waits without running the tasks in which messages arrive.
async function messageOf(promise: Promise<unknown>): Promise<string> {
  const cause = await promise.then(
    () => 'no fault',
    (cause: unknown) => cause,
  )
  return cause instanceof Error ? cause.message : String(cause)
}

enginePortContract('threaded', async ({ inFlightMax }) => {
  const { engine, worker } = start(newDirectory(), { inFlightMax })
  await engine.ready
  const lose = async (): Promise<void> => {
    worker.terminate()
    await engine.ended.catch(() => {})
  }
  return { port: engine.port, lose, stop: lose }
})

test('commands, reads and events cross the threads, and a restart has all that was acknowledged', async () => {
  const directory = newDirectory()
  const first = start(directory)
  expect(await faultKindOf(first.engine.port.submit(account('early')))).toBe('STARTING')
  expect((await first.engine.ready).seq as number).toBe(0)
  const kinds: string[] = []
  await first.engine.port.follow((batch) => kinds.push(...batch.events.map((event) => event.kind)))
  await Promise.all(market().map((command) => first.engine.port.submit(command)))
  const replies = await Promise.all([
    first.engine.port.submit(limit(3, 'SELL', 100, 5_000_000_000)),
    first.engine.port.submit(limit(4, 'BUY', 100, 3_000_000_000)),
  ])
  expect(replies.map((reply) => reply.kind)).toEqual(['OrderAccepted', 'OrderAccepted'])
  expect(kinds).toContain('OrdersMatched')
  const query = { accountId: 3 as AccountId, symbolId: undefined, after: undefined }
  const page = await first.engine.port.ask('openOrders', query)
  expect(page.orders.map((order) => order.remaining as number)).toEqual([2_000_000_000])
  const balances = await first.engine.port.ask('balances', { accountId: 4 as AccountId })
  await first.engine.stop()

  const second = start(directory)
  expect((await second.engine.ready).snapshotSeq as number).toBe(11)
  expect(await second.engine.port.ask('openOrders', query)).toEqual(page)
  expect(await second.engine.port.ask('balances', { accountId: 4 as AccountId })).toEqual(
    balances as Balance[],
  )
  await second.engine.stop()
})

test('a follower pulls old and new batches', async () => {
  const { engine, feed } = start(newDirectory())
  await engine.ready
  const next = feed.next(0 as Seq, 1 << 20)
  await engine.port.submit(account('alice'))
  expect((await next).map((batch) => batch.firstSeq as number)).toEqual([1])
  await engine.port.submit(account('bob'))
  const all = await feed.next(0 as Seq, 1 << 20)
  expect(all.map((batch) => batch.firstSeq as number)).toEqual([1, 2])
  await engine.stop()
})

test('a killed thread leaves commands in flight unknown and reads down', async () => {
  const { engine, worker } = start(newDirectory())
  await engine.ready
  const faults = [
    faultKindOf(engine.port.submit(account('alice'))),
    faultKindOf(engine.port.ask('balances', { accountId: 0 as AccountId })),
  ]
  worker.terminate()
  const [command, read] = await Promise.all(faults)
  expect(['OUTCOME_UNKNOWN', 'no fault']).toContain(command as string)
  expect(['ENGINE_DOWN', 'no fault']).toContain(read as string)
  expect(await messageOf(engine.ended)).toBe('the worker has ended')
  expect(await faultKindOf(engine.port.submit(account('bob')))).toBe('ENGINE_DOWN')
})

test('a command that crashes the state machine stops the node, and the next start refuses just that command', async () => {
  const directory = newDirectory()
  const first = start(directory)
  await first.engine.ready
  await first.engine.port.submit(account('alice'))
  const batch = [account('bob'), account(POISON), account('carol')].map((command) =>
    first.engine.port.submit(command),
  )
  expect(await Promise.all(batch.map(faultKindOf))).toEqual(Array(3).fill('OUTCOME_UNKNOWN'))
  expect(await messageOf(first.engine.ended)).toBe('a bug')

  // The failed node uses the directory until its thread ends.
  const ended = new Promise((resolve) => first.worker.addEventListener('close', resolve))
  first.worker.terminate()
  await ended
  const second = start(directory)
  const report = await second.engine.ready
  expect(report.newlyQuarantined.map(Number)).toEqual([3])
  const { accounts, seq } = await second.engine.port.follow(() => {})
  expect(seq as number).toBe(4)
  expect(accounts.map(({ name }) => name).slice(-3)).toEqual(['alice', 'bob', 'carol'])
  await second.engine.stop()
})

test('a second engine on the same directory is refused with the holder named', async () => {
  const directory = newDirectory()
  const first = start(directory)
  await first.engine.ready
  const second = start(directory)
  expect(await faultKindOf(second.engine.ready)).toBe('IN_USE')
  expect(await messageOf(second.engine.ready)).toBe(`${directory} is in use by process ${process.pid}`)
  await first.engine.stop()
})

test('an engine that hangs leaves no request without an answer', async () => {
  const { port1, port2 } = new MessageChannel()
  const engine = new ThreadEngine(port1, { answerTimeoutMs: 10 })
  port2.postMessage({ kind: 'ready', report: {} })
  await engine.ready
  expect(await faultKindOf(engine.port.submit(account('a')))).toBe('OUTCOME_UNKNOWN')
  expect(await faultKindOf(engine.port.ask('balances', { accountId: 1 as AccountId }))).toBe('OVERLOADED')
  port1.close()
})
