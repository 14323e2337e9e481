/**
 * The journal of a stopped node, opened read-only: it is not changed, and no node can start on it while it is
 * open. A running node has locked the file, so opening fails with `IN_USE`. A reader without permission to
 * write cannot lock the file; if a node starts in the meantime, reading fails.
 */
import { SQLiteError } from 'bun:sqlite'
import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JournalSource } from '../../engine/audit/source.ts'
import { type Batch, JournalFault } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { type FileAccess, isReadable, requireRoomBeside, SYSTEM_ACCESS } from '../files/readable.ts'
import {
  checkFormat,
  forgetHolder,
  holderOf,
  JOURNAL_NAME,
  openJournalFile,
  sqliteFault,
} from './journal-file.ts'
import { LogInTheWayFault, openForReading, type Reading } from './reading.ts'
import { WholeJournal } from './whole-journal.ts'

export class JournalReader implements JournalSource {
  readonly tail: { readonly seq: Seq }
  readonly #path: string
  readonly #reading: Reading
  readonly #whole: WholeJournal
  readonly #leftovers: readonly string[]
  readonly #onClosed: () => void

  /**
   * Opens the journal in `directory`. Throws `JournalFault`: `IN_USE`, `UNSUPPORTED`, `DAMAGED`, `FAILED`.
   */
  static open(directory: string, access: FileAccess = SYSTEM_ACCESS): JournalReader {
    const path = join(directory, JOURNAL_NAME)
    if (!isReadable(path, access))
      throw new JournalFault('UNSUPPORTED', `${directory} has no journal (${JOURNAL_NAME})`)
    // A reader creates these files if they are absent, and removes them again.
    isReadable(`${path}-wal`, access)
    const leftovers = ['-shm', '-wal'].map((suffix) => path + suffix).filter((name) => !existsSync(name))
    let reading: Reading | undefined
    try {
      reading = openForReading(path)
      if (checkFormat(reading.db, path)) throw new JournalFault('UNSUPPORTED', `${path} is empty`)
      return new JournalReader(directory, path, reading, leftovers)
    } catch (cause) {
      reading?.db.close()
      if (cause instanceof JournalFault) throw cause
      if (cause instanceof SQLiteError && cause.code?.startsWith('SQLITE_BUSY')) {
        throw new JournalFault('IN_USE', `${directory} is in use by ${holderOf(directory)}`, { cause })
      }
      const fault = sqliteFault(cause, `cannot open ${path} for reading`, dirname(path))
      // Damage is reported as damage whatever the permissions; for any other error a missing permission is
      // the more likely cause.
      if (fault.kind !== 'DAMAGED' && !(cause instanceof LogInTheWayFault)) requireRoomBeside(path, access)
      throw fault
    }
  }

  /**
   * Opens the journal with the lock of a node: its log is copied into the file, and removed by `close`.
   * Throws as `open` does.
   */
  static openExclusively(directory: string): JournalReader {
    const db = openJournalFile(directory)
    try {
      const reading = { db, requireUnchanged: () => {} }
      const path = join(directory, JOURNAL_NAME)
      return new JournalReader(directory, path, reading, [], () => forgetHolder(directory))
    } catch (cause) {
      db.close()
      throw cause
    }
  }

  private constructor(
    directory: string,
    path: string,
    reading: Reading,
    leftovers: readonly string[],
    onClosed: () => void = () => {},
  ) {
    this.#path = path
    this.#reading = reading
    this.#leftovers = leftovers
    this.#onClosed = onClosed
    this.#whole = new WholeJournal(directory, reading.db)
    this.tail = { seq: this.#whole.rows.lastSeq() }
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    const batches = await this.#whole.read(afterSeq, maxBytes)
    this.#requireUnchanged()
    return batches
  }

  async quarantined(): Promise<ReadonlyMap<Seq, Uint8Array | undefined>> {
    return new Map(this.#whole.rows.quarantined().map(({ seq, check }) => [seq, check]))
  }

  #requireUnchanged(): void {
    try {
      this.#reading.requireUnchanged()
    } catch (cause) {
      if (!(cause instanceof LogInTheWayFault))
        throw sqliteFault(cause, `cannot inspect ${this.#path}`, dirname(this.#path))
      throw new JournalFault('FAILED', cause.message, { cause })
    }
  }

  async close(): Promise<void> {
    this.release()
  }

  /** Closes the journal synchronously, so that it is closed before any later action of this process. */
  release(): void {
    try {
      this.#whole.close()
      // This must come before the journal is unlocked: afterwards a node may start, and the log would belong
      // to it.
      removeEmpty(this.#leftovers)
      this.#reading.db.close(true)
      this.#onClosed()
    } catch (cause) {
      throw sqliteFault(cause, `cannot close ${this.#path}`, dirname(this.#path))
    }
  }
}

/**
 * Removes an index of a log, which can always be rebuilt, and an empty log; a log with contents is never
 * removed.
 */
function removeEmpty(paths: readonly string[]): void {
  for (const path of paths) {
    const isIndex = path.endsWith('-shm')
    if (existsSync(path) && (isIndex || statSync(path).size === 0)) rmSync(path, { force: true })
  }
}
