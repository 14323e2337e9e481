/** The database of a cluster, for the commands that prepare and check it. Like `storage.ts`, it knows the technology so that they do not. */
import { randomBytes } from 'node:crypto'
import { Connection, type ConnectionOptions, PostgresFault } from '../../drivers/postgres/connection.ts'
import type { Durability, Finding } from '../../drivers/postgres/durability.ts'
import { examine } from '../../drivers/postgres/look.ts'
import { initialize, missingTables } from '../../drivers/postgres/schema.ts'
import { SALT_BYTES, scramVerifier } from '../../drivers/postgres/scram.ts'
import { type Standing, standingOf } from '../../drivers/postgres/standing.ts'

export type DatabaseAddress = ConnectionOptions
export type DatabaseDurability = Durability
export type DatabaseFinding = Finding
export type DatabaseStanding = Standing

/** Makes tables and the engine's role, as an administrator. Answers with what was done. Throws `PostgresFault`, `JournalFault`. */
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

/** Everything that contradicts what is declared, as the engine's role finds it. Throws `PostgresFault`, `JournalFault`. */
export async function checkDatabase(
  engine: DatabaseAddress,
  durability: DatabaseDurability,
): Promise<readonly DatabaseFinding[]> {
  const connection = await Connection.open(engine)
  try {
    const missing = await missingTables(connection)
    return [...missing, ...(await examine(connection, durability))]
  } finally {
    await connection.close()
  }
}

/** How the journal stands, as this database shows it. Throws `JournalFault`. */
export function askStanding(engine: DatabaseAddress): Promise<DatabaseStanding> {
  return standingOf(engine)
}

/** Whether the database, or the way to it, is to blame. */
export function isDatabaseFault(error: unknown): error is Error {
  return error instanceof PostgresFault
}
