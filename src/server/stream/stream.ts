/**
 * The stream: both transports, the rooms behind them, and the limits on connections. The server that owns the
 * port calls `handles`, passes requests to `handle`, and passes `websocket` to Bun.
 */

import { pickLanguage } from '../../contract/language.ts'
import type { EventBatch } from '../../core/events/event.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import { cannotFail } from '../../units/guarded.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { MarketData } from '../../views/market-data.ts'
import { limitKey } from '../access/auth/address.ts'
import { ConnectionCounter } from '../access/limits/connection-counter.ts'
import type { Clock } from '../common/clock.ts'
import { faultLog } from '../common/fault-log.ts'
import type { Logger } from '../common/logger.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import { failure } from '../listener/failure.ts'
import { isForStream, isSocketIoPath } from '../listener/stream-paths.ts'
import type { OrderEntry } from '../order-entry/order-entry.ts'
import { checkStreamConfig, type StreamConfig } from './config.ts'
import type { AddressCounts } from './intake/address-counts.ts'
import { AddressIntakes } from './intake/address-intakes.ts'
import { ConnectionsByAddress } from './intake/connections-by-address.ts'
import { type CutCause, causeOfClose, countsOfCuts } from './intake/intake.ts'
import { SendMemory } from './intake/send-memory.ts'
import type { StreamClient } from './link.ts'
import { RUNTIME_PACE, type StreamPace } from './pace.ts'
import { Rooms } from './rooms.ts'
import { Sweeper, type SweptConnection } from './sweeper.ts'
import type { EngineSocketData, EngineWebSocket } from './transport/engine-link.ts'
import { OpeningTurns } from './transport/opening-turns.ts'
import type { PeerSessions } from './transport/peer-sessions.ts'
import type { PeerSocket } from './transport/peer-socket.ts'
import { SocketIoTransport, type StreamServer } from './transport/socket-io-transport.ts'
import { PlainConnection, type PlainSocketData } from './transport/websocket-transport.ts'

/** Data of every WebSocket of the server, by transport. */
export type StreamSocketData = PlainSocketData | EngineSocketData | PeerSocket

export type StreamOptions = {
  /** Has applied every batch before `publish` is called with it. */
  readonly market: MarketData
  /** The source of the first candles. */
  readonly history: Pick<HistoryPort, 'candles'>
  readonly config: StreamConfig
  /** Must always advance: the time limits of idle and stuck connections depend on it. */
  readonly clock: Pick<Clock, 'now'>
  /** Returns the client's address; by default, that of the socket. */
  readonly addressOf?: (request: Request, server: StreamServer) => string
  /** Accepts logins and orders; undefined if there is only market data. */
  readonly entry?: OrderEntry
  readonly logger?: Logger
  /** Counts openings, refusals and forced closes; if undefined, they are not counted. */
  readonly addresses?: AddressCounts
  /**
   * The connection to polling clients' sessions in other gateways; undefined if there is no other gateway.
   */
  readonly peers?: PeerSessions
  /** The pace at which rooms publish; by default the real server's. */
  readonly pace?: StreamPace
}

/** The time for which a stop waits for pending requests. */
const ANSWERS_MS_MAX = 1_000
/** How long a stop waits for polling clients that were notified, and how often it checks. */
const TAKE_MS_MAX = 1_000
const TAKE_CHECK_MS = 10

type StreamSocket = Bun.ServerWebSocket<StreamSocketData>

export class Stream {
  /** For `Bun.serve`. */
  readonly websocket: Bun.WebSocketHandler<StreamSocketData>
  readonly #options: StreamOptions
  readonly #rooms: Rooms
  readonly #counter: ConnectionCounter
  readonly #openings: OpeningTurns
  readonly #intakes: AddressIntakes
  readonly #socketIo: SocketIoTransport
  readonly #plain = new Set<PlainConnection>()
  readonly #byAddress = new ConnectionsByAddress<SweptConnection>()
  readonly #sweeper: Sweeper
  #isStopping = false
  #closedBehind = 0
  readonly #cutsByCause: Record<CutCause, number> = countsOfCuts()

