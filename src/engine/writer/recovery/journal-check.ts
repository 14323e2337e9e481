/**
 * Checks with the witnesses (the witness file and every snapshot) that the journal is complete. A position
 * that a witness has stored and the journal lacks halts the start, unless an operator accepts the journal's
 * present end.
 */

import { sameBytes } from '../../../units/typed-arrays.ts'
import { hexOf, type Journal, JournalFault, type Mark } from '../../port/journal.ts'
import type { SnapshotHead, SnapshotStore } from '../../port/snapshots.ts'
import type { Witness } from '../../port/witness.ts'

export type WitnessReport = {
  /** Damage found in the witness itself, which has been repaired. */
  readonly damage: string | undefined
  /** The problems covered by the operator's acceptance; empty if the journal has all remembered positions. */
  readonly accepted: readonly string[]
}

export type WitnessCheck = {
  /** Snapshots that match the journal, newest first. */
  readonly heads: readonly SnapshotHead[]
  readonly report: WitnessReport
}

type WitnessedJournal = Pick<Journal, 'tail' | 'hashAt' | 'beginning'>

export type WitnessCheckOptions = {
  readonly journal: WitnessedJournal
  readonly witness: Witness
  readonly snapshots: SnapshotStore
  readonly heads: readonly SnapshotHead[]
  readonly acceptJournalTail: boolean
}

/** The remedy for a journal that is shorter than it was. */
const WAY_ON =
  'Keep a copy of the data directory. If a disk or a copy failed, restore the directory from a backup. ' +
  'If you have just restored a backup on purpose and accept that later data is lost, start once with ' +
  '--accept-journal-tail'

/** Rejects with `WITNESS` if something is missing in the journal and no operator has accepted that. */
export async function checkWitnesses(options: WitnessCheckOptions): Promise<WitnessCheck> {
  const { journal, acceptJournalTail } = options
  const problems: string[] = []
  const recorded = options.witness.recall()
  if (recorded.kind === 'MARK') {
    const problem = await missing(journal, recorded.mark, 'the witness file')
    if (problem !== undefined) problems.push(problem)
  } else if (recorded.kind === 'UNREADABLE') {
    problems.push(`the witness file cannot be read: ${recorded.damage}`)
  } else if (journal.tail.seq > 0) {
    problems.push(`the journal has ${journal.tail.seq} commands, and its witness file is missing`)
  }
  const heads: SnapshotHead[] = []
  const strangers: SnapshotHead[] = []
  for (const head of options.heads) {
    // A snapshot in the archived part is of no use for a start, and comparing it would require the archive.
    if (head.seq < (journal.beginning?.seq ?? 0)) continue
    const problem = await missing(journal, { seq: head.seq, hash: head.journalHash }, `snapshot ${head.seq}`)
    if (problem === undefined) heads.push(head)
    else {
      problems.push(problem)
      strangers.push(head)
    }
  }
  if (problems.length > 0 && !acceptJournalTail) {
    throw new JournalFault('WITNESS', `${problems.join('; ')}. ${WAY_ON}`)
  }
  for (const head of strangers) await options.snapshots.setAside(head)
  return {
    heads,
    report: { damage: recorded.kind === 'MARK' ? recorded.damage : undefined, accepted: problems },
  }
}

/** The position in `mark` if it is missing in the journal; otherwise undefined. */
async function missing(journal: WitnessedJournal, mark: Mark, who: string): Promise<string | undefined> {
  const { tail } = journal
  if (mark.seq > tail.seq) return `${who} is at command ${mark.seq}, but the journal ends at ${tail.seq}`
  if (mark.seq === 0) return undefined
  const hash = await journal.hashAt(mark.seq)
  if (hash !== undefined && sameBytes(hash, mark.hash)) return undefined
  const found = hash === undefined ? 'no batch end' : `hash ${hexOf(hash)}`
  return `${who} has hash ${hexOf(mark.hash)} at command ${mark.seq}, but the journal has ${found} there`
}
