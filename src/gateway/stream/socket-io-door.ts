/**
 * The Socket.IO door: Engine.IO 4 at `/socket.io/`, namespaces `/`, `/stream` and `/ws`. Market data is written to
 * the engine as finished packets, because Socket.IO's own encoder would turn exact decimals into floats and would
 * encode once per client.
 */
import { Server as Engine } from '@socket.io/bun-engine'
import type { Socket as EngineSocket } from '@socket.io/bun-engine/dist/socket'
import { type Socket, Server as SocketIo } from 'socket.io'
import { invariant } from '../../units/invariant.ts'
import { readClientMessage } from '../../wire/stream.ts'
import { BodyReader } from '../http/body.ts'
import { Refusal } from '../http/refusal.ts'
import { failure } from '../http/respond.ts'
import type { StreamConfig } from './config.ts'
import { EngineLink, type EngineWebSocket } from './engine-link.ts'
import type { StreamClient } from './link.ts'
import type { Rooms } from './rooms.ts'
import { Session } from './session.ts'
import { SocketOutput } from './socket-output.ts'

/** Each namespace with the start of its event packets (Socket.IO protocol 5: type 2, then namespace and comma). */
const NAMESPACES = [
  ['/', '2'],
  ['/stream', '2/stream,'],
  ['/ws', '2/ws,'],
] as const

/** A poll may stay unanswered for a ping interval; the HTTP server must not cut it off before. */
const POLL_SLACK_SECONDS = 15

export type SocketIoDoorOptions = {
  readonly rooms: Rooms
  readonly config: StreamConfig
  readonly now: () => number
  readonly opened: (link: EngineLink) => void
  readonly closed: (link: EngineLink) => void
}

/** Bun's server, whatever else its sockets carry. */
export type StreamServer = Bun.Server<unknown>

type EngineServer = Parameters<Engine['handleRequest']>[1]

export class SocketIoDoor {
  readonly #options: SocketIoDoorOptions
  readonly #engine: Engine
  readonly #io: SocketIo
  readonly #linkById = new Map<string, EngineLink>()
  readonly #outputByTransport = new WeakMap<object, SocketOutput>()
  readonly #linkByTransport = new WeakMap<object, EngineLink>()
  /** Who opens a connection: after an upgrade the request itself no longer says. */
  readonly #clientByRequest = new WeakMap<Request, StreamClient>()
  readonly #bodies: BodyReader
  readonly #pollSeconds: number

  constructor(options: SocketIoDoorOptions) {
    const { config } = options
    this.#options = options
    this.#pollSeconds = Math.min(255, Math.ceil(config.pingIntervalMs / 1_000) + POLL_SLACK_SECONDS)
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
    for (const [name, prefix] of NAMESPACES) {
      this.#io.of(name).on('connection', (socket) => this.#entered(socket, prefix))
    }
  }

  /** True when the request belongs to a session that exists: it opens no new connection. */
  isKnown(sessionId: string | null): boolean {
    return sessionId !== null && this.#linkById.has(sessionId)
  }

  /** Answers a request under `/socket.io/`; `client` is who sends it. */
  async handle(
    request: Request,
    server: StreamServer,
    sessionId: string | null,
    client: StreamClient,
  ): Promise<Response> {
    const link = sessionId === null ? undefined : this.#linkById.get(sessionId)
    if (request.method === 'POST' && link !== undefined) return this.#posted(request, server, link)
    this.#clientByRequest.set(request, client)
    if (request.method === 'GET' && !request.headers.has('upgrade')) {
      server.timeout(request, this.#pollSeconds)
      link?.polled()
    }
    return this.#engine.handleRequest(request, server as EngineServer)
  }

  opened(socket: EngineWebSocket): void {
    const { transport } = socket.data
    const output = new SocketOutput(socket)
    this.#outputByTransport.set(transport, output)
    // The transport sends, closes and looks at the state: it gets our half of the socket, which does these.
    transport.onOpen(output as unknown as EngineWebSocket)
  }

  received(socket: EngineWebSocket, message: string | Buffer<ArrayBuffer>): void {
    this.#engine.onWebSocketMessage(socket, message)
  }

  drained(socket: EngineWebSocket): void {
    this.#linkByTransport.get(socket.data.transport)?.drained()
  }

  ended(socket: EngineWebSocket, code: number, reason: string): void {
    this.#engine.onWebSocketClose(socket, code, reason)
  }

  async stop(): Promise<void> {
    await this.#io.close()
  }

  /** Packets of a polling client. The engine would read a body of any length, for any time; here it has limits. */
  async #posted(request: Request, server: StreamServer, link: EngineLink): Promise<Response> {
    const { method, headers, url } = request
    const body = await this.#bodies.read(request, headers)
    if (body instanceof Refusal) {
      link.abort()
      return failure(body, link.client.language, undefined)
    }
    return this.#engine.handleRequest(
      new Request(url, { method, headers, body: body ?? '' }),
      server as EngineServer,
    )
  }

  #connected(conn: EngineSocket, request: Request): void {
    const client = this.#clientByRequest.get(request)
    invariant(client !== undefined, 'a connection comes from a request that was handled here')
    const link = new EngineLink({
      conn,
      client,
      config: this.#options.config,
      now: this.#options.now,
      outputOf: (transport) => this.#outputByTransport.get(transport),
    })
    this.#linkByTransport.set(conn.transport, link)
    conn.on('upgrade', (transport) => this.#linkByTransport.set(transport, link))
    this.#linkById.set(conn.id, link)
    this.#options.opened(link)
    conn.once('close', () => {
      this.#linkById.delete(conn.id)
      this.#options.closed(link)
    })
  }

  /** A client has connected to a namespace. */
  #entered(socket: Socket, prefix: string): void {
    const link = this.#linkById.get((socket.conn as unknown as EngineSocket).id)
    if (link === undefined) return
    const { rooms, config, now } = this.#options
    const session = new Session({
      link: link.namespaceLink(prefix),
      rooms,
      config,
      now,
      budget: link.budget,
      language: link.client.language,
    })
    link.sessions.add(session)
    socket.on('disconnect', () => {
      link.sessions.delete(session)
      session.end()
    })
    // Every event ends here, whatever its name: none is dispatched to listeners.
    socket.use((event) => {
      const acknowledge: unknown = event.at(-1)
      const isAcknowledged = typeof acknowledge === 'function'
      session.receive(readClientMessage(isAcknowledged ? event.slice(0, -1) : event))
      if (isAcknowledged) acknowledge()
    })
  }
}
