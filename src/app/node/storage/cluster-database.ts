/**
 * The database of a cluster, for the commands that prepare and check it. Like `storage.ts`, this module
 * depends on the storage technology, so that nothing else in app does.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { KnownDatabaseFile } from '../../../storage/files/known-database.ts'
import { Connection, type ConnectionOptions, PostgresFault } from '../../../storage/postgres/connection.ts'
import type { Durability, Finding } from '../../../storage/postgres/durability.ts'
import { examine, missingStandbys } from '../../../storage/postgres/durability-probe.ts'
import { contradiction, type DatabaseIdentity as Identity } from '../../../storage/postgres/identity.ts'
import { type JournalStatus, journalStatusOf } from '../../../storage/postgres/journal-status.ts'
import { initialize, missingTables } from '../../../storage/postgres/schema.ts'
import { SALT_BYTES, scramVerifier } from '../../../storage/postgres/scram.ts'

/** A file in an engine's data directory. */
export const KNOWN_DATABASE_FILE = 'database.json'

export type DatabaseAddress = ConnectionOptions
export type DatabaseDurability = Durability
export type DatabaseFinding = Finding
export type DatabaseStatus = JournalStatus
export type DatabaseIdentity = Identity

/**
 * Creates tables and the engine's role, as an administrator. Returns a description of the changes. Throws
 * `PostgresFault`, `JournalFault`.
 */
export async function initializeDatabase(
  administrator: DatabaseAddress,
  engine: { readonly user: string; readonly password: string | undefined },
): Promise<readonly string[]> {
  const { user: name, password } = engine
  const verifier = password === undefined ? undefined : scramVerifier(password, randomBytes(SALT_BYTES))
  const connection = await Connection.open(administrator)
  try {
    return await initialize(connection, { name, verifier })
  } finally {
    await connection.close()
  }
}

export type CheckedDatabase = {
  readonly findings: readonly DatabaseFinding[]
  /** Undefined if the database does not report it. */
  readonly identity: DatabaseIdentity | undefined
}

/**
 * All contradictions to the declared settings that the engine's role finds, or that the data directories of
 * this machine's engines show. Throws `PostgresFault`, `JournalFault`.
 */
export async function checkDatabase(
  engine: DatabaseAddress,
  durability: DatabaseDurability,
  directories: readonly string[] = [],
): Promise<CheckedDatabase> {
  const connection = await Connection.open(engine)
  try {
    const missing = await missingTables(connection)
    const { findings, identity } = await examine(connection, durability)
    const others =
      identity === undefined ? [] : directories.flatMap((directory) => anotherFor(directory, identity))
    return { findings: [...missing, ...findings, ...others], identity }
  } finally {
    await connection.close()
  }
}

/** A difference from the database on which an engine last led. */
function anotherFor(directory: string, identity: DatabaseIdentity): DatabaseFinding[] {
  const known = new KnownDatabaseFile(join(directory, KNOWN_DATABASE_FILE)).read()
  const problem = known && contradiction(known, identity)
  if (known === undefined || problem === undefined) return []
  return [
    {
      severity: 'STOPS',
      about: 'identity',
      found: wordsOf(identity),
      expected: `${wordsOf(known)} or a later timeline, on which the engine in ${directory} last led`,
      mend: 'specify the right database; if this one was restored or upgraded on purpose, start each engine once with --accept-database',
    },
  ]
}

/** For people. */
export function wordsOf({ systemIdentifier, timeline }: DatabaseIdentity): string {
  return `system ${systemIdentifier}, timeline ${timeline}`
}

/** Names of the declared standbys that do not follow the database now. Throws `PostgresFault`. */
export async function missingFrom(
  engine: DatabaseAddress,
  durability: DatabaseDurability,
): Promise<readonly string[]> {
  if (durability.kind !== 'quorum') return []
  const connection = await Connection.open(engine)
  try {
    return await missingStandbys(connection, durability)
  } finally {
    await connection.close()
  }
}

/** The state of the journal as shown by this database. Throws `JournalFault`. */
export function askStatus(engine: DatabaseAddress): Promise<DatabaseStatus> {
  return journalStatusOf(engine)
}

/** Whether the database, or the connection to it, is at fault. */
export function isDatabaseFault(error: unknown): error is Error {
  return error instanceof PostgresFault
}
