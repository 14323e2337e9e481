/**
 * A journal for its readers: its rows, preceded by the files of its archive. If nothing is archived, no code
 * for archives is loaded.
 */
import type { Database } from 'bun:sqlite'
import type { RecordedArchive } from '../../engine/archive/archived.ts'
import { type Batch, EMPTY_TAIL, lastSeqOf, type Tail } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { recordedArchives, rowsBegin } from './archive-table.ts'
import type { ArchivedBatches } from './archived-batches.ts'
import { asFault, JournalRows } from './journal-rows.ts'

export class WholeJournal {
  readonly rows: JournalRows
  readonly #directory: string
  readonly #db: Database
  #archives: readonly RecordedArchive[] = []
  /** Commands up to this one are read from archives, except those of the first batch. */
  #archivedSeq = 0
  /** The first batch, if any are archived. */
  #first: Batch | undefined
  #archived: ArchivedBatches | undefined

  /** Throws `JournalFault`. */
  constructor(directory: string, db: Database) {
    this.#directory = directory
    this.#db = db
    this.rows = new JournalRows(directory, db)
    this.refresh()
  }

  /** Oldest first. */
  get archives(): readonly RecordedArchive[] {
    return this.#archives
  }

  /** The end of the archived part; `EMPTY_TAIL` if there is none. */
  get beginning(): Tail {
    return this.#archives.at(-1)?.end ?? EMPTY_TAIL
  }

  /** Reads again which batches are rows and which are archived. */
  refresh(): void {
    try {
      this.#archives = recordedArchives(this.#db)
      const isArchived = this.#archives.length > 0
      const begin = isArchived ? rowsBegin(this.#db) : undefined
      this.#first = isArchived ? this.rows.first() : undefined
      this.#archivedSeq = Math.min(this.beginning.seq, begin?.seq ?? 0)
      this.rows.beginAfter(begin?.position ?? 0)
    } catch (cause) {
      throw asFault(cause, `cannot read the archives of the journal in ${this.#directory}`, this.#directory)
    }
  }

  /** See `Journal.read`. A read of archived batches ends with their block at the latest. */
  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    if (afterSeq >= this.#archivedSeq) return this.rows.read(afterSeq, maxBytes)
    if (this.#first !== undefined && afterSeq < lastSeqOf(this.#first)) return [this.#first]
    return (await this.archived()).read(this.#archives, afterSeq, maxBytes)
  }

  /** See `Journal.hashAt`. */
  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    if (seq > this.#archivedSeq) return this.rows.hashAt(seq)
    if (this.#first !== undefined && seq === lastSeqOf(this.#first)) return this.#first.hash
    return (await this.archived()).hashAt(this.#archives, seq)
  }

  /** The archive's files, for comparing rows with them. */
  async archived(): Promise<ArchivedBatches> {
    if (this.#archived === undefined) {
      const { ArchivedBatches } = await import('./archived-batches.ts')
      this.#archived ??= new ArchivedBatches(this.#directory)
    }
    return this.#archived
  }

  close(): void {
    this.#archived?.close()
    this.rows.close()
  }
}
