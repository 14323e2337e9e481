/**
 * Where gateways of other processes reach an engine: WebSockets with binary frames on a socket of this machine. It owns
 * connections, how they greet and what they may hold in memory; what is asked over them is the sessions' affair.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { CLOCK_EVERY_MS, type ClockReading } from '../../engine/journal-clock.ts'
import type { Scheduler } from '../../engine/loop.ts'
import type { EnginePort, HistoryPort } from '../../engine/ports.ts'
import { BytesFault } from '../../units/bytes.ts'
import { runtimeScheduler } from '../thread/scheduler.ts'
import type { OpenCountEnd } from './count-end.ts'
import { EncodedEvents } from './encoded-events.ts'
import { REQUEST_FRAME_BYTES_MAX, writeClockFrame, writeCountFrame } from './frames.ts'
import {
  admitHello,
  type Challenge,
  LINK_VERSIONS,
  NONCE_BYTES,
  writeChallenge,
  writeWelcome,
} from './greeting.ts'
import { LINK_CLOSE_CODES, LinkFault } from './link-fault.ts'
import { LinkSession } from './link-session.ts'

export type LinkLimits = {
  /** Most gateways, and connections that have not greeted yet. */
  readonly linksMax: number
  /** Most requests, and most questions, of one gateway without an answer. */
  readonly inFlightMax: number
  /** What a gateway has been sent and has not taken; above it the gateway is cut off, and begins again. */
  readonly queueBytesMax: number
  /** How long a connection may take to greet. */
  readonly greetingTimeoutMs: number
  /** A gateway whose machine says nothing for this long is gone; 8 to 960, in steps of 4. */
  readonly silenceSeconds: number
}

export const DEFAULT_LINK_LIMITS: LinkLimits = {
  linksMax: 64,
  inFlightMax: 32_768,
  queueBytesMax: 64 * 1024 * 1024,
  greetingTimeoutMs: 5_000,
  silenceSeconds: 12,
}

export type LinkNote =
  | { readonly kind: 'LinkOpened'; readonly gateway: string }
  /** Undefined: it had not greeted. */
  | { readonly kind: 'LinkClosed'; readonly gateway: string | undefined; readonly fault: LinkFault }

export type LinkServerOptions = {
  /** A socket in the file system, which only its owner may use. */
  readonly socketPath: string
  /** The shared secrets that gateways may know. */
  readonly secrets: readonly string[]
  readonly engine: EnginePort
  readonly history: HistoryPort
  /** The engine's last reading; undefined: there is none yet. */
  readonly clock: () => ClockReading | undefined
  readonly onNote?: (note: LinkNote) => void
  /** Undefined: gateways count nothing together. */
  readonly openCounts?: OpenCountEnd
  readonly limits?: Partial<LinkLimits>
  /** The runtime's, by default. */
  readonly scheduler?: Scheduler
}

type LinkSocket = Bun.ServerWebSocket<{ end: LinkEnd | undefined }>

export class LinkServer {
  readonly #options: LinkServerOptions
  readonly #limits: LinkLimits
  readonly #scheduler: Scheduler
  readonly #events = new EncodedEvents()
  readonly #server: Bun.Server<{ end: LinkEnd | undefined }>
  readonly #ends = new Set<LinkEnd>()
  #cancelClock: () => void = () => {}

