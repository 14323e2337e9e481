/** Requests to a process of a cluster at its address: a socket of this machine, or a port with TLS. */
import { hostInUrl } from '../../server/listener/loopback.ts'
import type { LinkAddress } from '../../transport/link/protocol/link-address.ts'

/** Rejects as `fetch` does. */
export function fetchAt(
  address: LinkAddress,
  path: string,
  init: Omit<BunFetchRequestInit, 'unix' | 'tls' | 'redirect'>,
): Promise<Response> {
  const asked = { ...init, redirect: 'manual' as const }
  if ('socketPath' in address) return fetch(`http://bourse${path}`, { ...asked, unix: address.socketPath })
  const place = `${hostInUrl(address.host)}:${address.port}`
  if (address.tls === 'off') return fetch(`http://${place}${path}`, asked)
  // Without explicit authorities the runtime uses the system's.
  const { ca } = address.tls
  return fetch(`https://${place}${path}`, { ...asked, ...(ca === undefined ? {} : { tls: { ca } }) })
}
