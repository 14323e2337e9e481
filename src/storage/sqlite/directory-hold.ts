/**
 * Keeps a directory for one process: the lock is SQLite's own on a file of its own, and ends with the process, however it ends. For
 * directories without a journal, which holds its own.
 */
import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'

export const HOLD_NAME = 'engine.lock'

/** The runtime closes a database that nobody refers to any more, and with it the lock would be gone. */
const held = new Set<Database>()

/** Takes hold of a directory that is there; what is returned lets go of it. Throws `JournalFault`: `IN_USE` where another process has it. */
export function holdDirectory(directory: string): () => void {
  const path = join(directory, HOLD_NAME)
  let db: Database | undefined
  try {
    db = new Database(path, { create: true, readwrite: true, strict: true })
    chmodSync(path, 0o600)
    db.run('BEGIN EXCLUSIVE')
    const taken = db
    held.add(taken)
    return () => {
      held.delete(taken)
      taken.close()
    }
  } catch (cause) {
    db?.close()
    const isBusy = cause instanceof SQLiteError && cause.code?.startsWith('SQLITE_BUSY')
    if (isBusy) throw new JournalFault('IN_USE', `${directory} is in use by another process`, { cause })
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new JournalFault('FAILED', `cannot take hold of ${directory}: ${found}`, { cause })
  }
}
