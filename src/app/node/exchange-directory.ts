/**
 * Does a data directory hold an exchange? A disk that is not mounted looks like an empty directory, and an exchange that
 * begins anew there takes orders that the real one knows nothing of. So only who asks for a new one gets one.
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import { fileFault } from '../../storage/files/directory.ts'
import { HISTORY_FILE, JOURNAL_FILE, SNAPSHOTS_DIRECTORY, WITNESS_FILE } from './storage/stored-exchange.ts'

/** What an exchange leaves beside its journal: where one of these is, the journal was lost and is not to be begun anew. */
const REMAINS = [WITNESS_FILE, SNAPSHOTS_DIRECTORY, HISTORY_FILE, 'backup.json'] as const

/** What a directory says of itself beside its exchange (`../standby/standby-file.ts`). */
export const STANDBY_FILE = 'standby.json'
export const PROMOTED_FILE = 'promoted.json'
export const SUPERSEDED_FILE = 'superseded.json'

/** The data directory is not what the command needs. The message says why and what to do. */
export class DataDirectoryFault extends Error {
  override readonly name = 'DataDirectoryFault'
}

/** Throws `DataDirectoryFault` unless the directory holds an exchange. */
export function requireExchange(directory: string): void {
  if (isThere(directory, JOURNAL_FILE)) return
  throw new DataDirectoryFault(
    `${directory} holds no exchange: it has no ${JOURNAL_FILE}. Is its disk mounted? To begin a new, empty exchange ` +
      'there: --init; to have an old one again: bourse restore',
  )
}

/** Throws `DataDirectoryFault` where the directory holds an exchange, or what is left of one. */
export function requireNoExchange(directory: string): void {
  if (isThere(directory, JOURNAL_FILE)) {
    throw new DataDirectoryFault(`${directory} holds an exchange: start it without --init`)
  }
  const found = REMAINS.find((name) => isThere(directory, name))
  if (found === undefined) return
  throw new DataDirectoryFault(
    `${directory} has ${found} and no ${JOURNAL_FILE}: an exchange was here. Restore it from a backup into an empty directory`,
  )
}

/** Throws `DataDirectoryFault` where another node serves the exchange of the directory, or may. */
export function requireOwn(directory: string): void {
  if (isThere(directory, STANDBY_FILE)) {
    throw new DataDirectoryFault(
      `${directory} is a standby's: the node that it follows may serve the exchange. To serve it from here: ` +
        `bourse standby promote --data ${directory}`,
    )
  }
  if (isThere(directory, SUPERSEDED_FILE)) {
    throw new DataDirectoryFault(
      `the node of ${directory} was taken over from, and another one serves its exchange (${SUPERSEDED_FILE} says which). ` +
        'To follow that one: bourse standby --from URL, in an empty directory where this one is refused. What the other lacks: docs/standby.md',
    )
  }
}

/** Whether a standby was promoted there: the node that it took over from may come back. */
export function wasPromoted(directory: string): boolean {
  return isThere(directory, PROMOTED_FILE)
}

/** A file of no bytes counts as absent: a creation that was cut short leaves one. */
function isThere(directory: string, name: string): boolean {
  const file = path.join(directory, name)
  try {
    return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw fileFault(cause, `cannot look at ${file}`)
  }
}
