/**
 * The port: one listener for the HTTP door, the stream's two doors and the pages. It owns sockets and their
 * time limits, and nothing of what is said over them.
 */

import type { Gateway, StreamDoor } from './gateway.ts'
import type { Services } from './http/call.ts'

/** What hangs on a WebSocket is the stream's own affair. */
type Server = Bun.Server<unknown>

/** The stream, as the listener needs it. */
export type StreamPart = StreamDoor<Server> & {
  readonly websocket: Omit<Bun.WebSocketHandler<never>, 'data'>
  stop(): void | Promise<void>
}

export type ServerConfig = {
  readonly hostname: string
  /** 0: any free one. */
  readonly port: number
  /** A connection on which nothing moves for this long is closed; 1 to 255. */
  readonly idleTimeoutSeconds: number
  /**
   * Where the runtime itself cuts a body off, without an envelope. Above the doors' own limits, so that they get
   * to say so.
   */
  readonly runtimeBodyBytesMax: number
  /** How long answers under way may take after `stop`. */
  readonly stopTimeoutMs: number
}

export const SERVER_DEFAULTS: ServerConfig = {
  hostname: '127.0.0.1',
  port: 8080,
  idleTimeoutSeconds: 30,
  runtimeBodyBytesMax: 8 * 1024 * 1024,
  stopTimeoutMs: 5_000,
}

export type HttpServer = {
  /** `http://host:port`, with the port that was really taken. */
  readonly url: string
  readonly port: number
  /** The exchange runs: lets requests through to it, and to its stream. */
  open(services: Services, stream?: StreamPart): void
  /** Answers what is under way, refuses the rest with STOPPING, closes everything. */
  stop(): Promise<void>
}

/** Before `open` there is no stream, and nothing becomes a WebSocket. */
const NO_STREAM: Bun.WebSocketHandler<unknown> = { message: () => {} }

/** Listens. Throws what the system says when the port cannot be had. */
export function openServer(config: ServerConfig, gateway: Gateway<Server>): HttpServer {
  let stream: StreamPart | undefined
  const handlers = {
    fetch: (request: Request, server: Server) => gateway.fetch(request, server),
    error: (error: unknown) => gateway.crash(error),
  }
  const server: Server = Bun.serve({
    hostname: config.hostname,
    port: config.port,
    idleTimeout: config.idleTimeoutSeconds,
    maxRequestBodySize: config.runtimeBodyBytesMax,
    development: false,
    // Not the default here: outside of development the runtime would let a second server share the port.
    reusePort: false,
    websocket: NO_STREAM,
    ...handlers,
  })
  const port = server.port ?? config.port
  return {
    url: `http://${hostInUrl(config.hostname)}:${port}`,
    port,
    open(services, streamPart) {
      stream = streamPart
      if (stream !== undefined) {
        server.reload({ ...handlers, websocket: stream.websocket as Bun.WebSocketHandler<unknown> })
      }
      gateway.open(services, stream)
    },
    async stop() {
      gateway.close()
      await stream?.stop()
      const timer = setTimeout(() => void server.stop(true), config.stopTimeoutMs)
      await server.stop()
      clearTimeout(timer)
    },
  }
}

/** An IPv6 address stands in brackets in a URL. */
function hostInUrl(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}
