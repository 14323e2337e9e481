/** Databases with the tables and roles of customers. */
import { randomBytes } from 'node:crypto'
import { openClusterStore } from '../../../src/app/customers/cluster-store.ts'
import { initializeCustomers } from '../../../src/app/node/storage/customers-database.ts'
import { CUSTOMERS_FORMS, type CustomersPart } from '../../../src/customers/store/postgres/schema.ts'
import type { Store } from '../../../src/customers/store/store.ts'
import { ADMINISTRATOR, DATABASE, type PostgresServer } from './server.ts'

export const PARTS: readonly CustomersPart[] = ['store', 'keys']

/** Creates the tables and roles of both parts. */
export async function makeCustomers(server: PostgresServer, database = DATABASE): Promise<void> {
  for (const part of PARTS) {
    const role = { user: CUSTOMERS_FORMS[part].role, password: undefined }
    await initializeCustomers(server.where(ADMINISTRATOR, database), part, role)
  }
}

/** Removes all rows, except those that a new store has. */
export async function emptyCustomers(server: PostgresServer): Promise<void> {
  const tables = `SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS names FROM pg_tables
    WHERE schemaname IN ('bourse_customers', 'bourse_customer_keys') AND tablename <> 'version'`
  const [row] = await server.sql(tables)
  await server.sql(`TRUNCATE ${row?.names}`)
  await server.sql("INSERT INTO bourse_customers.fact VALUES ('rp_id', 'localhost')")
}

export type OpenOptions = { readonly rpId?: string; readonly timeoutMs?: number; readonly database?: string }

export function openStore(
  server: PostgresServer,
  { rpId = 'localhost', timeoutMs = 5_000, database = DATABASE }: OpenOptions = {},
): Store {
  const address = (part: CustomersPart) => ({
    ...server.where(CUSTOMERS_FORMS[part].role, database),
    timeoutMs,
  })
  const random = (size: number) => new Uint8Array(randomBytes(size))
  return openClusterStore({ store: address('store'), keys: address('keys'), randomBytes: random, rpId })
}
