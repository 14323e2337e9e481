/**
 * Both ends of a move from a data directory into a cluster's database, or back. Like `storage.ts`, this
 * module depends on the storage technology, so that nothing else in app does.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { quarantinedIn, readAfter } from '../../../engine/leadership/table-reader.ts'
import { endOf, JournalFault, type Tail } from '../../../engine/port/journal.ts'
import type { Snapshot } from '../../../engine/port/snapshots.ts'
import type { MoveSource, MoveTarget } from '../../../engine/standby/move.ts'
import { CLAIM_NONCE_BYTES, CLAIMANT_CHARACTERS_MAX } from '../../../engine/writer/own-batches.ts'
import { isElsewhere, sealedBy } from '../../../engine/writer/seal.ts'
import { FileWitness } from '../../../storage/files/witness.ts'
import { IncomingTable } from '../../../storage/postgres/incoming-journal.ts'
import { PostgresJournal } from '../../../storage/postgres/journal.ts'
import { PostgresJournalReader } from '../../../storage/postgres/journal-reader.ts'
import { PostgresTable } from '../../../storage/postgres/table.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { IncomingJournal } from '../../../storage/sqlite/incoming-journal.ts'
import { SqliteJournal } from '../../../storage/sqlite/journal.ts'
import { openSnapshots } from '../../../storage/sqlite/storage.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { DatabaseAddress, DatabaseDurability } from './cluster-database.ts'
import { WITNESS_FILE } from './stored-exchange.ts'

export type ClusterDatabase = { readonly database: DatabaseAddress; readonly durability: DatabaseDurability }

/** Releases the resources that were acquired to open it. */
type Closing = { close(): Promise<void> }

/** A destination, with the identity by which a continued move recognizes it. */
export type Destination = MoveTarget & Closing & { readonly identity: string }

const IDENTITY_BYTES = 16

/** The journal of a data directory, held as a node holds it. Throws `JournalFault`. */
export function openLeavingDirectory(directory: string): MoveSource & Closing {
  const journal = SqliteJournal.openToMove({ directory })
  return {
    get tail() {
      return journal.tail
    },
    read: (afterSeq, maxBytes) => journal.read(afterSeq, maxBytes),
    quarantined: () => journal.quarantined(),
    append: async (batch) => {
      await journal.append(batch)
      // A disk that loses the seal would revive an exchange that has continued elsewhere.
      witness(directory, (file) => file.reset(endOf(batch)))
    },
    close: () => journal.close(),
  }
}

/**
 * A data directory that is to receive an exchange; nothing is created before the move begins. Throws
 * `JournalFault`.
 */
export function openIncomingDirectory(directory: string): Destination {
  const journal = new IncomingJournal(directory, () => randomBytes(IDENTITY_BYTES).toString('hex'))
  return journal
}

/**
 * The database of a cluster that receives an exchange. `by`: the operator who moves it. Throws
 * `JournalFault`.
 */
export function openIncomingCluster(
  { database, durability }: ClusterDatabase,
  by: string,
): Promise<Destination> {
  return IncomingTable.open({ connection: database, durability }, by)
}

export type LeavingClusterOptions = ClusterDatabase & {
  /** The operator who moves the exchange. */
  readonly by: string
  readonly silenceMs: number
  readonly heartbeatMs: number
  /** A dry run does not prevent an engine from leading. */
  readonly isDryRun: boolean
}

/**
 * The journal of a cluster. It is claimed, so that no engine leads in the meantime; a sealed journal is only
 * read. Throws `JournalFault`, `IN_USE` if an engine leads.
 */
export async function openLeavingCluster(options: LeavingClusterOptions): Promise<MoveSource & Closing> {
  const { database, durability, by, silenceMs, heartbeatMs, isDryRun } = options
  const table = await PostgresTable.open({ connection: database, durability })
  try {
    const tail = await table.readTail()
    const last = await table.readAt(tail.position)
    if (last === undefined) throw new JournalFault('UNSUPPORTED', 'the database contains no exchange')
    if (isElsewhere(last, 'CLUSTER')) {
      await requireConfirmed(table)
      return reading(table, tail, sealedBy(last))
    }
    if (isDryRun) return reading(table, tail, new JournalFault('FAILED', 'a dry run writes nothing'))
  } catch (cause) {
    table.cut()
    throw cause
  }
  await table.close()
  const nonce = () => randomBytes(CLAIM_NONCE_BYTES)
  const claiming = {
    digest: sha256,
    name: by.slice(0, CLAIMANT_CHARACTERS_MAX),
    nonce,
    silenceMs,
    heartbeatMs,
  }
  return PostgresJournal.open({ connection: database, durability, ...claiming })
}

/** A seal written by an interrupted move counts only once it has the declared durability. */
async function requireConfirmed(table: PostgresTable): Promise<void> {
  const problem = await table.confirm()
  if (problem !== undefined)
    throw new JournalFault('FAILED', `it is not known whether the seal is durable: ${problem}`)
}

function reading(table: PostgresTable, tail: Tail, refusal: JournalFault): MoveSource & Closing {
  return {
    tail,
    read: (afterSeq, maxBytes) => readAfter(table, afterSeq, tail, maxBytes),
    quarantined: async () => quarantinedIn(await table.readOwn()),
    append: async () => {
      throw refusal
    },
    close: () => table.close(),
  }
}

/**
 * The journal of a cluster, only for reading: it is not claimed, and a standby of the database is sufficient
 * once it shows command `remembered`. Throws `JournalFault`.
 */
export function openClusterJournal(database: DatabaseAddress, remembered?: Seq): Promise<JournalSource> {
  return PostgresJournalReader.open(database, remembered)
}

/**
 * Makes a data directory begin with `snapshot`: stores it, and records its journal position in the witness.
 */
export async function beginWith(directory: string, snapshot: Snapshot): Promise<void> {
  await openSnapshots(directory).save(snapshot)
  const { position, epoch, seq, journalHash } = snapshot
  witness(directory, (file) => file.reset({ position, epoch, seq, hash: journalHash }))
}

function witness(directory: string, work: (file: FileWitness) => void): void {
  const file = new FileWitness(join(directory, WITNESS_FILE), sha256)
  try {
    work(file)
  } finally {
    file.close()
  }
}
