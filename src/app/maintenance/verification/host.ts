/**
 * Types shared by the audit commands: functions they need from the process, exit codes, and the description
 * of a command.
 */
import type { Arguments, OptionForms } from '../../../cli/arguments.ts'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'

/** Exit codes: intact or done; something was found; invalid or could not be carried out. */
export const EXIT_SOUND = 0
export const EXIT_FINDING = 1
export const EXIT_CANNOT = 2

export type AuditHost = {
  /** The source of the journal, in place of the given directory; absent if the directory is the source. */
  readonly journal?: () => Promise<JournalSource>
  /** One line, or several, of the result. */
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** Raw text for the progress line; undefined if there is no terminal. */
  readonly terminal: ((text: string) => void) | undefined
  /** Data directory when `--data` is not given. */
  readonly defaultData: string | undefined
  readonly version: ProgramVersion
  /** Milliseconds since an arbitrary time; never runs backwards. */
  readonly monotonicMs: () => number
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

export type AuditCommand = {
  readonly name: string
  readonly help: string
  /** The accepted first words, one of which is required; absent if it takes none. */
  readonly subjects?: readonly string[]
  readonly forms: OptionForms
  /** Resolves with the exit code. */
  readonly run: (given: Arguments, host: AuditHost) => Promise<number>
}

/** The command cannot be carried out; the message states why and what to do. */
export class CannotRunError extends Error {
  override readonly name = 'CannotRunError'
}
