/**
 * Storage of a standby: the same as a node's, in a data directory of the same form. Like `storage.ts`, this
 * module depends on the storage technology, so that nothing else in app does.
 */
import { join } from 'node:path'
import type { Journal } from '../../../engine/port/journal.ts'
import type { SnapshotPieces, SnapshotStore } from '../../../engine/port/snapshots.ts'
import type { Witness } from '../../../engine/port/witness.ts'
import type { BatchStore } from '../../../engine/standby/standby-journal.ts'
import { FileWitness } from '../../../storage/files/witness.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { SqliteJournal } from '../../../storage/sqlite/journal.ts'
import { openSnapshots } from '../../../storage/sqlite/storage.ts'
import { WITNESS_FILE } from './stored-exchange.ts'

export type StandbyStorage = {
  readonly store: BatchStore & Pick<Journal, 'append'>
  readonly witness: Witness
  readonly snapshots: SnapshotStore
}

/**
 * Locks the directory, which is created if absent. Throws `JournalFault`; `IN_USE` names the process that has
 * it.
 */
export function openStandbyStorage(directory: string): StandbyStorage {
  return {
    store: SqliteJournal.open({ directory }),
    witness: new FileWitness(join(directory, WITNESS_FILE), sha256),
    snapshots: openSnapshots(directory),
  }
}

/** The snapshots of a node, for its standbys. */
export function nodeSnapshots(directory: string): SnapshotPieces {
  return openSnapshots(directory)
}
