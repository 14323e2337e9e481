/**
 * Which pages may use the interface from a browser. By default all may, as the headers of every answer state;
 * with a list of origins, the headers of each answer are adjusted to the requesting page (Fetch standard,
 * 3.2).
 */

/** Corrects the headers of an answer. */
export type CorsPolicy = (request: Request, response: Response) => Response

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin'
const CORS_HEADERS = [
  ALLOW_ORIGIN,
  'Access-Control-Expose-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
]

/** Undefined if every origin is allowed, since no header needs a correction. */
export function corsPolicy(origins: readonly string[]): CorsPolicy | undefined {
  if (origins.includes('*')) return undefined
  const allowed = new Set(origins)
  return (request, response) => {
    const { headers } = response
    const origin = request.headers.get('origin')
    const isOpen = headers.has(ALLOW_ORIGIN)
    // Answers differ by page: a cache in between must keep them apart.
    headers.append('Vary', 'Origin')
    if (isOpen && origin !== null && allowed.has(origin)) headers.set(ALLOW_ORIGIN, origin)
    else for (const name of CORS_HEADERS) headers.delete(name)
    return response
  }
}
