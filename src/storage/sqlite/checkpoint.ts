/**
 * A full checkpoint: the log is synced and copied into the file, the file is synced, and the log is emptied.
 * If another connection blocks it, SQLite does not fail, but reports this in a row.
 */
import type { Database } from 'bun:sqlite'

/**
 * Returns false if another connection held the log longer than the busy timeout: part of the log is then
 * neither copied nor synced.
 */
export function emptyLog(db: Database): boolean {
  using statement = db.prepare<Record<string, unknown>, []>('PRAGMA wal_checkpoint(TRUNCATE)')
  // The columns are: busy, frames in the log, frames copied; -1 frames if there is no log at all.
  const [busy, frames] = statement.values()[0] ?? []
  return Number(busy) === 0 && Number(frames) === 0
}
