/**
 * Receives requests from other gateways for sessions of this one: on a socket of the file system that only
 * its owner may use.
 */
import { chmodSync, rmSync } from 'node:fs'
import type { Stream, StreamSocketData } from '../stream.ts'
import { CLIENT_ADDRESS_HEADER } from './peer-sessions.ts'
import type { StreamServer } from './socket-io-transport.ts'

/**
 * Listens; removes the socket file that an earlier process of the same name left. Throws the system's error.
 */
export function openPeerListener(socketPath: string, stream: Stream): Bun.Server<StreamSocketData> {
  rmSync(socketPath, { force: true })
  const server: Bun.Server<StreamSocketData> = Bun.serve<StreamSocketData>({
    unix: socketPath,
    fetch: (request, own) => stream.handle(request, asClient(request, own)),
    websocket: stream.websocket,
  })
  chmodSync(socketPath, 0o600)
  return server
}

/** The server, in the form that a stream needs, with the address of the client itself. */
function asClient(request: Request, server: Bun.Server<StreamSocketData>): StreamServer {
  const address = request.headers.get(CLIENT_ADDRESS_HEADER) ?? ''
  const seen: Pick<StreamServer, 'requestIP' | 'timeout' | 'upgrade'> = {
    requestIP: () => ({ address, port: 0, family: address.includes(':') ? 'IPv6' : 'IPv4' }),
    timeout: (each, seconds) => server.timeout(each, seconds),
    upgrade: (each: Request, options: unknown) => server.upgrade(each, options as never),
  }
  return seen as StreamServer
}
