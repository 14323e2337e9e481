/**
 * The table of a cluster's journal during a repair by an operator: locked for one transaction, in which no
 * other session reads or writes it, and only while no engine is connected. A connected engine could have read
 * the rows that are changed, and claimed the position after them.
 */
import type { StoredRow, StoredRows } from '../../engine/audit/journal-repair.ts'
import { type LeaderRow, RECEIVING_EPOCH, receiving } from '../../engine/leadership/leadership-table.ts'
import { type BatchValues, batchValues } from '../../engine/port/batch-row.ts'
import { type Batch, JournalFault } from '../../engine/port/journal.ts'
import { Connection, type ConnectionOptions, postgresFault, type Rows } from './connection.ts'
import type { Durability } from './durability.ts'
import { confirmation } from './durability-probe.ts'
import { INSERT_TEXT, leaderOf, readAt, readFrom } from './rows.ts'
import { requireFormat, SCHEMA } from './schema.ts'

/** Longest wait for other sessions to release the tables, in milliseconds. */
const LOCK_MS_MAX = 10_000
/** A connection that has just been closed may still be listed. */
const SESSIONS_MS_MAX = 2_000
const AGAIN_MS = 50
/** Maximum number of rows that are read one by one when one of them cannot be read. */
const SINGLE_ROWS_MAX = 100

const COLUMNS = 'position, epoch, kind, first_seq, last_seq, time, previous_hash, hash, data'

/** Rows that are given up are stored unchanged in a table beside the journal. */
const GIVEN_UP_TABLE = `CREATE TABLE IF NOT EXISTS ${SCHEMA}.given_up (
  given_up_at timestamptz NOT NULL DEFAULT clock_timestamp(), by_whom text NOT NULL,
  position bigint, epoch bigint, kind smallint, first_seq bigint, last_seq bigint, time bigint,
  previous_hash bytea, hash bytea, data bytea)`

export type HoldOptions = {
  /** Credentials of a role that may change the tables. */
  readonly administrator: ConnectionOptions
  /** The engine's role, which must have no connections. */
  readonly engineRole: string
}

export class HeldTable {
  readonly #connection: Connection
  readonly rows: StoredRows
  /** The epoch in the leader's row. */
  readonly leaderEpoch: number

  /**
   * Waits for the tables, and locks them until `commit` or `release`. Throws `JournalFault`: `IN_USE` if
   * engines are connected.
   */
  static async hold({ administrator, engineRole }: HoldOptions): Promise<HeldTable> {
    let connection: Connection | undefined
    try {
      connection = await Connection.open(administrator)
      await requireFormat(connection)
      for (const text of [
        'SET synchronous_commit = on',
        'BEGIN',
        `SET LOCAL lock_timeout = ${LOCK_MS_MAX}`,
        `LOCK TABLE ${SCHEMA}.batch, ${SCHEMA}.leader IN ACCESS EXCLUSIVE MODE`,
      ])
        await connection.run({ text })
      await requireNoSession(connection, engineRole)
      const { epoch, name } = await leaderOf(connection)
      if (epoch === RECEIVING_EPOCH) throw receiving(name)
      return new HeldTable(connection, storedRows(connection, await lastPosition(connection)), epoch)
    } catch (cause) {
      connection?.destroy()
      throw postgresFault(cause, 'cannot lock the journal')
    }
  }

  private constructor(connection: Connection, rows: StoredRows, leaderEpoch: number) {
    this.#connection = connection
    this.rows = rows
    this.leaderEpoch = leaderEpoch
  }

  /**
   * Moves rows from the journal to the table `given_up`. `by` names the person or program that does so, for
   * people to read.
   */
  async giveUp(first: number, last: number, by: string): Promise<void> {
    await this.#run('keep removed rows', GIVEN_UP_TABLE)
    const keep = `INSERT INTO ${SCHEMA}.given_up (by_whom, ${COLUMNS}) SELECT $3, ${COLUMNS} FROM ${SCHEMA}.batch WHERE position BETWEEN $1 AND $2`
    await this.#run('keep removed rows', keep, [first, last, by])
    const remove = `DELETE FROM ${SCHEMA}.batch WHERE position BETWEEN $1 AND $2`
    await this.#run('remove the rows', remove, [first, last])
  }

  async store(batch: Batch): Promise<void> {
    await this.#run(`store position ${batch.position}`, INSERT_TEXT, batchValues(batch))
  }

