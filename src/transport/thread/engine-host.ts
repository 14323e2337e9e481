/**
 * The engine's end of the channel: it recovers, runs the engine, and transmits requests and outputs. It has a
 * worker thread to itself.
 */

import { JournalFault, type JournalPosition } from '../../engine/port/journal.ts'
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../engine/port/limits.ts'
import type { EngineAnswer, EngineOutput } from '../../engine/port/requests.ts'
import { EXCHANGE_FACTORY, type StateMachineFactory } from '../../engine/port/state-machine.ts'
import type { EngineStorage } from '../../engine/port/storage.ts'
import type { ClockBoard } from '../../engine/writer/clock-board.ts'
import { composeEngine, type EngineNode, type StopReport } from '../../engine/writer/compose.ts'
import {
  CLOCK_EVERY_MS,
  type ClockLimits,
  type ClockReading,
  type ClockSources,
  DEFAULT_CLOCK_LIMITS,
} from '../../engine/writer/journal-clock.ts'
import { IDLE_DELAY_MS, type Scheduler } from '../../engine/writer/loop.ts'
import type { EngineMeter } from '../../engine/writer/meters.ts'
import type { RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { unreachable } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type Channel, listen } from './channel.ts'
import { serveBatches } from './follower-feed.ts'
import { type BlockChannel, type FromEngine, readRequests, type ToEngine, writeOutput } from './messages.ts'

export type EngineHostOptions = {
  /** Called once; an error is sent to the other end as the reason of the failed start. */
  readonly openStorage: () => EngineStorage
  /** See `RecoveryOptions`. */
  readonly acceptJournalTail?: boolean
  /** The channel on which a follower in another thread pulls batches; undefined if there is none. */
  readonly followerChannel?: Channel
  /** The channel for auditors and backups. */
  readonly auditChannel?: Channel
  readonly limits?: Partial<EngineLimits>
  readonly idleDelayMs?: number
  readonly machines?: StateMachineFactory
  /** The runtime's by default. */
  readonly clock?: ClockSources
  readonly clockLimits?: ClockLimits
  /** A clock before this time is wrong: no new journal is then created. */
  readonly earliest?: TimeMs
  /** Publishes each reading of the clock; undefined if not needed. */
  readonly clockBoard?: ClockBoard
  /** Counts durable commands; undefined if not needed. */
  readonly meter?: EngineMeter
  /** Called with the end of the journal, at the start and before each output; undefined if not needed. */
  readonly onTail?: (tail: JournalPosition) => void
  /** The runtime's by default. */
  readonly scheduler?: Scheduler
}

/**
 * Runs an engine until the other end stops it. Resolves after a clean stop. Rejects if the engine could not
 * start or failed: the other end has been notified, and the worker must end.
 */
export async function runEngineHost(channel: BlockChannel, options: EngineHostOptions): Promise<void> {
  const end = new EngineEnd(channel, options.clockBoard)
  try {
    end.stopped(await runUntilStopped(end, channel, options))
  } catch (cause) {
    end.failed(cause)
    throw cause
  }
}

async function runUntilStopped(
  end: EngineEnd,
  channel: BlockChannel,
  options: EngineHostOptions,
): Promise<StopReport> {
  const { onTail } = options
  const engine: EngineNode = await composeEngine({
    storage: options.openStorage(),
    machines: options.machines ?? EXCHANGE_FACTORY,
    digest: sha256,
    clock: {
      sources: options.clock ?? RUNTIME_CLOCK,
      limits: options.clockLimits ?? DEFAULT_CLOCK_LIMITS,
      onReading: end.onReading,
      readEveryMs: CLOCK_EVERY_MS,
      ...(options.earliest === undefined ? {} : { earliest: options.earliest }),
    },
    scheduler: options.scheduler ?? runtimeScheduler,
    output:
      onTail === undefined
        ? (output) => end.output(output)
        : (output) => {
            // The tail comes first: receivers of the events may need its position at once.
            onTail(engine.tail)
            end.output(output)
          },
    limits: { ...DEFAULT_ENGINE_LIMITS, ...options.limits },
    idleDelayMs: options.idleDelayMs ?? IDLE_DELAY_MS,
    acceptJournalTail: options.acceptJournalTail ?? false,
    onProgress: (progress) => post(channel, { kind: 'progress', progress }),
    ...(options.meter === undefined ? {} : { meter: options.meter }),
  })
  onTail?.(engine.tail)
  for (const pulled of [options.followerChannel, options.auditChannel]) {
    if (pulled !== undefined) serveBatches(pulled, engine.feed)
  }
  end.serve(engine, engine.report)
  return await engine.ended
}

