/** The report of a failed command: a line for people, and with `--json` an object for programs. */

import type { AdminReason, CommandLineReason } from '../contract/reasons/catalogue.ts'
import { printable } from '../units/printable.ts'

export type Failure = {
  /** A code for programs. */
  readonly reason: AdminReason | CommandLineReason
  readonly message: string
  /** The invalid field of the request. */
  readonly field?: string | undefined
  /** The command that shows help, for an invalid command line. */
  readonly help?: string | undefined
  /** Whether the reason is in the catalogue, which explains it. */
  readonly showsReason?: boolean
}

type FailureHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

/**
 * `program`: the reporting program, such as `bourse admin`; `line`: the words of the command line, searched
 * for `--json`.
 */
export function tellFailure(
  program: string,
  { reason, message, field, help, showsReason }: Failure,
  line: readonly string[],
  host: FailureHost,
): void {
  const mark = showsReason ? ` [${reason}]` : ''
  host.printError(`${program}: ${printable(message)}${mark}${help === undefined ? '' : `\nHelp: ${help}`}`)
  if (line.includes('--json')) host.print(JSON.stringify({ error: { reason, message, field } }))
}