  /** Stores claims, and records in the leader's row that no engine has led since the last of them. */
  async claim(claims: readonly Batch[], name: string): Promise<void> {
    for (const claim of claims) await this.store(claim)
    const text = `UPDATE ${SCHEMA}.leader SET epoch = $1, name = $2, beat_at = NULL`
    await this.#run('record that no engine leads', text, [claims.at(-1)?.epoch ?? 0, name])
  }

  /**
   * Commits everything or nothing. Resolves with the reason if the commit is not known to be durable,
   * otherwise with undefined. Throws `JournalFault`.
   */
  async commit(durability: Durability, timeoutMs: number): Promise<string | undefined> {
    const { notices } = await this.#run('change the journal', 'COMMIT')
    if (notices[0] !== undefined) return notices[0]
    return confirmation(this.#connection, durability, timeoutMs)
  }

  /** Releases the tables; uncommitted changes are undone. */
  async release(): Promise<void> {
    await this.#connection.close()
  }

  async #run(
    what: string,
    text: string,
    values: readonly (BatchValues[number] | string)[] = [],
  ): Promise<Rows> {
    try {
      return await this.#connection.run({ text }, values)
    } catch (cause) {
      throw postgresFault(cause, `cannot ${what}`)
    }
  }
}

/** A stored journal. */
export type StoredTable = { readonly rows: StoredRows; readonly leader: LeaderRow }

/** Only reads; the caller owns the connection. Throws `JournalFault`. */
export async function readTable(connection: Connection): Promise<StoredTable> {
  try {
    await requireFormat(connection)
    const leader = await leaderOf(connection)
    return { rows: storedRows(connection, await lastPosition(connection)), leader }
  } catch (cause) {
    throw postgresFault(cause, 'cannot read the journal')
  }
}

async function requireNoSession(connection: Connection, role: string): Promise<void> {
  const text = `SELECT count(*)::int AS count, string_agg(DISTINCT coalesce(host(client_addr), 'a socket of its machine'), ', ') AS addresses
    FROM pg_stat_activity WHERE datname = current_database() AND usename = $1 AND pid <> pg_backend_pid()`
  const begun = performance.now()
  for (;;) {
    const { rows } = await connection.run({ text }, [role])
    const sessions = Number(rows[0]?.count ?? 0)
    if (sessions === 0) return
    if (performance.now() - begun > SESSIONS_MS_MAX) {
      const found = `sessions of ${role}: ${sessions}, from ${rows[0]?.addresses}`
      throw new JournalFault('IN_USE', `expected no engine, found ${found}. Stop every engine first`)
    }
    await Bun.sleep(AGAIN_MS)
  }
}

/** The last position, including rows that cannot be read; 0 if there are none. */
async function lastPosition(connection: Connection): Promise<number> {
  const { rows } = await connection.run({ text: `SELECT max(position) AS last FROM ${SCHEMA}.batch` })
  return Number(rows[0]?.last ?? 0)
}

function storedRows(connection: Connection, end: number): StoredRows {
  return {
    last: end,
    read: async (first, last, maxBytes) => {
      try {
        const batches = await readFrom(connection, first, last, maxBytes)
        return batches.map((batch) => ({ position: batch.position, batch }))
      } catch (cause) {
        if (!isOfRow(cause)) throw cause
        return oneByOne(connection, first, last)
      }
    },
  }
}

/** Reads rows one by one, because one of them cannot be read. */
async function oneByOne(connection: Connection, first: number, last: number): Promise<readonly StoredRow[]> {
  const text = `SELECT position FROM ${SCHEMA}.batch WHERE position BETWEEN $1 AND $2 ORDER BY position LIMIT ${SINGLE_ROWS_MAX}`
  const found: StoredRow[] = []
  for (const row of (await connection.run({ text }, [first, last])).rows) {
    const position = Number(row.position)
    try {
      const batch = await readAt(connection, position)
      if (batch !== undefined) found.push({ position, batch })
    } catch (cause) {
      if (!isOfRow(cause)) throw cause
      found.push({ position, batch: undefined, problem: (cause as JournalFault).message })
    }
  }
  return found
}

/** Whether the error concerns the stored data, not the connection. */
function isOfRow(cause: unknown): boolean {
  return cause instanceof JournalFault && (cause.kind === 'DAMAGED' || cause.kind === 'UNSUPPORTED')
}
