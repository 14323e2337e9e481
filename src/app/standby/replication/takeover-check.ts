/**
 * The takeover check between two nodes of one exchange: the node whose journal has the earlier epoch was
 * replaced and must not serve. The checking node does not reveal its own position at first, so that a wrong
 * address cannot stop another exchange.
 */

import { EngineFault } from '../../../engine/port/fault.ts'
import { EMPTY_TAIL, hexOf, type JournalPosition } from '../../../engine/port/journal.ts'
import { firstHashOf, showsPlace } from '../../../engine/standby/journal-relation.ts'
import { openReplicaLink, type ReplicaLink } from '../../../transport/link/asking/replica-link.ts'
import type { LinkAddress } from '../../../transport/link/protocol/link-address.ts'
import { LinkFault } from '../../../transport/link/protocol/link-fault.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'

export type TakeoverCheck =
  /** No valid answer was received: `problem` describes what was found. */
  | { readonly kind: 'UNREACHABLE'; readonly problem: string }
  /** Another exchange, which is ignored. */
  | { readonly kind: 'OTHER_EXCHANGE' }
  /** The other node has a later epoch: it has taken over from this node. */
  | { readonly kind: 'NEWER'; readonly name: string; readonly position: JournalPosition }
  /** Both nodes have the same epoch: a copy of the directory was started without being promoted. */
  | { readonly kind: 'SAME'; readonly name: string }
  /** The other node has an earlier epoch, and was notified. */
  | { readonly kind: 'OLDER'; readonly name: string }

export type OwnJournal = {
  /** The name of this node, for people: at most 64 characters. */
  readonly name: string
  readonly secret: string
  /** A position of this journal, in its last epoch. */
  readonly end: JournalPosition
  readonly firstHash: Uint8Array
}

/** A node that does not answer within this time counts as absent. */
const OPEN_MS_MAX = 2_000

export async function checkTakeover(address: LinkAddress, own: OwnJournal): Promise<TakeoverCheck> {
  const { name, secret, end, firstHash } = own
  const connecting = { address, secret, name, openTimeoutMs: OPEN_MS_MAX }
  let link: ReplicaLink | undefined
  try {
    link = await openReplicaLink(connecting, 'standby')
    const theirs = await firstHashOf(link.feed)
    if (theirs === undefined || !sameBytes(theirs, firstHash)) return { kind: 'OTHER_EXCHANGE' }
    const position = link.confirmed() ?? EMPTY_TAIL
    const { leader } = link.welcome
    if (position.epoch > end.epoch) {
      if (await showsPlace(link.feed, position)) return { kind: 'NEWER', name: leader, position }
      const problem = `${leader} reports that epoch ${position.epoch} has begun, but has no batch of that epoch`
      return { kind: 'UNREACHABLE', problem }
    }
    if (position.epoch === end.epoch) return { kind: 'SAME', name: leader }
    await openReplicaLink(
      { ...connecting, remembered: { ...end, journal: hexOf(firstHash) } },
      'standby',
    ).then(
      (open) => open.close(),
      () => {},
    )
    return { kind: 'OLDER', name: leader }
  } catch (cause) {
    if (cause instanceof LinkFault || cause instanceof EngineFault)
      return { kind: 'UNREACHABLE', problem: cause.message }
    throw cause
  } finally {
    link?.close()
  }
}