  constructor(options: StreamOptions) {
    const { config, clock } = options
    const now = () => clock.now()
    checkStreamConfig(config)
    this.#options = options
    const pace = options.pace ?? RUNTIME_PACE
    const memory = new SendMemory({
      bytesMax: config.sendBuffersBytesMax,
      count: () => this.pendingBytes(),
      now: pace.now,
    })
    const { market, history } = options
    const { tradesOnJoin, queuedEventsMax, candleListsMax } = config
    const limits = { tradesOnJoin, queuedEventsMax, candleListsMax }
    this.#rooms = new Rooms({ market, history, ...limits, pace, memory })
    this.#counter = new ConnectionCounter(config)
    this.#openings = new OpeningTurns(pace)
    this.#intakes = new AddressIntakes(config)
    this.#sweeper = new Sweeper({
      config,
      now,
      takeRefused: () => memory.takeRefused(),
      onFault:
        options.logger === undefined
          ? cannotFail
          : faultLog(options.logger, 'the sweep over connections', now),
      onSwept: () => options.entry?.endExpired(),
      onClosed: (count, pendingBytes) => {
        this.#closedBehind += count
        options.logger?.warn({ count, pendingBytes }, 'stream: closed connections of slow clients')
      },
    })
    this.#socketIo = new SocketIoTransport({
      rooms: this.#rooms,
      entry: options.entry,
      config,
      peers: options.peers,
      intakeOf: ({ address }) => this.#intakes.opened(address),
      now,
      opened: (link) => this.#opened(link, link.client),
      closed: (link) => this.#closed(link, link.client),
      onCut: (cause, client) => this.#cut(cause, client),
      fail: (refusal, client) => this.#fail(refusal, client),
    })
    this.websocket = this.#handlers()
  }

  /** Connections open now, and ended ones whose last bytes are still buffered. */
  get connections(): number {
    return this.#counter.total
  }

  /** Number of symbols with listeners. */
  get rooms(): number {
    return this.#rooms.count
  }

  /**
   * The number of times that a client fell behind in a symbol and lost its changes; it gets the whole book
   * when its buffer is empty.
   */
  get fallenBehind(): number {
    return this.#rooms.fallenBehind
  }

  /** Connections closed because their clients read too slowly. */
  get closedBehind(): number {
    return this.#closedBehind
  }

  /** Connections closed because of the data they sent, by cause. */
  get cutsByCause(): Readonly<Record<CutCause, number>> {
    return this.#cutsByCause
  }

  /** Bytes that wait in all send buffers together. */
  pendingBytes(): number {
    return this.#sweeper.pendingBytes()
  }

  /** Whether a request belongs to the stream; the page at `/`, for example, does not. */
  handles(request: Request, path: string): boolean {
    return isForStream(request, path)
  }

  /** Answers a request that `handles` is true for; undefined when it has become a WebSocket. */
  handle(request: Request, server: StreamServer): Response | Promise<Response> | undefined {
    const address = this.#options.addressOf?.(request, server) ?? server.requestIP(request)?.address ?? ''
    const client: StreamClient = {
      remoteAddress: address,
      address: limitKey(address),
      language: pickLanguage(request.headers.get('accept-language')),
    }
    // With an invalid Host header the URL is invalid too.
    if (!URL.canParse(request.url)) return this.#refuse('UNREADABLE_MESSAGE', client)
    const url = new URL(request.url)
    const isSocketIo = isSocketIoPath(url.pathname)
    const sessionId = url.searchParams.get('sid')
    const { peers } = this.#options
    const elsewhere = isSocketIo ? peers?.socketOf(sessionId) : undefined
    if (elsewhere !== undefined) {
      if (isBrokenUpgrade(request)) return this.#refuse('UNREADABLE_MESSAGE', client)
      // Undefined means, here as elsewhere, that it has become a WebSocket.
      return peers?.forward(elsewhere, request, server, client) as Promise<Response>
    }
    const isNew = !isSocketIo || !this.#socketIo.isKnown(sessionId)
    const uncounted = isNew ? this.#options.addresses?.opening(client.address) : undefined
    if (uncounted !== undefined) return this.#fail(uncounted, client)
    if (isBrokenUpgrade(request)) return this.#refuse('UNREADABLE_MESSAGE', client)
    const refused = isNew ? this.#refusedOpening(client) : undefined
    if (refused !== undefined) return refused
    if (isSocketIo && isNew) return this.#openSession(request, server, sessionId, client)
    if (isSocketIo) return this.#socketIo.handle(request, server, sessionId, client)
    const data: PlainSocketData = { kind: 'PLAIN', client, connection: undefined }
    const isUpgraded = (server as Bun.Server<StreamSocketData>).upgrade(request, { data })
    return isUpgraded ? undefined : this.#refuse('UNREADABLE_MESSAGE', client)
  }

  #refuse(
    reason: 'STOPPING' | 'TOO_MANY_CONNECTIONS' | 'UNREADABLE_MESSAGE',
    client: StreamClient,
  ): Response {
    return this.#fail(refuse(reason, {}), client)
  }

  #fail(refusal: Refusal, client: StreamClient): Response {
    this.#options.addresses?.refused(client.address, refusal.reason)
    return failure(refusal, client.language, undefined)
  }

  /**
   * Polling clients may fetch their queued messages even while the server stops; no new client may connect.
   */
  #refusedOpening(client: StreamClient): Response | undefined {
    if (this.#isStopping) return this.#refuse('STOPPING', client)
    return this.#counter.admits(client.address) ? undefined : this.#refuse('TOO_MANY_CONNECTIONS', client)
  }

  /**
   * A Socket.IO session costs three times as much as a plain connection. Other clients may have opened
   * sessions before its turn.
   */
  async #openSession(
    request: Request,
    server: StreamServer,
    sessionId: string | null,
    client: StreamClient,
  ): Promise<Response> {
    await this.#openings.next()
    return this.#refusedOpening(client) ?? this.#socketIo.handle(request, server, sessionId, client)
  }

  /**
   * Publishes a batch in every room, ends the logins that it has ended, and disconnects the addresses that it
   * has banned. Call it right after the views have applied the batch: a client that reconnects is refused by
   * then.
   */
  publish(batch: EventBatch): void {
    this.#rooms.publish(batch)
    const { entry } = this.#options
    for (const event of batch.events) {
      if (event.kind === 'AddressBanned') this.#disconnect(event.ban.address)
      else entry?.apply(event)
    }
    entry?.publish(batch)
  }

  /**
   * Makes rooms publish changes that are due to time only: no later command is dated before `time`, and the
   * market's view has reached that time.
   */
  pass(time: TimeMs): void {
    this.#rooms.pass(time)
  }

  /**
   * Events up to command `seq` were not received here, but the views have them: rooms send the whole state,
   * logins are checked, feeds continue reading, and addresses banned since are disconnected; clients that
   * were told that the stream is stale are told that it is live.
   */
  restart(seq: Seq, banned: Iterable<string>): void {
    this.#rooms.staleSince = undefined
    for (const address of banned) this.#disconnect(address)
    this.#rooms.restart()
    this.#options.entry?.restarted(seq)
    for (const connection of this.#plain) connection.announceLive(seq)
    this.#socketIo.announceLive(seq)
  }

  /**
   * Called when no engine can be reached: clients that use more than the common interface are notified, and
   * logins whose orders end with the connection end.
   */
  stall(since: TimeMs): void {
    this.#rooms.staleSince = since
    this.#options.entry?.engineLost(refuse('NO_LEADER', {}))
    for (const connection of this.#plain) connection.announceStale(since)
    this.#socketIo.announceStale(since)
  }

  /**
   * Tells clients that the server will stop, `inMs` from now: those that use more than the common interface
   * and have not been told yet. Must be followed by `stop`.
   */
  announceStop(inMs: number): void {
    const reconnectAfterMs = inMs + this.#options.config.reconnectAfterMs
    for (const connection of this.#plain) connection.announceStop(reconnectAfterMs)
    this.#socketIo.announceStop(reconnectAfterMs)
  }

  /**
   * Answers pending requests and publishes events, each for at most a second, waits as long for notified
   * clients, and closes every connection; new connections are refused from now on.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#untilAnswered()
    await this.#rooms.finish()
    await this.#untilNoticeTaken()
    this.#sweeper.stop()
    for (const connection of this.#plain) connection.stop()
    await this.#socketIo.stop()
  }

  async #untilAnswered(): Promise<void> {
    const { entry, pace = RUNTIME_PACE } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = pace.later(resolve, ANSWERS_MS_MAX)
    await Promise.race([entry?.untilIdle(), promise])
    cancel()
  }

  async #untilNoticeTaken(): Promise<void> {
    const { now, later } = this.#options.pace ?? RUNTIME_PACE
    const end = now() + TAKE_MS_MAX
    while (this.#socketIo.isNoticeUntaken() && now() < end) {
      await new Promise<void>((resolve) => later(resolve, TAKE_CHECK_MS))
    }
  }

  /** Ends every connection of an address at once. */
  #disconnect(address: string): void {
    for (const connection of this.#byAddress.of(address)) connection.abort()
  }

  #handlers(): Bun.WebSocketHandler<StreamSocketData> {
    const { config } = this.#options
    return {
      maxPayloadLength: config.frameBytesMax,
      // Sessions check the pending bytes before they send; this only stops data that the runtime sends by
      // itself (pongs).
      backpressureLimit: config.sendBufferBytesMax * 2,
      closeOnBackpressureLimit: false,
      idleTimeout: config.idleTimeoutSeconds,
      sendPings: true,
      perMessageDeflate: false,
      open: (socket) => this.#socketOpened(socket),
      message: (socket, message) => {
        if (isPeer(socket)) socket.data.receive(message)
        else if (isPlain(socket)) socket.data.connection?.receive(message)
        else this.#socketIo.received(socket as EngineWebSocket, message)
      },
      ping: (socket, data) => this.#controlled(socket, data),
      pong: (socket, data) => this.#controlled(socket, data),
      drain: (socket) => {
        if (isPeer(socket)) return
        if (isPlain(socket)) socket.data.connection?.drained()
        else this.#socketIo.drained(socket as EngineWebSocket)
      },
      close: (socket, code, reason) => {
        const cause = causeOfClose(code, reason)
        if (cause !== undefined) this.#cutByRuntime(socket, cause)
        if (isPeer(socket)) socket.data.clientEnded()
        else if (isPlain(socket)) this.#plainClosed(socket)
        else this.#socketIo.ended(socket as EngineWebSocket, code, reason)
      },
    }
  }

  /** Handles a ping or pong; the runtime has already answered the ping. */
  #controlled(socket: StreamSocket, data: Buffer): void {
    if (isPeer(socket)) socket.data.controlled(data)
    else if (isPlain(socket)) socket.data.connection?.controlled(data.length)
    else this.#socketIo.controlled(socket as EngineWebSocket, data.length)
  }

  #cut(cause: CutCause, client: StreamClient): void {
    this.#cutsByCause[cause]++
    this.#options.addresses?.cut(client.address)
  }

  /** Counts a connection that the runtime ended, unless it was cut off here before. */
  #cutByRuntime(socket: StreamSocket, cause: CutCause): void {
    if (isPeer(socket)) this.#cut(cause, socket.data.client)
    else if (!isPlain(socket)) this.#socketIo.cutByRuntime(socket as EngineWebSocket, cause)
    else if (socket.data.connection?.isCut === false) this.#cut(cause, socket.data.client)
  }

  #socketOpened(socket: StreamSocket): void {
    if (isPeer(socket)) {
      socket.data.opened(socket)
      return
    }
    if (!isPlain(socket)) {
      this.#socketIo.opened(socket as EngineWebSocket)
      return
    }
    const { config, clock, entry } = this.#options
    const now = () => clock.now()
    const { client } = socket.data
    const onCut = (cause: CutCause) => this.#cut(cause, client)
    const address = this.#intakes.opened(client.address)
    const connection = new PlainConnection({ socket, rooms: this.#rooms, entry, config, address, now, onCut })
    socket.data.connection = connection
    this.#plain.add(connection)
    this.#opened(connection, client)
  }

  #plainClosed(socket: Bun.ServerWebSocket<PlainSocketData>): void {
    const { connection, client } = socket.data
    if (connection === undefined) return
    socket.data.connection = undefined
    this.#plain.delete(connection)
    connection.ended()
    this.#closed(connection, client)
  }

  #opened(connection: SweptConnection, client: StreamClient): void {
    this.#counter.opened(client.address)
    this.#byAddress.add(client.address, connection)
    this.#sweeper.add(connection)
  }

  #closed(connection: SweptConnection, client: StreamClient): void {
    this.#byAddress.remove(client.address, connection)
    this.#intakes.closed(client.address)
    this.#sweeper.remove(connection, () => this.#counter.closed(client.address))
  }
}

/** The stream of a market. */
export function createStream(options: StreamOptions): Stream {
  return new Stream(options)
}

function isPeer(socket: StreamSocket): socket is Bun.ServerWebSocket<PeerSocket> {
  return 'kind' in socket.data && socket.data.kind === 'PEER'
}

function isPlain(socket: StreamSocket): socket is Bun.ServerWebSocket<PlainSocketData> {
  return 'kind' in socket.data && socket.data.kind === 'PLAIN'
}

/** Whether an upgrade cannot become a WebSocket (RFC 6455, 4.2.1). */
function isBrokenUpgrade({ method, headers }: Request): boolean {
  const upgrade = headers.get('upgrade')
  if (upgrade === null) return false
  return method !== 'GET' || upgrade.toLowerCase() !== 'websocket' || !headers.has('sec-websocket-key')
}
