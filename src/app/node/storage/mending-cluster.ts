/** The journal of a cluster in the hands of an operator who mends it. Like `storage.ts`, it knows the technology so that nothing else in app does. */
import { randomBytes } from 'node:crypto'
import { CLAIM_NONCE_BYTES } from '../../../engine/writer/own-batches.ts'
import { Connection, journalFault } from '../../../storage/postgres/connection.ts'
import { HeldTable, lookAtTable, type TableLook } from '../../../storage/postgres/mending-table.ts'
import type { DatabaseAddress } from './cluster-database.ts'

export type HeldCluster = HeldTable

/** Holds the journal for one change of it, as a role that may make one; `user`: the engines' role. Throws `JournalFault`. */
export function holdCluster(
  administrator: DatabaseAddress,
  { user }: { readonly user: string },
): Promise<HeldCluster> {
  return HeldTable.hold({ administrator, engineRole: user })
}

/** What `work` makes of the journal as it lies there, looked at with the engine's role. Throws `JournalFault`, and what `work` throws. */
export async function lookAtCluster<Found>(
  database: DatabaseAddress,
  work: (look: TableLook) => Promise<Found>,
): Promise<Found> {
  let connection: Connection | undefined
  try {
    connection = await Connection.open(database).catch((cause) => {
      throw journalFault(cause)
    })
    return await work(await lookAtTable(connection))
  } finally {
    await connection?.close()
  }
}

export function claimNonce(): Uint8Array {
  return randomBytes(CLAIM_NONCE_BYTES)
}