  /** Listens. Throws what the system says when the socket cannot be had. */
  constructor(options: LinkServerOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LINK_LIMITS, ...options.limits }
    this.#scheduler = options.scheduler ?? runtimeScheduler
    this.#server = Bun.serve({
      unix: options.socketPath,
      fetch: (request, server) =>
        server.upgrade(request, { data: { end: undefined } })
          ? undefined
          : new Response('gateways of this exchange connect here by WebSocket\n', { status: 426 }),
      websocket: {
        open: (socket: LinkSocket) => this.#open(socket),
        message: (socket: LinkSocket, frame) => socket.data.end?.receive(frame),
        close: (socket: LinkSocket) => this.#gone(socket),
        maxPayloadLength: REQUEST_FRAME_BYTES_MAX,
        // The bound is ours: here the runtime would drop frames.
        backpressureLimit: 2 * this.#limits.queueBytesMax,
        idleTimeout: this.#limits.silenceSeconds,
        sendPings: true,
        perMessageDeflate: false,
      },
    })
    chmodSync(options.socketPath, 0o600)
    this.#showClock()
  }

  /** The gateways that have greeted. */
  get gateways(): readonly string[] {
    return [...this.#ends].flatMap(({ gateway }) => gateway ?? [])
  }

  /** Batches that were encoded; each is once, however many links there are. */
  get encodedBatches(): number {
    return this.#events.encoded
  }

  /** Cuts every gateway off with STOPPING, and listens no more. */
  async stop(): Promise<void> {
    this.#cancelClock()
    for (const end of [...this.#ends]) end.cut(new LinkFault('STOPPING', 'the engine is stopping'))
    await this.#server.stop(true)
  }

  #open(socket: LinkSocket): void {
    const end = new LinkEnd(socket, {
      ...this.#options,
      limits: this.#limits,
      events: this.#events,
      scheduler: this.#scheduler,
      onEnd: (fault) => {
        this.#ends.delete(end)
        this.#options.onNote?.({ kind: 'LinkClosed', gateway: end.gateway, fault })
      },
    })
    socket.data.end = end
    this.#ends.add(end)
    if (this.#ends.size <= this.#limits.linksMax) end.challenge()
    else end.cut(new LinkFault('TOO_MANY', `the engine has ${this.#limits.linksMax} gateways already`))
  }

  #gone(socket: LinkSocket): void {
    socket.data.end?.end(new LinkFault('UNREACHABLE', 'the connection has ended'))
  }

  #showClock(): void {
    const reading = this.#options.clock()
    if (reading !== undefined) {
      const frame = writeClockFrame(reading)
      for (const end of [...this.#ends]) end.tell(frame)
    }
    this.#cancelClock = this.#scheduler.later(() => this.#showClock(), CLOCK_EVERY_MS)
  }
}

type LinkEndOptions = Pick<
  LinkServerOptions,
  'secrets' | 'engine' | 'history' | 'clock' | 'onNote' | 'openCounts'
> & {
  readonly limits: LinkLimits
  readonly events: EncodedEvents
  readonly scheduler: Scheduler
  readonly onEnd: (fault: LinkFault) => void
}

/** One connection: it greets, and then has a session. */
class LinkEnd {
  readonly #socket: LinkSocket
  readonly #options: LinkEndOptions
  readonly #challenge: Challenge = {
    versions: LINK_VERSIONS,
    nonce: new Uint8Array(randomBytes(NONCE_BYTES)),
  }
  readonly #cancelTimeout: () => void
  #session: LinkSession | undefined
  #isEnded = false
  /** Its name; undefined: it has not greeted. */
  gateway: string | undefined

  constructor(socket: LinkSocket, options: LinkEndOptions) {
    this.#socket = socket
    this.#options = options
    const { greetingTimeoutMs } = options.limits
    this.#cancelTimeout = options.scheduler.later(
      () => this.cut(new LinkFault('SILENT', `no greeting within ${greetingTimeoutMs} ms`)),
      greetingTimeoutMs,
    )
  }

  challenge(): void {
    this.#send(writeChallenge(this.#challenge))
  }

  /** Sends a frame to a gateway that has greeted. */
  tell(frame: Uint8Array): void {
    if (this.#session !== undefined) this.#send(frame)
  }

  receive(frame: string | Uint8Array): void {
    if (this.#isEnded) return
    try {
      if (typeof frame === 'string') throw new LinkFault('BAD_FRAME', 'expected bytes, found a text')
      // A `Buffer` gives views of itself where an array of bytes gives copies.
      const bytes = new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength)
      if (this.#session === undefined) this.#greet(bytes)
      else this.#session.receive(bytes)
    } catch (cause) {
      if (cause instanceof LinkFault) this.cut(cause)
      else if (cause instanceof BytesFault) this.cut(new LinkFault('BAD_FRAME', cause.message, { cause }))
      else throw cause
    }
  }

  /** Says why, and closes. */
  cut(fault: LinkFault): void {
    const { kind, message } = fault
    if (this.#isEnded) return
    this.end(fault)
    if (kind === 'UNREACHABLE' || kind === 'CLOSED') this.#socket.terminate()
    else this.#socket.close(LINK_CLOSE_CODES[kind], message.slice(0, CLOSE_REASON_MAX))
  }

  /** The connection has ended, or will. */
  end(fault: LinkFault): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#cancelTimeout()
    this.#session?.close()
    this.#options.onEnd(fault)
  }

  #greet(frame: Uint8Array): void {
    const { secrets, engine, history, clock, events, limits, onNote, openCounts, scheduler } = this.#options
    const { hello, secret } = admitHello(frame, this.#challenge, secrets)
    this.#cancelTimeout()
    this.gateway = hello.name
    this.#send(writeWelcome(this.#challenge, hello, secret))
    this.#session = new LinkSession({
      engine,
      history,
      events,
      inFlightMax: limits.inFlightMax,
      scheduler,
      send: (bytes) => this.#send(bytes),
      counts: openCounts?.(hello.name, (message) => this.#send(writeCountFrame(message))),
    })
    const reading = clock()
    if (reading !== undefined) this.#send(writeClockFrame(reading))
    onNote?.({ kind: 'LinkOpened', gateway: hello.name })
  }

  /** A gateway that does not take what it is sent is cut off at once: a word about it would wait behind all the rest. */
  #send(frame: Uint8Array): void {
    if (this.#isEnded) return
    const queued = this.#socket.getBufferedAmount()
    if (queued <= this.#options.limits.queueBytesMax) {
      this.#socket.sendBinary(frame)
      return
    }
    this.end(new LinkFault('TOO_SLOW', `the gateway has ${queued} bytes to take`))
    this.#socket.terminate()
  }
}

/** RFC 6455 has room for 123 bytes. */
const CLOSE_REASON_MAX = 120
