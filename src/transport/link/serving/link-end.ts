/** One connection to an engine or a historian: first its greeting, then a session of its role. */
import { randomBytes } from 'node:crypto'
import type { CommandKind } from '../../../core/commands/command.ts'
import type { RememberedPlace } from '../../../engine/port/journal.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { BytesFault } from '../../../units/bytes.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { OpenCountEnd } from '../protocol/count-end.ts'
import type { EncodedEvents } from '../protocol/encoded-events.ts'
import { FrameParts } from '../protocol/frame-parts.ts'
import {
  REQUEST_FRAME_BYTES_MAX,
  writeClockFrame,
  writeCountFrame,
  writeReachedFrame,
} from '../protocol/frames.ts'
import {
  admitHello,
  type Challenge,
  type Hello,
  LINK_VERSIONS,
  type LinkRole,
  NONCE_BYTES,
  type Verdict,
  writeChallenge,
  writeVerdict,
} from '../protocol/greeting.ts'
import { LINK_CLOSE_CODES, LinkFault } from '../protocol/link-fault.ts'
import type { LinkLimits } from '../protocol/link-limits.ts'
import { type LinkServices, serves } from './link-services.ts'
import { LinkSession } from './link-session.ts'
import { ReaderSession } from './reader-session.ts'
import { ReplicaSession } from './replica-session.ts'

export type LinkSocket = Bun.ServerWebSocket<LinkSocketData>
export type LinkSocketData = {
  /** Undefined until the connection is open. */
  end: LinkEnd | undefined
  /** Its remote address; empty for a socket in the file system. */
  readonly address: string
}

/** The other end. */
export type LinkPeer = { readonly name: string; readonly role: LinkRole }

export type LinkEndOptions = {
  readonly secrets: () => readonly string[]
  /** The services offered now; if there are none, the leader, if known. */
  readonly services: () => LinkServices | NotServing
  readonly limits: LinkLimits
  readonly commands: ReadonlySet<CommandKind>
  readonly events: EncodedEvents
  readonly scheduler: Scheduler
  readonly openCounts: OpenCountEnd | undefined
  readonly onRemembered: (remembered: RememberedPlace, peer: LinkPeer) => void
  /**
   * Called before the end gets a session. Returns the reason if there is no room for it, otherwise undefined.
   */
  readonly onGreeted: (peer: LinkPeer) => LinkFault | undefined
  readonly onOpened: (peer: LinkPeer) => void
  readonly onEnd: (fault: LinkFault) => void
}

export type NotServing = { readonly kind: 'notServing'; readonly leader: string | undefined }

type Session = LinkSession | ReplicaSession | ReaderSession

/** Maximum length of the reason of a close; RFC 6455 allows 123 bytes. */
const CLOSE_REASON_MAX = 120

