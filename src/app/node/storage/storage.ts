/**
 * Where a node's storage is chosen: nothing else in app names the driver of one. Today it is one data directory with
 * SQLite's files and plain ones; another technology is another `Storage` here, chosen by the settings.
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

/** What a node knows of its webhooks; absent where it never had one. */
export const WEBHOOKS_FILE = 'webhooks.sqlite'

/** What decides on the storage: plain values, since each thread opens its own part. */
export type StorageSettings = Pick<Settings, 'dataDirectory'>

/** What an operator should know of the history's storage. */
export type HistoryNotes = {
  /** It could not be used, and is made again from the journal. */
  readonly onDropped: (reason: string) => void
  /** Met while it is in use; the message says what becomes of it. */
  readonly onDamaged: (message: string) => void
}

export type Storage = {
  /** Takes hold of the journal, made if absent. Throws `JournalFault`; `IN_USE` names the process that has it. */
  openEngine(): EngineStorage
  /** A history that cannot be used is made again from the journal: worth a note, not a refusal to start. */
  openFollower(notes: HistoryNotes): FollowerStorage
  /** How much room it takes and has. */
  use(): StorageUse
  /** How much room it has; asked without opening anything. */
  freeBytes(): number
  /** Whether so many bytes can be written. */
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

/** History is committed so often at most, in milliseconds, unless a question needs it before. */
const COMMIT_DELAY_MS = 20

function commitSoon(commit: () => void): void {
  runtimeScheduler.later(commit, COMMIT_DELAY_MS)
}

/** To be called in each thread before it opens any storage. */
export function prepareStorage(): void {
  chooseLibrary()
}
