/**
 * A whole checkpoint: the log is synced, copied into the file, the file synced, the log emptied. SQLite does not fail
 * where somebody is in its way, it only says so in a row.
 */
import type { Database } from 'bun:sqlite'

/** False: somebody held the log for longer than the busy timeout, and part of it is neither copied nor synced. */
export function emptyLog(db: Database): boolean {
  using statement = db.prepare<Record<string, unknown>, []>('PRAGMA wal_checkpoint(TRUNCATE)')
  // The columns are busy, frames in the log, frames copied; -1 frames: there is no log at all.
  const [busy, frames] = statement.values()[0] ?? []
  return Number(busy) === 0 && Number(frames) === 0
}
