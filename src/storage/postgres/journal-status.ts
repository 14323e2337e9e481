/**
 * The status of a cluster's journal, read from its database: the leader, the end of the journal, the progress
 * of the standbys. Changes nothing.
 */
import type { Batch, Tail } from '../../engine/port/journal.ts'
import { Connection, type ConnectionOptions, journalFault } from './connection.ts'
import { type DatabaseIdentity, identityOf } from './identity.ts'
import { readAt, readOwn, readTail } from './rows.ts'
import { requireFormat, SCHEMA } from './schema.ts'

export type JournalStatus = {
  /** From the leader's row; 0 if no engine has ever led, -1 while an exchange is being moved in. */
  readonly epoch: number
  readonly leader: string
  /**
   * Milliseconds since the leader's last heartbeat, by the database's clock; undefined if it has given up
   * leadership.
   */
  readonly heardMsAgo: number | undefined
  readonly tail: Tail
  /** Undefined if the journal is empty. */
  readonly last: Batch | undefined
  /** Claims, quarantines and seals, oldest first. */
  readonly own: readonly Batch[]
  /** Whether the connected database is itself a standby. */
  readonly isStandby: boolean
  /** The identity of the database; undefined if it cannot be read. */
  readonly identity: DatabaseIdentity | undefined
  readonly standbys: readonly Standby[]
}

export type Standby = {
  /** The standby's `application_name`. */
  readonly name: string
  /** In PostgreSQL's words: `streaming`, `catchup` ...; `quorum`, `sync`, `async` ... */
  readonly state: string
  readonly syncState: string
  /** Bytes written by the primary that are not yet on the standby's disk. */
  readonly behindBytes: number
}

/** Throws `JournalFault`. */
export async function journalStatusOf(options: ConnectionOptions): Promise<JournalStatus> {
  let connection: Connection | undefined
  try {
    connection = await Connection.open(options)
    await requireFormat(connection)
    const leader = await connection.run({
      text: `SELECT epoch, name, (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS age,
        pg_is_in_recovery() AS standby FROM ${SCHEMA}.leader`,
    })
    const [row] = leader.rows
    const tail = await readTail(connection)
    return {
      epoch: Number(row?.epoch ?? 0),
      leader: String(row?.name ?? ''),
      heardMsAgo: typeof row?.age === 'number' ? Math.max(0, Math.round(row.age)) : undefined,
      tail,
      last: await readAt(connection, tail.position),
      own: await readOwn(connection),
      isStandby: row?.standby === true,
      identity: await identityOf(connection),
      standbys: await standbysOf(connection),
    }
  } catch (cause) {
    throw journalFault(cause)
  } finally {
    await connection?.close()
  }
}

async function standbysOf(connection: Connection): Promise<readonly Standby[]> {
  const text = `SELECT application_name AS name, state, sync_state,
      greatest(0, pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_flush_lsn() END,
        flush_lsn))::float8 AS behind
    FROM pg_stat_replication ORDER BY application_name`
  const { rows } = await connection.run({ text })
  return rows.map(({ name, state, sync_state, behind }) => ({
    name: String(name),
    state: String(state ?? 'unknown'),
    syncState: String(sync_state ?? 'unknown'),
    behindBytes: Number(behind ?? 0),
  }))
}
