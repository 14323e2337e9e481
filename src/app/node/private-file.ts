/** Files that hold secrets: whoever else on the machine may read one has what it opens. */
import { statSync } from 'node:fs'

/** Permissions of the group and of all others. */
const OTHERS = 0o077

/**
 * Refuses a file that its group or all others may use, as SSH does with its keys; what is thrown, `faultOf` makes of the
 * sentence. Throws what the system says of a file that cannot be looked at.
 */
export function requirePrivate(file: string, faultOf: (problem: string) => Error): void {
  const found = statSync(file)
  if (!found.isFile() || (found.mode & OTHERS) === 0) return
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
  throw faultOf(`${file} is open to others (mode ${mode}): it holds a secret. Close it: chmod 600 ${file}`)
}
