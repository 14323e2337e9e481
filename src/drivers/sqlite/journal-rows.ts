/**
 * Reading the journal's tables: rows become batches, and what damage can make of a row is told as such. The one who
 * writes and those who only read share it.
 */
import type { Database, Statement } from 'bun:sqlite'
import {
  type Batch,
  EMPTY_TAIL,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  type Tail,
} from '../../engine/journal.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { sqliteFault } from './journal-file.ts'

type Row = Record<'seq' | 'count' | 'time' | 'previous_hash' | 'hash' | 'data', unknown>
type QuarantineRow = Record<'seq' | 'check', unknown>

/** The rows of an opened journal. Everything throws `JournalFault`; `DAMAGED` where a row cannot be one of ours. */
export class JournalRows {
  readonly #directory: string
  readonly #db: Database
  readonly #next: Statement<Row, [number]>
  readonly #at: Statement<{ hash: unknown }, [number]>

  constructor(directory: string, db: Database) {
    this.#directory = directory
    this.#db = db
    this.#next = db.prepare('SELECT * FROM batch WHERE seq > ? ORDER BY seq LIMIT 1')
    this.#at = db.prepare('SELECT hash FROM batch WHERE seq = ?')
  }

  /** The last batch's end; `EMPTY_TAIL` where there is none. */
  tail(): Tail {
    return this.#reading('the last batch', () => {
      using newest = this.#db.prepare<Row, []>('SELECT * FROM batch ORDER BY seq DESC LIMIT 1')
      const last = newest.get()
      return last === null ? EMPTY_TAIL : tailOf(last)
    })
  }

  /** Number of the last command, whatever else its row holds; 0 where there is none. */
  lastSeq(): Seq {
    return this.#reading('the last batch', () => {
      using newest = this.#db.prepare<{ seq: unknown }, []>('SELECT max(seq) AS seq FROM batch')
      return seq(integer(newest.get()?.seq ?? 0n))
    })
  }

  /** See `Journal.read`. */
  read(afterSeq: Seq, maxBytes: number): readonly Batch[] {
    return this.#reading(`commands after ${afterSeq}`, () => {
      const batches: Batch[] = []
      let after = afterSeq
      let bytes = 0
      for (let row = this.#next.get(after); row !== null; row = this.#next.get(after)) {
        const batch = batchOf(row)
        assertAfter(batch, after)
        bytes += batch.data.length
        if (batches.length > 0 && bytes > maxBytes) break
        batches.push(batch)
        after = lastSeqOf(batch)
        if (bytes >= maxBytes) break
      }
      return batches
    })
  }

  /** See `Journal.hashAt`. */
  hashAt(seq: Seq): Uint8Array | undefined {
    return this.#reading(`the hash at ${seq}`, () => {
      const row = this.#at.get(seq)
      return row === null ? undefined : blob(row.hash)
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
    this.#at.finalize()
  }

  #reading<T>(what: string, read: () => T): T {
    try {
      return read()
    } catch (cause) {
      throw asFault(cause, `cannot read ${what} from the journal in ${this.#directory}`)
    }
  }
}

/** Where a row's key is damaged, a search among the keys can find one that came before: reading would go round in circles. */
function assertAfter(batch: Batch, after: Seq): void {
  const last = lastSeqOf(batch)
  if (last > after) return
  throw new JournalFault('DAMAGED', `expected a batch after command ${after}, found one that ends at ${last}`)
}

/** The fault that `cause` is, with what was being done before its message. */
export function asFault(cause: unknown, what: string): JournalFault {
  if (cause instanceof JournalFault)
    return new JournalFault(cause.kind, `${what}: ${cause.message}`, { cause })
  return sqliteFault(cause, what)
}

function tailOf(row: Row): Tail {
  const { firstSeq, count, time, hash } = batchOf(row)
  return { seq: seq(firstSeq + count - 1), time, hash }
}

function batchOf(row: Row): Batch {
  const last = integer(row.seq)
  const count = integer(row.count)
  if (count < 1 || count > last)
    throw new JournalFault('DAMAGED', `batch up to ${last}: it has ${count} commands`)
  return {
    firstSeq: seq(last - count + 1),
    count,
    time: timeMs(integer(row.time)),
    previousHash: blob(row.previous_hash),
    hash: blob(row.hash),
    data: blob(row.data),
  }
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
