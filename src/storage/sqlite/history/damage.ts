/**
 * A damaged history.sqlite: distinguishes damage from other errors, marks the file for the next start, and
 * puts it aside. History is a projection, so damage costs only a replay. SQLite must have nothing open while
 * a file is put aside; a running node that finds damage leaves a mark beside the file, and the next start
 * acts on it.
 *
 *   history.sqlite.unfit          the mark, with the finding
 *   history.sqlite.damaged, -wal  the newest damaged file and its log, kept for analysis
 */
import { SQLiteError } from 'bun:sqlite'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { writeWhole } from '../../files/directory.ts'
import { DamagedRowFault } from './check.ts'

/** Limit for the text read from a mark. */
const MARK_LENGTH_MAX = 1_000

/** Whether the file's own bytes are the cause, not the disk, its space or another process. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedRowFault) return true
  if (!(error instanceof SQLiteError)) return false
  const code = error.code ?? ''
  // The statements are fixed. A statement that does not fit the tables (ERROR, also for a head with an
  // unknown format) or that adds an existing number (CONSTRAINT) has found tables or rows that this program
  // did not write.
  return ['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_ERROR', 'SQLITE_CONSTRAINT', 'SQLITE_MISMATCH'].some(
    (kind) => code === kind || code.startsWith(`${kind}_`),
  )
}

/**
 * Marks the file at `path`, so that the next start puts it aside. Returns false if the mark could not be
 * written.
 */
export function markDamaged(path: string, found: string): boolean {
  try {
    writeWhole(markOf(path), `${markOf(path)}.tmp`, [new TextEncoder().encode(`${found}\n`)])
    return true
  } catch {
    return false
  }
}

/** The damage that an earlier run found in the file at `path`; undefined if there is none. */
export function readMark(path: string): string | undefined {
  if (!existsSync(markOf(path))) return undefined
  return readFileSync(markOf(path), 'utf8').trim().slice(0, MARK_LENGTH_MAX)
}

/**
 * Renames the file and its log, replacing earlier ones, and then removes the mark. If it is interrupted, it
 * can be repeated: while the mark exists, the file beside it is never the new one.
 */
export function putAside(path: string): void {
  if (existsSync(path)) {
    for (const suffix of ['', '-wal']) rmSync(asideOf(path) + suffix, { force: true })
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${asideOf(path)}-wal`)
    renameSync(path, asideOf(path))
  }
  removeHistoryFile(path)
}

/** Removes the file, SQLite's files beside it, and the mark; a file that was put aside stays. */
export function removeHistoryFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  rmSync(markOf(path), { force: true })
}

/** The path to which the file at `path` is put aside. */
export function asideOf(path: string): string {
  return `${path}.damaged`
}

function markOf(path: string): string {
  return `${path}.unfit`
}
