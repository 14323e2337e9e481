/** Whether a directory has room, checked by writing a file. */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileFault, writeAll } from './directory.ts'

/** The file written for the check. It is removed at once; one left by a killed process has no meaning. */
export const ROOM_FILE = 'room.tmp'

/**
 * False if the file system, or the quota of the process's user, has no room for this many bytes. Any other
 * failed write counts as room.
 */
export function hasRoom(directory: string, bytes: number): boolean {
  const file = join(directory, ROOM_FILE)
  try {
    const fd = openSync(file, 'w', 0o600)
    try {
      writeAll(fd, new Uint8Array(bytes), 0)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    return true
  } catch (cause) {
    return fileFault(cause, `cannot write ${file}`).kind !== 'STORAGE_FULL'
  } finally {
    rmSync(file, { force: true })
  }
}
