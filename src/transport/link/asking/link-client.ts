/** A gateway's end of one link: the ports of an engine and a history in another process. */

import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import type { EnginePort } from '../../../engine/port/ports.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { BlockClient } from '../../thread/block-client.ts'
import { type HistoryClient, historyClient } from '../../thread/history-client.ts'
import { Barrier } from '../protocol/barrier.ts'
import { BARRIER_FRAME, type LinkFrame, writeBlockFrame, writeCountFrame } from '../protocol/frames.ts'
import { type ConnectionOptions, LinkConnection, type OpenConnection, unexpected } from './link-connection.ts'
import { QuestionChannel } from './question-channel.ts'

export type LinkOptions = ConnectionOptions & {
  readonly inFlightMax?: number
  readonly answerTimeoutMs?: number
  /**
   * The fault for pending requests when a link is lost and the next link may lead to another leader;
   * ENGINE_DOWN by default.
   */
  readonly goneAs?: 'NO_LEADER'
}

const QUESTIONS_MAX = 10_000
const ANSWER_TIMEOUT_MS = 5_000

/** An open link, for its users. */
export type Link = OpenConnection & {
  readonly engine: EnginePort
  readonly history: HistoryPort
  /** The engine's last reading of its clock; undefined before the first reading. */
  readonly clock: () => ClockReading | undefined
  /**
   * Resolves once the followers have received everything that was answered to any gateway before this call,
   * or once the link is lost.
   */
  readonly untilFresh: () => Promise<void>
  /** Sends a message about the counts that gateways share; does nothing once the link is lost. */
  sendCount(message: Uint8Array): void
  /**
   * Passes each message with counts from the engine's end to `listener`, including those received before this
   * call. The listener throws `BytesFault` to end the link.
   */
  onCount(listener: (message: Uint8Array) => void): void
}

/** Connects and greets. Rejects with `LinkFault`. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const connection = new LinkConnection('gateway', options)
  const link = new GatewayLink(connection, options)
  await connection.open(link)
  link.begin()
  return link
}

class GatewayLink implements Link {
  readonly #connection: LinkConnection
  readonly #blocks: BlockClient
  readonly #questions: QuestionChannel
  readonly #history: HistoryClient
  readonly #barrier: Barrier
  readonly #goneAs: 'NO_LEADER' | 'ENGINE_DOWN'
  #hearCount: (message: Uint8Array) => void = (message) => this.#earlyCounts.push(message)
  /** Frames received before a listener was registered: those of a link's first turn of the event loop. */
  readonly #earlyCounts: Uint8Array[] = []
  #reading: ClockReading | undefined

  constructor(connection: LinkConnection, options: LinkOptions) {
    this.#connection = connection
    this.#goneAs = options.goneAs ?? 'ENGINE_DOWN'
    const { scheduler = runtimeScheduler, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
    this.#blocks = this.#createEngine(scheduler, options)
    this.#questions = new QuestionChannel(connection)
    this.#history = historyClient(this.#questions, {
      inFlightMax: QUESTIONS_MAX,
      answerTimeoutMs,
      scheduler,
    })
    this.#barrier = new Barrier(() => connection.send(BARRIER_FRAME))
  }

  begin(): void {
    this.#blocks.port.open()
  }

  get engine(): EnginePort {
    return this.#blocks.port
  }

  get history(): HistoryPort {
    return this.#history
  }

  get welcome() {
    return this.#connection.welcome
  }

  /** By the time it resolves, all waiting callers have been answered. */
  get lost() {
    return this.#connection.lost
  }

  clock(): ClockReading | undefined {
    return this.#reading
  }

  confirmed() {
    return this.#connection.confirmed()
  }

  untilFresh(): Promise<void> {
    return this.#barrier.wait()
  }

  sendCount(message: Uint8Array): void {
    this.#connection.send(writeCountFrame(message))
  }

  onCount(listener: (message: Uint8Array) => void): void {
    this.#hearCount = listener
    for (const message of this.#earlyCounts.splice(0)) this.#connection.decode(() => listener(message))
  }

  close(): void {
    this.#connection.close()
  }

  take(frame: LinkFrame): void {
    switch (frame.kind) {
      case 'block':
        this.#blocks.arrive(frame.block)
        break
      case 'question':
        this.#questions.arrive(frame.message)
        break
      case 'clock':
        this.#reading = frame.reading
        break
      case 'count': {
        const { message } = frame
        this.#blocks.after(() => this.#hearCount(message))
        break
      }
      case 'barrier':
        this.#blocks.after(() => this.#barrier.answered())
        break
      default:
        throw unexpected(frame)
    }
  }

  takeInAll(): void {
    this.#blocks.takeInAll()
  }

  /** Implements `ConnectionUser`; the user of the link awaits `lost`. */
  ended(): void {
    this.#blocks.port.lose()
    this.#history.close(this.#goneAs)
    this.#barrier.end()
  }

  #createEngine(scheduler: Scheduler, { inFlightMax, answerTimeoutMs, goneAs }: LinkOptions): BlockClient {
    return new BlockClient({
      post: (block) => this.#connection.send(writeBlockFrame(new Uint8Array(block))),
      // A long block is decoded in several turns; any of them may find that the block is malformed.
      scheduler: {
        soon: (task) => scheduler.soon(() => this.#connection.decode(task)),
        later: (task, delayMs) => scheduler.later(task, delayMs),
      },
      inFlightMax,
      answerTimeoutMs,
      goneAs,
    })
  }
}