export class LinkEnd {
  readonly #socket: LinkSocket
  readonly #options: LinkEndOptions
  readonly #challenge: Challenge = {
    versions: LINK_VERSIONS,
    nonce: new Uint8Array(randomBytes(NONCE_BYTES)),
  }
  readonly #cancelTimeout: () => void
  readonly #parts = new FrameParts(REQUEST_FRAME_BYTES_MAX)
  #session: Session | undefined
  #services: LinkServices | undefined
  #hasGreeted = false
  #isEnded = false
  /** The last reported position of a historian. */
  #reached: Seq | undefined
  /** Undefined until the end has proved that it has the secret. */
  peer: LinkPeer | undefined

  constructor(socket: LinkSocket, options: LinkEndOptions) {
    this.#socket = socket
    this.#options = options
    const { greetingTimeoutMs } = options.limits
    this.#cancelTimeout = options.scheduler.later(
      () => this.cut(new LinkFault('SILENT', `no greeting within ${greetingTimeoutMs} ms`)),
      greetingTimeoutMs,
    )
  }

  /** Whether the end is being served. */
  get isOpen(): boolean {
    return this.#session !== undefined
  }

  /** The command after which a replica last requested batches; undefined if it is not a replica. */
  get pulledSeq() {
    return this.#session instanceof ReplicaSession ? this.#session.pulledSeq : undefined
  }

  /**
   * The last time at which a standby had the complete customer store, by `performance.now()`; undefined if it
   * never had.
   */
  get customersMs(): number | undefined {
    return this.#session instanceof ReplicaSession ? this.#session.customersMs : undefined
  }

  challenge(): void {
    this.#send(writeChallenge(this.#challenge))
  }

  /**
   * Sends the time, so that a missing frame is noticed, and the confirmed end. If that is not due yet, sends
   * only a historian's position.
   */
  tell(isDue = true): void {
    if (this.#session === undefined || this.#services === undefined) return
    const services = this.#services
    if (services.kind === 'historian') {
      this.#tellReached(services.reached(), isDue)
      return
    }
    if (!isDue) return
    const reading = services.clock()
    if (reading !== undefined) this.#send(writeClockFrame(reading))
    if (!(this.#session instanceof ReaderSession)) this.#session.mark()
  }

  receive(frame: string | Uint8Array): void {
    if (this.#isEnded) return
    try {
      if (typeof frame === 'string') throw new LinkFault('BAD_FRAME', 'expected bytes, found a text')
      // Slices of a `Buffer` are views, while slices of a `Uint8Array` are copies.
      const bytes = new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength)
      if (!this.#hasGreeted) this.#greet(bytes)
      else if (this.#session === undefined) throw new LinkFault('BAD_FRAME', 'a frame before the welcome')
      else this.#take(this.#session, bytes)
    } catch (cause) {
      this.#failed(cause)
    }
  }

  /** Closes the connection with the reason. */
  cut(fault: LinkFault): void {
    const { kind, message } = fault
    if (this.#isEnded) return
    this.end(fault)
    if (kind === 'UNREACHABLE' || kind === 'REFUSED' || kind === 'CLOSED') this.#socket.terminate()
    else this.#socket.close(LINK_CLOSE_CODES[kind], message.slice(0, CLOSE_REASON_MAX))
  }

  /** Called when the connection has ended or is about to end. */
  end(fault: LinkFault): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#cancelTimeout()
    this.#session?.close()
    this.#options.onEnd(fault)
  }

  #tellReached(reached: Seq, isDue: boolean): void {
    if (!isDue && reached === this.#reached) return
    this.#reached = reached
    this.#send(writeReachedFrame(reached))
  }

  #take(session: Session, message: Uint8Array): void {
    const frame = this.#parts.take(message)
    if (frame !== undefined) session.receive(frame)
  }

  #failed(cause: unknown): void {
    if (cause instanceof LinkFault) this.cut(cause)
    else if (cause instanceof BytesFault) this.cut(new LinkFault('BAD_FRAME', cause.message, { cause }))
    else throw cause
  }

  #greet(frame: Uint8Array): void {
    const { secrets, onGreeted, onRemembered } = this.#options
    const { hello, secret } = admitHello(frame, this.#challenge, secrets())
    this.#hasGreeted = true
    this.#cancelTimeout()
    const peer = { name: hello.name, role: hello.role }
    const refusal = onGreeted(peer)
    if (refusal !== undefined) throw refusal
    this.peer = peer
    const { remembered } = hello
    if (remembered !== undefined) onRemembered(remembered, peer)
    const services = this.#options.services()
    const lacks = services.kind === 'leader' || services.kind === 'node' ? services.lacks : undefined
    if (remembered === undefined || lacks === undefined) this.#answer(hello, secret)
    else
      void lacks(remembered)
        .then((problem) => {
          if (problem !== undefined) throw new LinkFault('WITNESS', problem)
          this.#answer(hello, secret)
        })
        .catch((cause: unknown) => this.#unjudged(cause))
  }

  /** Called when the presented position is missing from the journal, or could not be checked. */
  #unjudged(cause: unknown): void {
    if (cause instanceof LinkFault) this.cut(cause)
    else {
      const message = cause instanceof Error ? cause.message : String(cause)
      this.cut(new LinkFault('STOPPING', `the journal cannot be read: ${message}`, { cause }))
    }
  }

  /** Answers with the services offered now: they may have changed while the journal was checked. */
  #answer(hello: Hello, secret: string): void {
    if (this.#isEnded) return
    const services = this.#options.services()
    if (services.kind === 'notServing') {
      const { leader } = services
      this.#send(this.#verdict(hello, { kind: 'notLeader', leader }, secret))
      this.cut(notLeader(leader))
      return
    }
    if (!serves(services, hello.role)) {
      throw new LinkFault('FORBIDDEN', `${services.name} offers nothing to a ${hello.role}`)
    }
    const { journal, name: leader } = services
    const epoch = services.kind === 'historian' ? 0 : services.epoch
    const confirmed = services.kind === 'historian' ? undefined : services.confirmed?.()
    this.#send(this.#verdict(hello, { kind: 'welcome', journal, leader, epoch, confirmed }, secret))
    this.#services = services
    this.#session = this.#openSession(services, hello)
    this.tell()
    this.#options.onOpened({ name: hello.name, role: hello.role })
  }

  #verdict(hello: Hello, verdict: Verdict, secret: string): Uint8Array<ArrayBuffer> {
    return writeVerdict(this.#challenge, hello, verdict, secret)
  }

  #openSession(services: LinkServices, { role, name }: Hello): Session {
    const { limits, events, commands, scheduler, openCounts } = this.#options
    const { inFlightMax } = limits
    const send = (bytes: Uint8Array): void => this.#send(bytes)
    if (services.kind === 'historian')
      return new ReaderSession({ history: services.history, inFlightMax, send })
    const { confirmed } = services
    if (services.kind === 'node') return new ReplicaSession({ ...services.replicas, confirmed, send })
    const { engine, history, replicas } = services
    if (role === 'replica' && replicas !== undefined)
      return new ReplicaSession({ ...replicas, confirmed, send })
    const counts = openCounts?.(name, (message) => send(writeCountFrame(message)))
    const shared = { events, inFlightMax, commands, scheduler }
    return new LinkSession({ engine, history, confirmed, send, counts, ...shared })
  }

  /**
   * An end that does not read its data is cut off at once: a message about it would wait behind all unread
   * data.
   */
  #send(frame: Uint8Array): void {
    if (this.#isEnded) return
    const queued = this.#socket.getBufferedAmount()
    if (queued <= this.#options.limits.queueBytesMax) {
      this.#socket.sendBinary(frame)
      return
    }
    this.end(new LinkFault('TOO_SLOW', `the gateway has not read ${queued} bytes`))
    this.#socket.terminate()
  }
}

/** The peer then searches for the leading engine. */
export function notLeader(leader: string | undefined): LinkFault {
  const who = leader === undefined ? 'and has found no leader' : `${leader} does`
  const options = leader === undefined ? {} : { leader }
  return new LinkFault('NOT_LEADER', `this engine does not lead, ${who}`, options)
}
