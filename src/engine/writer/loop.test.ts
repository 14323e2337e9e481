import { expect, test } from 'bun:test'
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'
import { account } from './commands.fixture.ts'
import { commandRequest, Stage } from './engine-stage.fixture.ts'
import { EngineLoop, feedOf } from './loop.ts'

/** Required idle time before housekeeping. */
const REST_MS = 7_000

/** A runtime that calls back when the test triggers it. */
class HandScheduler {
  readonly #soon: (() => void)[] = []
  /** The delayed callbacks with their delays, without the canceled ones. */
  readonly #later = new Map<() => void, number>()

  soon(task: () => void): void {
    this.#soon.push(task)
  }

  later(task: () => void, delayMs: number): () => void {
    this.#later.set(task, delayMs)
    return () => void this.#later.delete(task)
  }

  /** The delays of the waiting callbacks. */
  get delays(): number[] {
    return [...this.#later.values()]
  }

  get waiting(): number {
    return this.#soon.length
  }

  get restWaits(): boolean {
    return this.delays.includes(REST_MS)
  }

  async tick(): Promise<void> {
    for (const task of this.#soon.splice(0)) task()
    await settled()
  }

  async rest(): Promise<void> {
    await this.pass(REST_MS)
  }

  /** Runs the callbacks that have waited for this time. */
  async pass(delayMs: number): Promise<void> {
    for (const [task, delay] of [...this.#later]) {
      if (delay !== delayMs) continue
      this.#later.delete(task)
      task()
    }
    await settled()
  }
}

/** Lets all resolvable promises continue. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function staged(limits: ConstructorParameters<typeof Stage>[0] = {}) {
  const stage = new Stage(limits)
  const scheduler = new HandScheduler()
  const deaths: unknown[] = []
  const loop = new EngineLoop(stage.engine, {
    scheduler,
    idleDelayMs: REST_MS,
    onDeath: (cause) => deaths.push(cause),
  })
  const offer = (request: number) => loop.offer(commandRequest(request, account(`${request}`)))
  return { stage, scheduler, deaths, loop, offer }
}

async function faultKindOf(work: Promise<unknown>): Promise<string> {
  const cause = await work.catch((cause: unknown) => cause)
  return cause instanceof EngineFault ? cause.kind : 'no fault'
}

test('all that arrives before the runtime calls back is one commit', async () => {
  const { stage, scheduler, offer } = staged()
  for (const request of [1, 2, 3]) offer(request)
  expect(scheduler.waiting).toBe(1)
  expect(stage.log).toEqual([])
  await scheduler.tick()
  expect(stage.log).toEqual(['journal 1+3', 'witness 3', 'output 3', 'maintain'])
})

test('what arrives during a commit goes into the next one, together', async () => {
  const { stage, scheduler, offer } = staged()
  const append = stage.journal.append.bind(stage.journal)
  let commit: () => void = () => {}
  stage.journal.append = async (batch) => {
    await new Promise<void>((resolve) => {
      commit = resolve
    })
    await append(batch)
  }
  offer(1)
  await scheduler.tick()
  for (const request of [2, 3, 4]) offer(request)
  await scheduler.tick()
  expect(stage.log).toEqual([])
  commit()
  await settled()
  commit()
  await settled()
  expect(stage.log.filter((line) => line.startsWith('journal'))).toEqual(['journal 1+1', 'journal 2+3'])
})

test('what does not fit in one batch is served by the next without a request', async () => {
  const { stage, scheduler, offer } = staged({ batchRequestsMax: 2 })
  for (const request of [1, 2, 3, 4, 5]) offer(request)
  for (let i = 0; i < 3; i++) await scheduler.tick()
  expect(stage.answers.length).toBe(5)
  expect(scheduler.waiting).toBe(0)
})

test('the journal is checkpointed after nothing has waited for a while, and not while something waits', async () => {
  const { stage, scheduler, offer } = staged()
  offer(1)
  await scheduler.tick()
  expect(scheduler.restWaits).toBe(true)
  offer(2)
  expect(scheduler.restWaits).toBe(false)
  await scheduler.tick()
  await scheduler.rest()
  expect(stage.log.filter((line) => line === 'maintain').length).toBe(3)
})

test('a stop serves what waits, does its task while the journal is open, and then releases it', async () => {
  const { stage, loop, offer } = staged()
  offer(1)
  const stopped = loop.stop(async () => {
    stage.log.push('snapshot')
  })
  expect(offer(2)).toBe('STOPPING')
  expect(await stopped).toBe(true)
  expect(stage.log.filter((line) => line !== 'maintain')).toEqual([
    'journal 1+1',
    'witness 1',
    'output 1',
    'snapshot',
    'close',
  ])
})

test('a stop that is requested twice is one stop', async () => {
  const { stage, deaths, loop } = staged()
  expect(await Promise.all([loop.stop(), loop.stop()])).toEqual([true, true])
  expect(await loop.stop()).toBe(true)
  expect(stage.log.filter((line) => line === 'close').length).toBe(1)
  expect(deaths).toEqual([])
})

test('a death is reported once, and everything after it is refused', async () => {
  const { stage, scheduler, deaths, loop, offer } = staged()
  stage.journal.nextFault = 'FAILED'
  offer(1)
  await scheduler.tick()
  expect(deaths.length).toBe(1)
  expect(offer(2)).toBe('ENGINE_DOWN')
  expect(await loop.stop()).toBe(false)
  expect(deaths.length).toBe(1)
  expect(stage.log).not.toContain('close')
})

test('a follower waits at the end of the journal, gets the next batch, and learns of the end', async () => {
  const { stage, scheduler, loop, offer } = staged()
  const feed = feedOf(loop, new Set([7 as Seq]))
  const next = feed.next(0 as Seq, 1 << 20)
  offer(1)
  await scheduler.tick()
  expect((await next).map((batch) => batch.firstSeq as number)).toEqual([1])
  expect([...(await feed.quarantined())].map(Number)).toEqual([7])
  const last = faultKindOf(feed.next(1 as Seq, 1 << 20))
  await loop.stop()
  expect(await last).toBe('STOPPING')
  expect(await faultKindOf(feed.next(0 as Seq, 1 << 20))).toBe('STOPPING')
  expect(stage.log.at(-1)).toBe('close')
})

test('a follower that asks at any moment of a commit gets its batch without another one', async () => {
  for (let moment = 0; moment < 40; moment++) {
    const { scheduler, loop, offer } = staged()
    offer(1)
    const ticked = scheduler.tick()
    for (let i = 0; i < moment; i++) await Promise.resolve()
    const next = loop.nextBatches(0 as Seq, 1)
    await ticked
    const given = await Promise.race([next, settled()])
    expect({ moment, given: given?.length }).toEqual({ moment, given: 1 })
  }
})

test('a follower that waits learns of a death', async () => {
  const { stage, scheduler, loop, offer } = staged()
  const next = faultKindOf(loop.nextBatches(0 as Seq, 1))
  stage.journal.nextFault = 'FAILED'
  offer(1)
  await scheduler.tick()
  expect(await next).toBe('ENGINE_DOWN')
})

test('the hash of a state is answered at its very command, while nothing waits and the engine lives', async () => {
  const { stage, scheduler, loop, offer } = staged()
  offer(1)
  await scheduler.tick()
  const hash = stage.engine.snapshot().stateHash
  expect(await loop.stateHash(1 as Seq)).toEqual(hash)
  expect(await loop.stateHash(2 as Seq)).toBeUndefined()
  offer(2)
  expect(await loop.stateHash(1 as Seq)).toBeUndefined()
  await scheduler.tick()
  expect(await loop.stateHash(1 as Seq)).toBeUndefined()
  expect(await loop.stateHash(2 as Seq)).toEqual(stage.engine.snapshot().stateHash)
  await loop.stop()
  expect(await faultKindOf(loop.stateHash(2 as Seq))).toBe('STOPPING')
})

test('an engine that settles serves what waits and nothing new, and gives its batches until it stops', async () => {
  const { stage, loop, offer } = staged()
  offer(1)
  await loop.settle()
  expect(stage.answers).toEqual(['1 AccountOpened'])
  expect(offer(2)).toBe('STOPPING')
  expect((await loop.nextBatches(0 as Seq, 1)).length).toBe(1)
  await loop.stop()
  expect(await faultKindOf(loop.nextBatches(1 as Seq, 1))).toBe('STOPPING')
})

test('an idle engine is woken when something is due by time, and at least once a second meanwhile', async () => {
  const { stage, scheduler, loop } = staged()
  let dueAt = 3_500
  Object.defineProperty(stage.engine, 'dueInMs', { get: () => Math.max(0, dueAt - stage.now) })
  Object.defineProperty(stage.engine, 'isIdle', { get: () => stage.now < dueAt })
  stage.now = 2_000
  loop.begin()
  expect(scheduler.delays).toEqual([1_000])
  stage.now = 3_000
  await scheduler.pass(1_000)
  expect([scheduler.delays, scheduler.waiting]).toEqual([[500], 0])
  stage.now = 3_500
  await scheduler.pass(500)
  expect([scheduler.delays, scheduler.waiting]).toEqual([[], 1])
  dueAt = 9_000
  await scheduler.tick()
  expect(scheduler.delays).toEqual([REST_MS, 1_000])
  await loop.stop()
  expect(scheduler.delays).toEqual([])
})
