/**
 * The public port: one listener for the HTTP interface, the stream's two transports and the pages. It owns
 * sockets and their time limits, but not the data sent over them.
 */

import { cannotFail, guarded } from '../../units/guarded.ts'
import { corsPolicy } from '../http/cors.ts'
import { hostInUrl } from '../listener/loopback.ts'
import { RenewableListener, type TlsMaterial } from '../listener/renewable-listener.ts'
import type { ClientFront } from './client-front.ts'
import type { Gateway, PublicServices, StreamHandler } from './gateway.ts'

/** WebSocket data belongs to the stream. */
type Server = Bun.Server<unknown>

/** The stream, as the listener needs it. */
export type StreamPart = StreamHandler<Server> & {
  readonly websocket: Omit<Bun.WebSocketHandler<never>, 'data'>
  stop(): void | Promise<void>
}

export type ServerConfig = {
  readonly hostname: string
  /** The port; 0 means any free one. */
  readonly port: number
  /** Maximum number of connections of one address, of all kinds; those of trusted proxies are not counted. */
  readonly connectionsPerAddressMax: number
  /** A connection without traffic for this long is closed; 1 to 255. */
  readonly idleTimeoutSeconds: number
  /**
   * The size at which the runtime itself cuts a body off, without an envelope. Above the limits of the
   * interface and the stream, so that their own answers are sent.
   */
  readonly runtimeBodyBytesMax: number
  /** Time limit for pending answers after `stop`. */
  readonly stopTimeoutMs: number
  /** Origins whose pages may use the interface; `*`: all. */
  readonly corsOrigins: readonly string[]
  /**
   * Other processes of this user may listen on the same port if they set this too: the system distributes the
   * connections.
   */
  readonly sharesPort?: boolean
}

export const SERVER_DEFAULTS: ServerConfig = {
  hostname: '127.0.0.1',
  port: 8080,
  connectionsPerAddressMax: 1_000,
  idleTimeoutSeconds: 30,
  runtimeBodyBytesMax: 8 * 1024 * 1024,
  stopTimeoutMs: 5_000,
  corsOrigins: ['*'],
}

export type HttpServer = {
  /** `http://host:port` or `https://host:port`, with the actual port. */
  readonly url: string
  readonly port: number
  /** Called when the exchange runs: passes requests to it, and to its stream. */
  open(services: PublicServices, stream?: StreamPart): void
  /**
   * Uses this certificate for new connections. WebSockets and pending requests keep their connections; HTTP
   * connections without pending requests are closed. Throws the system's error when the port cannot be bound
   * again.
   */
  renewTls(tls: TlsMaterial): void
  /** Answers pending requests, refuses new ones with STOPPING, closes everything. */
  stop(): Promise<void>
}

/** Before `open` there is no stream, and nothing becomes a WebSocket. */
const NO_STREAM: Bun.WebSocketHandler<unknown> = { message: () => {} }

/** Reads wait for this, so that they include everything that was answered before. */
export type UntilFresh = () => Promise<void>

/**
 * Listens. Throws the system's error if the port is not available. `untilFresh`: undefined if there is only
 * one gateway; `front`: undefined if nothing precedes the gateway.
 */
export function openServer(
  config: ServerConfig,
  gateway: Gateway<Server>,
  tls?: TlsMaterial,
  untilFresh?: UntilFresh,
  front?: ClientFront,
): HttpServer {
  let stream: StreamPart | undefined
  const handlers = {
    fetch: frontHandler(freshHandler(fetchHandler(gateway, config.corsOrigins), untilFresh), front),
    error: (error: unknown) => gateway.crash(error),
  }
  const websocket = () => {
    const handlers = (stream?.websocket as Bun.WebSocketHandler<unknown> | undefined) ?? NO_STREAM
    return front === undefined ? handlers : front.websocket(handlers)
  }
  const listener = new RenewableListener(
    (port, material) => listen({ ...config, port }, { ...handlers, websocket: websocket() }, material),
    config.port,
    tls,
  )
  const { port } = listener
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${hostInUrl(config.hostname)}:${port}`,
    port,
    open(services, streamPart) {
      stream = streamPart
      if (stream !== undefined) listener.current.reload({ ...handlers, websocket: websocket() })
      gateway.open(services, stream)
    },
    renewTls: (renewed) => listener.renew(renewed),
    async stop() {
      gateway.close()
      await stream?.stop()
      const timer = setTimeout(
        guarded(() => listener.stop(true), cannotFail),
        config.stopTimeoutMs,
      )
      await listener.stop()
      clearTimeout(timer)
    },
  }
}

type Handlers = {
  readonly fetch: (request: Request, server: Server) => Response | Promise<Response> | undefined
  readonly error: (error: unknown) => Response
  readonly websocket: Bun.WebSocketHandler<unknown>
}

function listen(config: ServerConfig, handlers: Handlers, tls: TlsMaterial | undefined): Server {
  return Bun.serve({
    hostname: config.hostname,
    port: config.port,
    idleTimeout: config.idleTimeoutSeconds,
    maxRequestBodySize: config.runtimeBodyBytesMax,
    development: false,
    // Not the default here: outside of development the runtime would let a second server share the port.
    reusePort: config.sharesPort ?? false,
    ...(tls === undefined ? {} : { tls: { cert: tls.cert, key: tls.key } }),
    ...handlers,
  })
}

/** The request handler; answers take one more step only if not every origin is allowed. */
function fetchHandler(gateway: Gateway<Server>, corsOrigins: readonly string[]): Handlers['fetch'] {
  const policy = corsPolicy(corsOrigins)
  if (policy === undefined) return (request, server) => gateway.fetch(request, server)
  return (request, server) => {
    const answer = gateway.fetch(request, server)
    if (answer === undefined) return undefined
    if (answer instanceof Response) return policy(request, answer)
    return answer.then((response) => policy(request, response))
  }
}

/**
 * Effects of commands belong to the engine; a connection that becomes a stream begins with the current state.
 */
function freshHandler(fetch: Handlers['fetch'], untilFresh: UntilFresh | undefined): Handlers['fetch'] {
  if (untilFresh === undefined) return fetch
  return (request, server) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (!isReading || request.headers.has('upgrade')) return fetch(request, server)
    return untilFresh().then(() => fetch(request, server) as Response | Promise<Response>)
  }
}

function frontHandler(fetch: Handlers['fetch'], front: ClientFront | undefined): Handlers['fetch'] {
  if (front === undefined) return fetch
  return (request, server) => front.fetch(request, server, () => fetch(request, server))
}
