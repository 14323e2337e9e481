/**
 * Looks for the leading engine among the other engines of a cluster: asks each over a link until one of them
 * answers that it leads.
 */

import type { LeaderLink, LeaderSearch } from '../../../engine/leadership/cluster-ports.ts'
import { EMPTY_TAIL, type RememberedPlace } from '../../../engine/port/journal.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { openReplicaLink, type ReplicaLink } from '../../../transport/link/asking/replica-link.ts'
import type { LinkAddress } from '../../../transport/link/protocol/link-address.ts'
import { LinkFault } from '../../../transport/link/protocol/link-fault.ts'
import { answerOf, type PeerAnswer } from './peer-refusals.ts'

export type PeerLinks = { readonly peers: readonly LinkAddress[]; readonly secret: string }

export type PeerSearchOptions = {
  /**
   * The engines that may lead, and the secret shared with them, read again for each query. The number of
   * engines is constant.
   */
  readonly links: () => PeerLinks
  /** The name of this engine. */
  readonly name: string
  readonly remembered: () => RememberedPlace
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Called after each query to a peer. */
  readonly onAnswer: (answer: PeerAnswer) => void
}

/** Time limit for an engine's answer; an engine whose machine is down never answers. */
const OPEN_MS_MAX = 2_000
/** Pause between two queries to one engine, which doubles while it does not lead. */
const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 500

export function searchLeader(options: PeerSearchOptions): LeaderSearch {
  const found = Promise.withResolvers<LeaderLink>()
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  for (const peer of options.links().peers.keys()) void ask(peer)
  return { found: found.promise, end }

  async function ask(peer: number): Promise<void> {
    const { links, name, remembered, scheduler, onAnswer } = options
    let pauseMs = PAUSE_MS_MIN
    while (!isOver) {
      const { position } = remembered()
      const { peers, secret } = links()
      const address = peers[peer] as LinkAddress
      const opened = await openReplicaLink({
        ...{ address, secret, name, openTimeoutMs: OPEN_MS_MAX },
        remembered: position === 0 ? undefined : remembered(),
      }).catch((cause: unknown) => {
        if (cause instanceof LinkFault) return cause
        return new LinkFault('UNREACHABLE', cause instanceof Error ? cause.message : String(cause), { cause })
      })
      const fault = opened instanceof LinkFault ? opened : undefined
      if (!isOver) onAnswer(answerOf(address, fault))
      if (!(opened instanceof LinkFault)) {
        if (isOver) opened.close()
        else {
          isOver = true
          found.resolve(leaderOf(opened))
        }
        return
      }
      const ms = pauseMs
      pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs)
      await new Promise<void>((resolve) => scheduler.later(resolve, ms))
    }
  }
}

function leaderOf(link: ReplicaLink): LeaderLink {
  const { leader, epoch, journal } = link.welcome
  return {
    ...{ name: leader, epoch, journal },
    confirmed: link.confirmed() ?? EMPTY_TAIL,
    feed: link.feed,
    lost: link.lost,
    copySnapshot: async (store) => {
      const snapshot = await link.newestSnapshot()
      if (snapshot !== undefined) await store.save(snapshot)
      return snapshot !== undefined
    },
    close: () => link.close(),
  }
}
