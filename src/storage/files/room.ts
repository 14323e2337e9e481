/** Whether a directory has room, found out by asking for some. */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileFault, writeAll } from './directory.ts'

/** The file that asks for room; removed at once, and of no meaning where a kill has left it. */
export const ROOM_FILE = 'room.tmp'

/** False: the file system, or who owns the process, has no room for so many bytes there. Any other failure to write is not about room. */
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
