/**
 * The gateway's end of the channel to an engine in another thread. All answers of one flush travel together, and so do
 * the requests of one turn of the event loop. Where there are many, those that come while a block is under way are the
 * next block: they would only wait at the other end, and fewer messages cost less (`npm run bench -- order-to-ack`).
 */
import type { Command } from '../../core/exchange/command.ts'
import type { EventBatch } from '../../core/exchange/event.ts'
import type { Reply } from '../../core/exchange/reply.ts'
import type { Bootstrap } from '../../core/exchange/view.ts'
import { EngineClient, IN_FLIGHT_MAX } from '../../engine/client.ts'
import type { StopReport } from '../../engine/compose.ts'
import { JournalFault } from '../../engine/journal.ts'
import type { ClockReading } from '../../engine/journal-clock.ts'
import type { Scheduler } from '../../engine/loop.ts'
import type { EnginePort, PortQuery, ReplyReceiver } from '../../engine/ports.ts'
import type { QueryFields, QueryValue } from '../../engine/queries.ts'
import type { RecoveryProgress, RecoveryReport } from '../../engine/recovery.ts'
import type { RequestNumber } from '../../engine/request-client.ts'
import type { EngineOutput, OutgoingRequest } from '../../engine/requests.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { unreachable } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { listen } from './channel.ts'
import {
  type BlockChannel,
  type FromEngine,
  readOutputInSlices,
  type ThreadFailure,
  writeRequest,
} from './messages.ts'
import { runtimeScheduler } from './scheduler.ts'

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

/** Well below the time after which the HTTP server would close a silent connection without a word. */
const ANSWER_TIMEOUT_MS = 5_000

/** From so many requests without an answer on, a block waits until the engine has given something out. */
const CROWD = 32

/**
 * Events decoded in one turn: some milliseconds. One order can make tens of thousands, and people who wait for something
 * else must not wait for all of them.
 */
const SLICE_EVENTS = 4_000

/** The engine's thread could not start, or ended without being asked to. */
export class EngineThreadFault extends Error {
  override readonly name = 'EngineThreadFault'
}

export class ThreadEngine implements EnginePort {
  readonly #channel: BlockChannel
  readonly #options: ThreadEngineOptions
  readonly #scheduler: Scheduler
  readonly #client: EngineClient
  readonly #writer = new ByteWriter(1 << 16)
  readonly #ready = Promise.withResolvers<RecoveryReport>()
  readonly #ended = Promise.withResolvers<StopReport>()
  #isPosting = false
  /** A block has been posted and nothing has come since, so something will: the next block can wait for it. */
  #isUnderWay = false
  /** The block that is being decoded. */
  #decoding: Iterator<EngineOutput | undefined> | undefined
  /** What came after it, in order. */
  readonly #arrived: FromEngine[] = []

  /** `channel`: the other end of what `runEngineHost` got. */
  constructor(channel: BlockChannel, options: ThreadEngineOptions = {}) {
    this.#channel = channel
    this.#options = options
    this.#scheduler = options.scheduler ?? runtimeScheduler
    this.#client = new EngineClient({
      inFlightMax: options.inFlightMax ?? IN_FLIGHT_MAX,
      patience: {
        timeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
        later: (task, delayMs) => this.#scheduler.later(task, delayMs),
      },
      send: (request, outgoing) => this.#send(request, outgoing),
    })
    // Whoever composes the node watches one of the two; neither alone may count as unhandled.
    this.#ready.promise.catch(() => {})
    this.#ended.promise.catch(() => {})
    listen<FromEngine>(channel, (message) => this.#arrive(message))
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
    return this.#client.inFlight
  }

  submit(command: Command, deadline?: TimeMs): Promise<Reply> {
    return this.#client.submit(command, deadline)
  }

  hand(command: Command, receiver: ReplyReceiver, deadline?: TimeMs): void {
    this.#client.hand(command, receiver, deadline)
  }

  ask<Name extends PortQuery>(name: Name, fields: QueryFields<Name>): Promise<QueryValue<Name>> {
    return this.#client.ask(name, fields)
  }

  follow(listener: (batch: EventBatch) => void, onPassed?: (time: TimeMs) => void): Promise<Bootstrap> {
    return this.#client.follow(listener, onPassed)
  }

  /** See `Engine.begin`. */
  begin(): void {
    this.#channel.postMessage({ kind: 'begin' })
  }

  /** Refuses what is new; resolves when all that was taken is answered, a snapshot is saved and the journal closed. */
  stop(): Promise<StopReport> {
    this.#client.refuseNew('STOPPING')
    this.#post()
    this.#channel.postMessage({ kind: 'stop' })
    return this.#ended.promise
  }

  /** The thread has ended or failed, as its worker's `error` or `close` event says; harmless after a clean stop. */
  lose(reason: string): void {
    this.#takeIn('all')
    this.#fail(new EngineThreadFault(reason))
  }

  #send(request: RequestNumber, outgoing: OutgoingRequest): void {
    const { length } = this.#writer
    try {
      writeRequest(this.#writer, request, outgoing)
    } catch (cause) {
      // A command that cannot be encoded leaves nothing of itself in the block.
      this.#writer.truncate(length)
      throw cause
    }
    this.#postSoon()
  }

  #arrive(message: FromEngine): void {
    // First of all, so that the engine works on while people are answered.
    if (message instanceof ArrayBuffer) this.#post()
    this.#arrived.push(message)
    if (this.#decoding === undefined) this.#takeIn('in slices')
  }

  /** Takes in what has arrived, in order; in slices: until a long block needs another turn of the event loop. */
  #takeIn(how: 'in slices' | 'all'): void {
    for (;;) {
      if (this.#decoding !== undefined) {
        const output: EngineOutput | undefined = this.#decoding.next().value
        if (output === undefined) {
          if (how === 'all') continue
          this.#scheduler.soon(() => this.#takeIn('in slices'))
          return
        }
        this.#decoding = undefined
        this.#client.receive(output)
      }
      const message = this.#arrived.shift()
      if (message === undefined) return
      if (message instanceof ArrayBuffer) this.#decoding = readOutputInSlices(message, SLICE_EVENTS)
      else this.#receive(message)
    }
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
        this.#client.open()
        this.#ready.resolve(message.report)
        break
      case 'stopped':
        this.#client.lose()
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
    this.#client.lose()
    this.#ready.reject(cause)
    this.#ended.reject(cause)
  }

  #postSoon(): void {
    const isCrowded = this.#isUnderWay && this.#client.inFlight >= CROWD
    if (this.#isPosting || isCrowded) return
    this.#isPosting = true
    this.#scheduler.soon(() => this.#post())
  }

  #post(): void {
    this.#isPosting = false
    this.#isUnderWay = this.#writer.length > 0
    if (!this.#isUnderWay) return
    const block = this.#writer.take().buffer
    this.#writer.reset()
    this.#channel.postMessage(block, [block])
  }
}

function failureOf({ fault, message }: ThreadFailure): Error {
  return fault === undefined ? new EngineThreadFault(message) : new JournalFault(fault, message)
}
