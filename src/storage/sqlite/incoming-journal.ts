/**
 * The journal of a data directory into which an exchange is being moved. Until the move is finished the file
 * is marked as not yet a journal, so that nothing can start on it; the seal and the end of that mark are
 * written in one commit.
 */
import type { Database, Statement } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BatchValues, batchValues } from '../../engine/port/batch-row.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  JournalFault,
  type Quarantined,
  requireNext,
  type Tail,
} from '../../engine/port/journal.ts'
import type { MoveTarget } from '../../engine/standby/move.ts'
import { isElsewhere } from '../../engine/writer/seal.ts'
import type { Seq } from '../../units/quantities.ts'
import { emptyLog } from './checkpoint.ts'
import {
  APPLICATION_ID,
  forgetHolder,
  INCOMING_ID,
  JOURNAL_NAME,
  openJournalFile,
  sqliteFault,
} from './journal-file.ts'
import { INSERT_ROW, JournalRows } from './journal-rows.ts'

/** An open journal file. */
type File = {
  readonly db: Database
  readonly rows: JournalRows
  readonly insert: Statement<unknown, BatchValues>
}

/** The table of the destination's identity, which exists until the move is finished. */
const MARK = 'CREATE TABLE incoming (identity TEXT PRIMARY KEY) STRICT'

export class IncomingJournal implements MoveTarget {
  readonly #directory: string
  /** The identity of this destination, which stays the same until the move is finished. */
  readonly identity: string
  #file: File | undefined
  #tail: Tail = EMPTY_TAIL
  /** The reason why no exchange can be moved here; undefined if one can. */
  #refusal: JournalFault | undefined

  /**
   * Opens an existing journal, and creates nothing. `newIdentity` is called for a destination that has no
   * identity yet. Throws `JournalFault`.
   */
  constructor(directory: string, newIdentity: () => string) {
    this.#directory = directory
    const file = existsSync(join(directory, JOURNAL_NAME)) ? this.#open() : undefined
    this.identity = (file && storedIdentity(file.db)) ?? newIdentity()
  }

  get tail(): Tail {
    return this.#tail
  }

  async requireFree(): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal
  }

  async begin(): Promise<void> {
    await this.requireFree()
    const { db } = this.#file ?? this.#open()
    if (storedIdentity(db) !== undefined) return
    this.#run(() =>
      db.transaction(() => {
        db.run(MARK)
        db.run('INSERT INTO incoming VALUES (?)', [this.identity])
        db.run(`PRAGMA application_id = ${INCOMING_ID}`)
      })(),
    )
  }

  async write(batches: readonly Batch[]): Promise<void> {
    const { db, insert } = this.#opened()
    let tail = this.#tail
    for (const batch of batches) {
      requireNext(batch, tail)
      tail = endOf(batch)
    }
    this.#run(() =>
      db.transaction(() => {
        for (const batch of batches) insert.run(...batchValues(batch))
      })(),
    )
    this.#tail = tail
    // Without this, the log would grow to the size of the journal.
    this.#run(() => db.run('PRAGMA wal_checkpoint(PASSIVE)'))
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#file?.rows.read(afterSeq, maxBytes) ?? []
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#file?.rows.hashAt(seq)
  }

  async settle(): Promise<void> {
    const { db } = this.#opened()
    this.#run(() => emptyLog(db))
  }

  async finish(seal: Batch, quarantined: readonly Quarantined[]): Promise<void> {
    const { db, insert } = this.#opened()
    requireNext(seal, this.#tail)
    this.#run(() =>
      db.transaction(() => {
        insert.run(...batchValues(seal))
        for (const { seq, check } of quarantined)
          db.run('INSERT OR IGNORE INTO quarantine VALUES (?, ?)', [seq, check])
        db.run('DROP TABLE incoming')
        db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
      })(),
    )
    this.#tail = endOf(seal)
    await this.settle()
  }

  /** Releases the directory. */
  async close(): Promise<void> {
    if (this.#file === undefined) return
    const { db, rows, insert } = this.#file
    this.#file = undefined
    this.#run(() => {
      insert.finalize()
      rows.close()
      db.close(true)
    })
    forgetHolder(this.#directory)
  }

  #open(): File {
    const db = openJournalFile(this.#directory, true)
    try {
      const rows = new JournalRows(this.#directory, db)
      const last = rows.last()
      if (last !== undefined) this.#tail = endOf(last)
      const isOthers =
        storedIdentity(db) === undefined && last !== undefined && !isElsewhere(last, 'DIRECTORY')
      if (isOthers) this.#refusal = inUse(this.#directory)
      this.#file = { db, rows, insert: db.prepare(INSERT_ROW) }
      return this.#file
    } catch (cause) {
      db.close()
      throw cause
    }
  }

  #opened(): File {
    if (this.#file !== undefined) return this.#file
    throw new JournalFault('FAILED', `nothing is being moved to ${this.#directory}`)
  }

  #run(work: () => void): void {
    try {
      work()
    } catch (cause) {
      throw sqliteFault(cause, `cannot write the journal in ${this.#directory}`, this.#directory)
    }
  }
}

function inUse(directory: string): JournalFault {
  return new JournalFault(
    'UNSUPPORTED',
    `${directory} contains an exchange of its own. Nothing was changed: choose an empty directory`,
  )
}

/** Undefined if no move into this directory has begun, or it is finished. */
function storedIdentity(db: Database): string | undefined {
  using known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'incoming'")
  if (known.values().length === 0) return undefined
  using identity = db.prepare('SELECT identity FROM incoming')
  return String(identity.values()[0]?.[0])
}
