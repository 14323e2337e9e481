/**
 * One Engine.IO connection: long polling, WebSocket, or changing from one to the other. It counts what waits
 * for its client: packets not yet handed to the transport, answers to polls that have not been read, and
 * bytes that a WebSocket has not written. Not counted: the system's socket buffers, and the slice of an
 * answer that the runtime is writing once the session has ended.
 */
import type { Socket as EngineSocket } from '@socket.io/bun-engine/dist/socket'
import type { WS } from '@socket.io/bun-engine/dist/transports/websocket'
import { FRAME_JSON, longBeforeLogin, MOST_MESSAGES } from '../../../contract/stream/stream.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import type { StreamConfig } from '../config.ts'
import type { AddressIntake } from '../intake/address-intakes.ts'
import { bytesOf, type CutCause, Intake } from '../intake/intake.ts'
import { ConnectionBudget } from '../intake/limits.ts'
import type { SendMemory } from '../intake/send-memory.ts'
import type { Frame, Link, StreamClient } from '../link.ts'
import type { EntryOpening, Session } from '../session.ts'
import { endAfterSending } from './end-after-sending.ts'
import { EngineIntake, SEPARATOR } from './engine-intake.ts'
import { faultOfPacket, isMessage, prefixOf } from './engine-packets.ts'
import { PollingAnswers, WHOLE_ANSWER_BYTES_MAX } from './polling-answers.ts'
import type { SocketOutput } from './socket-output.ts'

export type EngineSocketData = {
  readonly transport: WS
  /** The session that moves to this WebSocket; undefined if it opens a session of its own. */
  readonly link: EngineLink | undefined
}
export type EngineWebSocket = Bun.ServerWebSocket<EngineSocketData>

/** The prefix of Engine.IO for each message on a WebSocket (protocol 4: packet type 4). */
const ENGINE_MESSAGE = '4'

/**
 * A packet that no client sends during an upgrade to WebSocket: the engine cancels the upgrade and its
 * timers.
 */
const NOT_AN_UPGRADE = '6'

/**
 * Maximum number of packets that a client may send while it reads nothing: each may cause an answer that must
 * be kept.
 */
const PACKETS_UNREAD_MAX = 1_000

/**
 * Memory of a queued packet besides its data: an object, a text's header, its slot in the engine's list, and
 * garbage of their creation. Measured with 1,000,000 unread answers, by resident memory: 350.
 */
export const PACKET_BYTES = 512

/**
 * The prefixes of a namespace's messages, for the engine and for our own writes. Made once per link: texts
 * made for each publication would have to be hashed each time (`npm run bench -- stream`).
 */
type Prefixes = { readonly engine: string; readonly webSocket: string }

export type EngineLinkOptions = {
  readonly conn: EngineSocket
  readonly client: StreamClient
  /** Undefined if there is no order entry. */
  readonly entry: EntryOpening | undefined
  readonly config: StreamConfig
  /** State shared by all connections of its address. */
  readonly address: AddressIntake
  /**
   * The memory of all connections; the link counts the bytes that the engine and Socket.IO write by
   * themselves.
   */
  readonly memory: SendMemory
  readonly now: () => number
  readonly onCut: (cause: CutCause) => void
  /** The socket of a transport once it is an open WebSocket. */
  readonly outputOf: (transport: object) => SocketOutput | undefined
}

export class EngineLink {
  readonly client: StreamClient
  readonly budget: ConnectionBudget
  readonly entry: EntryOpening | undefined
  /** By the prefix of its namespace; each is a conversation of its own over this connection. */
  readonly sessionByPrefix = new Map<string, Session>()
  readonly intake: EngineIntake
  readonly #conn: EngineSocket
  readonly #config: StreamConfig
  readonly #memory: SendMemory
  readonly #now: () => number
  readonly #onCut: EngineLinkOptions['onCut']
  readonly #outputOf: EngineLinkOptions['outputOf']
  /** The transport that `#knownOutput` belongs to. */
  #knownTransport: object | undefined
  #knownOutput: SocketOutput | undefined
  /** Packets that wait for the transport, and the length of their data. */
  #queuedPackets = 0
  #queuedLength = 0
  /** Whether a session is writing; it counts its written bytes itself. */
  #isSessionWriting = false
  /**
   * Length of the last polling answer, until the client polls again; a long one is among `#answers` instead.
   */
  #inFlight = 0
  readonly #answers: PollingAnswers
  #packetsUnread = 0
  /** The WebSocket that the session is to move to, from its opening to the upgrade. */
  #upgrading: SocketOutput | undefined

