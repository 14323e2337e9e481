/**
 * The listener of this wire, on a port of its own, since Binance and the contract have the same paths with
 * different meanings. The public port's certificate and socket limits apply here too.
 */

import type { EventBatch } from '../../core/events/event.ts'
import { type ApiKey, keyWireOf } from '../../core/registry/records.ts'
import { cannotFail, guarded } from '../../units/guarded.ts'
import { hostInUrl } from '../listener/loopback.ts'
import { RenewableListener, type TlsMaterial } from '../listener/renewable-listener.ts'
import { targetOf } from '../listener/target.ts'
import type { ServerConfig } from '../public/public-server.ts'
import type { SharedParts } from '../public/shared-parts.ts'
import { isApiPath, WireApi } from './api/api-server.ts'
import { BinanceRequests } from './binance-requests.ts'
import { streamOpening } from './streams/stream-address.ts'
import { WireStreams } from './streams/stream-server.ts'
import { WireCalls } from './wire-calls.ts'
import { type SocketData, WireSockets } from './wire-sockets.ts'

export type BinanceServer = {
  /** `http://host:port` or `https://host:port`, with the actual port. */
  readonly url: string
  readonly port: number
  /** Passes a batch to the streams; the views already include it. */
  publish(batch: EventBatch): void
  /** Batches were lost: closes every stream, so that its client reconnects. */
  restart(): void
  renewTls(tls: TlsMaterial): void
  /** Answers the pending requests and closes everything. */
  stop(): Promise<void>
}

/** Whether a key belongs to this wire; each key belongs to one. */
export function isOfThisWire(apiKey: ApiKey): boolean {
  return keyWireOf(apiKey) === 'BINANCE'
}

/**
 * Listens on `config.port`. Throws the system's error if the port cannot be opened. Reads wait for
 * `untilFresh`, so that they include everything that any gateway has answered before.
 */
export function openBinanceServer(
  config: ServerConfig,
  parts: SharedParts,
  tls?: TlsMaterial,
  untilFresh: () => Promise<void> = async () => {},
  isOfWire: (apiKey: ApiKey) => boolean = isOfThisWire,
): BinanceServer {
  const calls = new WireCalls(parts, isOfWire, untilFresh)
  const requests = new BinanceRequests(calls)
  const sockets = new WireSockets(parts, (context, error) => requests.fail(context, error))
  const streams = new WireStreams(calls)
  const api = new WireApi(calls)
  const answer = (request: Request, server: Bun.Server<SocketData>) => {
    const { path, query } = targetOf(request.url)
    const opening = streamOpening(path, query)
    if (opening !== undefined) return sockets.open(request, server, () => streams.opening(query, opening))
    if (isApiPath(path)) return sockets.open(request, server, (context) => api.opening(context))
    return requests.fetch(request, server)
  }
  const listener = new RenewableListener<SocketData>(
    (port, material) =>
      Bun.serve<SocketData>({
        hostname: config.hostname,
        port,
        idleTimeout: config.idleTimeoutSeconds,
        maxRequestBodySize: config.runtimeBodyBytesMax,
        development: false,
        // Set explicitly: outside of development the runtime would let a second server share the port.
        reusePort: config.sharesPort ?? false,
        ...(material === undefined ? {} : { tls: { cert: material.cert, key: material.key } }),
        fetch: (request, server) =>
          request.method === 'GET'
            ? untilFresh().then(() => answer(request, server))
            : answer(request, server),
        error: (error) => requests.crash(error),
        websocket: sockets.handlers,
      }),
    config.port,
    tls,
  )
  const { port } = listener
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${hostInUrl(config.hostname)}:${port}`,
    port,
    publish(batch) {
      streams.publish(batch)
      api.publish(batch)
      for (const event of batch.events) if (event.kind === 'AddressBanned') sockets.closeOf(event.ban.address)
    },
    restart: () => sockets.closeAll('the data is read again'),
    renewTls: (renewed) => listener.renew(renewed),
    async stop() {
      sockets.stop()
      streams.stop()
      api.stop()
      const timer = setTimeout(
        guarded(() => listener.stop(true), cannotFail),
        config.stopTimeoutMs,
      )
      await listener.stop()
      clearTimeout(timer)
    },
  }
}
