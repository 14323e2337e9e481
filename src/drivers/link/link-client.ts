/**
 * A gateway's end of one link: the ports of an engine and a history in another process. It ends once; after a loss, a new
 * connection is a new link (`link-keeper.ts`).
 */
import { randomBytes } from 'node:crypto'
import type { ClockReading } from '../../engine/journal-clock.ts'
import type { Scheduler } from '../../engine/loop.ts'
import type { EnginePort, HistoryPort } from '../../engine/ports.ts'
import { BytesFault } from '../../units/bytes.ts'
import { BlockClient } from '../thread/block-client.ts'
import type { Channel } from '../thread/channel.ts'
import { HistoryClient } from '../thread/history-client.ts'
import { runtimeScheduler } from '../thread/scheduler.ts'
import { Barrier } from './barrier.ts'
import { BARRIER_FRAME, readFrame, writeBlockFrame, writeCountFrame, writeQuestionFrame } from './frames.ts'
import {
  checkWelcome,
  commonVersion,
  type Hello,
  LINK_VERSIONS,
  NONCE_BYTES,
  readChallenge,
  writeHello,
} from './greeting.ts'
import { closedBy, LinkFault } from './link-fault.ts'

export type LinkOptions = {
  readonly socketPath: string
  readonly secret: string
  /** Of this gateway, for people. */
  readonly name: string
  /** Connecting and greeting take no longer. */
  readonly openTimeoutMs?: number
  /** The engine speaks every second; after so long without a word it is gone. */
  readonly silenceMs?: number
  /** What the engine has not taken yet; above it, it is gone. */
  readonly queueBytesMax?: number
  readonly inFlightMax?: number
  readonly answerTimeoutMs?: number
  /** The runtime's, by default. */
  readonly scheduler?: Scheduler
}

const OPEN_TIMEOUT_MS = 5_000
const SILENCE_MS = 5_000
const QUEUE_BYTES_MAX = 16 * 1024 * 1024
const QUESTIONS_MAX = 10_000
const ANSWER_TIMEOUT_MS = 5_000

/** As an open link is used. */
export type Link = {
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
  /** Resolves with the cause when the link has ended: what waited has been answered as on the loss of an engine. */
  readonly lost: Promise<LinkFault>
  /** Ends it from this side. */
  close(): void
}

