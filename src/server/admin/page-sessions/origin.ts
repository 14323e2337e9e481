/**
 * Where a request of the operator's page comes from. The cookie is kept from other sites by the browser, but not from pages of other ports of
 * the same host: those are known by their origin.
 */

/** Why a request is none of the page's own; undefined: it is one. `changes`: it may change something, so that its origin must be said. */
export function foreignText(
  headers: Headers,
  scheme: 'http' | 'https',
  changes: boolean,
): string | undefined {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin')
    return `Sec-Fetch-Site is ${site}, expected same-origin: another page asks`
  const origin = headers.get('origin')
  const host = headers.get('host')
  if (origin === null) return changes ? 'Origin is missing: a page of this server always says it' : undefined
  if (host === null) return 'Host is missing'
  const own = new URL(`${scheme}://${host}`).origin
  return origin === own ? undefined : `Origin is ${origin}, expected ${own}: another page asks`
}

/**
 * The cookie's name: `__Host-`, so that a browser keeps it to this very host and takes it of nobody else, over TLS and on the loopback address; and the port that the
 * browser asks, since cookies know none: two nodes of one machine, or behind two tunnels, have a session each.
 */
export function cookieName(headers: Headers, scheme: 'http' | 'https'): string {
  const { port } = new URL(`${scheme}://${headers.get('host') ?? 'localhost'}`)
  return `__Host-bourse-operator-${port || DEFAULT_PORTS[scheme]}`
}

const DEFAULT_PORTS = { http: '80', https: '443' } as const

/** The value of a cookie; undefined: it is not sent, or sent twice, so that nobody is to guess which is meant. */
export function cookieValue(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const values = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}
