/**
 * Whether an error of SQLite means a full disk. SQLite has a code of its own for only one case, a write that
 * finds no block. An exhausted quota, a file that cannot be created and an index of the log that cannot be
 * shared have the codes of any failure; for these, a test file shows whether there is room.
 */
import { SQLiteError } from 'bun:sqlite'
import { hasRoom } from '../files/room.ts'

/**
 * SQLite's codes for a full disk, and for an index of the log that cannot grow, in which case the file itself
 * is not at fault.
 */
const IS_FULL = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']

/**
 * Errors that a full disk or an exhausted quota can cause: in a write, a change of length, or a new file. A
 * failed sync is not among them, since after it the contents of the disk are unknown.
 */
const MAY_BE_FULL = [
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_TRUNCATE',
  'SQLITE_IOERR_SHMOPEN',
  'SQLITE_IOERR_SHMMAP',
  'SQLITE_CANTOPEN',
]

/** The step by which the index of a log grows, in bytes: the most that SQLite requests at once. */
const ASKED_BYTES = 32 * 1024

/**
 * Whether `error` means that `directory` has no room, or there is none although `error` does not report it.
 */
export function isFull(error: unknown, directory: string): boolean {
  if (!(error instanceof SQLiteError)) return false
  const code = error.code ?? ''
  return IS_FULL.includes(code) || (MAY_BE_FULL.includes(code) && !hasRoom(directory, ASKED_BYTES))
}

/**
 * Whether the index of the log cannot be shared in a file: a process that opens the database exclusively
 * needs no such file.
 */
export function lacksSharedIndex(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code?.startsWith('SQLITE_IOERR_SHM') ?? false)
}
