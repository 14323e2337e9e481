/**
 * All WebSockets of this wire: how they open, their limits, pings, and their end. The connections handle the
 * content. A client that does not keep up is disconnected: no message is left out, and none is kept for
 * later.
 */
import { guarded } from '../../units/guarded.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { keysOf } from '../access/auth/address.ts'
import { ConnectionCounter } from '../access/limits/connection-counter.ts'
import { faultLog } from '../common/fault-log.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { SharedParts } from '../public/shared-parts.ts'
import { notThere } from './endpoints/not-there.ts'
import type { WireError } from './wire/wire-error.ts'
import { asOfThisWire } from './wire-calls.ts'

/** The weight of a request that opens a connection. */
const OPENING_WEIGHT = 2
const MAXIMA = { connectionsMax: 10_000, connectionsPerAddressMax: 1_000 }
const MESSAGE_BYTES_MAX = 32 * 1024
/**
 * Maximum number of bytes that wait for a client before a message is sent to it; with more it is
 * disconnected.
 */
const WAITING_BYTES_MAX = 1024 * 1024
/** The limit with the message included: a single long answer may need all of it. */
const BUFFER_BYTES_MAX = 8 * 1024 * 1024
const PING_MS = 20_000
/** A connection ends at this age, and gets a message some time before, as with Binance. */
const LIFE_MS = 24 * 60 * 60 * 1_000
const NOTICE_MS = 10 * 60 * 1_000
/** Interval at which ages are checked. */
const AGES_MS = 1_000
/** A client that answers no ping, and sends nothing, for this long is disconnected. */
const IDLE_SECONDS = 60

export const CLOSE_CODES = { policy: 1008, goingAway: 1001 } as const

/** The handler of a connection's messages. Its methods do not throw because of a client's mistake. */
export type WireConnection = {
  received(text: string): void
  /** Called when all queued data has been sent. */
  drained?(): void
  /** Notifies the client that the server stops, or that the connection's time is nearly over. */
  stopping(): void
  ended(): void
}

/** The functions of a socket that its connection uses. */
export type WireSocket = {
  send(text: string): void
  close(code: number, reason: string): void
  readonly waitingBytes: number
}

export type SocketData = {
  readonly limitKey: string
  readonly begin: (socket: WireSocket) => WireConnection
  connection?: WireConnection
  openedAt?: TimeMs
  hasShutdownSent?: boolean
}
type Socket = Bun.ServerWebSocket<SocketData>

/** A connection that may open, or the reason why it may not. */
type Opened = SocketData['begin'] | Refusal | WireError
type IsBegin = (opened: Opened) => opened is SocketData['begin']
const isBegin: IsBegin = (opened): opened is SocketData['begin'] => typeof opened === 'function'

export class WireSockets {
  readonly #parts: SharedParts
  readonly #fail: (context: RequestContext, error: Refusal | WireError) => Response
  readonly #sockets = new Set<Socket>()
  readonly #counter = new ConnectionCounter(MAXIMA)
  #timers: readonly ReturnType<typeof setInterval>[] = []

  /** `fail`: the answer to a request that opens no connection. */
  constructor(parts: SharedParts, fail: (context: RequestContext, error: Refusal | WireError) => Response) {
    this.#parts = parts
    this.#fail = fail
    parts.whenBanned((limitKey) => this.closeOf(limitKey))
  }

  /** The runtime's handlers of sockets. */
  readonly handlers: Bun.WebSocketHandler<SocketData> = {
    maxPayloadLength: MESSAGE_BYTES_MAX,
    backpressureLimit: BUFFER_BYTES_MAX,
    closeOnBackpressureLimit: true,
    idleTimeout: IDLE_SECONDS,
    perMessageDeflate: false,
    open: (socket) => this.#opened(socket),
    message: (socket, message) => {
      if (typeof message === 'string') socket.data.connection?.received(message)
      else socket.close(CLOSE_CODES.policy, 'Invalid request: a text is expected')
    },
    drain: (socket) => socket.data.connection?.drained?.(),
    close: (socket) => this.#closed(socket),
  }

