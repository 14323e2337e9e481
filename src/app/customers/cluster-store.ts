/**
 * Opens the store of a cluster's customers: two schemas in PostgreSQL, each accessed by a thread of its own.
 */
import { randomInt } from 'node:crypto'
import { PostgresSql } from '../../customers/store/postgres/postgres-sql.ts'
import { CUSTOMERS_FORMS, type CustomersPart, requireTables } from '../../customers/store/postgres/schema.ts'
import { Store, type StoreOptions } from '../../customers/store/store.ts'
import type { DatabaseAddress } from '../node/storage/cluster-database.ts'
import type { StoreWorkerStart } from './store-worker.ts'

/** Maximum time for one statement, during which the process answers nothing else. */
export const STATEMENT_MS_MAX = 5_000

/** Both databases may be on one server; the keys may also be on another server with separate backups. */
export type ClusterStoreOptions = StoreOptions & {
  readonly store: DatabaseAddress
  readonly keys: DatabaseAddress
}

/**
 * Throws `StoreAwayFault` if a database does not answer, and `StoreFault` if it has no tables of this
 * version, or passkeys are bound to another RP id.
 */
export function openClusterStore({ store, keys, ...options }: ClusterStoreOptions): Store {
  const opened = openPart('store', store)
  let others: PostgresSql | undefined
  try {
    others = openPart('keys', keys)
  } catch (cause) {
    opened.close()
    throw cause
  }
  return Store.over({ store: opened, keys: others }, options)
}

function openPart(part: CustomersPart, address: DatabaseAddress): PostgresSql {
  const timeoutMs = Math.min(address.timeoutMs, STATEMENT_MS_MAX)
  const { owned } = CUSTOMERS_FORMS[part]
  const sql = PostgresSql.open({
    start: ({ port, answered }) => {
      const worker = new Worker(new URL('./store-worker.ts', import.meta.url).href)
      const start: StoreWorkerStart = { port, answered, part, address: { ...address, timeoutMs } }
      worker.postMessage(start, [port])
      return worker
    },
    timeoutMs,
    randomBelow: (limit) => randomInt(limit),
    ...(owned !== undefined && { scrubbed: owned }),
  })
  try {
    requireTables(part, sql)
    return sql
  } catch (cause) {
    sql.close()
    throw cause
  }
}