/** Connects and greets. Rejects with `LinkFault`. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const connection = new LinkConnection(options)
  const fault = await Promise.race([connection.opened, connection.lost])
  if (fault !== undefined) throw fault
  return connection
}

class LinkConnection implements Link {
  readonly #options: LinkOptions
  readonly #scheduler: Scheduler
  readonly #socket: WebSocket
  readonly #blocks: BlockClient
  readonly #history: HistoryClient
  readonly #barrier = new Barrier(() => this.#send(BARRIER_FRAME))
  #hearCount: (message: Uint8Array) => void = (message) => this.#earlyCounts.push(message)
  /** What came before anybody listened: the first turn of a link. */
  readonly #earlyCounts: Uint8Array[] = []
  #hearAnswer: (event: { readonly data: unknown }) => void = () => {}
  readonly #opened = Promise.withResolvers<undefined>()
  readonly #lost = Promise.withResolvers<LinkFault>()
  /** What the next frame is for, while the two ends greet; undefined: they have. */
  #greeting: ((frame: Uint8Array) => void) | undefined = (frame) => this.#prove(frame)
  #isLost = false
  #reading: ClockReading | undefined
  #cancelTimer: () => void
  /** Something has come since the last look. */
  #isHeard = false

  constructor(options: LinkOptions) {
    this.#options = options
    this.#scheduler = options.scheduler ?? runtimeScheduler
    const { openTimeoutMs = OPEN_TIMEOUT_MS } = options
    this.#blocks = this.#createEngine()
    this.#history = this.#createHistory()
    this.#socket = new WebSocket(`ws+unix://${options.socketPath}`)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data)
    this.#socket.onerror = (event) => {
      const message = 'message' in event ? String(event.message) : 'the connection failed'
      this.#lose(new LinkFault('UNREACHABLE', message))
    }
    this.#socket.onclose = ({ code, reason }) => this.#lose(closedBy(code, reason))
    this.#cancelTimer = this.#scheduler.later(
      () => this.#lose(new LinkFault('SILENT', `no greeting within ${openTimeoutMs} ms`)),
      openTimeoutMs,
    )
  }

  get opened(): Promise<undefined> {
    return this.#opened.promise
  }

  get lost(): Promise<LinkFault> {
    return this.#lost.promise
  }

  get engine(): EnginePort {
    return this.#blocks
  }

  get history(): HistoryPort {
    return this.#history
  }

  clock(): ClockReading | undefined {
    return this.#reading
  }

  untilFresh(): Promise<void> {
    return this.#barrier.wait()
  }

  sendCount(message: Uint8Array): void {
    this.#send(writeCountFrame(message))
  }

  onCount(listener: (message: Uint8Array) => void): void {
    this.#hearCount = listener
    for (const message of this.#earlyCounts.splice(0)) this.#decode(() => listener(message))
  }

  close(): void {
    this.#lose(new LinkFault('CLOSED', 'this end has closed the link'))
  }

  #createEngine(): BlockClient {
    const { inFlightMax, answerTimeoutMs } = this.#options
    return new BlockClient({
      post: (block) => this.#send(writeBlockFrame(new Uint8Array(block))),
      // A long block is read in several turns: in any of them it may turn out to be none.
      scheduler: {
        soon: (task) => this.#scheduler.soon(() => this.#decode(task)),
        later: (task, delayMs) => this.#scheduler.later(task, delayMs),
      },
      inFlightMax,
      answerTimeoutMs,
    })
  }

  #createHistory(): HistoryClient {
    const channel: Channel = {
      postMessage: (message) => this.#send(writeQuestionFrame(message)),
      addEventListener: (_type, listener) => {
        this.#hearAnswer = listener
      },
    }
    const { answerTimeoutMs = ANSWER_TIMEOUT_MS } = this.#options
    const scheduler = this.#scheduler
    return new HistoryClient(channel, { inFlightMax: QUESTIONS_MAX, answerTimeoutMs, scheduler })
  }

  #receive(data: unknown): void {
    this.#isHeard = true
    this.#decode(() => {
      if (!(data instanceof ArrayBuffer)) throw new LinkFault('BAD_FRAME', 'expected bytes, found a text')
      const bytes = new Uint8Array(data)
      if (this.#greeting === undefined) this.#take(bytes)
      else this.#greeting(bytes)
    })
  }

  /** What comes of the engine and cannot be read ends the link. */
  #decode(task: () => void): void {
    if (this.#isLost) return
    try {
      task()
    } catch (cause) {
      if (cause instanceof LinkFault) this.#lose(cause)
      else if (cause instanceof BytesFault) this.#lose(new LinkFault('BAD_FRAME', cause.message, { cause }))
      else throw cause
    }
  }

  #prove(frame: Uint8Array): void {
    const { name, secret } = this.#options
    const challenge = readChallenge(frame)
    const version = commonVersion(LINK_VERSIONS, challenge.versions)
    const hello: Hello = { version, name, nonce: new Uint8Array(randomBytes(NONCE_BYTES)) }
    this.#socket.send(writeHello(challenge, hello, secret))
    this.#greeting = (welcome) => {
      checkWelcome(welcome, challenge, hello, secret)
      this.#greeting = undefined
      this.#cancelTimer()
      this.#watch()
      this.#blocks.open()
      this.#opened.resolve(undefined)
    }
  }

  #take(bytes: Uint8Array): void {
    const frame = readFrame(bytes)
    switch (frame.kind) {
      case 'block':
        this.#blocks.arrive(frame.block)
        break
      case 'question':
        this.#hearAnswer({ data: frame.message })
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
    }
  }

  #send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#isLost) return
    const queued = this.#socket.bufferedAmount
    const { queueBytesMax = QUEUE_BYTES_MAX } = this.#options
    if (queued <= queueBytesMax) this.#socket.send(frame)
    // Not in the middle of what is being taken in.
    else
      this.#scheduler.soon(() =>
        this.#lose(new LinkFault('TOO_SLOW', `the engine has ${queued} bytes to take`)),
      )
  }

  /** The engine speaks every second. */
  #watch(): void {
    const { silenceMs = SILENCE_MS } = this.#options
    this.#cancelTimer = this.#scheduler.later(() => {
      if (!this.#isHeard)
        this.#lose(new LinkFault('SILENT', `the engine has said nothing for ${silenceMs} ms`))
      this.#isHeard = false
      if (!this.#isLost) this.#watch()
    }, silenceMs)
  }

  /** What has come counts; the rest is answered as on the loss of an engine. */
  #lose(fault: LinkFault): void {
    if (this.#isLost) return
    if (fault.kind !== 'BAD_FRAME') this.#decode(() => this.#blocks.takeInAll())
    if (this.#isLost) return
    this.#isLost = true
    this.#cancelTimer()
    this.#blocks.lose()
    this.#history.close('ENGINE_DOWN')
    this.#socket.terminate()
    this.#lost.resolve(fault)
    this.#barrier.end()
  }
}
