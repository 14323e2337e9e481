/**
 * The origin of a request of the operator's page. The browser does not send the cookie with requests from
 * other sites, but it does with those from pages on other ports of the same host: those are recognized by
 * their origin.
 */

/**
 * The reason why a request is not the page's own; undefined if it is. `changes`: it may change something, so
 * its origin must be given.
 */
export function foreignText(
  headers: Headers,
  scheme: 'http' | 'https',
  changes: boolean,
): string | undefined {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin')
    return `Sec-Fetch-Site is ${site}, expected same-origin: the request comes from another page`
  const origin = headers.get('origin')
  const host = headers.get('host')
  if (origin === null) return changes ? 'Origin is missing: a page of this server always sends it' : undefined
  if (host === null) return 'Host is missing'
  const own = new URL(`${scheme}://${host}`).origin
  return origin === own
    ? undefined
    : `Origin is ${origin}, expected ${own}: the request comes from another page`
}

/**
 * Name of the cookie: `__Host-`, so that a browser sends it only to this host and accepts it only from it,
 * over TLS and on the loopback address; plus the port that the browser uses, since cookies do not distinguish
 * ports: two nodes of one machine, or behind two tunnels, have separate sessions.
 */
export function cookieName(headers: Headers, scheme: 'http' | 'https'): string {
  const { port } = new URL(`${scheme}://${headers.get('host') ?? 'localhost'}`)
  return `__Host-bourse-operator-${port || DEFAULT_PORTS[scheme]}`
}

const DEFAULT_PORTS = { http: '80', https: '443' } as const

/** The value of a cookie; undefined if it was not sent, or was sent twice and is ambiguous. */
export function cookieValue(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const values = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}