  constructor(options: EngineLinkOptions) {
    this.#conn = options.conn
    this.client = options.client
    this.entry = options.entry
    this.#config = options.config
    this.#memory = options.memory
    this.#onCut = options.onCut
    this.#outputOf = options.outputOf
    const { config, now, address } = options
    this.budget = new ConnectionBudget(address)
    this.#now = now
    this.#answers = new PollingAnswers(now)
    this.intake = new EngineIntake(new Intake({ config, address, now, onCut: (cause) => this.#cut(cause) }))
    this.#countBuffers()
  }

  pendingBytes(): number {
    const unwritten = this.#output()?.pendingBytes() ?? 0
    const queued = this.#queuedPackets * PACKET_BYTES + this.#queuedLength
    return queued + this.#inFlight + this.#answers.bytes + unwritten
  }

  /**
   * Polling answers end with the session; one that is short enough for the system's socket buffer is no
   * longer held by the server.
   */
  unsentBytes(): number {
    return this.#output()?.unsentBytes ?? 0
  }

  /** A link for one namespace, whose packets start with `prefix`. */
  namespaceLink(prefix: string): Link {
    const prefixes: Prefixes = { engine: prefix, webSocket: ENGINE_MESSAGE + prefix }
    const messageBytes = () => (this.#output() === undefined ? PACKET_BYTES : 0)
    return {
      get messageBytes() {
        return messageBytes()
      },
      pendingBytes: () => this.pendingBytes(),
      send: (frames) => this.#send(frames, prefixes),
      abort: () => this.abort(),
    }
  }

  /** Called when the client polls, so it has received the answer before, if that was a short one. */
  polled(): void {
    this.#inFlight = 0
    this.drained()
  }

  /** The answer to a poll as the runtime is to send it. */
  pollAnswer(answer: Response): Response {
    const bytes = this.#inFlight
    if (bytes <= WHOLE_ANSWER_BYTES_MAX) return answer
    this.#inFlight = 0
    return this.#answers.inSlices(answer, bytes)
  }

  /** Must be called whenever something has left a buffer. */
  drained(): void {
    this.#output()?.drained()
    for (const session of this.sessionByPrefix.values()) session.freshen()
  }

  isStuck(): boolean {
    if (this.#answers.isStuckFor(this.#config.stuckMsMax)) return true
    for (const session of this.sessionByPrefix.values()) if (session.isStuck()) return true
    return false
  }

  /** Called when the WebSocket that the session is to move to has opened. */
  upgradeOpened(output: SocketOutput): void {
    this.#upgrading = output
  }

  /** Whether a frame received on `transport` is for the engine. */
  admits(transport: WS, message: string | Uint8Array): boolean {
    const isMine = transport === this.#conn.transport
    if (!isMine) return this.intake.admitsUpgrading(message)
    return this.intake.admits(message) && this.#mayBeDecoded(message)
  }

  /**
   * The packets of a polling body that may be passed to the engine. Before a login, parsing stops at the
   * first one that may not.
   */
  admitted(body: Uint8Array): readonly string[] | Refusal {
    const max = this.#config.frameBytesBeforeLoginMax
    if (body.length > max && !this.isLoggedIn) return refuse('BODY_TOO_LARGE', { max })
    const text = new TextDecoder().decode(body)
    const packets = text.split(SEPARATOR)
    if (packets.length > FRAME_JSON.elementsMax) return refuse('MESSAGE_TOO_LARGE', { limit: MOST_MESSAGES })
    const mine = this.intake.admitted(text, packets)
    if (mine === undefined) return refuse('FLOODING', { address: this.client.remoteAddress })
    const allowed: string[] = []
    for (const packet of mine) {
      if (this.#mayBeDecoded(packet)) allowed.push(packet)
      else if (!this.isLoggedIn) break
    }
    return allowed
  }

  get isLoggedIn(): boolean {
    for (const session of this.sessionByPrefix.values()) if (session.isLoggedIn) return true
    return false
  }

  /** Called when a WebSocket of this connection has closed. */
  socketEnded(transport: WS): void {
    if (transport !== this.#conn.transport) transport.onMessage(NOT_AN_UPGRADE)
  }

  /**
   * Ends the connection because of a body that it sent: a body that is too large is counted like any other
   * forced close, one that came too slowly is not.
   */
  endAfter({ reason }: Refusal): void {
    if (reason === 'BODY_TOO_LARGE') this.intake.cut('BYTES')
    else if (reason === 'MESSAGE_TOO_LARGE') this.intake.cut('FRAMES')
    else if (reason !== 'FLOODING') this.abort()
  }

  /** Called when the connection is closed. */
  ended(): void {
    this.#answers.cut()
    this.#upgrading?.terminate()
    this.#upgrading = undefined
  }

  /**
   * Ends the connection at once. (The engine's own close waits for a drain, which a stuck client never
   * causes.)
   */
  abort(): void {
    const output = this.#output()
    if (output !== undefined) output.terminate()
    else this.#conn.transport.close()
  }

  /**
   * An open WebSocket is written to directly: the engine would do the same, through an event and an encoder
   * for each client. Polling answers, and what waits for a transport, are the engine's.
   */
  #send(frames: readonly Frame[], prefixes: Prefixes): void {
    const output = this.#output()
    if (output === undefined || this.#queuedPackets > 0) {
      this.#isSessionWriting = true
      for (const frame of frames) this.#conn.write(frame.packet(prefixes.engine))
      this.#isSessionWriting = false
    } else if (this.#conn.readyState === 'open') {
      output.sendTogether(frames, prefixes.webSocket)
    }
  }

  /** The socket of the current transport, looked up once for each. */
  #output(): SocketOutput | undefined {
    const { transport } = this.#conn
    if (transport !== this.#knownTransport) {
      this.#knownOutput = this.#outputOf(transport)
      if (this.#knownOutput === undefined) return undefined
      this.#knownTransport = transport
    }
    return this.#knownOutput
  }

  /** Whether Socket.IO's decoder may get a packet; if not, the sender gets the reason. */
  #mayBeDecoded(packet: string | Uint8Array): boolean {
    const max = this.#config.frameBytesBeforeLoginMax
    if (bytesOf(packet) > max && !this.isLoggedIn)
      return this.#tell('/', (session) => session.receive(longBeforeLogin(max)))
    if (typeof packet !== 'string' || !isMessage(packet)) return true
    const found = faultOfPacket(packet)
    if (found !== undefined) return this.#tell(found.namespace, (session) => session.receive(found.fault))
    if (this.budget.admitsMessages(1, this.#now())) return true
    return this.#tell('/', (session) => session.refuseTooOften())
  }

  /**
   * Sends an error in the conversation of a namespace, or in another if it has none. A client without any
   * conversation has sent data that no valid client sends.
   */
  #tell(namespace: string, say: (session: Session) => void): false {
    const [first] = this.sessionByPrefix.values()
    const session = this.sessionByPrefix.get(prefixOf(namespace)) ?? first
    if (session === undefined) this.intake.cut('PROTOCOL')
    else say(session)
    return false
  }

  /**
   * A client that may still read is sent the reason; messages that no valid client sends are not answered.
   */
  #cut(cause: CutCause): void {
    this.#onCut(cause)
    if (cause === 'PROTOCOL') {
      this.abort()
      return
    }
    for (const session of this.sessionByPrefix.values()) session.refuse('FLOODING', {})
    endAfterSending(() => this.abort())
  }

  #countBuffers(): void {
    this.#conn.on('packetCreate', (packet) => {
      const length = typeof packet.data === 'string' ? packet.data.length + 1 : 1
      this.#queuedPackets++
      this.#queuedLength += length
      if (!this.#isSessionWriting) this.#memory.added(PACKET_BYTES + length)
    })
    this.#conn.on('flush', (packets) => {
      // Noted only now: a heartbeat that was not fetched is not answered either, and the engine closes the
      // session.
      if (packets.some(({ type }) => type === 'ping')) this.intake.pinged()
      if (this.#conn.transport.name === 'polling') this.#inFlight += this.#queuedLength
      this.#queuedPackets = 0
      this.#queuedLength = 0
    })
    this.#conn.on('upgrade', () => {
      this.#inFlight = 0
      this.#upgrading = undefined
      this.drained()
    })
    this.#conn.on('packet', () => this.#countPacket())
  }

  /**
   * Protocol packets get answers too (about namespaces and acknowledgements): a client must not be able to
   * queue them without limit.
   */
  #countPacket(): void {
    if (this.pendingBytes() <= this.#config.sendBufferBytesMax) this.#packetsUnread = 0
    else if (++this.#packetsUnread > PACKETS_UNREAD_MAX) this.abort()
  }
}
