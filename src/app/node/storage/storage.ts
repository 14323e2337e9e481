/**
 * Selects a node's storage: no other module in app refers to a storage driver. It is one data directory with
 * SQLite's files and plain ones; another technology would be another `Storage` here, selected by the
 * settings.
 */
import { join } from 'node:path'
import type { EngineStorage, FollowerStorage } from '../../../engine/port/storage.ts'
import type { StorageUse } from '../../../engine/writer/meters.ts'
import { hasRoom } from '../../../storage/files/room.ts'
import { freeBytes, storageUse } from '../../../storage/files/usage.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { SqliteHistory } from '../../../storage/sqlite/history/store.ts'
import { chooseLibrary } from '../../../storage/sqlite/library.ts'
import { openSnapshots, openStorage } from '../../../storage/sqlite/storage.ts'
import type { Settings } from '../../settings/defaults.ts'
import { HISTORY_FILE } from './stored-exchange.ts'

/** The stored webhooks of a node; absent if it never had any. */
export const WEBHOOKS_FILE = 'webhooks.sqlite'

/** The settings that choose the storage: plain values, since each thread opens its own part. */
export type StorageSettings = Pick<Settings, 'dataDirectory'>

/** Storage problems of the history that an operator should be informed of. */
export type HistoryNotes = {
  /** Called when the history could not be used, and is rebuilt from the journal. */
  readonly onDropped: (reason: string) => void
  /** Called for damage during use; the message states the consequence. */
  readonly onDamaged: (message: string) => void
}

export type Storage = {
  /**
   * Locks the journal, which is created if absent. Throws `JournalFault`; `IN_USE` names the process that has
   * it.
   */
  openEngine(): EngineStorage
  /**
   * A history that cannot be used is rebuilt from the journal: this is logged, but does not prevent the
   * start.
   */
  openFollower(notes: HistoryNotes): FollowerStorage
  /** Its used and free space. */
  use(): StorageUse
  /** Its free space, queried without opening anything. */
  freeBytes(): number
  /** Whether this number of bytes can be written. */
  hasRoom(bytes: number): boolean
}

export function storageOf({ dataDirectory: directory }: StorageSettings): Storage {
  return {
    openEngine: () => openStorage({ directory }),
    openFollower: ({ onDropped, onDamaged }) => ({
      history: SqliteHistory.open(join(directory, HISTORY_FILE), onDropped, { commitSoon }, onDamaged),
      snapshots: openSnapshots(directory),
    }),
    use: () => storageUse(directory),
    freeBytes: () => freeBytes(directory),
    hasRoom: (bytes) => hasRoom(directory, bytes),
  }
}

/** Minimum interval between commits of the history, in milliseconds, unless a query needs one earlier. */
const COMMIT_DELAY_MS = 20

function commitSoon(commit: () => void): void {
  runtimeScheduler.later(commit, COMMIT_DELAY_MS)
}

/** Must be called in each thread before it opens any storage. */
export function prepareStorage(): void {
  chooseLibrary()
}
