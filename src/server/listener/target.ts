/**
 * Path and query of a request, exactly as received from the runtime: nothing is parsed, decoded or rebuilt,
 * because the signature covers the raw query.
 */

export type Target = {
  readonly path: string
  /** Without `?`; empty when there is none. */
  readonly query: string
}

/**
 * The last URL without a query, and its result: most requests with parameters in the body have the same URL.
 */
let lastUrl: string | undefined
let lastTarget: Target = { path: '/', query: '' }

/** `url` is absolute, or begins with the path if the client's Host header was unusable. */
export function targetOf(url: string): Target {
  if (url === lastUrl) return lastTarget
  const pathAt = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  if (pathAt < 0) return { path: '/', query: '' }
  const queryAt = url.indexOf('?', pathAt)
  if (queryAt < 0) {
    lastUrl = url
    lastTarget = { path: url.slice(pathAt), query: '' }
    return lastTarget
  }
  return { path: url.slice(pathAt, queryAt), query: url.slice(queryAt + 1) }
}
