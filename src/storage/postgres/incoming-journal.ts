/**
 * The journal of a cluster into which an exchange is being moved. During the move the leader's row prevents
 * every claim; the seal, and a leader's row that permits claims, are written in one commit.
 */

import { RECEIVING_EPOCH } from '../../engine/leadership/leadership-table.ts'
import { hashAt, readAfter } from '../../engine/leadership/table-reader.ts'
import { batchValues } from '../../engine/port/batch-row.ts'
import { type Batch, endOf, JournalFault, requireNext, type Tail } from '../../engine/port/journal.ts'
import type { MoveTarget } from '../../engine/standby/move.ts'
import { isElsewhere } from '../../engine/writer/seal.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Connection, PostgresFault, postgresFault, SQLSTATE } from './connection.ts'
import { confirmation } from './durability-probe.ts'
import { INSERT_TEXT, insertManyText, lastSeqAt, readAt, readFrom, readTail } from './rows.ts'
import { SCHEMA } from './schema.ts'
import { connectTo, type TableOptions } from './table.ts'

/** Writes the seal; from then on a claim can succeed. */
const FINISH_TEXT = `WITH seal AS (${INSERT_TEXT} RETURNING epoch)
  UPDATE ${SCHEMA}.leader SET epoch = seal.epoch, name = '', beat_at = NULL FROM seal`

export class IncomingTable implements MoveTarget {
  readonly #connection: Connection
  readonly #options: TableOptions
  readonly #by: string
  /** The identity of this database, which its standbys share. */
  readonly identity: string
  #tail: Tail

  private constructor(
    connection: Connection,
    options: TableOptions,
    by: string,
    { identity, tail }: { readonly identity: string; readonly tail: Tail },
  ) {
    this.#connection = connection
    this.#options = options
    this.#by = by
    this.identity = identity
    this.#tail = tail
  }

  /**
   * Connects as the engine and changes nothing. `by` names the person or program that moves the exchange, for
   * people to read. Throws `JournalFault`.
   */
  static async open(options: TableOptions, by: string): Promise<IncomingTable> {
    const { connection } = await connectTo(options)
    try {
      const identity = await databaseIdentity(connection)
      return new IncomingTable(connection, options, by, { identity, tail: await readTail(connection) })
    } catch (cause) {
      connection.destroy()
      throw postgresFault(cause, 'cannot open the journal')
    }
  }

  get tail(): Tail {
    return this.#tail
  }

  async requireFree(): Promise<void> {
    await this.#freeEpoch()
  }

  async begin(): Promise<void> {
    const epoch = await this.#freeEpoch()
    const take = `UPDATE ${SCHEMA}.leader SET epoch = ${RECEIVING_EPOCH}, name = $1, beat_at = NULL WHERE epoch = $2`
    const { count } = await this.#run('record that a move begins', { text: take }, [this.#by, epoch])
    if (count === 0) throw inUse('another process has started to use it')
    this.#tail = await readTail(this.#connection)
  }

  async write(batches: readonly Batch[]): Promise<void> {
    let tail = this.#tail
    for (const batch of batches) {
      requireNext(batch, tail)
      tail = endOf(batch)
    }
    await this.#add({ text: insertManyText(batches.length) }, batches.flatMap(batchValues))
    this.#tail = tail
  }

  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return readAfter(this.#rows, afterSeq, this.#tail, maxBytes)
  }

  hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    return hashAt(this.#rows, seq, this.#tail)
  }

  async settle(): Promise<void> {
    const { durability, connection } = this.#options
    let problem: string | undefined
    try {
      problem = await confirmation(this.#connection, durability, connection.timeoutMs)
    } catch (cause) {
      throw postgresFault(cause, 'cannot determine whether the copy is durable')
    }
    if (problem !== undefined)
      throw new JournalFault('FAILED', `it is not known whether the copy is durable: ${problem}`)
  }

  async finish(seal: Batch): Promise<void> {
    requireNext(seal, this.#tail)
    await this.#add({ text: FINISH_TEXT }, batchValues(seal))
    this.#tail = endOf(seal)
    await this.settle()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  get #rows() {
    const connection = this.#connection
    return {
      lastSeqAt: (position: number) => lastSeqAt(connection, position),
      readFrom: (first: number, last: number, maxBytes: number) =>
        readFrom(connection, first, last, maxBytes),
    }
  }

  /**
   * The epoch in the leader's row. Throws unless the journal is free: it is empty, or its exchange was moved
   * elsewhere.
   */
  async #freeEpoch(): Promise<number> {
    const { rows } = await this.#run('read the leader', { text: `SELECT epoch FROM ${SCHEMA}.leader` })
    const epoch = Number(rows[0]?.epoch)
    const { position } = this.#tail
    if (epoch === RECEIVING_EPOCH || (position === 0 && epoch === 0)) return epoch
    const last = await readAt(this.#connection, position)
    if (last !== undefined && isElsewhere(last, 'CLUSTER')) return epoch
    throw inUse(`it has a journal of ${position} batches, in epoch ${epoch}`)
  }

  async #add(statement: { readonly text: string }, values: readonly unknown[]): Promise<void> {
    try {
      const { notices } = await this.#connection.run(statement, values)
      if (notices[0] !== undefined) throw new JournalFault('FAILED', notices[0])
    } catch (cause) {
      if (cause instanceof PostgresFault && cause.code === SQLSTATE.DUPLICATE_KEY)
        throw inUse(`another process has written after position ${this.#tail.position}`)
      throw postgresFault(cause, `cannot add batches after position ${this.#tail.position}`)
    }
  }

  async #run(what: string, statement: { readonly text: string }, values: readonly unknown[] = []) {
    try {
      return await this.#connection.run(statement, values)
    } catch (cause) {
      throw postgresFault(cause, `cannot ${what}`)
    }
  }
}

/**
 * An identity that a primary and its standbys share, and that no other database has. Throws `PostgresFault`.
 */
async function databaseIdentity(connection: Connection): Promise<string> {
  const text = 'SELECT system_identifier::text AS system, current_database() AS name FROM pg_control_system()'
  const { rows } = await connection.run({ text })
  return `${rows[0]?.system}/${rows[0]?.name}`
}

function inUse(found: string): JournalFault {
  return new JournalFault(
    'IN_USE',
    `an exchange cannot be moved to this database: ${found}. Nothing more was changed: choose an empty database`,
  )
}
