/**
 * The published documents contain the address of a server, and links to pages. A node replaces the sandbox's
 * address with the address of the request, so that links lead back to it and clients that are generated from
 * a document connect to it.
 */
import { SANDBOX, SANDBOX_HOST } from '../../../contract/sandbox-address.ts'
import { EncodedBytes } from './encodings.ts'

/** Enough for the names of a node and some invalid ones. Each takes 0.5 MB for the largest document. */
const ADDRESSES_MAX = 4
/**
 * The minimum interval at which one address replaces another once the cache is full: compressing the largest
 * document takes 15 ms of CPU time.
 */
const KEPT_EVERY_MS = 10_000

/** The forms of the sandbox's address in the documents, and their replacements for another address. */
const PLACES: readonly (readonly [text: string, of: (host: string, isSecure: boolean) => string])[] = [
  [`"protocol": "ws"`, (_host, isSecure) => `"protocol": "${isSecure ? 'wss' : 'ws'}"`],
  [`"host": "${SANDBOX_HOST}"`, (host) => `"host": "${host}"`],
  [SANDBOX, (host, isSecure) => `${isSecure ? 'https' : 'http'}://${host}`],
]

/** The address that a client has used, such as `https://exchange.example`. */
export function addressAskedAt(request: Request): string {
  const { host, protocol } = new URL(request.url)
  // A client that invents an address is the only one that gets this answer: no cache keeps it for others.
  const isSecure = protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https'
  return `${isSecure ? 'https' : 'http'}://${host}`
}

/**
 * A document as served at each address: cached, and compressed, for the most recently requested addresses.
 */
export class AddressedDocument {
  readonly #text: string
  /** Least recently requested first. */
  readonly #bytesByAddress = new Map<string, EncodedBytes>()
  #keptMs = Number.NEGATIVE_INFINITY

  constructor(text: string) {
    this.#text = text
  }

  /**
   * `nowMs`: monotonic milliseconds. A client that invents many addresses gets bytes that are neither kept
   * nor compressed.
   */
  at(address: string, nowMs: number): EncodedBytes {
    const known = this.#bytesByAddress.get(address)
    if (known === undefined) return this.#make(address, nowMs)
    this.#bytesByAddress.delete(address)
    this.#bytesByAddress.set(address, known)
    return known
  }

  #make(address: string, nowMs: number): EncodedBytes {
    const isFull = this.#bytesByAddress.size >= ADDRESSES_MAX
    const isKept = !isFull || nowMs - this.#keptMs >= KEPT_EVERY_MS
    const bytes = new TextEncoder().encode(withAddress(this.#text, address))
    const made = new EncodedBytes(bytes, { isCompressed: isKept })
    if (!isKept) return made
    const [oldest] = this.#bytesByAddress.keys()
    if (isFull && oldest !== undefined) this.#bytesByAddress.delete(oldest)
    this.#bytesByAddress.set(address, made)
    this.#keptMs = nowMs
    return made
  }
}

/** A document with an address in place of the sandbox's. */
export function withAddress(document: string, address: string): string {
  const { host, protocol } = new URL(address)
  return PLACES.reduce(
    (text, [sandbox, of]) => text.replaceAll(sandbox, of(host, protocol === 'https:')),
    document,
  )
}