/** The end of a channel for one engine; the other end is a `ThreadEngine`. */
export class EngineEnd {
  readonly #channel: BlockChannel
  readonly #outlet: Outlet
  /** Called with each reading of the engine's clock. */
  readonly onReading: (reading: ClockReading) => void

  constructor(channel: BlockChannel, board: ClockBoard | undefined) {
    this.#channel = channel
    this.#outlet = new Outlet(channel)
    this.onReading = clockReporter(channel, board)
  }

  /** Sends an output of the engine. */
  output(output: EngineOutput): void {
    this.#outlet.send(output)
  }

  /** Passes incoming requests to the engine from now on, and reports that it is ready. */
  serve(engine: Pick<EngineNode, 'offer' | 'begin' | 'settle' | 'stop'>, report: RecoveryReport): void {
    listen<ToEngine>(this.#channel, (message) => {
      if (message instanceof ArrayBuffer) takeIn(message, engine, this.#outlet)
      else if (message.kind === 'begin') engine.begin()
      else if (message.kind === 'settle')
        void engine.settle().then(() => post(this.#channel, { kind: 'settled' }))
      else if (message.kind === 'stop') engine.stop()
      else unreachable(message.kind)
    })
    post(this.#channel, { kind: 'ready', report })
  }

  /** Called when the engine has stopped. */
  stopped(report: StopReport): void {
    post(this.#channel, { kind: 'stopped', ...report })
  }

  /** Called when the engine could not start, or failed. */
  failed(cause: unknown): void {
    const fault = cause instanceof JournalFault ? cause.kind : undefined
    const message = cause instanceof Error ? cause.message : String(cause)
    post(this.#channel, { kind: 'failed', failure: { message, fault } })
  }
}

export const RUNTIME_CLOCK: ClockSources = {
  wall: () => Date.now() as TimeMs,
  monotonicMs: () => performance.now(),
}

/**
 * Writes each reading to the board, and notifies the other end whether the clock is trusted, at first and at
 * every change.
 */
function clockReporter(
  channel: BlockChannel,
  board: ClockBoard | undefined,
): (reading: ClockReading) => void {
  let isTrusted: boolean | undefined
  return (reading) => {
    board?.write(reading)
    if (reading.isTrusted === isTrusted) return
    isTrusted = reading.isTrusted
    post(channel, { kind: 'clock', reading })
  }
}

/**
 * Offers every request of a block to the engine; requests that cannot be accepted are answered at once,
 * together.
 */
function takeIn(block: ArrayBuffer, engine: Pick<EngineNode, 'offer'>, outlet: Outlet): void {
  const { requests, unreadable } = readRequests(block)
  const answers: EngineAnswer[] = []
  for (const request of unreadable) {
    answers.push({ kind: 'reply', request, reply: { kind: 'Refused', reason: 'INTERNAL_ERROR' } })
  }
  for (const request of requests) {
    const fault = engine.offer(request)
    if (fault !== undefined) answers.push({ kind: 'fault', request: request.request, fault })
  }
  if (answers.length > 0) outlet.send({ events: undefined, answers })
}

/** Encodes outputs; includes events only if there is a follower. */
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
