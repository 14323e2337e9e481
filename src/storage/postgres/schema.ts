/**
 * The schema of a cluster's journal in PostgreSQL: tables, roles and rights. The engine's role can add and
 * read batches but not change them; it can change only the leader's row. Everything is created once and found
 * again afterwards.
 */
import { JournalFault, NEWER_WRITER } from '../../engine/port/journal.ts'
import type { Connection } from './connection.ts'
import type { Finding } from './durability.ts'

/** Format version of the tables. */
const FORMAT_VERSION = 1

/** The schema that contains all tables. */
export const SCHEMA = 'bourse'

/** Longest identifier that PostgreSQL does not truncate. */
export const IDENTIFIER_BYTES_MAX = 63

/** The role that may read other roles' progress: without it the engine cannot read any standby's position. */
const STATISTICS_ROLE = 'pg_read_all_stats'

/**
 * The condition for rows with the journal's own batches. They have an index, to which a commit of commands
 * writes nothing.
 */
export const IS_OWN = 'kind <> 1'

/** In the order in which they are created. `text` is the statement for each. */
const TABLES: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: 'batch',
    text: `CREATE TABLE ${SCHEMA}.batch (
      position bigint PRIMARY KEY CHECK (position >= 1),
      epoch bigint NOT NULL CHECK (epoch >= 0),
      kind smallint NOT NULL,
      first_seq bigint NOT NULL CHECK (first_seq >= 1),
      last_seq bigint NOT NULL CHECK (last_seq >= first_seq),
      time bigint NOT NULL CHECK (time >= 0),
      previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      data bytea NOT NULL
    )`,
  },
  {
    name: 'leader',
    text: `CREATE TABLE ${SCHEMA}.leader (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      epoch bigint NOT NULL,
      name text NOT NULL,
      beat_at timestamptz
    )`,
  },
  { name: 'format', text: `CREATE TABLE ${SCHEMA}.format (version integer PRIMARY KEY)` },
]

/** The engine's role, and its authentication. */
export type EngineRole = {
  readonly name: string
  /**
   * A SCRAM-SHA-256 verifier, so that no password is sent or logged; undefined to keep the role's password.
   */
  readonly verifier: string | undefined
}

/** Creates what is missing, in one transaction. Returns one line for each thing that was created or found. */
export async function initialize(connection: Connection, role: EngineRole): Promise<readonly string[]> {
  await connection.run({ text: 'BEGIN' })
  try {
    // Without the lock, two concurrent runs would both find nothing.
    await connection.run({ text: 'SELECT pg_advisory_xact_lock(4252534)' })
    const done = [
      ...(await makeRole(connection, role)),
      ...(await makeTables(connection)),
      ...(await grant(connection, role.name)),
    ]
    await connection.run({ text: 'COMMIT' })
    return done
  } catch (cause) {
    await connection.run({ text: 'ROLLBACK' }).catch(() => {})
    throw cause
  }
}

/** Throws `UNSUPPORTED` unless the tables exist in the format of this version. */
export async function requireFormat(connection: Connection): Promise<void> {
  const found = await formatOf(connection)
  if (found === undefined) {
    const message = 'the database has no journal: create it with bourse cluster init'
    throw new JournalFault('UNSUPPORTED', message)
  }
  if (found !== FORMAT_VERSION) {
    const message = `the journal in the database has format ${found}, this version reads ${FORMAT_VERSION}`
    throw new JournalFault('UNSUPPORTED', `${message}: ${NEWER_WRITER}`)
  }
}

/** Missing tables; checked before anything is opened. */
export async function missingTables(connection: Connection): Promise<readonly Finding[]> {
  const missing: string[] = []
  for (const { name } of TABLES) if (!(await exists(connection, name))) missing.push(`${SCHEMA}.${name}`)
  if (missing.length === 0) {
    await requireFormat(connection)
    return []
  }
  const mend = 'bourse cluster init creates them'
  const found = `no ${missing.join(', ')}`
  return [{ severity: 'STOPS', about: 'tables', found, expected: 'the tables of the journal', mend }]
}

