/**
 * The customer database of a cluster: connections for the customers process, and its tables and roles. Like
 * `storage.ts`, this module depends on the storage technology, so that nothing else in app does.
 */
import { randomBytes } from 'node:crypto'
import type { StatementConnection } from '../../../customers/store/postgres/connection-thread.ts'
import type { Outcome } from '../../../customers/store/postgres/messages.ts'
import {
  CUSTOMERS_FORMS,
  type CustomersPart,
  sessionSettings,
} from '../../../customers/store/postgres/schema.ts'
import { Connection, type ConnectionOptions, PostgresFault } from '../../../storage/postgres/connection.ts'
import { SALT_BYTES, scramVerifier } from '../../../storage/postgres/scram.ts'
import type { DatabaseAddress } from './cluster-database.ts'

/** The client waits longer than the server, whose error message is more precise. */
const CLIENT_WAITS_MS = 250

/** Rejects with `PostgresFault`. */
export async function connectCustomers(
  address: DatabaseAddress,
  part: CustomersPart,
  onLost: (problem: string) => void,
): Promise<StatementConnection> {
  const { timeoutMs } = address
  const options: ConnectionOptions = { ...address, timeoutMs: timeoutMs + CLIENT_WAITS_MS }
  const settings = sessionSettings(part, timeoutMs)
  const connection = await Connection.open(options, { settings, isPlain: true, onLost })
  return {
    run: (statement, values) => connection.run(statement, values).then(rowsOf, outcomeOf),
    destroy: () => connection.destroy(),
    close: () => connection.close(),
  }
}

function rowsOf({ rows, count }: { readonly rows: readonly object[]; readonly count: number }): Outcome {
  return { kind: 'ROWS', rows, count }
}

function outcomeOf(cause: unknown): Outcome {
  const message = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof PostgresFault ? cause.code : undefined
  return code === undefined ? { kind: 'AWAY', message } : { kind: 'REFUSED', code, message }
}

/**
 * Creates the role of a part and its tables, or updates them, in one transaction, as an administrator who may
 * create roles and schemas. Returns one line for each thing that was created or found. Throws
 * `PostgresFault`, and `Error` if a later version of the program created the tables.
 */
export async function initializeCustomers(
  administrator: DatabaseAddress,
  part: CustomersPart,
  { user, password }: Pick<DatabaseAddress, 'user' | 'password'>,
): Promise<readonly string[]> {
  const connection = await Connection.open(administrator)
  const run = async (text: string) => connection.run({ text })
  const verifier = password === undefined ? undefined : scramVerifier(password, randomBytes(SALT_BYTES))
  try {
    await run('BEGIN')
    // Two concurrent runs would both find nothing.
    await run('SELECT pg_advisory_xact_lock(4252534)')
    const done = [
      ...(await makeRole(connection, user, verifier)),
      ...(await makeTables(connection, part)),
      ...(await grant(connection, part, user)),
    ]
    await run('COMMIT')
    return done
  } catch (cause) {
    await run('ROLLBACK').catch(() => {})
    throw cause
  } finally {
    await connection.close()
  }
}

async function makeRole(
  connection: Connection,
  name: string,
  verifier: string | undefined,
): Promise<string[]> {
  const role = quoted(name)
  const found = await connection.run({ text: 'SELECT 1 FROM pg_roles WHERE rolname = $1' }, [name])
  const attributes = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION'
  if (found.count === 0) await connection.run({ text: `CREATE ROLE ${role} ${attributes}` })
  const done = [`role ${name}: ${found.count === 0 ? 'created' : 'already existed'}`]
  if (verifier !== undefined) {
    await connection.run({ text: `ALTER ROLE ${role} PASSWORD '${verifier}'` })
    done.push(`role ${name}: password set`)
  }
  // Independent of the server's default: an answer means that the change is durable.
  await connection.run({ text: `ALTER ROLE ${role} SET synchronous_commit = 'on'` })
  return done
}

async function makeTables(connection: Connection, part: CustomersPart): Promise<string[]> {
  const { schema, steps } = CUSTOMERS_FORMS[part]
  const found = await versionOf(connection, schema)
  if (found > steps.length)
    throw new Error(
      `expected version ${steps.length} of the schema ${schema} or an earlier one, found ${found}: it was created by a later version of the program`,
    )
  if (found === steps.length) return [`schema ${schema}: already existed, version ${found}`]
  const all = [
    ...(found === 0 ? [`CREATE SCHEMA ${schema}`] : []),
    `SET LOCAL search_path = ${schema}`,
    ...(found === 0
      ? ['CREATE TABLE version (version integer NOT NULL)', 'INSERT INTO version VALUES (0)']
      : []),
    ...steps.slice(found),
    `UPDATE version SET version = ${steps.length}`,
  ]
  for (const text of all) await connection.run({ text })
  const done = found === 0 ? 'created' : `updated from version ${found}`
  return [`schema ${schema}: ${done}, version ${steps.length}`]
}

/** 0 if there is no such schema. */
async function versionOf(connection: Connection, schema: string): Promise<number> {
  const text = 'SELECT 1 FROM pg_namespace WHERE nspname = $1'
  if ((await connection.run({ text }, [schema])).count === 0) return 0
  const { rows } = await connection.run({ text: `SELECT version FROM ${schema}.version` })
  return Number(rows[0]?.version)
}

/** Revokes all rights and grants the necessary ones, so that additional rights do not remain. */
async function grant(connection: Connection, part: CustomersPart, name: string): Promise<string[]> {
  const { schema, owned } = CUSTOMERS_FORMS[part]
  const role = quoted(name)
  const texts = [
    `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC, ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${role}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${schema}.version FROM ${role}`,
    // Only a member of a role may transfer a table to it, and only in a schema in which the role may create
    // one.
    ...(owned === undefined
      ? []
      : [
          `GRANT ${role} TO CURRENT_USER`,
          `GRANT CREATE ON SCHEMA ${schema} TO ${role}`,
          `ALTER TABLE ${schema}.${owned} OWNER TO ${role}`,
          `REVOKE CREATE ON SCHEMA ${schema} FROM ${role}`,
          `REVOKE ${role} FROM CURRENT_USER`,
        ]),
  ]
  for (const text of texts) await connection.run({ text })
  const rights = [`role ${name}: may read and change rows of the schema ${schema}, and nothing else`]
  return owned === undefined ? rights : [...rights, `role ${name}: owns the table ${schema}.${owned}`]
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
