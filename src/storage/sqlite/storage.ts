/**
 * All storage of an engine on this machine, in one data directory: `journal.sqlite` with its log and
 * `journal.pid`, `journal.witness`, `snapshots/`.
 */
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { EngineStorage } from '../../engine/port/storage.ts'
import { SnapshotFiles } from '../files/snapshots.ts'
import { FileWitness } from '../files/witness.ts'
import { sha256 } from '../sha256.ts'
import { SqliteJournal, type SqliteJournalOptions } from './journal.ts'

/**
 * Locks the data directory. Throws `JournalFault`; with `IN_USE` it names the process that has locked the
 * directory.
 */
export function openStorage(options: SqliteJournalOptions): EngineStorage {
  return {
    journal: SqliteJournal.open(options),
    witness: new FileWitness(join(options.directory, 'journal.witness'), sha256),
    snapshots: openSnapshots(options.directory),
  }
}

/**
 * The snapshots of a data directory, for a thread that needs nothing else from that directory. Temporary
 * names belong to the thread, not the process: the next run overwrites the incomplete files of a crash.
 */
export function openSnapshots(directory: string): SnapshotFiles {
  return new SnapshotFiles(join(directory, 'snapshots'), sha256, `thread-${threadId}`)
}
