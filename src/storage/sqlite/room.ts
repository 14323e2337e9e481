/**
 * Whether a full disk is what SQLite's error means. It has a code of its own for one case of them, a write that finds no block: a quota, a file
 * that cannot be made and an index of the log that cannot be shared have those of any failure, and whether there is room is found out by asking for some.
 */
import { SQLiteError } from 'bun:sqlite'
import { hasRoom } from '../files/room.ts'

/** SQLite's own word for it, and an index of the log that cannot grow: nothing of the file itself has failed then. */
const IS_FULL = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']

/**
 * What a full disk, or a quota that is used up, can be answered as beside them: a write, another length, a file that is made. A failed sync
 * is not among them: what is on the disk is unknown then.
 */
const MAY_BE_FULL = [
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_TRUNCATE',
  'SQLITE_IOERR_SHMOPEN',
  'SQLITE_IOERR_SHMMAP',
  'SQLITE_CANTOPEN',
]

/** As much as the index of a log grows by at a time, which is the most that SQLite asks for at once. */
const ASKED_BYTES = 32 * 1024

/** True when `error` says that `directory` has no room, or says no more than that something failed and there is none. */
export function isFull(error: unknown, directory: string): boolean {
  if (!(error instanceof SQLiteError)) return false
  const code = error.code ?? ''
  return IS_FULL.includes(code) || (MAY_BE_FULL.includes(code) && !hasRoom(directory, ASKED_BYTES))
}

/** The index of the log cannot be shared in a file: whoever holds the database alone needs none. */
export function lacksSharedIndex(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code?.startsWith('SQLITE_IOERR_SHM') ?? false)
}
