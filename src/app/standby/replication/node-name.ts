/** By which name a node or a standby is known to those that it meets, for people. */
import { hostname } from 'node:os'
import { PEER_NAME_LENGTH_MAX } from '../../../transport/link/protocol/greeting.ts'

export function nodeName(): string {
  return hostname().slice(0, PEER_NAME_LENGTH_MAX) || 'node'
}
