/**
 * The journal of a cluster during a repair by an operator. Like `storage.ts`, this module depends on the
 * storage technology, so that nothing else in app does.
 */
import { randomBytes } from 'node:crypto'
import { CLAIM_NONCE_BYTES } from '../../../engine/writer/own-batches.ts'
import { Connection, journalFault } from '../../../storage/postgres/connection.ts'
import { HeldTable, readTable, type StoredTable } from '../../../storage/postgres/held-table.ts'
import type { DatabaseAddress } from './cluster-database.ts'

export type HeldCluster = HeldTable

/**
 * Locks the journal for one change, as a role that may make it; `user`: the engines' role. Throws
 * `JournalFault`.
 */
export function holdCluster(
  administrator: DatabaseAddress,
  { user }: { readonly user: string },
): Promise<HeldCluster> {
  return HeldTable.hold({ administrator, engineRole: user })
}

/**
 * The result of `work` on the stored journal, read with the engine's role. Throws `JournalFault`, and errors
 * of `work`.
 */
export async function readCluster<Found>(
  database: DatabaseAddress,
  work: (look: StoredTable) => Promise<Found>,
): Promise<Found> {
  let connection: Connection | undefined
  try {
    connection = await Connection.open(database).catch((cause) => {
      throw journalFault(cause)
    })
    return await work(await readTable(connection))
  } finally {
    await connection?.close()
  }
}

export function claimNonce(): Uint8Array {
  return randomBytes(CLAIM_NONCE_BYTES)
}
