/**
 * The journal in SQLite: one row and one commit per batch, in write-ahead mode with full sync. When `append`
 * resolves, the batch survives a power failure.
 */
import type { Database, Statement } from 'bun:sqlite'
import { join } from 'node:path'
import type {
  ArchivableJournal,
  ArchivePort,
  RecordedArchive,
  TrimProgress,
} from '../../engine/archive/archived.ts'
import { type BatchValues, batchValues } from '../../engine/port/batch-row.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  type Journal,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  requireNext,
  type Tail,
} from '../../engine/port/journal.ts'
import { isElsewhere, sealedBy } from '../../engine/writer/seal.ts'
import type { Seq } from '../../units/quantities.ts'
import { NamedFile } from '../files/named-file.ts'
import { emptyLog } from './checkpoint.ts'
import { forgetHolder, JOURNAL_NAME, openJournalFile, sqliteFault } from './journal-file.ts'
import { asFault, INSERT_ROW } from './journal-rows.ts'
import { WholeJournal } from './whole-journal.ts'

export type SqliteJournalOptions = {
  /** Data directory, created if absent. Only one process can use it at a time. */
  readonly directory: string
  /** When the log has grown by about this much, it is copied back into the file, between two batches. */
  readonly checkpointBytes?: number
  /** Like `checkpointBytes`, for times when no caller is waiting. */
  readonly idleCheckpointBytes?: number
}

/**
 * A checkpoint takes about 1.3 ms, and 11 us for each copied page (measured): 2 to 7 ms in all, once in about
 * 2,000 batches. At 1,500 batches a second fewer than one in a hundred waits for it. A start after a crash
 * reads as much.
 */
const CHECKPOINT_BYTES = 32 * 1024 * 1024
const IDLE_CHECKPOINT_BYTES = 1024 * 1024

const PAGE_BYTES = 4096
/**
 * Number of pages of the log that a commit writes besides those with the data (measured: 2, plus one as a
 * margin).
 */
const PAGES_PER_COMMIT = 3

export class SqliteJournal implements Journal, ArchivableJournal {
  readonly #directory: string
  readonly #db: Database
  readonly #checkpointBytes: number
  readonly #idleCheckpointBytes: number
  readonly #insert: Statement<unknown, BatchValues>
  readonly #whole: WholeJournal
  /** The file and its log: a commit counts only while both have their names. */
  readonly #files: readonly NamedFile[]
  #tail: Tail
  #logBytes = 0
  /** The reason why the journal accepts no more batches; undefined if it does. */
  #ended: JournalFault | undefined

  private constructor(options: SqliteJournalOptions, db: Database) {
    this.#directory = options.directory
    this.#db = db
    this.#checkpointBytes = options.checkpointBytes ?? CHECKPOINT_BYTES
    this.#idleCheckpointBytes = options.idleCheckpointBytes ?? IDLE_CHECKPOINT_BYTES
    this.#insert = db.prepare(INSERT_ROW)
    this.#whole = new WholeJournal(options.directory, db)
    const last = this.#whole.rows.last()
    this.#tail = last === undefined ? EMPTY_TAIL : endOf(last)
    if (last !== undefined && isElsewhere(last, 'DIRECTORY')) this.#ended = sealedBy(last)
    const file = join(options.directory, JOURNAL_NAME)
    this.#files = [new NamedFile(file), new NamedFile(`${file}-wal`)]
  }

