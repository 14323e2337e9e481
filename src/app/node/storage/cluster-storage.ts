/**
 * Storage of a cluster's engine on its own machine: witness and snapshots. Its journal is in the database.
 * Like `storage.ts`, this module depends on the storage technology, so that nothing else in app does.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownJournal } from '../../../engine/leadership/cluster-ports.ts'
import type { OpenTable } from '../../../engine/leadership/leadership-table.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import type { SnapshotPieces, SnapshotStore } from '../../../engine/port/snapshots.ts'
import type { Witness } from '../../../engine/port/witness.ts'
import { KnownDatabaseFile } from '../../../storage/files/known-database.ts'
import { KnownJournalFile } from '../../../storage/files/known-journal.ts'
import { FileWitness } from '../../../storage/files/witness.ts'
import { KnownDatabase } from '../../../storage/postgres/identity.ts'
import { PostgresTable } from '../../../storage/postgres/table.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { holdDirectory } from '../../../storage/sqlite/directory-hold.ts'
import { openSnapshots } from '../../../storage/sqlite/storage.ts'
import { type DatabaseAddress, type DatabaseDurability, KNOWN_DATABASE_FILE } from './cluster-database.ts'
import { JOURNAL_FILE, WITNESS_FILE } from './stored-exchange.ts'

/** A file in the directory of an engine that identifies its journal. */
export const KNOWN_JOURNAL_FILE = 'journal.json'

/** Plain values, with which the engine's thread opens the storage. */
export type ClusterStorageSettings = {
  readonly dataDirectory: string
  readonly database: DatabaseAddress
  readonly durability: DatabaseDurability
  /**
   * The operator's confirmation that the database found is the right one, even if this engine led on another
   * one.
   */
  readonly acceptsDatabase: boolean
}

export type ClusterStorage = {
  readonly openTable: OpenTable
  readonly witness: Witness
  readonly snapshots: SnapshotStore
  readonly knownJournal: KnownJournal
}

/** Locks an existing directory until the process ends. Throws `JournalFault`. */
export function openClusterStorage({
  dataDirectory: directory,
  database: connection,
  durability,
  acceptsDatabase,
}: ClusterStorageSettings): ClusterStorage {
  holdClusterDirectory(directory)
  const known = new KnownDatabase(
    new KnownDatabaseFile(join(directory, KNOWN_DATABASE_FILE)),
    acceptsDatabase,
  )
  return {
    openTable: () => PostgresTable.open({ connection, durability, known }),
    witness: new FileWitness(join(directory, WITNESS_FILE), sha256),
    snapshots: openSnapshots(directory),
    knownJournal: new KnownJournalFile(join(directory, KNOWN_JOURNAL_FILE)),
  }
}

/** Holds the directory of a cluster process that keeps no witness. Throws `JournalFault`. */
export function holdClusterDirectory(directory: string): void {
  if (existsSync(join(directory, JOURNAL_FILE))) {
    const found = `${directory} contains an exchange of a single machine (${JOURNAL_FILE})`
    throw new JournalFault('UNSUPPORTED', `${found}: a cluster process needs a directory of its own`)
  }
  holdDirectory(directory)
}

/** The snapshots of a directory, for copying. */
export function snapshotPieces(directory: string): SnapshotPieces {
  return openSnapshots(directory)
}
