/**
 * The engine's end of the channel: recovers, runs the engine, and carries what comes and goes. Runs in a worker
 * thread, where nothing else does.
 */

import type { ClockBoard } from '../../engine/clock-board.ts'
import { Engine } from '../../engine/engine.ts'
import { JournalFault, type Tail } from '../../engine/journal.ts'
import {
  CLOCK_EVERY_MS,
  type ClockLimits,
  type ClockReading,
  type ClockSources,
  DEFAULT_CLOCK_LIMITS,
  JournalClock,
} from '../../engine/journal-clock.ts'
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../engine/limits.ts'
import { EngineLoop, feedOf, IDLE_DELAY_MS, type Scheduler } from '../../engine/loop.ts'
import { recover } from '../../engine/recovery.ts'
import type { EngineAnswer, EngineOutput } from '../../engine/requests.ts'
import type { Snapshot, SnapshotStore } from '../../engine/snapshots.ts'
import { EXCHANGE_FACTORY, type StateMachineFactory } from '../../engine/state-machine.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { unreachable } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { EngineStorage } from '../sqlite/storage.ts'
import { type Channel, listen } from './channel.ts'
import { serveBatches } from './follower-feed.ts'
import {
  type BlockChannel,
  type FromEngine,
  readRequests,
  type StopReport,
  type ToEngine,
  writeOutput,
} from './messages.ts'
import { runtimeScheduler } from './scheduler.ts'

export type EngineHostOptions = {
  /** Called once; what it throws goes to the other end as the reason of a failed start. */
  readonly openStorage: () => EngineStorage
  /** See `RecoveryOptions`. */
  readonly acceptJournalTail?: boolean
  /** Where a follower in another thread pulls batches from; undefined: there is none. */
  readonly followerChannel?: Channel
  /** The same for auditors and backups. */
  readonly auditChannel?: Channel
  readonly limits?: Partial<EngineLimits>
  readonly idleDelayMs?: number
  readonly machines?: StateMachineFactory
  /** The runtime's, unless told otherwise. */
  readonly clock?: ClockSources
  readonly clockLimits?: ClockLimits
  /** Before this no clock is right: an empty journal is not begun then. */
  readonly earliest?: TimeMs
  /** Where each reading of the clock is shown; undefined: nobody looks. */
  readonly clockBoard?: ClockBoard
  /** The runtime's, unless told otherwise. */
  readonly scheduler?: Scheduler
}

/**
 * Runs an engine until the other end stops it. Resolves after a clean stop; rejects when the engine could not start
 * or has died: the other end has been notified, and the worker must end.
 */
export async function runEngineHost(channel: BlockChannel, options: EngineHostOptions): Promise<void> {
  try {
    post(channel, { kind: 'stopped', ...(await runUntilStopped(channel, options)) })
  } catch (cause) {
    const fault = cause instanceof JournalFault ? cause.kind : undefined
    const message = cause instanceof Error ? cause.message : String(cause)
    post(channel, { kind: 'failed', failure: { message, fault } })
    throw cause
  }
}

async function runUntilStopped(channel: BlockChannel, options: EngineHostOptions): Promise<StopReport> {
  const storage = options.openStorage()
  const recovery = await recover({
    ...storage,
    digest: sha256,
    machines: options.machines ?? EXCHANGE_FACTORY,
    acceptJournalTail: options.acceptJournalTail ?? false,
    onProgress: (progress) => post(channel, { kind: 'progress', progress }),
  })
  const outlet = new Outlet(channel)
  const clock = openClock(channel, storage.journal.tail, options)
  const engine = new Engine({
    ...storage,
    machine: recovery.machine,
    digest: sha256,
    clock,
    output: (output) => outlet.send(output),
    limits: { ...DEFAULT_ENGINE_LIMITS, ...options.limits },
  })
  const { idleDelayMs = IDLE_DELAY_MS, scheduler = runtimeScheduler } = options
  const stopReading = readEverySecond(clock, scheduler)
  const stopped = new Promise<StopReport>((resolve, reject) => {
    const loop = new EngineLoop(engine, { scheduler, idleDelayMs, onDeath: reject })
    const stop = async () => {
      let snapshotProblem: string | undefined
      const saveSnapshot = async () => {
        snapshotProblem = await trySave(storage.snapshots, engine.snapshot())
      }
      if (await loop.stop(saveSnapshot)) resolve({ snapshotProblem })
    }
    listen<ToEngine>(channel, (message) => {
      if (message instanceof ArrayBuffer) takeIn(message, loop, outlet)
      else if (message.kind === 'stop') void stop()
      else unreachable(message.kind)
    })
    for (const pulled of [options.followerChannel, options.auditChannel]) {
      if (pulled !== undefined) serveBatches(pulled, feedOf(loop, recovery.report.quarantined))
    }
    post(channel, { kind: 'ready', report: recovery.report })
  })
  return await stopped.finally(stopReading)
}

