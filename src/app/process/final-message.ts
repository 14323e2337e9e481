/**
 * The final message of a process whose node cannot start or has failed: one line that tells its operator what
 * to do.
 */

import { HistoryFault } from '../../engine/history/history.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { FollowerFault } from '../../transport/thread/follower-handle.ts'
import { DataDirectoryFault } from '../node/exchange-directory.ts'
import { MasterKeyFault } from '../node/load-master-key.ts'
import { PortFault } from '../node/serving/port.ts'
import { SandboxFault } from '../sandbox/seed.ts'
import { SettingsError } from '../settings/load.ts'

/** Advice for a journal whose bytes are damaged. */
const JOURNAL_WAY_ON =
  'Nothing was changed. Copy the data directory as it is, then repair or restore it from a backup: ' +
  'see docs/reference/data-directory.md'

/** The line; undefined for a bug, whose stack is needed. */
export function finalMessage(error: unknown): string | undefined {
  if (error instanceof JournalFault) {
    return error.kind === 'DAMAGED' ? `${error.message}. ${JOURNAL_WAY_ON}` : error.message
  }
  if (isHistoryFailure(error)) {
    return `the node failed: ${error.cause instanceof Error ? error.cause.message : error.message}`
  }
  if (error instanceof SettingsError && error.problems.length > 1) {
    return `${error.message}; and ${error.problems.length - 1} more: bourse config check lists them`
  }
  // During the start: the engine or the history reported that it failed, with the reason.
  const known = [SettingsError, DataDirectoryFault, PortFault, MasterKeyFault, SandboxFault, EngineFault]
  if (known.some((fault) => error instanceof fault)) return (error as Error).message
  return isSystemError(error) ? `the operating system reports: ${error.message}` : undefined
}

/**
 * For a message about a data directory: states that it was set in the environment, if it was not given on the
 * command line.
 */
export function directoryNote(
  message: string,
  line: readonly string[],
  { DATA_DIR, BOURSE_CONFIG }: Readonly<Record<string, string | undefined>>,
): string {
  const has = (option: string) => line.some((word) => word === option || word.startsWith(`${option}=`))
  if (!DATA_DIR || has('--data') || !message.includes(DATA_DIR)) return ''
  const over = has('--config') || BOURSE_CONFIG ? ', and overrides the configuration file' : ''
  return `. That directory is set by DATA_DIR in the environment${over}`
}

/**
 * A bug with its stack and causes, without the surrounding source lines: in an executable those are pages
 * long.
 */
export function bugInFull(error: unknown): string {
  if (!(error instanceof Error)) return Bun.inspect(error)
  const reported = error.stack ?? String(error)
  return error.cause === undefined ? reported : `${reported}\ncause: ${bugInFull(error.cause)}`
}

/**
 * Whether a system call failed: a fault, not a bug. The message has the error's name, the call and the file.
 */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

/** Whether the history ended the node, for a reason that its message states in full. */
export function isHistoryFailure(error: unknown): error is FollowerFault {
  return error instanceof FollowerFault && error.fault === HistoryFault.name
}
