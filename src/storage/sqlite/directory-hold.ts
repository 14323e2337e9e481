/**
 * Locks a directory for one process: the lock is SQLite's own on a dedicated file, and ends with the process,
 * for whatever cause. Used for directories without a journal; a journal's file has its own lock.
 */
import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'

export const HOLD_NAME = 'engine.lock'

/** The runtime closes an unreferenced database, and its lock would be lost. */
const held = new Set<Database>()

/**
 * Locks an existing directory; the returned function releases it. Throws `JournalFault`: `IN_USE` if another
 * process has locked it.
 */
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
    throw new JournalFault('FAILED', `cannot lock ${directory}: ${found}`, { cause })
  }
}
