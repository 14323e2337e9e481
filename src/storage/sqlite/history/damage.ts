/**
 * A damaged history.sqlite: distinguished from other errors, remembered for the next start, and put aside. History is a
 * projection, so damage costs a replay and no more. SQLite must have nothing open while a file is put aside; a node
 * that meets damage while it runs leaves a mark beside the file, and the next start obeys it.
 *
 *   history.sqlite.unfit          the mark; holds what was found
 *   history.sqlite.damaged, -wal  the newest damaged file and its log, kept for whoever asks why
 */
import { SQLiteError } from 'bun:sqlite'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { writeWhole } from '../../files/directory.ts'
import { DamagedRowFault } from './check.ts'

/** Bytes of a mark that are read back. */
const MARK_LENGTH_MAX = 1_000

/** True when the file's own bytes are to blame, not the disk, its room or another process. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedRowFault) return true
  if (!(error instanceof SQLiteError)) return false
  const code = error.code ?? ''
  // The statements are fixed: one that does not fit the tables (ERROR, also for a head that names an unknown format)
  // or meets a number that is taken (CONSTRAINT) has met tables or rows that nobody wrote.
  return ['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_ERROR', 'SQLITE_CONSTRAINT', 'SQLITE_MISMATCH'].some(
    (kind) => code === kind || code.startsWith(`${kind}_`),
  )
}

/** Has the next start put the file at `path` aside. False: the mark could not be written. */
export function markDamaged(path: string, found: string): boolean {
  try {
    writeWhole(markOf(path), `${markOf(path)}.tmp`, [new TextEncoder().encode(`${found}\n`)])
    return true
  } catch {
    return false
  }
}

/** What an earlier run found wrong with the file at `path`; undefined: nothing. */
export function readMark(path: string): string | undefined {
  if (!existsSync(markOf(path))) return undefined
  return readFileSync(markOf(path), 'utf8').trim().slice(0, MARK_LENGTH_MAX)
}

/**
 * Renames the file and its log, in place of those put aside before, and takes the mark away. Cut short at any moment
 * it may be done again: what stands beside the mark is never the new file.
 */
export function putAside(path: string): void {
  if (existsSync(path)) {
    for (const suffix of ['', '-wal']) rmSync(asideOf(path) + suffix, { force: true })
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${asideOf(path)}-wal`)
    renameSync(path, asideOf(path))
  }
  removeHistoryFile(path)
}

/** Removes the file with all that SQLite and a mark have put beside it; the one put aside stays. */
export function removeHistoryFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  rmSync(markOf(path), { force: true })
}

/** Where the file at `path` is kept once it has been put aside. */
export function asideOf(path: string): string {
  return `${path}.damaged`
}

function markOf(path: string): string {
  return `${path}.unfit`
}
