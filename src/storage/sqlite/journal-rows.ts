/**
 * Reading the journal's tables: rows become batches, and what damage can make of a row is reported as such. The one who
 * writes and those who only read share it.
 */
import type { Database, Statement } from 'bun:sqlite'
import { type BatchRow, batchOfRow } from '../../engine/port/batch-row.ts'
import { type Batch, JournalFault, lastSeqOf, type Quarantined, sizeOf } from '../../engine/port/journal.ts'
import { type Seq, seq } from '../../units/quantities.ts'
import { sqliteFault } from './journal-file.ts'

/** Where a batch is stored, and its last command. */
type Place = { readonly position: number; readonly seq: Seq }
type QuarantineRow = Record<'seq' | 'check', unknown>

/** The rows of an opened journal. Everything throws `JournalFault`; `DAMAGED` where a row cannot be one of ours. */
export class JournalRows {
  readonly #directory: string
  readonly #db: Database
  readonly #next: Statement<BatchRow, [number, number]>
  readonly #place: Statement<{ last_seq: unknown }, [number]>
  /** Where the last read ended: the next one mostly goes on there. */
  #readTo: Place = { position: 0, seq: 0 as Seq }
  /** Position before the first row that there must be. */
  #begin = 0

  constructor(directory: string, db: Database) {
    this.#directory = directory
    this.#db = db
    this.#next = db.prepare(
      'SELECT * FROM batch WHERE position > ? AND last_seq > ? ORDER BY position LIMIT 1',
    )
    this.#place = db.prepare('SELECT last_seq FROM batch WHERE position = ?')
  }

  /** The journal's first batch; undefined where its row is not there. */
  first(): Batch | undefined {
    return this.#reading('the first batch', () => {
      using oldest = this.#db.prepare<BatchRow, []>('SELECT * FROM batch WHERE position = 1')
      const first = oldest.get()
      return first === null ? undefined : batchOf(first)
    })
  }

  /** Rows up to this position are not there, but for the first: they were archived. */
  beginAfter(position: number): void {
    this.#begin = position
  }

  /** The last batch; undefined where there is none. */
  last(): Batch | undefined {
    return this.#reading('the last batch', () => {
      using newest = this.#db.prepare<BatchRow, []>('SELECT * FROM batch ORDER BY position DESC LIMIT 1')
      const last = newest.get()
      return last === null ? undefined : batchOf(last)
    })
  }

  /** Number of the last command, whatever else its row holds; 0 where there is none. */
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

  /** Lets go of the statements, which would keep the file open. */
  close(): void {
    this.#next.finalize()
    this.#place.finalize()
  }

  /**
   * A place before the first batch that ends after `seq`: both numbers rise together, so it is found by halving, without
   * an index that every commit would have to write.
   */
  #before(seq: Seq): Place {
    if (this.#readTo.seq === seq) return this.#readTo
    let low = this.#begin
    using newest = this.#db.prepare<{ position: unknown }, []>('SELECT max(position) AS position FROM batch')
    let high = integer(newest.get()?.position ?? 0n)
    while (low < high) {
      const middle = low + Math.ceil((high - low) / 2)
      const row = this.#place.get(middle)
      // A row that is missing tells nothing: then the search begins earlier, and reads on to the place.
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

/** Where a row's key is damaged, a search among the keys can find one that came before: reading would go round in circles. */
function assertAfter(batch: Batch, { position, seq }: Place): void {
  const last = lastSeqOf(batch)
  if (last > seq && batch.position > position) return
  const found = `position ${batch.position}, which ends at ${last}`
  throw new JournalFault(
    'DAMAGED',
    `expected a batch behind position ${position} and command ${seq}, found ${found}`,
  )
}

/** The fault that `cause` is, with what was being done before its message. */
export function asFault(cause: unknown, what: string, directory: string): JournalFault {
  if (cause instanceof JournalFault)
    return new JournalFault(cause.kind, `${what}: ${cause.message}`, { cause })
  return sqliteFault(cause, what, directory)
}

function batchOf(row: BatchRow): Batch {
  return batchOfRow(row, { integer, bytes: blob })
}

/** A stored number; damage can make it anything. */
function integer(value: unknown): number {
  if (typeof value === 'bigint' && value >= 0n && value <= Number.MAX_SAFE_INTEGER) return Number(value)
  throw new JournalFault('DAMAGED', `expected a number from 0 to 2^53-1, found ${String(value).slice(0, 40)}`)
}

function blob(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new JournalFault('DAMAGED', `expected bytes, found ${value === null ? 'nothing' : typeof value}`)
}

export const INSERT_ROW = 'INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