/** The format version of the tables; undefined if there are none. */
async function formatOf(connection: Connection): Promise<number | undefined> {
  if (!(await exists(connection, 'format'))) return undefined
  const { rows } = await connection.run({ text: `SELECT version FROM ${SCHEMA}.format` })
  return rows[0] === undefined ? undefined : Number(rows[0].version)
}

async function makeRole(connection: Connection, { name, verifier }: EngineRole): Promise<string[]> {
  const role = quoted(name)
  const found = await connection.run({ text: 'SELECT 1 FROM pg_roles WHERE rolname = $1' }, [name])
  const done: string[] = []
  if (found.count === 0) {
    await connection.run({
      text: `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION`,
    })
    done.push(`role ${name}: created`)
  } else done.push(`role ${name}: already existed`)
  if (verifier !== undefined) {
    await connection.run({ text: `ALTER ROLE ${role} PASSWORD '${verifier}'` })
    done.push(`role ${name}: password set`)
  }
  // Set for the role whatever the server's default: an answer then means that the standbys have the commit.
  await connection.run({ text: `ALTER ROLE ${role} SET synchronous_commit = 'on'` })
  done.push(`role ${name}: synchronous_commit is on for all its sessions`)
  return done
}

async function makeTables(connection: Connection): Promise<string[]> {
  const done: string[] = []
  const found = await connection.run({ text: 'SELECT 1 FROM pg_namespace WHERE nspname = $1' }, [SCHEMA])
  if (found.count === 0) await connection.run({ text: `CREATE SCHEMA ${SCHEMA}` })
  done.push(`schema ${SCHEMA}: ${found.count === 0 ? 'created' : 'already existed'}`)
  const format = await formatOf(connection)
  if (format !== undefined && format !== FORMAT_VERSION) await requireFormat(connection)
  for (const { name, text } of TABLES) {
    const isThere = await exists(connection, name)
    if (!isThere) await connection.run({ text })
    if (!isThere && name === 'batch') {
      await connection.run({ text: `CREATE INDEX ON ${SCHEMA}.batch (position) WHERE ${IS_OWN}` })
    }
    done.push(`table ${SCHEMA}.${name}: ${isThere ? 'already existed' : 'created'}`)
  }
  await connection.run({
    text: `INSERT INTO ${SCHEMA}.leader (epoch, name) VALUES (0, '') ON CONFLICT DO NOTHING`,
  })
  await connection.run({
    text: `INSERT INTO ${SCHEMA}.format VALUES (${FORMAT_VERSION}) ON CONFLICT DO NOTHING`,
  })
  return done
}

/** Revokes all rights and grants only the necessary ones. */
async function grant(connection: Connection, name: string): Promise<string[]> {
  const role = quoted(name)
  for (const text of [
    `REVOKE ALL ON SCHEMA ${SCHEMA} FROM PUBLIC, ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${SCHEMA} FROM PUBLIC, ${role}`,
    `GRANT USAGE ON SCHEMA ${SCHEMA} TO ${role}`,
    `GRANT SELECT, INSERT ON ${SCHEMA}.batch TO ${role}`,
    `GRANT SELECT, UPDATE (epoch, name, beat_at) ON ${SCHEMA}.leader TO ${role}`,
    `GRANT SELECT ON ${SCHEMA}.format TO ${role}`,
    `GRANT ${STATISTICS_ROLE} TO ${role}`,
  ])
    await connection.run({ text })
  return [
    `role ${name}: may add and read rows of ${SCHEMA}.batch, but not change them`,
    `role ${name}: may change the row of ${SCHEMA}.leader`,
    `role ${name}: may read the positions of the standbys (${STATISTICS_ROLE})`,
  ]
}

async function exists(connection: Connection, table: string): Promise<boolean> {
  const text = 'SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2'
  return (await connection.run({ text }, [SCHEMA, table])).count > 0
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
