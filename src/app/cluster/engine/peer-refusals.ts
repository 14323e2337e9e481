/**
 * The engines that refuse this process a link, with the reasons, for its log and its health: a wrong secret
 * must not look like the absence of a leader.
 */

import type { Logger } from '../../../server/common/logger.ts'
import type { ClusterRole, LinkRefusal } from '../../../server/monitoring/cluster-metrics.ts'
import type { LinkAddress } from '../../../transport/link/protocol/link-address.ts'
import type { LinkFault } from '../../../transport/link/protocol/link-fault.ts'

/** The address of a peer, and its last answer. */
export type PeerAnswer = {
  readonly peer: string
  /** Undefined if it leads, or answers that it does not. */
  readonly refusal: Pick<LinkRefusal, 'kind' | 'problem'> | undefined
}

/** The answer that the failure to open a link represents. A peer that does not lead has refused nothing. */
export function answerOf(address: LinkAddress, fault: LinkFault | undefined): PeerAnswer {
  const peer = nameOf(address)
  const isRefusal = fault !== undefined && fault.kind !== 'NOT_LEADER'
  return { peer, refusal: isRefusal ? { kind: fault.kind, problem: fault.message } : undefined }
}

export class PeerRefusals {
  readonly #log: Logger
  readonly #byPeer = new Map<string, LinkRefusal>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** The engines that refuse now. */
  get all(): readonly LinkRefusal[] {
    return [...this.#byPeer.values()]
  }

  /**
   * Like `all`, while looking for the leader. After the leader is found no engine is asked, so earlier
   * answers are dropped.
   */
  of(role: ClusterRole): readonly LinkRefusal[] {
    return role === 'SEEKING' ? this.all : []
  }

  /** Each reason is logged once, until it changes. */
  take({ peer, refusal }: PeerAnswer): void {
    const known = this.#byPeer.get(peer)
    if (refusal === undefined) {
      this.#byPeer.delete(peer)
      if (known !== undefined) this.#log.info({ peer }, 'an engine answers again')
      return
    }
    this.#byPeer.set(peer, { peer, ...refusal })
    if (known?.kind === refusal.kind && known.problem === refusal.problem) return
    const { kind, problem } = refusal
    // A process that does not run is not a refusal, and its supervisor reports it.
    const isAway = kind === 'UNREACHABLE' || kind === 'SILENT' || kind === 'STOPPING'
    if (isAway) this.#log.info({ peer, kind, problem }, 'an engine cannot be reached')
    else this.#log.error({ peer, kind, problem }, 'an engine refuses a link to this process')
  }
}

function nameOf(address: LinkAddress): string {
  return 'socketPath' in address ? address.socketPath : `${address.host}:${address.port}`
}
