/**
 * The Socket.IO transport: Engine.IO 4 at `/socket.io/`, namespaces `/`, `/stream` and `/ws`. Market data is
 * written to the engine as finished packets, because Socket.IO's own encoder would turn exact decimals into
 * floats and would encode once per client.
 */

import { Server as Engine } from '@socket.io/bun-engine'
import type { Socket as EngineSocket } from '@socket.io/bun-engine/dist/socket'
import type { WS } from '@socket.io/bun-engine/dist/transports/websocket'
import { type Socket, Server as SocketIo } from 'socket.io'
import { readClientMessage } from '../../../contract/stream/stream.ts'
import { invariant } from '../../../units/invariant.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import { BodyReader } from '../../listener/body.ts'
import type { OrderEntry } from '../../order-entry/order-entry.ts'
import { POLL_SECONDS_MAX, type StreamConfig } from '../config.ts'
import { entryOpening } from '../entry-opening.ts'
import { exactValues } from '../exact-values.ts'
import type { AddressIntake } from '../intake/address-intakes.ts'
import type { CutCause } from '../intake/intake.ts'
import type { StreamClient } from '../link.ts'
import type { Rooms } from '../rooms.ts'
import { Session } from '../session.ts'
import { SEPARATOR } from './engine-intake.ts'
import { EngineLink, type EngineSocketData, type EngineWebSocket } from './engine-link.ts'
import { prefixOf } from './engine-packets.ts'
import type { PeerSessions } from './peer-sessions.ts'
import { SocketOutput } from './socket-output.ts'

const NAMESPACES = ['/', '/stream', '/ws'] as const

