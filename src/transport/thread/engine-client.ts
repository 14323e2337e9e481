/**
 * The gateway's end of the channel to an engine in another thread: besides requests and outputs
 * (`block-client.ts`), it transmits the start, stop and failure of the engine.
 */
import { JournalFault } from '../../engine/port/journal.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { StopReport } from '../../engine/writer/compose.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import type { RecoveryProgress, RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { unreachable } from '../../units/invariant.ts'
import { BlockClient } from './block-client.ts'
import { listen } from './channel.ts'
import type { BlockChannel, FromEngine, ThreadFailure } from './messages.ts'

export type ThreadEngineOptions = {
  readonly inFlightMax?: number
  /** A request times out after this time, or at most a quarter later. */
  readonly answerTimeoutMs?: number
  readonly onProgress?: (progress: RecoveryProgress) => void
  /** Called when trust in the clock is lost or regained; the first call reports the state at the start. */
  readonly onClock?: (reading: ClockReading) => void
  /** The runtime's by default. */
  readonly scheduler?: Scheduler
}

/** The engine's thread could not start, or ended without a request to stop. */
export class EngineThreadFault extends Error {
  override readonly name = 'EngineThreadFault'
}

export class ThreadEngine {
  readonly #channel: BlockChannel
  readonly #options: ThreadEngineOptions
  readonly #blocks: BlockClient
  readonly #ready = Promise.withResolvers<RecoveryReport>()
  readonly #ended = Promise.withResolvers<StopReport>()
  readonly #settled = Promise.withResolvers<void>()

  /** `channel`: the other end of the channel that `runEngineHost` received. */
  constructor(channel: BlockChannel, options: ThreadEngineOptions = {}) {
    this.#channel = channel
    this.#options = options
    this.#blocks = new BlockClient({
      post: (block) => channel.postMessage(block, [block]),
      scheduler: options.scheduler ?? runtimeScheduler,
      inFlightMax: options.inFlightMax,
      answerTimeoutMs: options.answerTimeoutMs,
    })
    // The composition of the node awaits one of the two; the other must not count as unhandled.
    this.#ready.promise.catch(() => {})
    this.#ended.promise.catch(() => {})
    this.#settled.promise.catch(() => {})
    listen<FromEngine>(channel, (message) => {
      if (message instanceof ArrayBuffer) this.#blocks.arrive(message)
      else this.#blocks.after(() => this.#receive(message))
    })
  }

  /**
   * Resolves when commands are accepted; rejects with `JournalFault` or `EngineThreadFault` if they never
   * will be.
   */
  get ready(): Promise<RecoveryReport> {
    return this.#ready.promise
  }

  /** Resolves after a clean stop; rejects if the engine failed: the node must stop. */
  get ended(): Promise<StopReport> {
    return this.#ended.promise
  }

  get port(): EnginePort & { readonly inFlight: number } {
    return this.#blocks.port
  }

  /** See `Engine.begin`. */
  begin(): void {
    this.#channel.postMessage({ kind: 'begin' })
  }

  /**
   * Refuses new requests. Resolves once the journal no longer changes, not even by a command of the engine
   * itself. Rejects if the engine failed.
   */
  settle(): Promise<void> {
    this.#blocks.refuseNew('STOPPING')
    this.#channel.postMessage({ kind: 'settle' })
    return this.#settled.promise
  }

  /**
   * Refuses new requests. Resolves when all accepted ones are answered, a snapshot is saved and the journal
   * is closed.
   */
  stop(): Promise<StopReport> {
    this.#blocks.refuseNew('STOPPING')
    this.#channel.postMessage({ kind: 'stop' })
    return this.#ended.promise
  }

  /**
   * Called when the thread ended or failed, according to its worker's `error` or `close` event; harmless
   * after a clean stop.
   */
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
        this.#blocks.port.open()
        this.#ready.resolve(message.report)
        break
      case 'settled':
        this.#settled.resolve()
        break
      case 'stopped':
        this.#blocks.port.lose()
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
    this.#blocks.port.lose()
    this.#ready.reject(cause)
    this.#ended.reject(cause)
    this.#settled.reject(cause)
  }
}

/** The fault that a thread reported. */
export function failureOf({ fault, message }: ThreadFailure): Error {
  return fault === undefined ? new EngineThreadFault(message) : new JournalFault(fault, message)
}
