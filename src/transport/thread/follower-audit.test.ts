import { afterEach, expect, test } from 'bun:test'
import { type MemoryEngine, startMemoryEngine } from '../../../sim/memory/engine.ts'
import { MemoryHistory } from '../../../sim/memory/history.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../engine/follower/limits.ts'
import type { FollowerNote } from '../../engine/follower/note.ts'
import { ANY_EXCHANGES } from '../../engine/port/machines.fixture.ts'
import type { StateMachineFactory } from '../../engine/port/state-machine.ts'
import { limit, market } from '../../engine/writer/commands.fixture.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { sha256 } from '../../storage/sha256.ts'
import { amount, type Seq } from '../../units/quantities.ts'
import { serveBatches } from './follower-feed.ts'
import { FollowerHandle } from './follower-handle.ts'
import { runFollower } from './follower-host.ts'

let engine: MemoryEngine
afterEach(() => engine.stop())

/** Time that advances only when the test advances it. */
class ManualTime implements Scheduler {
  #now = 0
  #tasks: { readonly task: () => void; readonly atMs: number }[] = []
  readonly now = (): number => this.#now

  soon(task: () => void): void {
    queueMicrotask(task)
  }

  later(task: () => void, delayMs: number): () => void {
    const entry = { task, atMs: this.#now + delayMs }
    this.#tasks.push(entry)
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry)
    }
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds
    const due = this.#tasks.filter(({ atMs }) => atMs <= this.#now)
    this.#tasks = this.#tasks.filter(({ atMs }) => atMs > this.#now)
    for (const { task } of due) task()
  }

  get waiting(): number {
    return this.#tasks.length
  }
}

function faulty(): StateMachineFactory {
  const empty = () => {
    const machine = ANY_EXCHANGES.empty()
    const auditAsset = machine.auditAsset.bind(machine)
    machine.auditAsset = (id) => ({ ...auditAsset(id), sum: amount(7n) })
    return machine
  }
  return { ...ANY_EXCHANGES, empty }
}

/** A follower in this thread that has read a market; its notes arrive as if from a thread of its own. */
async function start(factory: StateMachineFactory) {
  engine = await startMemoryEngine()
  for (const command of market()) await engine.port.submit(command)
  const time = new ManualTime()
  const [control, feed] = [new MessageChannel(), new MessageChannel()]
  const notes: FollowerNote[] = []
  const noted = { count: 0, wake: () => {} }
  const handle = new FollowerHandle(control.port1, (note) => {
    notes.push(note)
    noted.wake()
  })
  serveBatches(feed.port1, engine.feed)
  const history = new MemoryHistory()
  const done = runFollower({
    control: control.port2,
    feed: feed.port2,
    questions: [],
    history,
    snapshots: new MemorySnapshots(),
    factory,
    digest: sha256,
    limits: DEFAULT_FOLLOWER_LIMITS,
    journalEnd: 0 as Seq,
    acceptJournalTail: false,
    scheduler: time,
    now: time.now,
  })
  await handle.started
  const caughtUp = async (seq: number): Promise<void> => {
    while ((await history.position()).seq < seq) await new Promise(setImmediate)
  }
  await caughtUp(9)
  const nextNote = async (): Promise<FollowerNote | undefined> => {
    if (notes.length === 0) await new Promise<void>((resolve) => Object.assign(noted, { wake: resolve }))
    return notes.shift()
  }
  const end = async (seq: number): Promise<void> => {
    await handle.finish(seq as Seq)
    await done
    for (const port of [control.port1, control.port2, feed.port1, feed.port2]) port.close()
  }
  return { time, notes, nextNote, caughtUp, end }
}

test('the books are added up while the follower runs, and a note says at most once a minute that they are in order', async () => {
  const { time, notes, nextNote, caughtUp, end } = await start(ANY_EXCHANGES)
  time.pass(250)
  expect(await nextNote()).toEqual({ kind: 'Reconciled', seq: 9 as Seq })
  await engine.port.submit(limit(3, 'SELL', 100, 1_000_000))
  await caughtUp(10)
  for (let i = 0; i < 10; i++) time.pass(250)
  expect(notes).toEqual([])
  time.pass(60_000)
  expect(await nextNote()).toEqual({ kind: 'Reconciled', seq: 10 as Seq })
  await end(10)
  expect(time.waiting).toBe(0)
})

test('books that are off are reported to the thread that started the follower', async () => {
  const { time, nextNote, end } = await start(faulty())
  time.pass(250)
  expect(await nextNote()).toMatchObject({ kind: 'AuditFailed', code: 'BTC', seq: 9 })
  expect(await nextNote()).toMatchObject({ kind: 'AuditFailed', code: 'USDT', seq: 9 })
  await end(9)
})
