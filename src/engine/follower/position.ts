/**
 * Whether history belongs to the journal. History that is ahead of it, or made from another one, halts the
 * follower (`AHEAD_OF_JOURNAL`): commands are missing whose results clients have received. An operator who
 * restored a backup on purpose sets `acceptJournalTail`; then history is dropped and rebuilt.
 */
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { HistoryFault, type HistoryStore } from '../history/history.ts'
import { hexOf, type Mark } from '../port/journal.ts'

export type PositionQuestion = {
  readonly history: HistoryStore
  readonly journalEnd: Seq
  readonly acceptJournalTail: boolean
}

export type CheckedPosition = {
  readonly position: Mark
  /** The end of the dropped history; undefined if it was kept. */
  readonly dropped: Seq | undefined
}

/** The position of history, after a check that it is not ahead of the journal. */
export async function checkedPosition(question: PositionQuestion): Promise<CheckedPosition> {
  const { history, journalEnd, acceptJournalTail } = question
  const position = await history.position()
  if (acceptJournalTail && position.seq > 0) {
    await history.clear()
    return { position: await history.position(), dropped: position.seq }
  }
  if (position.seq > journalEnd) {
    throw otherJournal(`history reaches command ${position.seq}, the journal ends at ${journalEnd}`)
  }
  return { position, dropped: undefined }
}

/** Throws if replay and history are at the same command of two different journals. */
export function assertSamePlace(tail: Mark, history: Mark): void {
  if (tail.seq !== history.seq || sameBytes(tail.hash, history.hash)) return
  const found = `the journal's hash is ${hexOf(tail.hash)}, history was made from ${hexOf(history.hash)}`
  throw otherJournal(`at command ${tail.seq} ${found}`)
}

/** The fault for history that is not of this journal, with the remedy. */
export function otherJournal(found: string): HistoryFault {
  const wayOn = 'start with the journal accepted as it is if a backup was restored; history is then rebuilt'
  return new HistoryFault('AHEAD_OF_JOURNAL', `${found}: ${wayOn}`)
}
