/**
 * The gateway's end of the channel to an engine in another thread: beside requests and outputs (`block-client.ts`) it carries how
 * the engine starts, stops and fails.
 */
import type { Command } from '../../core/exchange/command.ts'
import type { EventBatch } from '../../core/exchange/event.ts'
import type { Reply } from '../../core/exchange/reply.ts'
import type { Bootstrap } from '../../core/exchange/view.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { EnginePort, EngineSubscriber, PortQuery, ReplyReceiver } from '../../engine/port/ports.ts'
import type { QueryFields, QueryValue } from '../../engine/port/queries.ts'
import type { StopReport } from '../../engine/writer/compose.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import type { RecoveryProgress, RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { unreachable } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { BlockClient } from './block-client.ts'
import { listen } from './channel.ts'
import type { BlockChannel, FromEngine, ThreadFailure } from './messages.ts'

export type ThreadEngineOptions = {
  readonly inFlightMax?: number
  /** A request is given up when it has waited this long, or at most a quarter longer. */
  readonly answerTimeoutMs?: number
  readonly onProgress?: (progress: RecoveryProgress) => void
  /** The clock is trusted no more, or again; the first call says how it is at the start. */
  readonly onClock?: (reading: ClockReading) => void
  /** The runtime's, by default. */
  readonly scheduler?: Scheduler
}

/** The engine's thread could not start, or ended without being asked to. */
export class EngineThreadFault extends Error {
  override readonly name = 'EngineThreadFault'
}

export class ThreadEngine implements EnginePort {
  readonly #channel: BlockChannel
  readonly #options: ThreadEngineOptions
  readonly #blocks: BlockClient
  readonly #ready = Promise.withResolvers<RecoveryReport>()
  readonly #ended = Promise.withResolvers<StopReport>()
  readonly #settled = Promise.withResolvers<void>()

  /** `channel`: the other end of what `runEngineHost` got. */
  constructor(channel: BlockChannel, options: ThreadEngineOptions = {}) {
    this.#channel = channel
    this.#options = options
    this.#blocks = new BlockClient({
      post: (block) => channel.postMessage(block, [block]),
      scheduler: options.scheduler ?? runtimeScheduler,
      inFlightMax: options.inFlightMax,
      answerTimeoutMs: options.answerTimeoutMs,
    })
    // Whoever composes the node watches one of the two; neither alone may count as unhandled.
    this.#ready.promise.catch(() => {})
    this.#ended.promise.catch(() => {})
    this.#settled.promise.catch(() => {})
    listen<FromEngine>(channel, (message) => {
      if (message instanceof ArrayBuffer) this.#blocks.arrive(message)
      else this.#blocks.after(() => this.#receive(message))
    })
  }

  /** Resolves when commands are taken; rejects with `JournalFault` or `EngineThreadFault` when they never will be. */
  get ready(): Promise<RecoveryReport> {
    return this.#ready.promise
  }

  /** Resolves after a clean stop; rejects when the engine has died: the node must stop. */
  get ended(): Promise<StopReport> {
    return this.#ended.promise
  }

  /** Requests without an answer. */
  get inFlight(): number {
    return this.#blocks.inFlight
  }

  submit(command: Command, deadline?: TimeMs): Promise<Reply> {
    return this.#blocks.submit(command, deadline)
  }

  hand(command: Command, receiver: ReplyReceiver, deadline?: TimeMs): void {
    this.#blocks.hand(command, receiver, deadline)
  }

  ask<Name extends PortQuery>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>> {
    return this.#blocks.ask(name, fields)
  }

  follow(listener: (batch: EventBatch) => void, onPassed?: (time: TimeMs) => void): Promise<Bootstrap> {
    return this.#blocks.follow(listener, onPassed)
  }

  subscribe(subscriber: EngineSubscriber): () => void {
    return this.#blocks.subscribe(subscriber)
  }

  /** See `Engine.begin`. */
  begin(): void {
    this.#channel.postMessage({ kind: 'begin' })
  }

  /** Refuses what is new; resolves once the journal stays as it is, with no command of the engine's own either. Rejects when the engine has died. */
  settle(): Promise<void> {
    this.#blocks.refuseNew('STOPPING')
    this.#channel.postMessage({ kind: 'settle' })
    return this.#settled.promise
  }

  /** Refuses what is new; resolves when all that was taken is answered, a snapshot is saved and the journal closed. */
  stop(): Promise<StopReport> {
    this.#blocks.refuseNew('STOPPING')
    this.#channel.postMessage({ kind: 'stop' })
    return this.#ended.promise
  }

  /** The thread has ended or failed, as its worker's `error` or `close` event says; harmless after a clean stop. */
  lose(reason: string): void {
    this.#blocks.takeInAll()
    this.#fail(new EngineThreadFault(reason))
  }

  #receive(message: Exclude<FromEngine, ArrayBuffer>): void {
    switch (message.kind) {
      case 'progress':
        this.#options.onProgress?.(message.progress)
        break
      case 'clock':
        this.#options.onClock?.(message.reading)
        break
      case 'ready':
        this.#blocks.open()
        this.#ready.resolve(message.report)
        break
      case 'settled':
        this.#settled.resolve()
        break
      case 'stopped':
        this.#blocks.lose()
        this.#ended.resolve({ snapshotProblem: message.snapshotProblem })
        break
      case 'failed':
        this.#fail(failureOf(message.failure))
        break
      default:
        unreachable(message)
    }
  }

  #fail(cause: Error): void {
    this.#blocks.lose()
    this.#ready.reject(cause)
    this.#ended.reject(cause)
    this.#settled.reject(cause)
  }
}

/** The fault that a thread has told of. */
export function failureOf({ fault, message }: ThreadFailure): Error {
  return fault === undefined ? new EngineThreadFault(message) : new JournalFault(fault, message)
}
