/**
 * Checks whether a data directory contains an exchange. A disk that is not mounted looks like an empty
 * directory, and an exchange newly created there would take orders that the real one does not have. Therefore
 * a new exchange is only created on request.
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import { fileFault } from '../../storage/files/directory.ts'
import { HISTORY_FILE, JOURNAL_FILE, SNAPSHOTS_DIRECTORY, WITNESS_FILE } from './storage/stored-exchange.ts'

/**
 * Files that an exchange leaves beside its journal: if one of these exists, the journal was lost and must not
 * be created again.
 */
const REMAINS = [WITNESS_FILE, SNAPSHOTS_DIRECTORY, HISTORY_FILE, 'backup.json'] as const

/** Files in which a directory describes its role (`../standby/standby-file.ts`). */
export const STANDBY_FILE = 'standby.json'
export const PROMOTED_FILE = 'promoted.json'
export const SUPERSEDED_FILE = 'superseded.json'

/** The data directory is not what the command needs. The message states why and what to do. */
export class DataDirectoryFault extends Error {
  override readonly name = 'DataDirectoryFault'
}

/** Throws `DataDirectoryFault` unless the directory contains an exchange. */
export function requireExchange(directory: string): void {
  if (isThere(directory, JOURNAL_FILE)) return
  throw new DataDirectoryFault(
    `${directory} contains no exchange: it has no ${JOURNAL_FILE}. Is its disk mounted? To create a new, empty exchange ` +
      'there, use --init; to restore one from a backup, bourse restore',
  )
}

/** Throws `DataDirectoryFault` if the directory contains an exchange, or the remains of one. */
export function requireNoExchange(directory: string): void {
  if (isThere(directory, JOURNAL_FILE)) {
    throw new DataDirectoryFault(`${directory} contains an exchange: start it without --init`)
  }
  const found = REMAINS.find((name) => isThere(directory, name))
  if (found === undefined) return
  throw new DataDirectoryFault(
    `${directory} has ${found} but no ${JOURNAL_FILE}: it contained an exchange. Restore it from a backup into an empty directory`,
  )
}

/** Throws `DataDirectoryFault` if another node serves the directory's exchange, or may serve it. */
export function requireOwn(directory: string): void {
  if (isThere(directory, STANDBY_FILE)) {
    throw new DataDirectoryFault(
      `${directory} belongs to a standby: the node that it follows may be serving the exchange. To serve it from here: ` +
        `bourse standby promote --data ${directory}`,
    )
  }
  if (isThere(directory, SUPERSEDED_FILE)) {
    throw new DataDirectoryFault(
      `another node has taken over from the node of ${directory} and serves its exchange (${SUPERSEDED_FILE} says which). ` +
        'To follow it: bourse standby --from URL, with an empty directory if this one is refused. Commands that the other node lacks: docs/standby.md',
    )
  }
}

/** Whether a standby was promoted there: the node that it replaced may return. */
export function wasPromoted(directory: string): boolean {
  return isThere(directory, PROMOTED_FILE)
}

/** An empty file counts as absent: a creation that was cut short leaves one. */
function isThere(directory: string, name: string): boolean {
  const file = path.join(directory, name)
  try {
    return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw fileFault(cause, `cannot inspect ${file}`)
  }
}
