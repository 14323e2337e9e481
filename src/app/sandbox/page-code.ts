/**
 * The code that proves that a person is at the sandbox's machine: created at each start, and part of the
 * printed address of the page. A peer on the loopback address may be a proxy that acts for others without
 * identifying itself; a person who has read the sandbox's output or its file is at the machine. The address
 * redirects to the page at once and sets a cookie in this browser, so that no address keeps the code.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'

const CODE_BYTES = 16
/** The parameter of the printed address. */
const PARAMETER = 'code'

export function newPageCode(): string {
  return randomBytes(CODE_BYTES).toString('hex')
}

/** Address of the page with all functions. */
export function pageUrl(baseUrl: string, code: string): string {
  return `${baseUrl}/?${PARAMETER}=${code}`
}

export class PageCode {
  readonly #code: string

  constructor(code: string) {
    this.#code = code
  }

  /** Whether a request proves knowledge of the code, by the cookie that the page sets. */
  isShownBy(request: Request): boolean {
    const name = cookieName(new URL(request.url))
    const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
    const shown = pairs.find((pair) => pair.startsWith(`${name}=`))
    return shown !== undefined && this.#is(shown.slice(name.length + 1))
  }

  /**
   * The answer to the printed address: the page without the code. Undefined if the address has no code, or a
   * wrong one.
   */
  redirect(request: Request): Response | undefined {
    const url = new URL(request.url)
    const shown = url.searchParams.get(PARAMETER)
    if (shown === null || !this.#is(shown)) return undefined
    url.searchParams.delete(PARAMETER)
    const headers = {
      Location: `${url.pathname}${url.search}`,
      'Set-Cookie': `${cookieName(url)}=${this.#code}; Path=/; HttpOnly; SameSite=Lax`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    }
    return new Response(null, { status: 303, headers })
  }

  #is(shown: string): boolean {
    const [expected, found] = [Buffer.from(this.#code), Buffer.from(shown)]
    return expected.length === found.length && timingSafeEqual(expected, found)
  }
}

/** Cookies do not distinguish ports: the sandboxes of one machine each use a cookie name of their own. */
function cookieName({ port }: URL): string {
  return `bourse-sandbox-${port || 'default'}`
}
