/** A gateway's end of one link: the ports of an engine and a history in another process. */

import type { EnginePort, HistoryPort } from '../../../engine/port/ports.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { BlockClient } from '../../thread/block-client.ts'
import { HistoryClient } from '../../thread/history-client.ts'
import { Barrier } from '../protocol/barrier.ts'
import { BARRIER_FRAME, type LinkFrame, writeBlockFrame, writeCountFrame } from '../protocol/frames.ts'
import { type ConnectionOptions, LinkConnection, type OpenConnection, unexpected } from './link-connection.ts'
import { QuestionChannel } from './question-channel.ts'

export type LinkOptions = ConnectionOptions & {
  readonly inFlightMax?: number
  readonly answerTimeoutMs?: number
  /** What a lost link is to whoever asks, where another one may lead to the next leader; by default it is ENGINE_DOWN. */
  readonly goneAs?: 'NO_LEADER'
}

const QUESTIONS_MAX = 10_000
const ANSWER_TIMEOUT_MS = 5_000

/** As an open link is used. */
export type Link = OpenConnection & {
  readonly engine: EnginePort
  readonly history: HistoryPort
  /** The engine's last reading of its clock; undefined: none has come yet. */
  readonly clock: () => ClockReading | undefined
  /**
   * Resolves once those who follow have been given all that was answered to any gateway before this call; or when the link is
   * lost.
   */
  readonly untilFresh: () => Promise<void>
  /** Sends a message of what gateways count together; none once the link is lost. */
  sendCount(message: Uint8Array): void
  /** Gives `listener` each such message of the engine's end, those that have come already included. It throws `BytesFault`, and then the link ends. */
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
  /** What came before anybody listened: the first turn of a link. */
  readonly #earlyCounts: Uint8Array[] = []
  #reading: ClockReading | undefined

  constructor(connection: LinkConnection, options: LinkOptions) {
    this.#connection = connection
    this.#goneAs = options.goneAs ?? 'ENGINE_DOWN'
    const { scheduler = runtimeScheduler, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
    this.#blocks = this.#createEngine(scheduler, options)
    this.#questions = new QuestionChannel(connection)
    this.#history = new HistoryClient(this.#questions, {
      inFlightMax: QUESTIONS_MAX,
      answerTimeoutMs,
      scheduler,
    })
    this.#barrier = new Barrier(() => connection.send(BARRIER_FRAME))
  }

  begin(): void {
    this.#blocks.open()
  }

  get engine(): EnginePort {
    return this.#blocks
  }

  get history(): HistoryPort {
    return this.#history
  }

  get welcome() {
    return this.#connection.welcome
  }

  /** Once it has resolved, all who waited have been answered. */
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

  /** Of `ConnectionUser`; whoever uses the link awaits `lost`. */
  ended(): void {
    this.#blocks.lose()
    this.#history.close(this.#goneAs)
    this.#barrier.end()
  }

  #createEngine(scheduler: Scheduler, { inFlightMax, answerTimeoutMs, goneAs }: LinkOptions): BlockClient {
    return new BlockClient({
      post: (block) => this.#connection.send(writeBlockFrame(new Uint8Array(block))),
      // A long block is read in several turns: in any of them it may turn out to be none.
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
