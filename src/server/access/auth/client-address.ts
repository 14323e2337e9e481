/**
 * Who is calling: the socket's address, or what a configured trusted proxy says of it, and from nobody else
 * (docs/reference/configuration.md#http).
 */
import { invariant } from '../../../units/invariant.ts'
import { type Address, type AddressRange, containsAny, parseAddress, parseAddressRange } from './address.ts'

/** Most entries of `X-Forwarded-For` that are looked at: the last ones, which the nearest proxies wrote. */
const HOPS_MAX = 32
const IPV4_IN_IPV6 = '::ffff:'

/** Finds the client's address. One is made per list of trusted proxies. */
export type ClientAddressFinder = (socketAddress: string, forwardedFor: string | null) => string

/** `trustedProxies`: addresses and CIDR ranges; a malformed one is an error of the configuration. */
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
 * Walks the list from its end, as far as trusted proxies wrote it: the first address that is not a trusted proxy
 * is the client's. What stands left of it, or behind rubbish, is hearsay.
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
 * What some proxies write: an IPv4 address with a port (`1.1.1.1:8080`), an IPv6 address in brackets with one or without
 * (`[::1]:80`, `[::1]`). Anything else comes back as it is: digits after a bare IPv6 address are part of it.
 */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^[\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? []
  return ipv6 ?? ipv4 ?? hop
}

/** An IPv4 address inside IPv6 as what it is. */
export function plainIPv4(text: string): string {
  return text.startsWith(IPV4_IN_IPV6) && text.includes('.') ? text.slice(IPV4_IN_IPV6.length) : text
}
