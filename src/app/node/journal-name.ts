/**
 * The name of the journal in a data directory. Clients that return to the private feed compare it with the
 * journal that they followed (docs/reference/data-directory.md#name-of-the-journal). A restore does not copy
 * it, and accepting a journal that has lost its end creates a new one, because a command number then means
 * something else.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
import { writeWhole } from '../../storage/files/directory.ts'

export const JOURNAL_NAME_FILE = 'journal.name'

const NAME_BYTES = 16
const NAME = /^[0-9a-f]{32}$/

/**
 * The name in the directory; a new one if it has none, or if `isAnother` (the directory now has another
 * journal). If there is no space to store it, the new name is valid for this run only. Throws `JournalFault`.
 */
export function nameJournal(directory: string, isAnother: boolean): string {
  const file = path.join(directory, JOURNAL_NAME_FILE)
  const known = !isAnother && existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (NAME.test(known)) return known
  const name = randomBytes(NAME_BYTES).toString('hex')
  try {
    writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(`${name}\n`)])
  } catch (cause) {
    if (!(cause instanceof JournalFault && cause.kind === 'STORAGE_FULL')) throw cause
  }
  return name
}
