/**
 * Reads the journal's tables: rows become batches, and damaged rows are reported as damage. Shared by the
 * writer and by readers.
 */
import type { Database, Statement } from 'bun:sqlite'
import { type BatchRow, batchOfRow } from '../../engine/port/batch-row.ts'
import { type Batch, JournalFault, lastSeqOf, type Quarantined, sizeOf } from '../../engine/port/journal.ts'
import { type Seq, seq } from '../../units/quantities.ts'
import { sqliteFault } from './journal-file.ts'

/** The position of a batch, and its last command. */
type Place = { readonly position: number; readonly seq: Seq }
type QuarantineRow = Record<'seq' | 'check', unknown>

/**
 * The rows of an open journal. Every method throws `JournalFault`; `DAMAGED` if a row cannot have been
 * written by this program.
 */
export class JournalRows {
  readonly #directory: string
  readonly #db: Database
  readonly #next: Statement<BatchRow, [number, number]>
  readonly #place: Statement<{ last_seq: unknown }, [number]>
  /** The end of the last read, at which most reads continue. */
  #readTo: Place = { position: 0, seq: 0 as Seq }
  /** The position before the first row that must exist. */
  #begin = 0

  constructor(directory: string, db: Database) {
    this.#directory = directory
    this.#db = db
    this.#next = db.prepare(
      'SELECT * FROM batch WHERE position > ? AND last_seq > ? ORDER BY position LIMIT 1',
    )
    this.#place = db.prepare('SELECT last_seq FROM batch WHERE position = ?')
  }

  /** The journal's first batch; undefined if its row is missing. */
  first(): Batch | undefined {
    return this.#reading('the first batch', () => {
      using oldest = this.#db.prepare<BatchRow, []>('SELECT * FROM batch WHERE position = 1')
      const first = oldest.get()
      return first === null ? undefined : batchOf(first)
    })
  }

  /** Rows up to this position, except the first, are missing because they were archived. */
  beginAfter(position: number): void {
    this.#begin = position
  }

  /** The last batch; undefined if there is none. */
  last(): Batch | undefined {
    return this.#reading('the last batch', () => {
      using newest = this.#db.prepare<BatchRow, []>('SELECT * FROM batch ORDER BY position DESC LIMIT 1')
      const last = newest.get()
      return last === null ? undefined : batchOf(last)
    })
  }

  /** Number of the last command, even if the rest of its row is damaged; 0 if there is none. */
  lastSeq(): Seq {
    return this.#reading('the last batch', () => {
      using newest = this.#db.prepare<{ seq: unknown }, []>('SELECT max(last_seq) AS seq FROM batch')
      return seq(integer(newest.get()?.seq ?? 0n))
    })
  }

  /** See `Journal.read`. */
  read(afterSeq: Seq, maxBytes: number): readonly Batch[] {
    return this.#reading(`commands after ${afterSeq}`, () => {
      const batches: Batch[] = []
      let after = this.#before(afterSeq)
      let bytes = 0
      const next = () => this.#next.get(after.position, after.seq)
      for (let row = next(); row !== null; row = next()) {
        const batch = batchOf(row)
        assertAfter(batch, after)
        bytes += sizeOf(batch)
        if (batches.length > 0 && bytes > maxBytes) break
        batches.push(batch)
        after = { position: batch.position, seq: lastSeqOf(batch) }
        if (bytes >= maxBytes) break
      }
      this.#readTo = after
      return batches
    })
  }

  /** See `Journal.hashAt`. */
  hashAt(seq: Seq): Uint8Array | undefined {
    return this.#reading(`the hash at ${seq}`, () => {
      const before = this.#before((seq - 1) as Seq)
      const row = this.#next.get(before.position, before.seq)
      return row !== null && integer(row.last_seq) === seq ? blob(row.hash) : undefined
    })
  }

  quarantined(): readonly Quarantined[] {
    return this.#reading('the quarantine', () => {
      using statement = this.#db.prepare<QuarantineRow, []>('SELECT * FROM quarantine ORDER BY seq')
      return statement.all().map((row) => ({ seq: seq(integer(row.seq)), check: blob(row.check) }))
    })
  }

  /** Closes the statements; open ones would keep the file open. */
  close(): void {
    this.#next.finalize()
    this.#place.finalize()
  }

  /**
   * A place before the first batch that ends after `seq`. Positions and commands rise together, so it is
   * found by binary search, without an index to which every commit would have to write.
   */
  #before(seq: Seq): Place {
    if (this.#readTo.seq === seq) return this.#readTo
    let low = this.#begin
    using newest = this.#db.prepare<{ position: unknown }, []>('SELECT max(position) AS position FROM batch')
    let high = integer(newest.get()?.position ?? 0n)
    while (low < high) {
      const middle = low + Math.ceil((high - low) / 2)
      const row = this.#place.get(middle)
      // A missing row shows nothing: the search then begins before it, and reads on to the place.
      if (row !== null && integer(row.last_seq) <= seq) low = middle
      else high = middle - 1
    }
    return { position: low, seq }
  }

  #reading<T>(what: string, read: () => T): T {
    try {
      return read()
    } catch (cause) {
      throw asFault(cause, `cannot read ${what} from the journal in ${this.#directory}`, this.#directory)
    }
  }
}

/** If a row's key is damaged, a search by key can return an earlier batch, and reading would never end. */
function assertAfter(batch: Batch, { position, seq }: Place): void {
  const last = lastSeqOf(batch)
  if (last > seq && batch.position > position) return
  const found = `position ${batch.position}, which ends at ${last}`
  throw new JournalFault(
    'DAMAGED',
    `expected a batch after position ${position} and command ${seq}, found ${found}`,
  )
}

/** Returns `cause` as a fault, with the failed operation before its message. */
export function asFault(cause: unknown, what: string, directory: string): JournalFault {
  if (cause instanceof JournalFault)
    return new JournalFault(cause.kind, `${what}: ${cause.message}`, { cause })
  return sqliteFault(cause, what, directory)
}

function batchOf(row: BatchRow): Batch {
  return batchOfRow(row, { integer, bytes: blob })
}

/** A stored number; damage can turn it into anything. */
function integer(value: unknown): number {
  if (typeof value === 'bigint' && value >= 0n && value <= Number.MAX_SAFE_INTEGER) return Number(value)
  throw new JournalFault('DAMAGED', `expected a number from 0 to 2^53-1, found ${String(value).slice(0, 40)}`)
}

function blob(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new JournalFault('DAMAGED', `expected bytes, found ${value === null ? 'nothing' : typeof value}`)
}

export const INSERT_ROW = 'INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