const RUNTIME_CLOCK: ClockSources = {
  wall: () => Date.now() as TimeMs,
  monotonicMs: () => performance.now(),
}

/** The clock that dates the journal; the other end is notified whether it is trusted, now and at every change. */
function openClock(channel: BlockChannel, { time }: Tail, options: EngineHostOptions): JournalClock {
  const { clock: sources = RUNTIME_CLOCK, clockLimits: limits = DEFAULT_CLOCK_LIMITS, clockBoard } = options
  const wall = sources.wall()
  if (time === 0 && wall < (options.earliest ?? 0)) {
    const found = new Date(wall).toISOString()
    throw new JournalFault('UNSUPPORTED', `the clock shows ${found}: set it, then start a new journal`)
  }
  let isTrusted: boolean | undefined
  const onReading = (reading: ClockReading): void => {
    clockBoard?.write(reading)
    if (reading.isTrusted === isTrusted) return
    isTrusted = reading.isTrusted
    post(channel, { kind: 'clock', reading })
  }
  const clock = new JournalClock({ sources, limits, journalTime: time, onReading })
  clock.read()
  return clock
}

/** Until the answer is called: what a jump is judged by must not be old. */
function readEverySecond(clock: JournalClock, scheduler: Scheduler): () => void {
  let cancel = (): void => {}
  const readLater = (): void => {
    cancel = scheduler.later(() => {
      clock.read()
      readLater()
    }, CLOCK_EVERY_MS)
  }
  readLater()
  return () => cancel()
}

/** Saves a snapshot, or says why not: without one the journal still has everything. */
async function trySave(snapshots: SnapshotStore, snapshot: Snapshot): Promise<string | undefined> {
  try {
    await snapshots.save(snapshot)
    return undefined
  } catch (cause) {
    if (cause instanceof JournalFault) return cause.message
    throw cause
  }
}

/** Offers every request of a block; those that cannot be taken are answered at once, together. */
function takeIn(block: ArrayBuffer, loop: EngineLoop, outlet: Outlet): void {
  const { requests, unreadable } = readRequests(block)
  const answers: EngineAnswer[] = []
  for (const request of unreadable) {
    answers.push({ kind: 'reply', request, reply: { kind: 'Refused', reason: 'INTERNAL_ERROR' } })
  }
  for (const request of requests) {
    const fault = loop.offer(request)
    if (fault !== undefined) answers.push({ kind: 'fault', request: request.request, fault })
  }
  if (answers.length > 0) outlet.send({ events: undefined, answers })
}

/** Encodes outputs; events only once somebody follows. */
class Outlet {
  readonly #channel: BlockChannel
  readonly #writer = new ByteWriter(1 << 16)
  #isFollowed = false

  constructor(channel: BlockChannel) {
    this.#channel = channel
  }

  send(output: EngineOutput): void {
    writeOutput(this.#writer, output, this.#isFollowed)
    this.#isFollowed ||= output.answers.some(isBootstrap)
    if (this.#writer.length === 0) return
    const block = this.#writer.take().buffer
    this.#writer.reset()
    this.#channel.postMessage(block, [block])
  }
}

function isBootstrap(answered: EngineAnswer): boolean {
  return answered.kind === 'answer' && answered.answer.name === 'bootstrap'
}

function post(channel: BlockChannel, message: FromEngine): void {
  channel.postMessage(message)
}
