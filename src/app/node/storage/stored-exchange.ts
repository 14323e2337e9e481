/**
 * An exchange in a data directory or a backup, as the commands that verify, copy and repair it read and write
 * it. Like `storage.ts`, this module depends on the storage technology, so that nothing else in app does.
 */
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalTarget } from '../../../engine/audit/copy.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import type { HistoryStore } from '../../../engine/history/history.ts'
import type { JournalPosition } from '../../../engine/port/journal.ts'
import type { SnapshotStore } from '../../../engine/port/snapshots.ts'
import type { WitnessRecord } from '../../../engine/port/witness.ts'
import { syncDirectory } from '../../../storage/files/directory.ts'
import { FileWitness } from '../../../storage/files/witness.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { removeHistoryFile } from '../../../storage/sqlite/history/damage.ts'
import { HistoryReader } from '../../../storage/sqlite/history/reader.ts'
import { SqliteHistory } from '../../../storage/sqlite/history/store.ts'
import { JournalCopy } from '../../../storage/sqlite/journal-copy.ts'
import { JOURNAL_NAME } from '../../../storage/sqlite/journal-file.ts'
import { JournalReader } from '../../../storage/sqlite/journal-reader.ts'
import { openSnapshots } from '../../../storage/sqlite/storage.ts'

export const JOURNAL_FILE = JOURNAL_NAME
/** The journal's log, which exists while a process has the journal open. */
export const JOURNAL_LOG_FILE = `${JOURNAL_NAME}-wal`
export const HISTORY_FILE = 'history.sqlite'
export const WITNESS_FILE = 'journal.witness'
export const SNAPSHOTS_DIRECTORY = 'snapshots'

/** The names of SQLite's files of one database. */
const SUFFIXES = ['', '-wal', '-shm']

/** A journal that no node can start on. `release` releases it at once, before it returns. */
export type HeldJournal = JournalSource & { release(): void }

/** A journal that is being written, and is not used before it is complete. */
export type NewJournal = JournalTarget & { close(): Promise<void> }

export class StoredExchange {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Only for reading; changes nothing. Throws `JournalFault`, `IN_USE` while a node runs on it. */
  openJournal(): JournalSource {
    return JournalReader.open(this.#directory)
  }

  /**
   * Opens the journal with a node's lock: its log is copied into the file, and removed by `close`. Throws
   * like `openJournal`.
   */
  holdJournal(): HeldJournal {
    return JournalReader.openExclusively(this.#directory)
  }

  /** Creates a new journal, and the directory if absent. Throws `JournalFault`. */
  createJournal(): NewJournal {
    return JournalCopy.create(this.#directory)
  }

  snapshots(): SnapshotStore {
    return openSnapshots(this.#directory)
  }

  /** The content of the witness. */
  recall(): WitnessRecord {
    const witness = this.#openWitness()
    try {
      return witness.recall()
    } finally {
      witness.close()
    }
  }

  /** Makes the witness record `end` and nothing else. */
  resetWitness(end: JournalPosition): void {
    const witness = this.#openWitness()
    try {
      witness.reset(end)
    } finally {
      witness.close()
    }
  }

  /** Undefined if there is none. `isAlone`: no node runs on the directory. Throws `HistoryFault`. */
  openHistory(isAlone: boolean): HistoryReader | undefined {
    return HistoryReader.open(join(this.#directory, HISTORY_FILE), isAlone)
  }

  /**
   * Replaces the history with the one that `fill` creates; the old one stays until the new one is complete.
   */
  async replaceHistory<Result>(fill: (history: HistoryStore) => Promise<Result>): Promise<Result> {
    const old = join(this.#directory, HISTORY_FILE)
    const fresh = `${old}.new`
    remove(fresh)
    const history = SqliteHistory.open(fresh, () => {})
    let result: Result
    try {
      result = await fill(history)
      await history.close()
    } catch (cause) {
      await history.close().catch(() => {})
      remove(fresh)
      throw cause
    }
    // Between the two renames there is no history; a start would rebuild it.
    removeHistoryFile(old)
    renameSync(fresh, old)
    syncDirectory(this.#directory)
    return result
  }

  #openWitness(): FileWitness {
    return new FileWitness(join(this.#directory, WITNESS_FILE), sha256)
  }
}

function remove(file: string): void {
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}
