/** Whether a file exists and can be read; a missing permission is reported as such, not as a missing file. */
import { accessSync, constants } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'

/** Access to the file system and the user; tests replace it. */
export type FileAccess = {
  /** Throws the system's error if this process does not have the access `mode` to a file. */
  readonly check: (path: string, mode: number) => void
  readonly user: () => string
}

export const SYSTEM_ACCESS: FileAccess = { check: accessSync, user: nameOfUser }

/**
 * False if no file has this name. Throws a `JournalFault` that names the file and the user if the file may
 * not be read.
 */
export function isReadable(path: string, access: FileAccess = SYSTEM_ACCESS): boolean {
  try {
    access.check(path, constants.R_OK)
    return true
  } catch (cause) {
    if (!isDenied(cause)) return false
    throw permissionFault(`${path} cannot be read`, access, cause)
  }
}

/** Throws as `isReadable` does if no file can be created in the directory of this one. */
export function requireRoomBeside(path: string, access: FileAccess = SYSTEM_ACCESS): void {
  const directory = dirname(path)
  try {
    access.check(directory, constants.W_OK | constants.X_OK)
  } catch (cause) {
    if (!isDenied(cause)) return
    throw permissionFault(
      `to read ${path}, a file must be created in ${directory}, which is not possible`,
      access,
      cause,
    )
  }
}

function isDenied(cause: unknown): boolean {
  const { code } = cause as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}

function permissionFault(what: string, { user }: FileAccess, cause: unknown): JournalFault {
  const message = `permission denied: ${what} as user ${user()}; run the command as the node's user`
  return new JournalFault('FAILED', message, { cause })
}

/**
 * The user's number is what matters: the name may be that of the user who called `sudo`, and a container may
 * have none.
 */
function nameOfUser(): string {
  return `${userInfo().username} (uid ${process.getuid?.() ?? '?'})`
}
