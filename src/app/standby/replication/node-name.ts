/** The name of a node or a standby, as its peers show it to people. */
import { hostname } from 'node:os'
import { PEER_NAME_LENGTH_MAX } from '../../../transport/link/protocol/greeting.ts'

export function nodeName(): string {
  return hostname().slice(0, PEER_NAME_LENGTH_MAX) || 'node'
}
