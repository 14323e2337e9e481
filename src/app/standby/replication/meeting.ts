/**
 * Two nodes of one exchange meet: the one whose journal is of an earlier epoch was taken over from, and must not serve. Whoever looks says first
 * nothing of what it remembers, so that a wrong address stops no other exchange.
 */

import { EngineFault } from '../../../engine/port/fault.ts'
import { EMPTY_TAIL, hexOf, type JournalPosition } from '../../../engine/port/journal.ts'
import { firstHashOf, showsPlace } from '../../../engine/standby/standing.ts'
import { openReplicaLink, type ReplicaLink } from '../../../transport/link/asking/replica-link.ts'
import type { LinkAddress } from '../../../transport/link/protocol/link-address.ts'
import { LinkFault } from '../../../transport/link/protocol/link-fault.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'

export type Meeting =
  /** Nobody answers there, or nobody who can, or nobody who shows what he says: `problem` says what was found. */
  | { readonly kind: 'UNREACHABLE'; readonly problem: string }
  /** Another exchange, which is nobody's affair. */
  | { readonly kind: 'OTHER_EXCHANGE' }
  /** It is of a later epoch: this one was taken over from. */
  | { readonly kind: 'NEWER'; readonly name: string; readonly position: JournalPosition }
  /** Both are of one epoch: a copy of the directory was started without being promoted. */
  | { readonly kind: 'SAME'; readonly name: string }
  /** It is of an earlier epoch, and was told so. */
  | { readonly kind: 'OLDER'; readonly name: string }

export type OwnJournal = {
  /** Of this end, for people: at most 64 characters. */
  readonly name: string
  readonly secret: string
  /** A place of this journal, of its last epoch. */
  readonly end: JournalPosition
  readonly firstHash: Uint8Array
}

/** Whoever does not answer within this time is not there. */
const OPEN_MS_MAX = 2_000

export async function meet(address: LinkAddress, own: OwnJournal): Promise<Meeting> {
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
      const problem = `${leader} says that epoch ${position.epoch} has begun, and has no batch of it to show`
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
