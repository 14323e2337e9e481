/**
 * The connecting end of one link, for every role: it connects, greets, checks that the other end is still
 * there, and ends once. The frames after the greeting are passed to its user. After a loss, a new connection
 * is a new link (`link-keeper.ts`).
 */
import { randomBytes } from 'node:crypto'
import type { JournalPosition, RememberedPlace } from '../../../engine/port/journal.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { BytesFault } from '../../../units/bytes.ts'
import { partsOf } from '../protocol/frame-parts.ts'
import { type LinkFrame, readFrame } from '../protocol/frames.ts'
import {
  commonVersion,
  type Hello,
  LINK_VERSIONS,
  type LinkRole,
  NONCE_BYTES,
  readChallenge,
  readVerdict,
  type Verdict,
  type Welcome,
  writeHello,
} from '../protocol/greeting.ts'
import { laterPosition } from '../protocol/journal-positions.ts'
import { connectTo, type LinkAddress } from '../protocol/link-address.ts'
import { closedBy, LinkFault } from '../protocol/link-fault.ts'

export type ConnectionOptions = {
  readonly address: LinkAddress
  readonly secret: string
  /** The name of this end, for people: at most 64 characters. */
  readonly name: string
  /**
   * The newest confirmed end of the journal that this end has received. An engine without it in its journal
   * must not serve this end.
   */
  readonly remembered?: RememberedPlace | undefined
  /** Longest time for connecting and greeting. */
  readonly openTimeoutMs?: number
  /** Maximum time without a frame, after which the other end counts as lost; it sends one every second. */
  readonly silenceMs?: number
  /** Limit of data that the other end has not read; above it, the other end counts as lost. */
  readonly queueBytesMax?: number
  /** The runtime's by default. */
  readonly scheduler?: Scheduler
}

const OPEN_TIMEOUT_MS = 5_000
const SILENCE_MS = 5_000
/**
 * Number of checks per timeout for received data: a dead peer is noticed at most a quarter of the timeout
 * late.
 */
const LOOKS = 4
const QUEUE_BYTES_MAX = 16 * 1024 * 1024

/** The runtime's error when the address cannot be found or reached, or when no process listens at it. */
const NOBODY = /failed: Failed to connect$/

/** Callbacks of the user of a connection. */
export type ConnectionUser = {
  /**
   * Called with each received frame that is not one of the frames common to all links. Throws `LinkFault` or
   * `BytesFault` if it is invalid.
   */
  readonly take: (frame: LinkFrame) => void
  /** Called when the link ends: frames that were received before still count. Throws like `take`. */
  readonly takeInAll?: () => void
  /** Called when the link has ended. */
  readonly ended: () => void
}

/** Properties of every open link. */
export type OpenConnection = {
  /** The greeting of the other end. */
  readonly welcome: Welcome
  /**
   * The confirmed end of the journal, as last published on this link; undefined if this link does not publish
   * it.
   */
  confirmed(): JournalPosition | undefined
  /**
   * Resolves with the cause when the link has ended. Pending requests have then been answered as after the
   * loss of an engine.
   */
  readonly lost: Promise<LinkFault>
  /** Closes the link from this side. */
  close(): void
}

export class LinkConnection implements OpenConnection {
  readonly #options: ConnectionOptions
  readonly #role: LinkRole
  readonly #scheduler: Scheduler
  readonly #socket: WebSocket
  readonly #opened = Promise.withResolvers<undefined>()
  readonly #lost = Promise.withResolvers<LinkFault>()
  #user: ConnectionUser | undefined
  /** The receiver of the next frame during the greeting; undefined once the greeting is complete. */
  #greeting: ((frame: Uint8Array) => void) | undefined = (frame) => this.#prove(frame)
  #welcome: Welcome | undefined
  #confirmed: JournalPosition | undefined
  #isLost = false
  #cancelTimer: () => void
  /** Whether data was received since the last check. */
  #isHeard = false

