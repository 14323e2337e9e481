/** Runs an auditor's command: reads its options, and reports in one line why it could not be carried out. */

import { AdminRefusedError, AdminUnreachableFault } from '../../../cli/admin/client.ts'
import { parseArguments, UsageError } from '../../../cli/arguments.ts'
import { type Failure, tellFailure } from '../../../cli/failure.ts'
import { HistoryFault } from '../../../engine/history/history.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import { SettingsError } from '../../settings/load.ts'
import { ARCHIVE } from '../backup/archive.ts'
import { BACKUP } from '../backup/backup.ts'
import { RESTORE } from '../backup/restore.ts'
import { LIABILITIES } from '../reports/liabilities.ts'
import { REPORT } from '../reports/report.ts'
import {
  type AuditCommand,
  type AuditHost,
  CannotRunError,
  EXIT_CANNOT,
  EXIT_FINDING,
  EXIT_SOUND,
} from './host.ts'
import { JOURNAL } from './journal.ts'
import { REBUILD } from './rebuild.ts'
import { REPAIR } from './repair.ts'
import { REPLAY } from './replay.ts'
import { VERIFY } from './verify.ts'

const AUDIT_COMMANDS: readonly AuditCommand[] = [
  VERIFY,
  REPLAY,
  JOURNAL,
  BACKUP,
  RESTORE,
  ARCHIVE,
  REPAIR,
  REBUILD,
  REPORT,
  LIABILITIES,
]

/** The auditor's command of that name, if there is one. */
export function auditCommand(name: string | undefined): AuditCommand | undefined {
  return AUDIT_COMMANDS.find((command) => command.name === name)
}

/** Resolves with the exit code. Rejects only on a bug. */
export async function runAudit(
  { name, help, forms, run }: AuditCommand,
  line: readonly string[],
  host: AuditHost,
): Promise<number> {
  try {
    const given = parseArguments(line, { ...forms, help: 'flag' })
    if (!given.options.has('help')) return await run(given, host)
    host.print(help)
    return EXIT_SOUND
  } catch (error) {
    if (error instanceof UsageError) {
      const help = `bourse ${name} --help`
      tellFailure(`bourse ${name}`, { reason: 'NOT_UNDERSTOOD', message: error.message, help }, line, host)
      return EXIT_CANNOT
    }
    const failure = auditFailure(error)
    if (failure === undefined) throw error
    tellFailure(`bourse ${name}`, failure, line, host)
    return failure.exitCode
  }
}

/** The reason why a command could not be carried out; undefined for a bug. */
export function auditFailure(error: unknown): (Failure & { readonly exitCode: number }) | undefined {
  if (error instanceof UsageError)
    return { reason: 'NOT_UNDERSTOOD', message: error.message, exitCode: EXIT_CANNOT }
  if (!isExpected(error)) return undefined
  const { message } = error
  return { reason: reasonOf(error), message, exitCode: isDamage(error) ? EXIT_FINDING : EXIT_CANNOT }
}

/** Whether the error is one that the person running the command can fix or must know of. */
function isExpected(error: unknown): error is Error {
  const kinds = [
    ...[CannotRunError, JournalFault, HistoryFault, AdminUnreachableFault, AdminRefusedError],
    SettingsError,
  ]
  return kinds.some((kind) => error instanceof kind)
}

function reasonOf(error: Error): Failure['reason'] {
  if (error instanceof JournalFault) return error.kind
  if (error instanceof AdminRefusedError) return error.error.reason
  return error instanceof AdminUnreachableFault ? 'NO_ANSWER' : 'CANNOT_RUN'
}

/** A journal too damaged to be opened is a finding of the command, not a failure. */
function isDamage(error: Error): boolean {
  return error instanceof JournalFault && (error.kind === 'DAMAGED' || error.kind === 'WITNESS')
}
