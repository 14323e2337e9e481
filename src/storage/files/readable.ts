/** Whether a file is there to be read; a missing permission is said as such, not taken for a missing file. */
import { accessSync, constants } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'

/** What looks at the file system, and as whom; tests say what it finds. */
export type FileAccess = {
  /** Throws what the system says when this process may not use a file so. */
  readonly check: (path: string, mode: number) => void
  readonly user: () => string
}

export const SYSTEM_ACCESS: FileAccess = { check: accessSync, user: nameOfUser }

/** False where nothing has this name. Throws a `JournalFault` that names file and user when it may not be read. */
export function isReadable(path: string, access: FileAccess = SYSTEM_ACCESS): boolean {
  try {
    access.check(path, constants.R_OK)
    return true
  } catch (cause) {
    if (!isDenied(cause)) return false
    throw permissionFault(`${path} is not readable`, access, cause)
  }
}

/** Throws as `isReadable` does when no file can be made beside this one. */
export function requireRoomBeside(path: string, access: FileAccess = SYSTEM_ACCESS): void {
  const directory = dirname(path)
  try {
    access.check(directory, constants.W_OK | constants.X_OK)
  } catch (cause) {
    if (!isDenied(cause)) return
    throw permissionFault(`to read ${path}, ${directory} must be writable, and is not`, access, cause)
  }
}

function isDenied(cause: unknown): boolean {
  const { code } = cause as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}

function permissionFault(what: string, { user }: FileAccess, cause: unknown): JournalFault {
  const message = `permission denied: ${what} for user ${user()}; run as the user that runs the node`
  return new JournalFault('FAILED', message, { cause })
}

/** The number is what counts: a name may be that of whoever called `sudo`, and in a container there may be none. */
function nameOfUser(): string {
  return `${userInfo().username} (uid ${process.getuid?.() ?? '?'})`
}
