/** Batches of the journal's own in words: who led a cluster from there on, what is passed over, where the exchange went. */
import type { Batch, BatchKind } from '../../../engine/port/journal.ts'
import { claimOf, quarantinedBy } from '../../../engine/writer/own-batches.ts'
import { sealOf } from '../../../engine/writer/seal.ts'
import { isoTime } from '../../../wire/time.ts'

/** How they are called beside the kinds of commands. */
const NAMES = { CLAIM: 'Claim', QUARANTINE: 'Quarantine', SEAL: 'Seal' } as const

export const OWN_KINDS: readonly string[] = Object.values(NAMES)

export type OwnWords = {
  readonly kind: string
  readonly asked: Readonly<Record<string, string | number>>
}

/** The kind of such a batch as it is shown; undefined: it holds commands. */
export function ownKind(kind: BatchKind): string | undefined {
  return kind === 'COMMANDS' ? undefined : NAMES[kind]
}

/** Undefined: it holds commands. Throws `JournalFault`. */
export function ownWords(batch: Batch): OwnWords | undefined {
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
