/**
 * A standby's link to its node: it is reopened whenever it ends, and the node's journal is compared with the
 * directory before anything is copied from it.
 */

import { EngineFault } from '../../engine/port/fault.ts'
import { EMPTY_TAIL, hexOf } from '../../engine/port/journal.ts'
import { firstHashOf, type RememberedJournal, relationOf } from '../../engine/standby/journal-relation.ts'
import type { StandbyJournal } from '../../engine/standby/standby-journal.ts'
import type { Logger } from '../../server/common/logger.ts'
import { openReplicaLink, type ReplicaLink } from '../../transport/link/asking/replica-link.ts'
import type { LinkAddress } from '../../transport/link/protocol/link-address.ts'
import { LinkFault, type LinkFaultKind } from '../../transport/link/protocol/link-fault.ts'
import { DataDirectoryFault } from '../node/exchange-directory.ts'

export type NodeLinkOptions = {
  readonly address: LinkAddress
  /** Tried in turn until the node accepts one. */
  readonly secrets: readonly string[]
  readonly name: string
  readonly journal: StandbyJournal
  readonly log: Logger
}

const OPEN_MS_MAX = 2_000
/**
 * Pause between two attempts; it doubles up to the maximum, so that a node that comes back is followed within
 * half a second.
 */
const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 500

/** Problems that only an operator can fix: logged as errors. */
const WRONG: readonly LinkFaultKind[] = ['WRONG_SECRET', 'WRONG_VERSION', 'FORBIDDEN', 'TOO_MANY', 'REFUSED']

/**
 * Resolves with a link to a node whose journal begins with everything in the directory; undefined if `isOver`
 * became true. Rejects with `DataDirectoryFault` if the journal of the node begins differently.
 */
export async function openNodeLink(
  options: NodeLinkOptions,
  isOver: () => boolean,
): Promise<ReplicaLink | undefined> {
  const { address, secrets, name, log } = options
  let pauseMs = PAUSE_MS_MIN
  let problem = ''
  for (let tried = 0; !isOver(); tried++) {
    const secret = secrets[tried % secrets.length] ?? ''
    try {
      const link = await openReplicaLink({ address, secret, name, openTimeoutMs: OPEN_MS_MAX }, 'standby')
      if (isOver()) {
        link.close()
        break
      }
      await requireFits(options, secret, link)
      return link
    } catch (cause) {
      if (!(cause instanceof LinkFault || cause instanceof EngineFault)) throw cause
      if (cause.message !== problem) {
        const isWrong = cause instanceof LinkFault && WRONG.includes(cause.kind)
        log[isWrong ? 'error' : 'warn'](
          { problem: cause.message },
          'the node cannot be followed: trying again',
        )
      }
      problem = cause.message
    }
    await Bun.sleep(pauseMs)
    pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs)
  }
  return undefined
}

/** The positions of the journal that are recorded in the directory. */
export async function rememberedBy(journal: StandbyJournal): Promise<RememberedJournal> {
  const { remembered, tail } = journal
  return { remembered, firstHash: tail.position === 0 ? undefined : await firstHashOf(journal) }
}

async function requireFits(
  { address, name, journal }: NodeLinkOptions,
  secret: string,
  link: ReplicaLink,
): Promise<void> {
  const ours = await rememberedBy(journal)
  const node = { confirmed: link.confirmed() ?? EMPTY_TAIL, feed: link.feed }
  const relation = await relationOf(ours, node)
  if (relation.kind === 'FITS') return
  link.close()
  // A directory that has lost its journal has a recorded position, but no record of the exchange to which it
  // belongs.
  if (relation.kind === 'NEWER_EPOCH' && ours.firstHash !== undefined) {
    // The node belongs to this exchange and has not learned that it was replaced; this informs it.
    const remembered = { ...ours.remembered, journal: hexOf(ours.firstHash) }
    await openReplicaLink({ address, secret, name, openTimeoutMs: OPEN_MS_MAX, remembered }, 'standby').then(
      (open) => open.close(),
      () => {},
    )
  }
  throw new DataDirectoryFault(
    `${relation.problem}. Nothing was changed here: docs/standby.md says what to do`,
  )
}
