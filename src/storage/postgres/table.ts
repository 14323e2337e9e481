/**
 * The table of a cluster's journal in PostgreSQL: the SQL, and the meaning of the server's answers for a row.
 * Other modules decide what follows from them.
 */

import {
  type ClaimInsertion,
  type Insertion,
  type LeaderHeartbeat,
  type LeaderRow,
  type LeadershipTable,
  receiving,
} from '../../engine/leadership/leadership-table.ts'
import { type BatchValues, batchValues } from '../../engine/port/batch-row.ts'
import { type Batch, JournalFault } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import {
  Connection,
  type ConnectionOptions,
  journalFault,
  PostgresFault,
  postgresFault,
  type Rows,
  SQLSTATE,
  type Statement,
} from './connection.ts'
import { type Durability, sentenceOf } from './durability.ts'
import { confirmation, examine } from './durability-probe.ts'
import type { DatabaseIdentity, KnownDatabase } from './identity.ts'
import {
  INSERT_OPEN_TEXT,
  INSERT_TEXT,
  lastSeqAt,
  leaderOf,
  readAt,
  readFrom,
  readOwn,
  readTail,
} from './rows.ts'
import { requireFormat, SCHEMA } from './schema.ts'

export type TableOptions = {
  readonly connection: ConnectionOptions
  readonly durability: Durability
  /** The identity of the database known to this engine; undefined if any database is accepted. */
  readonly known?: KnownDatabase | undefined
}

const INSERT = { name: 'append', text: INSERT_TEXT }

/**
 * The leader's row changes with the claim, in one commit: the heartbeat of a deposed leader then finds no row
 * with its epoch. A claim adds nothing while an exchange is being moved into the journal: a claimant that
 * read the leader's row before the move also read the journal without the moved batches.
 */
const CLAIM = {
  text: `WITH claimed AS (${INSERT_OPEN_TEXT} RETURNING epoch)
    UPDATE ${SCHEMA}.leader SET epoch = claimed.epoch, name = $10, beat_at = clock_timestamp() FROM claimed`,
}

const HEARTBEAT = {
  name: 'heartbeat',
  text: `UPDATE ${SCHEMA}.leader SET beat_at = clock_timestamp() WHERE epoch = $1`,
}

const RESIGN = { text: `UPDATE ${SCHEMA}.leader SET beat_at = NULL WHERE epoch = $1` }

export class PostgresTable implements LeadershipTable {
  readonly #connection: Connection
  readonly #durability: Durability
  readonly #timeoutMs: number
  readonly #led: () => void

  private constructor({ connection, identity }: Connected, options: TableOptions) {
    const {
      durability,
      connection: { timeoutMs },
      known,
    } = options
    this.#connection = connection
    this.#led = () => known?.led(identity)
    this.#durability = durability
    this.#timeoutMs = timeoutMs
  }

  /** See `connectTo`. */
  static async open(options: TableOptions): Promise<PostgresTable> {
    return new PostgresTable(await connectTo(options), options)
  }

  insert(batch: Batch): Promise<Insertion> {
    return this.#insert(INSERT, batchValues(batch))
  }

  async insertClaim(claim: Batch, name: string): Promise<ClaimInsertion> {
    let rows = 0
    const insertion = await this.#insert(CLAIM, [...batchValues(claim), name], (count) => {
      rows = count
    })
    if (insertion.kind === 'STORED' && rows > 0) this.#led()
    if (insertion.kind !== 'STORED' || rows > 0) return insertion
    return { kind: 'RECEIVING', fault: receiving((await this.leader()).name) }
  }

  async confirm(): Promise<string | undefined> {
    try {
      return await confirmation(this.#connection, this.#durability, this.#timeoutMs)
    } catch (cause) {
      throw postgresFault(cause, 'cannot determine the confirmed position')
    }
  }

  readTail() {
    return readTail(this.#connection)
  }

  readAt(position: number) {
    return readAt(this.#connection, position)
  }

  lastSeqAt(position: number): Promise<Seq | undefined> {
    return lastSeqAt(this.#connection, position)
  }

  readFrom(first: number, last: number, maxBytes: number) {
    return readFrom(this.#connection, first, last, maxBytes)
  }

  readOwn() {
    return readOwn(this.#connection)
  }

  async leader(): Promise<LeaderRow> {
    try {
      return await leaderOf(this.#connection)
    } catch (cause) {
      throw postgresFault(cause, 'cannot read the leader')
    }
  }

  async heartbeat(epoch: number): Promise<LeaderHeartbeat> {
    const { count, notices } = await this.#run(HEARTBEAT, `of epoch ${epoch}`, [epoch])
    return { isMine: count > 0, notices }
  }

  async resign(epoch: number): Promise<void> {
    await this.#run(RESIGN, `cannot resign from epoch ${epoch}`, [epoch])
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  cut(): void {
    this.#connection.destroy()
  }

  async #insert(
    statement: Statement,
    values: readonly (BatchValues[number] | string)[],
    onRows: (count: number) => void = () => {},
  ): Promise<Insertion> {
    try {
      const { notices, count } = await this.#connection.run(statement, values)
      onRows(count)
      return { kind: 'STORED', notices }
    } catch (cause) {
      const fault = journalFault(cause)
      if (fault.kind === 'STORAGE_FULL') return { kind: 'FULL', fault }
      const isTaken = cause instanceof PostgresFault && cause.code === SQLSTATE.DUPLICATE_KEY
      return { kind: isTaken ? 'TAKEN' : 'UNKNOWN', fault }
    }
  }

  async #run(statement: Statement, what: string, values: readonly unknown[] = []): Promise<Rows> {
    try {
      return await this.#connection.run(statement, values)
    } catch (cause) {
      throw postgresFault(cause, what)
    }
  }
}

/** A connection, and the identity of its database; undefined if that cannot be read. */
export type Connected = {
  readonly connection: Connection
  readonly identity: DatabaseIdentity | undefined
}

/**
 * Connects and checks that the database has the declared settings and the known identity. Throws
 * `JournalFault`.
 */
export async function connectTo(options: TableOptions): Promise<Connected> {
  let connection: Connection | undefined
  try {
    connection = await Connection.open(options.connection)
    await requireFormat(connection)
    const { findings, identity } = await examine(connection, options.durability)
    options.known?.require(identity)
    const wrong = findings.filter(({ severity }) => severity !== 'WEAKENS')
    if (wrong.length > 0) throw new JournalFault('UNSUPPORTED', wrong.map(sentenceOf).join('; '))
    return { connection, identity }
  } catch (cause) {
    connection?.destroy()
    throw journalFault(cause)
  }
}
