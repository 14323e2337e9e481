/**
 * A new journal in an empty directory, filled with many batches per commit: no caller waits for a single one,
 * and it is not used before it is complete.
 */
import type { Database, Statement } from 'bun:sqlite'
import type { JournalTarget } from '../../engine/audit/copy.ts'
import { type BatchValues, batchValues } from '../../engine/port/batch-row.ts'
import { type Batch, JournalFault, type Quarantined } from '../../engine/port/journal.ts'
import { forgetHolder, openJournalFile, sqliteFault } from './journal-file.ts'
import { INSERT_ROW } from './journal-rows.ts'

export class JournalCopy implements JournalTarget {
  readonly #directory: string
  readonly #db: Database
  readonly #insert: Statement<unknown, BatchValues>

  /** Creates the journal, and the directory if absent. Throws `JournalFault`. */
  static create(directory: string): JournalCopy {
    const db = openJournalFile(directory)
    using statement = db.prepare('SELECT count(*) FROM batch')
    if (Number(statement.values()[0]?.[0]) === 0) return new JournalCopy(directory, db)
    statement.finalize()
    db.close()
    throw new JournalFault('FAILED', `${directory} already has a journal`)
  }

  private constructor(directory: string, db: Database) {
    this.#directory = directory
    this.#db = db
    this.#insert = db.prepare(INSERT_ROW)
  }

  async write(batches: readonly Batch[]): Promise<void> {
    this.#run(() => {
      for (const batch of batches) this.#insert.run(...batchValues(batch))
    })
    // Without this, the log would grow to the size of the journal.
    this.#run(() => this.#db.run('PRAGMA wal_checkpoint(PASSIVE)'), false)
  }

  async quarantine({ seq, check }: Quarantined): Promise<void> {
    this.#run(() => this.#db.run('INSERT INTO quarantine VALUES (?, ?)', [seq, check]))
  }

  async close(): Promise<void> {
    this.#insert.finalize()
    this.#run(() => this.#db.close(true), false)
    forgetHolder(this.#directory)
  }

  #run(work: () => void, isChange = true): void {
    try {
      if (isChange) this.#db.transaction(work)()
      else work()
    } catch (cause) {
      throw sqliteFault(cause, `cannot write the journal in ${this.#directory}`, this.#directory)
    }
  }
}
