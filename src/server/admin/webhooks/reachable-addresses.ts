/**
 * The network addresses that a webhook may be sent to: those that are publicly reachable. Other addresses
 * belong to this machine or its network, where a request from the node could do more than its sender could.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Networks of IPv4 that are not public (RFC 6890 and its successors), multicast included. */
const CLOSED_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A public address, but within Azure it is a service of the host for its machines; other clouds have such
  // services in the networks below.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
/** Parts of the public networks of IPv6 that lead elsewhere, or are reserved for examples. */
const CLOSED_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const closed = new BlockList()
for (const [network, bits] of CLOSED_IPV4) closed.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of CLOSED_IPV6) closed.addSubnet(network, bits, 'ipv6')
/** The networks of IPv6 that are public so far; IPv4 addresses in other forms are not among them. */
const open = new BlockList()
open.addSubnet('2000::', 3, 'ipv6')

/** Whether the address is reachable on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}