  constructor(role: LinkRole, options: ConnectionOptions) {
    this.#role = role
    this.#options = options
    this.#scheduler = options.scheduler ?? runtimeScheduler
    const { openTimeoutMs = OPEN_TIMEOUT_MS } = options
    this.#socket = connectTo(options.address)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data)
    this.#socket.onerror = (event) => {
      const message = 'message' in event ? String(event.message) : 'the connection failed'
      this.#failed(new LinkFault('UNREACHABLE', message), NOBODY.test(message))
    }
    this.#socket.onclose = ({ code, reason }) => this.#failed(closedBy(code, reason), false)
    this.#cancelTimer = this.#scheduler.later(
      () => this.lose(new LinkFault('SILENT', `no greeting within ${openTimeoutMs} ms`)),
      openTimeoutMs,
    )
  }

  /**
   * Resolves when both ends have greeted each other. Rejects with `LinkFault`. `user` gets the received
   * frames.
   */
  async open(user: ConnectionUser): Promise<void> {
    this.#user = user
    const fault = await Promise.race([this.#opened.promise, this.lost])
    if (fault !== undefined) throw fault
  }

  get welcome(): Welcome {
    if (this.#welcome === undefined) throw new LinkFault('CLOSED', 'the link is not open yet')
    return this.#welcome
  }

  get lost(): Promise<LinkFault> {
    return this.#lost.promise
  }

  confirmed(): JournalPosition | undefined {
    return this.#confirmed
  }

  close(): void {
    this.lose(new LinkFault('CLOSED', 'this end has closed the link'))
  }

  send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#isLost) return
    const queued = this.#socket.bufferedAmount
    const { queueBytesMax = QUEUE_BYTES_MAX } = this.#options
    if (queued <= queueBytesMax) {
      for (const part of partsOf(frame)) this.#socket.send(part)
      return
    }
    // The link is not closed while a frame is being processed.
    this.#scheduler.soon(() =>
      this.lose(new LinkFault('TOO_SLOW', `${queued} bytes wait to be sent to the engine`)),
    )
  }

  /** Runs `task`; an unreadable frame from the other end closes the link. */
  decode(task: () => void): void {
    if (this.#isLost) return
    try {
      task()
    } catch (cause) {
      if (cause instanceof LinkFault) this.lose(cause)
      else if (cause instanceof BytesFault) this.lose(new LinkFault('BAD_FRAME', cause.message, { cause }))
      else throw cause
    }
  }

  /** Answers already received count; the other requests are answered as after the loss of an engine. */
  lose(fault: LinkFault): void {
    if (this.#isLost) return
    if (fault.kind !== 'BAD_FRAME') this.decode(() => this.#user?.takeInAll?.())
    if (this.#isLost) return
    this.#isLost = true
    this.#cancelTimer()
    this.#user?.ended()
    this.#socket.terminate()
    this.#lost.resolve(fault)
  }

  /**
   * Called when the connection failed. Before a link is open, the fault depends on whether there was a peer:
   * a peer that answers is not down.
   */
  #failed(fault: LinkFault, isNobody: boolean): void {
    const isRefusal = fault.kind === 'UNREACHABLE' && !isNobody && this.#welcome === undefined
    this.lose(isRefusal ? new LinkFault('REFUSED', fault.message) : fault)
  }

  #receive(data: unknown): void {
    this.#isHeard = true
    this.decode(() => {
      if (!(data instanceof ArrayBuffer)) throw new LinkFault('BAD_FRAME', 'expected bytes, found a text')
      const bytes = new Uint8Array(data)
      if (this.#greeting === undefined) this.#take(readFrame(bytes))
      else this.#greeting(bytes)
    })
  }

  #take(frame: LinkFrame): void {
    if (frame.kind === 'confirmed') this.#confirmed = laterPosition(this.#confirmed, frame.position)
    else this.#user?.take(frame)
  }

  #prove(frame: Uint8Array): void {
    const { name, secret, remembered } = this.#options
    const challenge = readChallenge(frame)
    const version = commonVersion(LINK_VERSIONS, challenge.versions)
    const nonce = new Uint8Array(randomBytes(NONCE_BYTES))
    const hello: Hello = { version, name, role: this.#role, remembered, nonce }
    this.#socket.send(writeHello(challenge, hello, secret))
    this.#greeting = (verdict) => this.#begin(readVerdict(verdict, challenge, hello, secret))
  }

  #begin(verdict: Verdict): void {
    if (verdict.kind === 'notLeader') {
      const { leader } = verdict
      const who = leader === undefined ? 'and has found no leader' : `${leader} does`
      throw new LinkFault(
        'NOT_LEADER',
        `the engine does not lead, ${who}`,
        leader === undefined ? {} : { leader },
      )
    }
    this.#greeting = undefined
    this.#welcome = verdict
    this.#confirmed = verdict.confirmed
    this.#cancelTimer()
    this.#watch()
    this.#opened.resolve(undefined)
  }

  /**
   * Checks that the other end sends a frame every second. `silentChecks` is the number of consecutive checks
   * that found nothing. A suspension of this process itself counts as one check only, because waiting data is
   * read before the next check.
   */
  #watch(silentChecks = 0): void {
    const { silenceMs = SILENCE_MS } = this.#options
    const look = (): void => {
      const looks = this.#isHeard ? 0 : silentChecks + 1
      this.#isHeard = false
      if (looks >= LOOKS)
        this.lose(new LinkFault('SILENT', `the engine has sent nothing for ${silenceMs} ms`))
      if (!this.#isLost) this.#watch(looks)
    }
    this.#cancelTimer = this.#scheduler.later(look, Math.ceil(silenceMs / LOOKS))
  }
}

/** A frame that the other end never sends to this role. */
export function unexpected(frame: LinkFrame): LinkFault {
  return new LinkFault('BAD_FRAME', `a frame of kind ${frame.kind} is not for this end`)
}