/** The beginning of a session's first packet: Engine.IO's packet type 0. */
const OPENING = /^0\{"sid":"([\w-]+)"/
/** The field of a session's first packet with the maximum length of a body of packets. */
const PAYLOAD_MAX = /"maxPayload":\d+/

/** A poll may stay unanswered for a ping interval; the HTTP server must not cut it off before. */
const POLL_SLACK_SECONDS = 15

/** Maximum time that a poll may stay unanswered, within the limit of the HTTP server. */
export function pollSecondsOf({ pingIntervalMs }: Pick<StreamConfig, 'pingIntervalMs'>): number {
  return Math.min(POLL_SECONDS_MAX, Math.ceil(pingIntervalMs / 1_000) + POLL_SLACK_SECONDS)
}

export type SocketIoTransportOptions = {
  readonly rooms: Rooms
  readonly entry: OrderEntry | undefined
  readonly config: StreamConfig
  /** Undefined if all sessions are here, and their ids name no gateway. */
  readonly peers?: PeerSessions | undefined
  readonly now: () => number
  /** Counts a connection from its opening; close the result together with the connection. */
  readonly intakeOf: (client: StreamClient) => AddressIntake
  readonly opened: (link: EngineLink) => void
  readonly closed: (link: EngineLink) => void
  readonly onCut: (cause: CutCause, client: StreamClient) => void
  /** Counts a refusal, and returns its answer. */
  readonly fail: (refusal: Refusal, client: StreamClient) => Response
}

/** Bun's server, regardless of the data of its sockets. */
export type StreamServer = Bun.Server<unknown>

type EngineServer = Parameters<Engine['handleRequest']>[1]

export class SocketIoTransport {
  readonly #options: SocketIoTransportOptions
  readonly #engine: Engine
  readonly #io: SocketIo
  readonly #linkById = new Map<string, EngineLink>()
  /** Sessions by the id that their client has; used if ids contain the number of their gateway. */
  readonly #linkByPublicId = new Map<string, EngineLink>()
  readonly #outputByTransport = new WeakMap<object, SocketOutput>()
  readonly #linkByTransport = new WeakMap<object, EngineLink>()
  /** The client that opens a connection: after an upgrade the request itself no longer has it. */
  readonly #clientByRequest = new WeakMap<Request, StreamClient>()
  readonly #bodies: BodyReader
  readonly #pollSeconds: number

  constructor(options: SocketIoTransportOptions) {
    const { config } = options
    this.#options = options
    this.#pollSeconds = pollSecondsOf(config)
    this.#bodies = new BodyReader({ bytesMax: config.frameBytesMax, timeoutMs: config.bodyMsMax })
    this.#engine = new Engine({
      path: '/socket.io/',
      pingInterval: config.pingIntervalMs,
      pingTimeout: config.pingTimeoutMs,
      maxHttpBufferSize: config.frameBytesMax,
      cors: { origin: '*' },
    })
    this.#engine.on('connection', (conn, request) => this.#connected(conn, request))
    this.#io = new SocketIo({ serveClient: false, connectTimeout: config.pingTimeoutMs })
    this.#io.bind(this.#engine)
    for (const name of NAMESPACES) {
      this.#io.of(name).on('connection', (socket) => this.#entered(socket, prefixOf(name)))
    }
  }

  /** True when the request belongs to a session that exists: it opens no new connection. */
  isKnown(sessionId: string | null): boolean {
    return this.#known(sessionId) !== undefined
  }

  #known(sessionId: string | null): EngineLink | undefined {
    if (sessionId === null) return undefined
    const links = this.#options.peers === undefined ? this.#linkById : this.#linkByPublicId
    return links.get(sessionId)
  }

  /** Answers a request under `/socket.io/`; `client` is its sender. */
  async handle(
    request: Request,
    server: StreamServer,
    sessionId: string | null,
    client: StreamClient,
  ): Promise<Response> {
    const link = this.#known(sessionId)
    if (link !== undefined && !isTheirs(link, client)) {
      return this.#refused('ADDRESS_NOT_ALLOWED', client)
    }
    if (request.method === 'POST' && link !== undefined) return this.#posted(request, server, link)
    if (link?.intake.admitsRequest() === false) return this.#refused('FLOODING', client)
    this.#clientByRequest.set(request, client)
    if (request.headers.has('upgrade')) {
      if (link?.intake.startUpgrade() === false) return this.#refused('UNREADABLE_MESSAGE', client)
    } else if (request.method === 'GET') {
      server.timeout(request, this.#pollSeconds)
      link?.polled()
    }
    const answer = await this.#engine.handleRequest(request, upgrader(server, link))
    if (link !== undefined) return link.pollAnswer(answer)
    return request.headers.has('upgrade') ? answer : this.#begun(answer)
  }

  opened(socket: EngineWebSocket): void {
    const { transport, link } = socket.data
    const output = new SocketOutput(socket)
    link?.upgradeOpened(output)
    this.#outputByTransport.set(transport, output)
    // The transport sends, closes and reads the state: it gets our half of the socket, which provides these.
    transport.onOpen(output as unknown as EngineWebSocket)
  }

  received(socket: EngineWebSocket, message: string | Buffer<ArrayBuffer>): void {
    if (this.#linkOf(socket)?.admits(socket.data.transport, message) === true) {
      this.#engine.onWebSocketMessage(socket, message)
    }
  }

  /** Counts a control frame, which the runtime has already answered. */
  controlled(socket: EngineWebSocket, bytes: number): void {
    this.#linkOf(socket)?.intake.admitsControl(bytes)
  }

  drained(socket: EngineWebSocket): void {
    this.#linkByTransport.get(socket.data.transport)?.drained()
  }

  /** Called when the runtime has closed a WebSocket because of received data. */
  cutByRuntime(socket: EngineWebSocket, cause: CutCause): void {
    const link = this.#linkOf(socket)
    if (link?.intake.isCut === false) this.#options.onCut(cause, link.client)
  }

  ended(socket: EngineWebSocket, code: number, reason: string): void {
    const { transport, link } = socket.data
    link?.socketEnded(transport)
    this.#engine.onWebSocketClose(socket, code, reason)
  }

  announceStop(reconnectAfterMs: number): void {
    for (const session of this.#sessions()) session.announceStop(reconnectAfterMs)
  }

  announceStale(since: TimeMs): void {
    for (const session of this.#sessions()) session.announceStale(since)
  }

  announceLive(seq: Seq): void {
    for (const session of this.#sessions()) session.announceLive(seq)
  }

  *#sessions(): Generator<Session> {
    for (const { sessionByPrefix } of this.#linkById.values()) yield* sessionByPrefix.values()
  }

  /**
   * A client that was notified of the stop may not have read it yet: a polling client does so with its next
   * poll.
   */
  isNoticeUntaken(): boolean {
    for (const link of this.#linkById.values()) {
      const isAnnounced = [...link.sessionByPrefix.values()].some((session) => session.isStopAnnounced)
      if (isAnnounced && link.pendingBytes() > 0) return true
    }
    return false
  }

  async stop(): Promise<void> {
    await this.#io.close()
  }

  /**
   * The first answer of a session, with the id that the client must use, and how much the client may send at
   * once.
   */
  async #begun(answer: Response): Promise<Response> {
    const { peers, config } = this.#options
    if (answer.status !== 200) return answer
    const bytesMax = Math.min(config.frameBytesBeforeLoginMax, config.frameBytesMax)
    const text = (await answer.text())
      .replace(OPENING, (_, id: string) => `0{"sid":"${peers?.publicId(id) ?? id}"`)
      .replace(PAYLOAD_MAX, `"maxPayload":${bytesMax}`)
    return new Response(text, { status: answer.status, headers: answer.headers })
  }

  /**
   * Packets of a polling client. The engine would read a body of any length, for any time; here it has
   * limits.
   */
  async #posted(request: Request, server: StreamServer, link: EngineLink): Promise<Response> {
    const { method, headers, url } = request
    const body = await this.#bodies.read(request)
    const packets = body instanceof Refusal ? body : link.admitted(body ?? new Uint8Array())
    if (packets instanceof Refusal) {
      link.endAfter(packets)
      return this.#options.fail(packets, link.client)
    }
    if (packets.length === 0) return new Response('ok', { headers: { 'access-control-allow-origin': '*' } })
    const admitted = new Request(url, { method, headers, body: packets.join(SEPARATOR) })
    return this.#engine.handleRequest(admitted, upgrader(server, link))
  }

  #refused(
    reason: 'FLOODING' | 'UNREADABLE_MESSAGE' | 'ADDRESS_NOT_ALLOWED',
    client: StreamClient,
  ): Response {
    return this.#options.fail(refuse(reason, { address: client.remoteAddress }), client)
  }

  /** The session that a WebSocket belongs to, or is to belong to. */
  #linkOf(socket: EngineWebSocket): EngineLink | undefined {
    return socket.data.link ?? this.#linkByTransport.get(socket.data.transport)
  }

  #connected(conn: EngineSocket, request: Request): void {
    const client = this.#clientByRequest.get(request)
    invariant(client !== undefined, 'a connection comes from a request that was handled here')
    const link = new EngineLink({
      conn,
      client,
      entry: entryOpening(this.#options.entry, client, this.#options.config, false),
      config: this.#options.config,
      address: this.#options.intakeOf(client),
      memory: this.#options.rooms.memory,
      now: this.#options.now,
      onCut: (cause) => this.#options.onCut(cause, client),
      outputOf: (transport) => this.#outputByTransport.get(transport),
    })
    this.#linkByTransport.set(conn.transport, link)
    conn.on('upgrade', (transport) => this.#linkByTransport.set(transport, link))
    this.#linkById.set(conn.id, link)
    const publicId = this.#options.peers?.publicId(conn.id)
    if (publicId !== undefined) this.#alias(publicId, conn, link)
    this.#options.opened(link)
    conn.once('close', () => {
      this.#linkById.delete(conn.id)
      link.ended()
      this.#options.closed(link)
    })
  }

  /** Makes the engine and this class also find a session by the id that its client has. */
  #alias(publicId: string, conn: EngineSocket, link: EngineLink): void {
    const { clients } = this.#engine as unknown as { readonly clients: Map<string, EngineSocket> }
    clients.set(publicId, conn)
    this.#linkByPublicId.set(publicId, link)
    conn.once('close', () => {
      clients.delete(publicId)
      this.#linkByPublicId.delete(publicId)
    })
  }

  /** Called when a client has connected to a namespace. */
  #entered(socket: Socket, prefix: string): void {
    const link = this.#linkById.get((socket.conn as unknown as EngineSocket).id)
    if (link === undefined) return
    // Many requests to enter may have come in one body, before the first was answered; no client does that.
    if (link.sessionByPrefix.has(prefix)) {
      link.intake.cut('PROTOCOL')
      return
    }
    const { rooms, config, now } = this.#options
    const { client, budget, entry } = link
    const { language } = client
    const session = new Session({
      link: link.namespaceLink(prefix),
      ...{ rooms, config, now, language, budget, entry },
    })
    link.sessionByPrefix.set(prefix, session)
    socket.on('disconnect', () => {
      link.sessionByPrefix.delete(prefix)
      session.end()
    })
    // Every event ends here, whatever its name: none is passed to listeners.
    socket.use((event) => {
      const acknowledge: unknown = event.at(-1)
      if (typeof acknowledge !== 'function') {
        session.receive(readClientMessage(event))
        return
      }
      // Arguments as JSON, without the brackets.
      const write = (json: string) =>
        session.acknowledge(json.length, () => acknowledge(...exactValues(`[${json}]`)))
      const answer = session.receive(readClientMessage(event.slice(0, -1)), write)
      if (answer !== undefined) write(answer)
    })
  }
}

/**
 * Bun's server as the engine uses it: the data attached to a WebSocket names the session that it will belong
 * to.
 */
function upgrader(server: StreamServer, link: EngineLink | undefined): EngineServer {
  const upgrade = (request: Request, options: { headers: Headers; data: { transport: WS } }): boolean =>
    (server as Bun.Server<EngineSocketData>).upgrade(request, { ...options, data: { ...options.data, link } })
  return { upgrade } as unknown as EngineServer
}

/**
 * The id of a session is part of addresses, and so appears in the logs of proxies. A session with a login
 * only accepts requests from the address from which it was opened
 * (docs/reference/order-entry.md#when-a-login-ends).
 */
function isTheirs({ client, sessionByPrefix }: EngineLink, asking: StreamClient): boolean {
  if (client.remoteAddress === asking.remoteAddress) return true
  return [...sessionByPrefix.values()].every(({ isLoggedIn }) => !isLoggedIn)
}
