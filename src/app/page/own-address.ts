/**
 * The published documents name a server and link to pages. A node puts the address at which it was asked in place of the sandbox's, so
 * that links lead back to it and clients that are made of a document speak to it.
 */
import { SANDBOX, SANDBOX_HOST } from '../../wire/sandbox-address.ts'

/** How the sandbox's address stands in the documents, and how it is written for another. */
const PLACES: readonly (readonly [text: string, of: (host: string, isSecure: boolean) => string])[] = [
  [`"protocol": "ws"`, (_host, isSecure) => `"protocol": "${isSecure ? 'wss' : 'ws'}"`],
  [`"host": "${SANDBOX_HOST}"`, (host) => `"host": "${host}"`],
  [SANDBOX, (host, isSecure) => `${isSecure ? 'https' : 'http'}://${host}`],
]

/** The address that a client has used, as `https://exchange.example`. */
export function addressAskedAt(request: Request): string {
  const { host, protocol } = new URL(request.url)
  // Whoever makes it up is the only one to be shown it: no cache keeps these answers for others.
  const isSecure = protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https'
  return `${isSecure ? 'https' : 'http'}://${host}`
}

/** A document with an address in place of the sandbox's. */
export function withAddress(document: string, address: string): string {
  const { host, protocol } = new URL(address)
  return PLACES.reduce(
    (text, [sandbox, of]) => text.replaceAll(sandbox, of(host, protocol === 'https:')),
    document,
  )
}
