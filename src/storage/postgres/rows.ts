/**
 * Rows of the journal's table as batches, with checks for damaged rows. Every function throws `JournalFault`.
 */

import { type LeaderRow, RECEIVING_EPOCH } from '../../engine/leadership/leadership-table.ts'
import { type BatchRow, batchOfRow } from '../../engine/port/batch-row.ts'
import {
  BATCH_OVERHEAD_BYTES,
  type Batch,
  EMPTY_TAIL,
  endOf,
  JournalFault,
  type Tail,
} from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Connection, postgresFault, type Row } from './connection.ts'
import { IS_OWN, SCHEMA } from './schema.ts'

const TABLE = `${SCHEMA}.batch`
const COLUMNS = 'position, epoch, kind, first_seq, last_seq, time, previous_hash, hash, data'
const BATCH_COLUMNS = COLUMNS.split(', ').length

/** Adds a row; the values are those of `batchValues`. */
export const INSERT_TEXT = `INSERT INTO ${TABLE} (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

/** Adds a row unless an exchange is being moved into the journal. */
export const INSERT_OPEN_TEXT = `INSERT INTO ${TABLE} (${COLUMNS}) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
  WHERE EXISTS (SELECT FROM ${SCHEMA}.leader WHERE epoch <> ${RECEIVING_EPOCH})`

/** The statement that adds `rows` rows at once; the values of each row are those of `batchValues`. */
export function insertManyText(rows: number): string {
  const places = Array.from({ length: rows }, (_, row) => {
    const first = row * BATCH_COLUMNS + 1
    return `(${Array.from({ length: BATCH_COLUMNS }, (_, column) => `$${first + column}`).join(', ')})`
  })
  return `INSERT INTO ${TABLE} (${COLUMNS}) VALUES ${places.join(', ')}`
}

/** Maximum number of rows whose sizes are read in one query. */
const SIZES_MAX = 1_000

const LEADER = `SELECT epoch, name, (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS age
  FROM ${SCHEMA}.leader`

/** The leader's row. */
export async function leaderOf(connection: Connection): Promise<LeaderRow> {
  const { rows } = await connection.run({ text: LEADER })
  const { epoch, name, age } = rows[0] ?? {}
  return {
    epoch: Number(epoch ?? 0),
    name: String(name ?? ''),
    heardMsAgo: typeof age === 'number' ? age : undefined,
  }
}

/** The end of the journal, as this connection sees it. */
export async function readTail(connection: Connection): Promise<Tail> {
  const [last] = await select(connection, 'the last batch', 'ORDER BY position DESC LIMIT 1')
  return last === undefined ? EMPTY_TAIL : endOf(last)
}

/** The batch stored under `position`; undefined if there is none. */
export async function readAt(connection: Connection, position: number): Promise<Batch | undefined> {
  const [batch] = await select(connection, `position ${position}`, 'WHERE position = $1', [position])
  return batch
}

/** The journal's own batches (claims, quarantines and seals), oldest first. */
export async function readOwn(connection: Connection): Promise<readonly Batch[]> {
  return select(connection, 'claims and quarantines', `WHERE ${IS_OWN} ORDER BY position`)
}

/** The last command of the batch at `position`; undefined if there is none. */
export async function lastSeqAt(connection: Connection, position: number): Promise<Seq | undefined> {
  const { rows } = await asking(`position ${position}`, () =>
    connection.run({ name: 'last-seq', text: `SELECT last_seq FROM ${TABLE} WHERE position = $1` }, [
      position,
    ]),
  )
  return rows[0] === undefined ? undefined : (integer(rows[0].last_seq) as Seq)
}

/**
 * Batches from `first` to `last`, as many as fit into `maxBytes` counted by `sizeOf`, and at least one if
 * there is one.
 */
export async function readFrom(
  connection: Connection,
  first: number,
  last: number,
  maxBytes: number,
): Promise<readonly Batch[]> {
  const what = `positions ${first} and after`
  const sizes = await asking(what, async () => {
    const text = `SELECT position, octet_length(data) AS bytes FROM ${TABLE}
      WHERE position BETWEEN $1 AND $2 ORDER BY position LIMIT ${SIZES_MAX}`
    return (await connection.run({ name: 'sizes', text }, [first, last])).rows
  })
  let bytes = 0
  let end: number | undefined
  for (const row of sizes) {
    bytes += integer(row.bytes) + BATCH_OVERHEAD_BYTES
    if (end !== undefined && bytes > maxBytes) break
    end = integer(row.position)
  }
  if (end === undefined) return []
  return select(connection, what, 'WHERE position BETWEEN $1 AND $2 ORDER BY position', [first, end])
}

function select(
  connection: Connection,
  what: string,
  rest: string,
  values: readonly unknown[] = [],
): Promise<readonly Batch[]> {
  return asking(what, async () => {
    const { rows } = await connection.run({ text: `SELECT ${COLUMNS} FROM ${TABLE} ${rest}` }, values)
    return rows.map(batchOf)
  })
}

async function asking<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw postgresFault(cause, `cannot read ${what} of the journal`)
  }
}

function batchOf(row: Row): Batch {
  return batchOfRow(row as BatchRow, { integer, bytes: bytesOf })
}

/** A stored number: the client returns 64-bit numbers as text. */
function integer(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new JournalFault('DAMAGED', `expected a number from 0 to 2^53-1, found ${String(value).slice(0, 40)}`)
}

/** A copy, since the client's array is a view of everything that it has received. */
function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  throw new JournalFault('DAMAGED', `expected bytes, found ${value === null ? 'nothing' : typeof value}`)
}