  /**
   * Opens or creates the journal. Throws `JournalFault`: `IN_USE`, `UNSUPPORTED`, `SEALED`, `DAMAGED`,
   * `FAILED`.
   */
  static open(options: SqliteJournalOptions): SqliteJournal {
    const journal = SqliteJournal.openToMove(options)
    if (journal.#ended === undefined) return journal
    journal.#release()
    throw journal.#ended
  }

  /** Opens the journal for a move: a sealed journal can be opened too, but accepts nothing. */
  static openToMove(options: SqliteJournalOptions): SqliteJournal {
    return SqliteJournal.over(openJournalFile(options.directory), options)
  }

  /** A journal on its open file, which it owns from now on. Throws like `open` does. */
  static over(db: Database, options: SqliteJournalOptions): SqliteJournal {
    try {
      return new SqliteJournal(options, db)
    } catch (cause) {
      db.close()
      throw cause instanceof JournalFault
        ? cause
        : asFault(cause, `cannot read the journal in ${options.directory}`, options.directory)
    }
  }

  get tail(): Tail {
    return this.#tail
  }

  get beginning(): Tail {
    return this.#whole.beginning
  }

  get archiving(): ArchivePort {
    return this
  }

  async archives(): Promise<readonly RecordedArchive[]> {
    return this.#whole.archives
  }

  async append(batch: Batch): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    const { firstSeq, data } = batch
    requireNext(batch, this.#tail)
    const last = lastSeqOf(batch)
    this.#write(`cannot append commands ${firstSeq} to ${last}`, () => {
      this.#insert.run(...batchValues(batch))
    })
    this.#tail = endOf(batch)
    if (batch.kind === 'SEAL') this.#ended = sealedBy(batch)
    this.#logBytes += (Math.ceil(data.length / PAGE_BYTES) + PAGES_PER_COMMIT) * PAGE_BYTES
  }

  /**
   * Adds all batches with one commit, or none: for copying a journal, where no caller waits for a single
   * batch.
   */
  async appendAll(batches: readonly Batch[]): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    let tail = this.#tail
    for (const batch of batches) {
      requireNext(batch, tail)
      tail = endOf(batch)
    }
    this.#write(`cannot append commands ${this.#tail.seq + 1} to ${tail.seq}`, () => {
      this.#db.transaction(() => {
        for (const batch of batches) this.#insert.run(...batchValues(batch))
      })()
    })
    this.#tail = tail
    const last = batches.at(-1)
    if (last?.kind === 'SEAL') this.#ended = sealedBy(last)
    for (const { data } of batches) this.#logBytes += Math.ceil(data.length / PAGE_BYTES) * PAGE_BYTES
    this.#logBytes += PAGES_PER_COMMIT * PAGE_BYTES
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#whole.read(afterSeq, maxBytes)
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#whole.hashAt(seq)
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return this.#whole.rows.quarantined()
  }

  async quarantine({ seq, check }: Quarantined): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    this.#write(`cannot quarantine command ${seq}`, () => {
      this.#db.run('INSERT INTO quarantine VALUES (?, ?)', [seq, check])
    })
  }

  async record(archive: RecordedArchive): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    const { recordArchive } = await import('./archiving.ts')
    await recordArchive(this.#opened, archive)
  }

  async trim(batchesMax: number): Promise<TrimProgress> {
    if (this.#ended !== undefined) throw this.#ended
    const { trimArchived } = await import('./archiving.ts')
    const progress = await trimArchived(this.#opened, batchesMax)
    this.#logBytes += PAGES_PER_COMMIT * PAGE_BYTES
    return progress
  }

  async compact(): Promise<void> {
    const { compact } = await import('./archiving.ts')
    compact(this.#opened)
  }

  /** Copies the log into the file, so that the log stays short and is used from its start again. */
  async maintain(idle: boolean): Promise<void> {
    if (this.#logBytes < (idle ? this.#idleCheckpointBytes : this.#checkpointBytes)) return
    try {
      this.#db.run('PRAGMA wal_checkpoint(PASSIVE)')
      this.#logBytes = 0
    } catch (cause) {
      const fault = sqliteFault(cause, `cannot checkpoint the journal in ${this.#directory}`, this.#directory)
      // On a full disk the log keeps its length and stays valid. The next attempt comes after the same
      // growth.
      if (fault.kind === 'STORAGE_FULL') this.#logBytes = 0
      else throw this.#fail(fault)
    }
  }

  async close(): Promise<void> {
    this.#release()
  }

  #release(): void {
    try {
      this.#insert.finalize()
      this.#whole.close()
      try {
        this.#emptyLog()
      } finally {
        this.#db.close(true)
      }
      forgetHolder(this.#directory)
    } catch (cause) {
      throw sqliteFault(cause, `cannot close the journal in ${this.#directory}`, this.#directory)
    }
  }

  /**
   * Closing would do this too, but would not report a failed sync. On a full disk the log stays, and is
   * valid.
   */
  #emptyLog(): void {
    try {
      emptyLog(this.#db)
    } catch (cause) {
      const fault = sqliteFault(cause, 'cannot checkpoint its log', this.#directory)
      if (fault.kind !== 'STORAGE_FULL') throw cause
    }
  }

  get #opened() {
    const write = (what: string, statement: () => void): void => this.#write(what, statement)
    return { db: this.#db, whole: this.#whole, tail: this.#tail, write }
  }

  /**
   * Runs one statement as one commit, which either succeeds, fails with `STORAGE_FULL` and certainly without
   * effect, or fails with `FAILED`.
   */
  #write(what: string, statement: () => void): void {
    try {
      statement()
      for (const file of this.#files) file.requireInPlace()
    } catch (cause) {
      const fault = sqliteFault(cause, what, this.#directory)
      // SQLite has rolled back the statement's own transaction; if it were still open, its outcome would be
      // unknown.
      if (fault.kind === 'STORAGE_FULL' && !this.#db.inTransaction) throw fault
      throw this.#fail(fault)
    }
  }

  #fail(fault: JournalFault): JournalFault {
    this.#ended = new JournalFault('FAILED', 'the journal accepts no writes after a failure', {
      cause: fault,
    })
    return new JournalFault('FAILED', fault.message, { cause: fault })
  }
}
