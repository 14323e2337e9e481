/** Number of gateways that serve clients, if the settings leave it to the machine. */
import { availableParallelism } from 'node:os'

export const GATEWAYS_MAX = 16

/** The command-line word that starts a gateway's process; not for other use. */
export const GATEWAY_COMMAND = 'gateway-process'

/**
 * The engine and the history follower each use a core; more gateways than the remaining cores are only
 * started on request.
 */
const OTHER_THREADS = 2
const AUTO_MAX = 8

/** `auto`: one for each core that engine and history leave, 1 to 8. */
export function gatewayCount(setting: number | 'auto', cores: number = availableParallelism()): number {
  if (setting !== 'auto') return setting
  return Math.max(1, Math.min(AUTO_MAX, cores - OTHER_THREADS))
}
