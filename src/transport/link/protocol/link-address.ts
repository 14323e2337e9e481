/** The address of an engine or a historian: a socket in this machine's file system, or a port with TLS. */

import { connect } from 'node:net'

/** `off` only for an address of this machine. */
export type LinkTls = { readonly ca: string | undefined } | 'off'

export type LinkAddress =
  /** A socket in the file system. */
  | { readonly socketPath: string }
  | {
      readonly host: string
      readonly port: number
      /** Trusted authorities in PEM, or the system's; the certificate must be valid for the host. */
      readonly tls: LinkTls
    }

/** The address on which links are accepted. */
export type LinkListener =
  /** A socket in the file system that only its owner may use. */
  | { readonly socketPath: string }
  | {
      readonly hostname: string
      /** 0 for any free port. */
      readonly port: number
      /** The chain and key in PEM; undefined for no TLS, on an address of this machine only. */
      readonly tls: { readonly cert: string; readonly key: string } | undefined
    }

/**
 * Whether the address accepts connections, with any protocol. A connection that is not accepted within
 * `withinMs` counts as refused.
 */
export async function takesConnections(address: LinkAddress, withinMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const place =
    'socketPath' in address ? { path: address.socketPath } : { host: address.host, port: address.port }
  const socket = connect({ ...place, timeout: withinMs })
  socket.once('timeout', () => resolve(false))
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  const isTaken = await promise
  socket.destroy()
  return isTaken
}

/** A WebSocket to the address. */
export function connectTo(address: LinkAddress): WebSocket {
  if ('socketPath' in address) return new WebSocket(`ws+unix://${address.socketPath}`)
  const { host, port, tls } = address
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (tls === 'off') return new WebSocket(`ws://${place}`)
  // Without explicit authorities the runtime uses the system's.
  return new WebSocket(`wss://${place}`, { tls: tls.ca === undefined ? {} : { ca: tls.ca } })
}
