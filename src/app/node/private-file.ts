/**
 * Files that contain secrets: another user of the machine who can read one has access to everything that it
 * protects.
 */
import { statSync } from 'node:fs'

/** Permissions of the group and of all others. */
const OTHERS = 0o077

/**
 * Refuses a file that its group or all others may use, as SSH does with its keys; `faultOf` creates the error
 * from the sentence. Throws the system's error if the file cannot be examined.
 */
export function requirePrivate(file: string, faultOf: (problem: string) => Error): void {
  const found = statSync(file)
  if (!found.isFile() || (found.mode & OTHERS) === 0) return
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
  throw faultOf(
    `${file} is accessible to others (mode ${mode}), but contains a secret. Restrict it: chmod 600 ${file}`,
  )
}
