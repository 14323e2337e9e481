/**
 * Network addresses and ranges of them, as in the allow-list of an API key and in the list of trusted
 * proxies. An IPv4 address inside IPv6 (`::ffff:a.b.c.d`) is that IPv4 address everywhere.
 */
import { isIPv4, isIPv6 } from 'node:net'

export type Address = { readonly family: 4 | 6; readonly bits: bigint }

/** All addresses that share the first `prefix` bits. */
export type AddressRange = Address & { readonly prefix: number }

const WIDTH = { 4: 32, 6: 128 } as const
const MAPPED_PREFIX = 96
const MAPPED = 0xffffn
const IPV4_MASK = 0xffff_ffffn

/** Reads an IPv4 or IPv6 address; undefined when it is neither. An IPv6 zone (`%eth0`) is not part of it. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, bits: ipv4Bits(text) }
  const bare = text.includes('%') ? text.slice(0, text.indexOf('%')) : text
  if (!isIPv6(bare)) return undefined
  const bits = ipv6Bits(bare)
  return bits >> 32n === MAPPED ? { family: 4, bits: bits & IPV4_MASK } : { family: 6, bits }
}

/**
 * Reads an address or a CIDR range (`10.0.0.0/8`, `2001:db8::/32`); undefined when it is neither. Bits beyond
 * the prefix are ignored.
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const slash = text.indexOf('/')
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash))
  if (address === undefined) return undefined
  if (slash < 0) return { ...address, prefix: WIDTH[address.family] }
  const length = text.slice(slash + 1)
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined
  const isMapped = address.family === 4 && text.includes(':')
  const prefix = Number(length) - (isMapped ? MAPPED_PREFIX : 0)
  return prefix >= 0 && prefix <= WIDTH[address.family] ? { ...address, prefix } : undefined
}

export function contains(range: AddressRange, address: Address): boolean {
  if (range.family !== address.family) return false
  const shift = BigInt(WIDTH[range.family] - range.prefix)
  return range.bits >> shift === address.bits >> shift
}

/** True when any of the ranges has the address. */
export function containsAny(ranges: readonly AddressRange[], address: Address): boolean {
  return ranges.some((range) => contains(range, address))
}

/**
 * The unit by which limits are counted: an IPv4 address in any spelling, or the /64 of an IPv6 address, which
 * belongs to one customer. A text that is not an address counts as itself.
 */
export function limitKey(address: string): string {
  if (!address.includes(':')) return address
  const parsed = parseAddress(address)
  if (parsed === undefined) return address
  if (parsed.family === 4) return ipv4Text(parsed.bits)
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((parsed.bits >> shift) & 0xffffn).toString(16))
  return `${groups.join(':')}::/64`
}

/**
 * The multiples of the limits of one address that its wider networks are allowed, in the order of
 * `widerKeys`.
 */
export const WIDER_TIMES = [4, 16] as const

/**
 * The keys of the /56 and the /48 that contain a key of `limitKey`, narrowest first. A provider may give a
 * customer a network of that size, so each may use more than one /64, but less than all of its /64s together
 * (docs/reference/configuration.md#limits). An IPv4 address has none.
 */
export function widerKeys(key: string): readonly [] | readonly [wider: string, widest: string] {
  if (!key.endsWith('::/64')) return []
  const [first = '', second = '', third = '', fourth = ''] = key.slice(0, -'::/64'.length).split(':')
  const upper = Number.parseInt(fourth, 16) & 0xff00
  return [`${first}:${second}:${third}:${upper.toString(16)}::/56`, `${first}:${second}:${third}::/48`]
}

/** The multiple of the limits of one address that each key of `keysOf` is allowed, at the same index. */
export function timesOf(at: number): number {
  return at === 0 ? 1 : (WIDER_TIMES[at - 1] ?? 1)
}

/** The key of an address and the keys of its wider networks: a ban of any of them bans the address. */
export function keysOf(key: string): readonly string[] {
  return [key, ...widerKeys(key)]
}

/**
 * The key of a /56 or /48 of IPv6, in the form of `widerKeys`, for a text such as `2001:db8:1::/48`;
 * undefined if the text names none.
 */
export function widerKeyOf(text: string): string | undefined {
  const [, address = '', bits] = /^([^%/]*)\/(48|56)$/.exec(text) ?? []
  if (parseAddress(address)?.family !== 6) return undefined
  const [wider, widest] = widerKeys(limitKey(address))
  return bits === '56' ? wider : widest
}

function ipv4Bits(text: string): bigint {
  return text.split('.').reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n)
}

function ipv4Text(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.')
}

/** `text` is a valid IPv6 address without a zone. */
function ipv6Bits(text: string): bigint {
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  const plain = tail.includes('.') ? text.slice(0, lastColon + 1) + ipv4Groups(tail) : text
  const [head = '', rest] = plain.split('::')
  const left = groups(head)
  const right = rest === undefined ? [] : groups(rest)
  const zeros = new Array<bigint>(8 - left.length - right.length).fill(0n)
  return [...left, ...zeros, ...right].reduce((bits, group) => (bits << 16n) | group, 0n)
}

function ipv4Groups(text: string): string {
  const bits = ipv4Bits(text)
  return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
}

function groups(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`))
}