  /**
   * Handles a request that wants to open a connection, under the limits of all requests and openings. Returns
   * undefined if it has become a WebSocket. `opening` returns the new connection; it is called only if
   * nothing else refuses the request.
   */
  open(
    request: Request,
    server: Bun.Server<SocketData>,
    opening: (context: RequestContext) => Opened,
  ): Response | undefined {
    const { admission, limits, traffic } = this.#parts
    traffic.requests++
    const context = asOfThisWire(admission.context(request, server))
    const { limitKey, now } = context
    const refusal =
      admission.admit(context, OPENING_WEIGHT, true) ??
      limits.addresses.chargeOpening(limitKey, now) ??
      (this.#counter.admits(limitKey) ? undefined : refuse('TOO_MANY_CONNECTIONS', {}))
    if (refusal !== undefined) return this.#fail(context, refusal)
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
      return this.#fail(context, notThere(request.method, context.target.path))
    const opened = opening(context)
    if (!isBegin(opened)) return this.#fail(context, opened)
    if (server.upgrade(request, { data: { limitKey, begin: opened } })) return undefined
    return new Response(null, { status: 400 })
  }

  /** Called when an address, or a network of addresses, is banned. */
  closeOf(key: string): void {
    for (const socket of [...this.#sockets])
      if (keysOf(socket.data.limitKey).includes(key)) socket.close(CLOSE_CODES.policy, 'banned')
  }

  closeAll(reason: string): void {
    for (const socket of [...this.#sockets]) socket.close(CLOSE_CODES.goingAway, reason)
  }

  stop(): void {
    for (const socket of this.#sockets) this.#tell(socket)
    this.closeAll('the server stops')
  }

  #opened(socket: Socket): void {
    const { data } = socket
    this.#sockets.add(socket)
    this.#counter.opened(data.limitKey)
    data.openedAt = this.#parts.clock.steady()
    if (this.#timers.length === 0) this.#timers = this.#started()
    data.connection = data.begin({
      send: (text) => {
        if (socket.getBufferedAmount() > WAITING_BYTES_MAX) socket.close(CLOSE_CODES.policy, 'too slow')
        else socket.send(text)
      },
      close: (code, reason) => socket.close(code, reason),
      get waitingBytes() {
        return socket.getBufferedAmount()
      },
    })
  }

  #started(): readonly ReturnType<typeof setInterval>[] {
    const onFault = faultLog(this.#parts.logger, 'WebSockets', () => performance.now())
    return [
      setInterval(
        guarded(() => this.#ping(), onFault),
        PING_MS,
      ),
      setInterval(
        guarded(() => this.#endOld(), onFault),
        AGES_MS,
      ),
    ]
  }

  #ping(): void {
    for (const socket of this.#sockets) socket.ping()
  }

  /** The sockets are in the order in which they were opened, oldest first. */
  #endOld(): void {
    const now = this.#parts.clock.steady()
    for (const socket of [...this.#sockets]) {
      const age = now - (socket.data.openedAt ?? now)
      if (age < LIFE_MS - NOTICE_MS) return
      if (age >= LIFE_MS) socket.close(CLOSE_CODES.goingAway, 'the connection is 24 hours old')
      else this.#tell(socket)
    }
  }

  #tell({ data }: Socket): void {
    if (data.hasShutdownSent !== true) data.connection?.stopping()
    data.hasShutdownSent = true
  }

  #closed(socket: Socket): void {
    this.#sockets.delete(socket)
    this.#counter.closed(socket.data.limitKey)
    if (this.#sockets.size === 0) {
      for (const timer of this.#timers) clearInterval(timer)
      this.#timers = []
    }
    socket.data.connection?.ended()
  }
}
