/**
 * The journal in SQLite: one row and one commit per batch, in write-ahead mode with full sync. When `append`
 * resolves, the batch survives a power cut.
 */
import type { Database, Statement } from 'bun:sqlite'
import {
  type Batch,
  EMPTY_TAIL,
  type Journal,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  type Tail,
} from '../../engine/journal.ts'
import { invariant } from '../../units/invariant.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { forgetHolder, openJournalFile, sqliteFault } from './journal-file.ts'

export type SqliteJournalOptions = {
  /** Data directory; made if absent. One process at a time. */
  readonly directory: string
  /** The log is copied back into the file when it has grown by about this much, between two batches. */
  readonly checkpointBytes?: number
  /** The same while nobody waits. */
  readonly idleCheckpointBytes?: number
}

/** A pause of some 7 ms (measured), once in several hundred batches. */
export const CHECKPOINT_BYTES = 8 * 1024 * 1024
export const IDLE_CHECKPOINT_BYTES = 1024 * 1024

const PAGE_BYTES = 4096
/** Pages of the log that a commit writes beside those that hold the data (measured: 2, and one to be safe). */
const PAGES_PER_COMMIT = 3

type Row = Record<'seq' | 'count' | 'time' | 'previous_hash' | 'hash' | 'data', unknown>
type QuarantineRow = Record<'seq' | 'check', unknown>

export class SqliteJournal implements Journal {
  readonly #directory: string
  readonly #db: Database
  readonly #checkpointBytes: number
  readonly #idleCheckpointBytes: number
  readonly #insert: Statement<unknown, [number, number, number, Uint8Array, Uint8Array, Uint8Array]>
  readonly #next: Statement<Row, [number]>
  readonly #at: Statement<{ hash: unknown }, [number]>
  #tail: Tail
  #logBytes = 0
  #failed = false

  private constructor(options: SqliteJournalOptions, db: Database) {
    this.#directory = options.directory
    this.#db = db
    this.#checkpointBytes = options.checkpointBytes ?? CHECKPOINT_BYTES
    this.#idleCheckpointBytes = options.idleCheckpointBytes ?? IDLE_CHECKPOINT_BYTES
    this.#insert = db.prepare('INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?)')
    this.#next = db.prepare('SELECT * FROM batch WHERE seq > ? ORDER BY seq LIMIT 1')
    this.#at = db.prepare('SELECT hash FROM batch WHERE seq = ?')
    using newest = db.prepare<Row, []>('SELECT * FROM batch ORDER BY seq DESC LIMIT 1')
    const last = newest.get()
    this.#tail = last === null ? EMPTY_TAIL : tailOf(last)
  }

  /** Opens or creates the journal. Throws `JournalFault`: `IN_USE`, `UNSUPPORTED`, `DAMAGED`, `FAILED`. */
  static open(options: SqliteJournalOptions): SqliteJournal {
    return SqliteJournal.over(openJournalFile(options.directory), options)
  }

  /** A journal over its opened file, which is the journal's own from now on. Throws as `open` does. */
  static over(db: Database, options: SqliteJournalOptions): SqliteJournal {
    try {
      return new SqliteJournal(options, db)
    } catch (cause) {
      db.close()
      throw asFault(cause, `cannot read the journal in ${options.directory}`)
    }
  }

  get tail(): Tail {
    return this.#tail
  }

  async append(batch: Batch): Promise<void> {
    if (this.#failed) throw new JournalFault('FAILED', 'the journal takes no more after a failure')
    const { firstSeq, count, time, previousHash, hash, data } = batch
    invariant(
      firstSeq === this.#tail.seq + 1,
      () => `expected command ${this.#tail.seq + 1}, found ${firstSeq}`,
    )
    const last = lastSeqOf(batch)
    this.#write(`cannot append commands ${firstSeq} to ${last}`, () => {
      this.#insert.run(last, count, time, previousHash, hash, data)
    })
    this.#tail = { seq: last, time, hash }
    this.#logBytes += (Math.ceil(data.length / PAGE_BYTES) + PAGES_PER_COMMIT) * PAGE_BYTES
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#reading(`commands after ${afterSeq}`, () => {
      const batches: Batch[] = []
      let after = afterSeq
      let bytes = 0
      for (let row = this.#next.get(after); row !== null; row = this.#next.get(after)) {
        const batch = batchOf(row)
        bytes += batch.data.length
        if (batches.length > 0 && bytes > maxBytes) break
        batches.push(batch)
        after = lastSeqOf(batch)
        if (bytes >= maxBytes) break
      }
      return batches
    })
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#reading(`the hash at ${seq}`, () => {
      const row = this.#at.get(seq)
      return row === null ? undefined : blob(row.hash)
    })
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return this.#reading('the quarantine', () => {
      using statement = this.#db.prepare<QuarantineRow, []>('SELECT * FROM quarantine ORDER BY seq')
      return statement.all().map((row) => ({ seq: seq(integer(row.seq)), check: blob(row.check) }))
    })
  }

  async quarantine({ seq, check }: Quarantined): Promise<void> {
    this.#write(`cannot quarantine command ${seq}`, () => {
      this.#db.run('INSERT INTO quarantine VALUES (?, ?)', [seq, check])
    })
  }

  /** Copies the log back into the file, so that it stays short and is used from its start again. */
  async maintain(idle: boolean): Promise<void> {
    if (this.#logBytes < (idle ? this.#idleCheckpointBytes : this.#checkpointBytes)) return
    try {
      this.#db.run('PRAGMA wal_checkpoint(PASSIVE)')
      this.#logBytes = 0
    } catch (cause) {
      const fault = sqliteFault(cause, `cannot checkpoint the journal in ${this.#directory}`)
      // Without room the log stays as long as it is, and is still the truth. Tried again after as much again.
      if (fault.kind === 'STORAGE_FULL') this.#logBytes = 0
      else throw this.#fail(fault)
    }
  }

  async close(): Promise<void> {
    try {
      for (const statement of [this.#insert, this.#next, this.#at]) statement.finalize()
      this.#db.close(true)
      forgetHolder(this.#directory)
    } catch (cause) {
      throw sqliteFault(cause, `cannot close the journal in ${this.#directory}`)
    }
  }

  /** Runs one statement as one commit: done, or `STORAGE_FULL` and certainly not done, or `FAILED`. */
  #write(what: string, statement: () => void): void {
    try {
      statement()
    } catch (cause) {
      const fault = sqliteFault(cause, what)
      // SQLite has rolled the statement's own transaction back; were it still open, its fate would be unknown.
      if (fault.kind === 'STORAGE_FULL' && !this.#db.inTransaction) throw fault
      throw this.#fail(fault)
    }
  }

  #fail(fault: JournalFault): JournalFault {
    this.#failed = true
    return new JournalFault('FAILED', fault.message, { cause: fault })
  }

  #reading<T>(what: string, read: () => T): T {
    try {
      return read()
    } catch (cause) {
      throw asFault(cause, `cannot read ${what} from the journal in ${this.#directory}`)
    }
  }
}

function asFault(cause: unknown, what: string): JournalFault {
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
