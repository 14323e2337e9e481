/** Journals on a server of the tests' own. */
import { randomBytes } from 'node:crypto'
import { CLAIM_NONCE_BYTES } from '../../../src/engine/writer/own-batches.ts'
import type { Durability } from '../../../src/storage/postgres/durability.ts'
import type { PostgresJournalOptions } from '../../../src/storage/postgres/journal.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import { DATABASE, ENGINE, type PostgresServer } from './server.ts'

export const SINGLE: Durability = { kind: 'single' }

/**
 * A journal that deposes the leader, and whose heartbeats are so rare that a test gets one only on purpose.
 */
export function journalOn(
  server: PostgresServer,
  durability: Durability = SINGLE,
  database = DATABASE,
): PostgresJournalOptions {
  return {
    connection: server.where(ENGINE, database),
    durability,
    digest: sha256,
    name: 'engine',
    nonce: () => randomBytes(CLAIM_NONCE_BYTES),
    silenceMs: 0,
    heartbeatMs: 60_000,
  }
}
