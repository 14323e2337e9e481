/**
 * Notifies the other engines that an epoch has begun, so that the previous leader stops leading even if it
 * cannot reach the database.
 */

import type { RememberedPlace } from '../../../engine/port/journal.ts'
import { openReplicaLink } from '../../../transport/link/asking/replica-link.ts'
import type { EngineProcessOptions } from './engine-options.ts'

/** Longest wait for a link: an engine that does not answer cannot serve gateways either. */
const OPEN_MS_MAX = 2_000

/**
 * Opens a link to each peer with `begun`, the claim of the epoch, and closes it; a peer that does not answer
 * is not waited for.
 */
export function announce({ name, links }: EngineProcessOptions, begun: RememberedPlace): void {
  const { secrets, peers } = links.current
  const [secret = ''] = secrets
  for (const address of peers) {
    const terms = { address, secret, name, remembered: begun, openTimeoutMs: OPEN_MS_MAX }
    openReplicaLink(terms).then(
      (link) => link.close(),
      // The peer does not lead, or does not answer: the caller treats both alike.
      () => {},
    )
  }
}
