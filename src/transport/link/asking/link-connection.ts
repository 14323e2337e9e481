/**
 * The connecting end of one link, whatever its role: connects, greets, hears whether the other end is still there, and ends once. What travels after
 * the greeting is its user's affair. After a loss, a new connection is a new link (`link-keeper.ts`).
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
  /** Of this end, for people: at most 64 characters. */
  readonly name: string
  /** The last end of the journal that this end knows to be confirmed: an engine whose journal lacks it is not served by. */
  readonly remembered?: RememberedPlace | undefined
  /** Connecting and greeting take no longer. */
  readonly openTimeoutMs?: number
  /** The other end speaks every second; after so long without a word it is gone. */
  readonly silenceMs?: number
  /** What the other end has not taken yet; above it, it is gone. */
  readonly queueBytesMax?: number
  /** The runtime's, by default. */
  readonly scheduler?: Scheduler
}

const OPEN_TIMEOUT_MS = 5_000
const SILENCE_MS = 5_000
/** Within one silence it is looked so often whether anything has come: so it is noticed after at most a quarter more. */
const LOOKS = 4
const QUEUE_BYTES_MAX = 16 * 1024 * 1024

/** In the runtime's words: the address cannot be found or reached, or nobody listens there. */
const NOBODY = /failed: Failed to connect$/

/** What the user of a connection does with it. */
export type ConnectionUser = {
  /** A frame has come, none of those that every link has. Throws `LinkFault` or `BytesFault` where it cannot be one. */
  readonly take: (frame: LinkFrame) => void
  /** The link ends: what has come counts. Throws as `take` does. */
  readonly takeInAll?: () => void
  /** The link has ended. */
  readonly ended: () => void
}

/** What every open link has. */
export type OpenConnection = {
  /** What the other end said as it greeted. */
  readonly welcome: Welcome
  /** The end of what the journal has confirmed, as far as this link has told; undefined: it tells nothing of that. */
  confirmed(): JournalPosition | undefined
  /** Resolves with the cause when the link has ended: what waited has been answered as on the loss of an engine. */
  readonly lost: Promise<LinkFault>
  /** Ends it from this side. */
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
  /** What the next frame is for, while the two ends greet; undefined: they have. */
  #greeting: ((frame: Uint8Array) => void) | undefined = (frame) => this.#prove(frame)
  #welcome: Welcome | undefined
  #confirmed: JournalPosition | undefined
  #isLost = false
  #cancelTimer: () => void
  /** Something has come since the last look. */
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

  /** Resolves when both ends have greeted each other. Rejects with `LinkFault`. `user` is told of what comes. */
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
    // Not in the middle of what is being taken in.
    this.#scheduler.soon(() => this.lose(new LinkFault('TOO_SLOW', `the engine has ${queued} bytes to take`)))
  }

  /** What comes of the other end and cannot be read ends the link. */
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

  /** What has come counts; the rest is answered as on the loss of an engine. */
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

  /** The connection has failed. Where no link was open yet, it matters whether there was anybody: who is there is not off. */
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
      const who = leader === undefined ? 'and knows of none that does' : `${leader} does`
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
   * The other end speaks every second. `silentLooks`: so many looks in a row have found nothing. A process that stood still itself counts one look, and has
   * taken what waited before the next.
   */
  #watch(silentLooks = 0): void {
    const { silenceMs = SILENCE_MS } = this.#options
    const look = (): void => {
      const looks = this.#isHeard ? 0 : silentLooks + 1
      this.#isHeard = false
      if (looks >= LOOKS)
        this.lose(new LinkFault('SILENT', `the engine has said nothing for ${silenceMs} ms`))
      if (!this.#isLost) this.#watch(looks)
    }
    this.#cancelTimer = this.#scheduler.later(look, Math.ceil(silenceMs / LOOKS))
  }
}

/** A frame that the other end never sends to an end of this role. */
export function unexpected(frame: LinkFrame): LinkFault {
  return new LinkFault('BAD_FRAME', `a frame of kind ${frame.kind} is not for this end`)
}
