/**
 * The name of the journal in a data directory, by which those who come back to the private feed know that it is the one that they
 * followed (docs/reference/data-directory.md#name-of-the-journal). A restore does not copy it, and whoever accepts a journal that has lost
 * its end gets another: a number of a command then means something else.
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
 * The name that the directory has; a new one where it has none, or `isAnother`: the journal is not the one that had it. Without room the
 * new one is that of this run alone. Throws `JournalFault`.
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
