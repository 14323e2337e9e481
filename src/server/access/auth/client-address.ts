/**
 * The client's address: that of the socket, or the one reported by a configured trusted proxy, and by no
 * other peer (docs/reference/configuration.md#http).
 */
import { invariant } from '../../../units/invariant.ts'
import { type Address, type AddressRange, containsAny, parseAddress, parseAddressRange } from './address.ts'

/**
 * Maximum number of entries of `X-Forwarded-For` that are examined: the last ones, which the nearest proxies
 * wrote.
 */
const HOPS_MAX = 32
const IPV4_IN_IPV6 = '::ffff:'

/** Finds the client's address. One finder is created per list of trusted proxies. */
export type ClientAddressFinder = (socketAddress: string, forwardedFor: string | null) => string

/** `trustedProxies`: addresses and CIDR ranges; a malformed one is a configuration error. */
export function clientAddressFinder(trustedProxies: readonly string[]): ClientAddressFinder {
  if (trustedProxies.length === 0) return (socketAddress) => plainIPv4(socketAddress)
  const trusted = trustedProxies.map((text) => {
    const range = parseAddressRange(text)
    invariant(range !== undefined, () => `trusted proxy must be an address or a CIDR range, found ${text}`)
    return range
  })
  return (socketAddress, forwardedFor) => {
    const own = plainIPv4(socketAddress)
    return isTrusted(parseAddress(own), trusted) ? forwardedAddress(own, forwardedFor, trusted) : own
  }
}

/**
 * Walks the list from its end while the entries were written by trusted proxies; the first address that is
 * not a trusted proxy is the client's. Entries to the left of it, or beyond an invalid entry, are not
 * trusted.
 */
function forwardedAddress(own: string, header: string | null, trusted: readonly AddressRange[]): string {
  let client = own
  for (const hop of (header ?? '').split(',').slice(-HOPS_MAX).reverse()) {
    const text = plainIPv4(withoutPort(hop.trim()))
    const address = parseAddress(text)
    if (address === undefined) return client
    client = text
    if (!isTrusted(address, trusted)) return client
  }
  return client
}

function isTrusted(address: Address | undefined, trusted: readonly AddressRange[]): boolean {
  return address !== undefined && containsAny(trusted, address)
}

/**
 * Handles the forms that some proxies write: an IPv4 address with a port (`1.1.1.1:8080`), or an IPv6 address
 * in brackets with or without one (`[::1]:80`, `[::1]`). Anything else is returned unchanged: digits after a
 * bare IPv6 address are part of it.
 */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^[\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? []
  return ipv6 ?? ipv4 ?? hop
}

/** Converts an IPv4 address in IPv6 form to its IPv4 form. */
export function plainIPv4(text: string): string {
  return text.startsWith(IPV4_IN_IPV6) && text.includes('.') ? text.slice(IPV4_IN_IPV6.length) : text
}
