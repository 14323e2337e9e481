/**
 * Text for the journal's own batches: a new leader of a cluster, skipped positions, the destination of a
 * moved exchange.
 */

import { isoTime } from '../../../contract/time.ts'
import type { Batch, BatchKind } from '../../../engine/port/journal.ts'
import { claimOf, quarantinedBy } from '../../../engine/writer/own-batches.ts'
import { sealOf } from '../../../engine/writer/seal.ts'

/** Their names, in addition to the kinds of commands. */
const NAMES = { CLAIM: 'Claim', QUARANTINE: 'Quarantine', SEAL: 'Seal' } as const

export const OWN_KINDS: readonly string[] = Object.values(NAMES)

export type OwnBatchText = {
  readonly kind: string
  readonly asked: Readonly<Record<string, string | number>>
}

/** The displayed kind of such a batch; undefined if it contains commands. */
export function ownKind(kind: BatchKind): string | undefined {
  return kind === 'COMMANDS' ? undefined : NAMES[kind]
}

/** Undefined if it contains commands. Throws `JournalFault`. */
export function ownBatchText(batch: Batch): OwnBatchText | undefined {
  switch (batch.kind) {
    case 'COMMANDS':
      return undefined
    case 'CLAIM':
      return { kind: NAMES.CLAIM, asked: { by: claimOf(batch).name, epoch: batch.epoch } }
    case 'QUARANTINE':
      return { kind: NAMES.QUARANTINE, asked: { command: quarantinedBy(batch).seq } }
    case 'SEAL': {
      const { to, name, by, time } = sealOf(batch)
      return { kind: NAMES.SEAL, asked: { to, name, by, at: isoTime(time) } }
    }
  }
}
